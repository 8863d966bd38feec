"""The ledger of honoraria: what people have earned, and recording what they were paid."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.coordination.forms.honoraria import OpenPaymentsForm, PaymentForm, ReversalForm
from annotation.coordination.models.honoraria import Payment
from annotation.coordination.selectors import honoraria as selectors
from annotation.coordination.services import honoraria
from annotation.platform.core.phrases import counted
from annotation.platform.services.clock import database_today
from annotation.platform.views import PersonRequest, person_posts, taken
from annotation.study.views.membership import coordinated

PAYMENTS_ON_A_PAGE = 100
page = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
@login_required
@never_cache
def ledger(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    payments = Paginator(selectors.payments(study), PAYMENTS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "ledger": selectors.ledger(study),
        "page": payments,
        "payments": [selectors.payment_line(payment) for payment in payments],
        "reversal_form": ReversalForm(),
    }
    return render(request, "coordination/honoraria.html", context)


@require_safe
@login_required
@never_cache
def ledger_csv(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    name = slugify(f"honoraria {study.slug} {database_today():%Y-%m-%d}")
    return HttpResponse(
        selectors.as_csv(selectors.ledger(study)).encode("utf-8-sig"),  # the mark by which spreadsheets know UTF-8
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
    )


@page
@login_required
@never_cache
def pay(request: PersonRequest, slug: str, pseudonym: str) -> HttpResponse:
    """Record one payment. What cannot be taken is shown again, beside the account as it is now."""
    study = coordinated(request, slug)
    found = selectors.ledger(study, only=[pseudonym]).lines
    if not found:
        raise Http404
    line, data = found[0], _posted(request)
    form = PaymentForm(line.account, study.currency, data, initial={"amount": line.account.owed or None})

    def verb() -> None:
        payment = honoraria.pay(
            study=study,
            person=pseudonym,
            amount=form.cleaned_data["amount"],
            day=form.cleaned_data["day"],
            note=form.cleaned_data["note"],
            mark=request.POST.get("mark", ""),
            by=request.user,
        )
        messages.success(request, f"{payment.amount} {study.currency} to {pseudonym} recorded.")

    if data is not None and taken(form, verb):
        return redirect("honoraria", slug)
    context = {"study": study, "line": line, "form": form}
    return render(request, "coordination/honoraria_pay.html", context, status=200 if data is None else 400)


@page
@login_required
@never_cache
def pay_open(request: PersonRequest, slug: str) -> HttpResponse:
    """Everything that is open, to be looked at; what is posted records it as paid."""
    study = coordinated(request, slug)
    owed, data = selectors.ledger(study), _posted(request)
    form = OpenPaymentsForm(owed, data)

    def verb() -> None:
        day, note = form.cleaned_data["day"], form.cleaned_data["note"]
        made = honoraria.pay_open(study=study, marks=form.marks(), day=day, note=note, by=request.user)
        total = sum(payment.amount for payment in made)
        messages.success(request, f"{counted(len(made), 'payment')} recorded, {total} {study.currency} in all.")

    if data is not None and taken(form, verb):
        return redirect("honoraria", slug)
    chosen = {line.pseudonym for line in owed.owed} if data is None else set(data.getlist("people"))
    context = {"study": study, "ledger": owed, "form": form, "chosen": chosen}
    return render(request, "coordination/honoraria_open.html", context, status=200 if data is None else 400)


def _posted(request: PersonRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


@person_posts
def reverse(request: PersonRequest, pk: int) -> HttpResponse:
    """Take a payment back. What cannot be taken is shown again, so that nothing is typed twice."""
    payment = Payment.objects.select_related("participation__study").filter(pk=pk).first()
    if payment is None:
        raise Http404
    study, form = coordinated(request, payment.participation.study.slug), ReversalForm(request.POST)

    def verb() -> None:
        reason, today = form.cleaned_data["reason"], database_today()
        reversal = honoraria.reverse(payment=payment, reason=reason, day=today, by=request.user)
        messages.success(request, f"The payment was reversed: {reversal.amount} {study.currency}.")

    if taken(form, verb):
        return redirect("honoraria", study.slug)
    title = f"Reverse {payment.amount} {study.currency} to {payment.participation.pseudonym}"
    context = {"study": study, "form": form, "title": title, "action": "Reverse"}
    return render(request, "components/form.html", context, status=400)
