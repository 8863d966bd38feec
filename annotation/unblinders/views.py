"""The page about a study's unblinders, what is done on it, and the page of the third person."""

from collections.abc import Callable

from allauth.decorators import rate_limit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.platform.second_factor import ask_for_second_factor
from annotation.platform.views import PersonRequest, attempt_and_tell, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.policies.roles import can_coordinate
from annotation.study.views.membership import own_participation
from annotation.unblinders.forms import AcceptForm, ProposalForm, ThirdPersonForm
from annotation.unblinders.models import OfficeChange, Unblinder
from annotation.unblinders.policies import check_link_open, check_team
from annotation.unblinders.selectors.page import Page, changes_for_recovery, page_of
from annotation.unblinders.services import offices, recovery
from annotation.unblinders.services.recovery import ThirdPerson

View = Callable[..., HttpResponse]
limited: Callable[[View], View] = rate_limit(action="signup")


def _study(request: PersonRequest, slug: str) -> Study:
    """The study, for its team: 404 for people outside it, 403 for its other members."""
    study = own_participation(request, slug).study
    check_team(request.user, study)
    return study


@require_safe
@login_required
@never_cache
def unblinders(request: PersonRequest, slug: str) -> HttpResponse:
    """Who is in office, what waits for whom, and what is published of it."""
    return _page(request, _study(request, slug))


def _page(request: PersonRequest, study: Study, **forms: object) -> HttpResponse:
    """The page, with the forms that could not be taken, if any."""
    page = page_of(study, request.user)
    context = {
        "study": study,
        "page": page,
        "coordinates": can_coordinate(request.user, study),
        "accept_form": AcceptForm(initial={"name": request.user.name}),
        "proposal_form": _proposal_form(page, study),
        "third_form": ThirdPersonForm(initial=_third(page)),
        **forms,
    }
    return render(request, "unblinders/unblinders.html", context, status=400 if forms else 200)


def _third(page: Page) -> dict[str, str]:
    third = page.recovery
    return {"name": third.name, "affiliation": third.affiliation, "email": third.email} if third else {}


def _proposal_form(page: Page, study: Study, data: object = None) -> ProposalForm:
    people = [(person.pk, f"{person.name} ({person.email})") for person in page.candidates]
    return ProposalForm(data, people=people, is_locked=study.state != "design")


@person_posts
def propose(request: PersonRequest, slug: str) -> HttpResponse:
    study = _study(request, slug)
    form = _proposal_form(page_of(study, request.user), study, request.POST)

    def verb() -> None:
        candidate = User.objects.get(pk=form.cleaned_data["candidate"])
        reason = form.cleaned_data.get("reason", "")
        offices.propose(study=study, candidate=candidate, reason=reason, by=request.user)
        messages.success(request, f"{candidate.name} is proposed. {_how_asked(candidate, request.user)}")

    return redirect("unblinders", slug) if taken(form, verb) else _page(request, study, proposal_form=form)


def _how_asked(candidate: User, by: User) -> str:
    return "Accept the office below." if candidate == by else "They are asked by mail, and answer on this page."


@person_posts
def accept(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    study, unblinder = _unblinder(request, slug, pk)
    if owed := ask_for_second_factor(request):
        return owed
    form = AcceptForm(request.POST)

    def verb() -> None:
        offices.accept(unblinder=unblinder, by=request.user, **form.cleaned_data)
        messages.success(request, "You have accepted the office of unblinder.")

    return redirect("unblinders", slug) if taken(form, verb) else _page(request, study, accept_form=form)


@person_posts
def decline(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    def verb(unblinder: Unblinder) -> str:
        offices.decline(unblinder=unblinder, by=request.user)
        return "You have declined the office of unblinder."

    return _do(request, slug, pk, verb)


@person_posts
def withdraw_proposal(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    def verb(unblinder: Unblinder) -> str:
        offices.withdraw_proposal(unblinder=unblinder, by=request.user)
        return f"{unblinder.name} is not proposed any more."

    return _do(request, slug, pk, verb)


@person_posts
def propose_leaving(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    def verb(unblinder: Unblinder) -> str:
        offices.propose_leaving(unblinder=unblinder, reason=request.POST.get("reason", "")[:500], by=request.user)
        return f"It is proposed that {unblinder.name} leaves the office. Somebody else in office must consent."

    return _do(request, slug, pk, verb)


def _unblinder(request: PersonRequest, slug: str, pk: int) -> tuple[Study, Unblinder]:
    study = _study(request, slug)
    unblinder = Unblinder.objects.filter(study=study, pk=pk).select_related("study", "user").first()
    if unblinder is None:
        raise Http404
    return study, unblinder


def _do(request: PersonRequest, slug: str, pk: int, verb: Callable[[Unblinder], str]) -> HttpResponse:
    _, unblinder = _unblinder(request, slug, pk)
    attempt_and_tell(request, lambda: verb(unblinder))
    return redirect("unblinders", slug)


@person_posts
def consent(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    change = _change(request, slug, pk)
    if owed := ask_for_second_factor(request):
        return owed

    def verb() -> str:
        offices.consent(change=change, by=request.user)
        return "You have consented. The whole team is told by mail."

    attempt_and_tell(request, verb)
    return redirect("unblinders", slug)


@person_posts
def withdraw_change(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    change = _change(request, slug, pk)

    def verb() -> str:
        offices.withdraw_change(change=change, by=request.user)
        return "It is withdrawn. The whole team is told by mail."

    attempt_and_tell(request, verb)
    return redirect("unblinders", slug)


def _change(request: PersonRequest, slug: str, pk: int) -> OfficeChange:
    changes = OfficeChange.objects.filter(unblinder__study=_study(request, slug), pk=pk)
    change = changes.select_related("unblinder__study", "unblinder__user").first()
    if change is None:
        raise Http404
    return change


# -- the third person ----------------------------------------------------------------------------------------


@person_posts
def name_third_person(request: PersonRequest, slug: str) -> HttpResponse:
    study = _study(request, slug)
    form = ThirdPersonForm(request.POST)

    def verb() -> None:
        recovery.name_third_person(study=study, third=ThirdPerson(**form.cleaned_data), by=request.user)
        messages.success(request, "The third person is named, and told so by mail.")

    return redirect("unblinders", slug) if taken(form, verb) else _page(request, study, third_form=form)


@person_posts
def ask_third_person(request: PersonRequest, slug: str) -> HttpResponse:
    study = _study(request, slug)

    def verb() -> str:
        recovery.ask(study=study, by=request.user)
        return "The third person was mailed a link, which is in that mail alone."

    attempt_and_tell(request, verb)
    return redirect("unblinders", slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited
def recover(request: HttpRequest, token: str) -> HttpResponse:
    """What the third person decides about, and deciding; the link in their mail is all they have of this site."""
    third = recovery.by_token(token)
    if third is None:
        return _without_referrer(render(request, "unblinders/recovery_closed.html", status=404))
    try:
        check_link_open(third)
    except Refused as refusal:
        closed = render(request, "unblinders/recovery_closed.html", {"reason": str(refusal)}, status=410)
        return _without_referrer(closed)
    if request.method == "POST":
        return _without_referrer(_decide(request, third.study, token))
    context = {"study": third.study, "third": third, "changes": changes_for_recovery(third.study)}
    return _without_referrer(render(request, "unblinders/recovery.html", context))


def _decide(request: HttpRequest, study: Study, token: str) -> HttpResponse:
    pk, decision = request.POST.get("change", ""), request.POST.get("decision")
    changes = OfficeChange.objects.filter(unblinder__study=study, pk=int(pk) if pk.isdecimal() else 0)
    change = changes.select_related("unblinder__study", "unblinder__user").first()
    if change is None or decision not in ("consent", "decline"):
        messages.error(request, "Consent to a change or decline it.")
    else:

        def verb() -> str:
            recovery.decide(token=token, change=change, consents=decision == "consent")
            return "Your decision is recorded, and the study’s team is told by mail."

        attempt_and_tell(request, verb)
    return redirect("recovery", token)


def _without_referrer(response: HttpResponse) -> HttpResponse:
    """The address is a secret: no Referer header carries its path."""
    response["Referrer-Policy"] = "origin"
    return response
