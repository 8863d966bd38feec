"""A study's mails at changes of phase, as a coordinator reads, changes and switches them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.notifications.core.occasions import OCCASIONS, occasions_of
from annotation.notifications.forms import WordingForm
from annotation.notifications.selectors.wordings import example, lines_of, shipped, wording_of
from annotation.notifications.services import notifications
from annotation.platform.core.errors import Refused
from annotation.platform.views import PersonRequest, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated


@require_safe
@login_required
@never_cache
def overview(request: PersonRequest, slug: str) -> HttpResponse:
    """Every occasion: who gets a mail, what it says, whether it is sent."""
    study = coordinated(request, slug)
    return render(request, "notifications/notifications.html", {"study": study, "lines": lines_of(study)})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def wording(request: PersonRequest, slug: str, occasion: str) -> HttpResponse:
    """The words of one mail, and how it looks filled in. Saved only on request."""
    study = coordinated(request, slug)
    if occasion not in occasions_of(audits_benchmarks=study.audits_benchmarks):
        raise Http404
    if request.method != "POST":
        return _page(request, study, occasion, WordingForm.beginning(wording_of(study, occasion)))
    form = WordingForm(request.POST)
    if "save" not in request.POST:
        return _page(request, study, occasion, form)
    if taken(
        form,
        lambda: notifications.word(study=study, occasion=occasion, wording=form.wording, by=request.user),
    ):
        messages.success(request, f"“{OCCASIONS[occasion].label}” is saved.")
        return redirect("notifications", slug)
    return _page(request, study, occasion, form)


def _page(request: PersonRequest, study: Study, occasion: str, form: WordingForm) -> HttpResponse:
    context = {
        "study": study,
        "occasion": OCCASIONS[occasion],
        "form": form,
        "preview": _preview(request, study, occasion, form),
        "standard": shipped()[occasion],
    }
    return render(request, "notifications/wording.html", context, status=400 if form.errors else 200)


def _preview(request: PersonRequest, study: Study, occasion: str, form: WordingForm) -> tuple[str, str] | None:
    """The mail with example values; `None` where its words cannot be filled in, which the form then says."""
    if not form.is_valid():
        return None
    try:
        return example(study, occasion, form.wording, reader=request.user)
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return None
