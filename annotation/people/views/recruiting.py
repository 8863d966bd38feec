"""A study's people, for its coordinator: who takes part, who is invited, and a table of people to invite."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.people.core.people_import import Arrival, examine
from annotation.people.forms.recruiting import FIELDS, InviteForm, MessageForm
from annotation.people.policies import roles_of
from annotation.people.selectors import recruiting as selectors
from annotation.people.services import people, recruiting
from annotation.people.services.inviting import preview
from annotation.platform.core.phrases import counted
from annotation.platform.core.table_import import Examined, ParsedRow
from annotation.platform.models.users import User
from annotation.platform.views import PersonRequest, asked_for, attempt_and_tell, person_posts, taken
from annotation.study.models.participation import Invitation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import SUPERVISING
from annotation.study.selectors.prompts import topics_of
from annotation.study.views.imports import Import, import_page
from annotation.study.views.membership import coordinated

MEMBERS_ON_A_PAGE = 100
INVITATIONS_SHOWN = 200


@require_safe
@login_required
@never_cache
def study_people(request: PersonRequest, slug: str) -> HttpResponse:
    """Everybody in the study and on the way into it. While mails wait, htmx asks how many; then for a new page."""
    study = coordinated(request, slug)
    sending = selectors.sending(study)
    if request.htmx:
        if not sending.waiting:
            return HttpResponseClientRefresh()
        return render(request, "people/people.html#sending", {"study": study, "sending": sending})
    role, words = asked_for(request, "role"), asked_for(request, "words")
    here = selectors.here(study, role=role, words=words)
    page = Paginator(here, MEMBERS_ON_A_PAGE).get_page(request.GET.get("page"))
    invitations = selectors.invitation_lines(study, role=role, words=words)
    context = {
        "study": study,
        "roles": selectors.role_sizes(study),
        "role": role,
        "words": words,
        "page": page,
        "members": selectors.member_lines(list(page)),
        "former": selectors.former(study),
        "invitations": invitations[:INVITATIONS_SHOWN],
        "more_invitations": len(invitations[INVITATIONS_SHOWN:]),
        "sending": sending,
        "form": InviteForm(roles_of(study)),
    }
    return render(request, "people/people.html", context)


@person_posts
def invite(request: PersonRequest, slug: str) -> HttpResponse:
    """Invite somebody, or show the mail first. What cannot be taken is shown again: nothing is typed twice."""
    study = coordinated(request, slug)
    form = InviteForm(roles_of(study), request.POST)
    if "preview" in request.POST:
        return _invite_page(request, study, form)

    def verb() -> None:
        data = form.cleaned_data
        invited = people.invite(study=study, by=request.user, **data | {"role": Role(data["role"])})
        messages.success(request, _mailed(invited))

    if not taken(form, verb):
        return _invite_page(request, study, form)
    return redirect("study_people", slug)


def _invite_page(request: PersonRequest, study: Study, form: InviteForm) -> HttpResponse:
    """The form once more; where it is filled in well, with the mail that it would send."""
    mail = preview(study=study, by=request.user, **form.cleaned_data) if form.is_valid() else ""
    page = {"study": study, "form": form, "mail": mail}
    return render(request, "people/invite.html", page, status=400 if form.errors else 200)


@person_posts
def withdraw(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    def verb(invitation: Invitation) -> str:
        recruiting.withdraw(invitation=invitation, by=request.user)
        return f"The invitation of {invitation.email} is withdrawn. Its link leads nowhere any more."

    return _act(request, slug, pk, verb)


@person_posts
def resend(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    def verb(invitation: Invitation) -> str:
        invited = recruiting.resend(invitation=invitation, by=request.user)
        return f"{_mailed(invited)} The link before leads nowhere."

    return _act(request, slug, pk, verb)


def _mailed(invited: people.Invited) -> str:
    """Who will supervise has to have the address: else a coordinator could be a second person in disguise."""
    if invited.invitation.role in SUPERVISING:
        return (
            f"An invitation to {invited.invitation.email} is being mailed. Its link is in that mail alone, as "
            "whoever coordinates or analyses has to show that the address is theirs. Should the mail not arrive, "
            "withdraw the invitation and correct the address, or send it again."
        )
    return (
        f"An invitation to {invited.invitation.email} is being mailed. Should the mail not arrive, pass on this "
        f"personal link, which is shown here only: {invited.link}"
    )


def _act(request: PersonRequest, slug: str, pk: int, verb: Callable[[Invitation], str]) -> HttpResponse:
    """Do `verb` to an invitation of the study; it returns what to tell the coordinator."""
    study = coordinated(request, slug)
    invitation = Invitation.objects.filter(study=study, pk=pk).select_related("study").first()
    if invitation is None:
        raise Http404
    attempt_and_tell(request, lambda: verb(invitation))
    return redirect("study_people", slug)


# -- a table of people ---------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def people_import(request: PersonRequest, slug: str) -> HttpResponse:
    return import_page(request, coordinated(request, slug), OF_PEOPLE)


def _summary(examined: Examined[Arrival]) -> str:
    members = sum(arrival.is_member for arrival in examined.found)
    invited = sum(arrival.is_invited for arrival in examined.found)
    parts = [f"{counted(len(examined.found) - members - invited, 'invitation')} to be mailed"]
    if members:
        parts.append(f"the limits of {counted(members, 'member')} to be changed")
    if invited:
        parts.append(f"the limits of {counted(invited, 'invitation')} to be changed")
    if examined.known:
        parts.append(f"{counted(examined.known, 'line')} passed over, about people invited or taking part already")
    return f"{'; '.join(parts)}."


def _mails(study: Study, examined: Examined[Arrival], by: User, message: str) -> list[tuple[str, str]]:
    """What the first of those to be invited in each role gets."""
    firsts: dict[str, Arrival] = {}
    for arrival in examined.found:
        if not (arrival.is_member or arrival.is_invited):
            firsts.setdefault(arrival.role, arrival)
    return [
        (
            f"{arrival.name} ({Role(role).label.lower()})",
            preview(study=study, email=arrival.email, name=arrival.name, role=role, message=message, by=by),
        )
        for role, arrival in firsts.items()
    ]


def _keep(study: Study, lines: Sequence[ParsedRow], by: User, message: str) -> str:
    imported = recruiting.import_people(study=study, lines=lines, by=by, message=message)
    done = []
    if imported.invited:
        done.append(f"{counted(imported.invited, 'invitation')} will be mailed within minutes.")
    if imported.changed:
        done.append(f"The limits of {counted(imported.changed, 'member')} are taken over.")
    if imported.invited_changed:
        invitations = counted(imported.invited_changed, "invitation")
        done.append(f"The limits of {invitations} are kept, and count from joining.")
    return " ".join(done)


OF_PEOPLE = Import(
    template="people/people_import.html",
    leads_to="study_people",
    examples=("examples/people.csv",),
    fields=FIELDS,
    examine=lambda study, lines: examine(lines, standing=selectors.standing(study), topics=topics_of(study)),
    summary=_summary,
    keep=_keep,
    message=MessageForm,
    mails=_mails,
)
