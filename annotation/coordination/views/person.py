"""One member of a study: their page for its coordinators, and what these decide about them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.coordination.selectors.person import member_of, person_page
from annotation.people.forms.members import LimitsForm
from annotation.people.services import members, people
from annotation.platform.forms.fields import ReasonForm
from annotation.platform.views import PersonRequest, person_posts, taken
from annotation.study.models.participation import Participation, Role
from annotation.study.views.membership import coordinated


def _coordinated_member(request: PersonRequest, slug: str, pseudonym: str) -> Participation:
    """The member, for a coordinator of their study."""
    member = member_of(coordinated(request, slug), pseudonym)
    if member is None:
        raise Http404
    return member


def _page(
    request: PersonRequest,
    member: Participation,
    *,
    limits_form: LimitsForm | None = None,
    reason_form: ReasonForm | None = None,
) -> HttpResponse:
    """The page; with a form that could not be taken, if any, as it was filled in."""
    given = limits_form or reason_form
    context = {
        "study": member.study,
        "person": person_page(member),
        "limits_form": limits_form or LimitsForm.of(member),
        "reason_form": reason_form or ReasonForm(),
        "takes_extra_time": member.role == Role.WRITER and bool(member.study.writing_minutes),
        "repair": repair_address(member, leaves=member.left_at is not None),
    }
    return render(request, "coordination/person.html", context, status=400 if given else 200)


def repair_address(member: Participation, *, leaves: bool) -> str:
    """Where work of the member is given to others: all they have left if they leave, else what is beyond limits."""
    asked = {"task": "writing" if member.role == Role.WRITER else "judging"}
    if leaves:
        asked["leaves"] = member.pseudonym
    return f"{reverse('repair', args=[member.study.slug])}?{urlencode(asked)}"


@require_safe
@login_required
@never_cache
def person(request: PersonRequest, slug: str, pseudonym: str) -> HttpResponse:
    return _page(request, _coordinated_member(request, slug, pseudonym))


@person_posts
def change_limits(request: PersonRequest, slug: str, pseudonym: str) -> HttpResponse:
    member = _coordinated_member(request, slug, pseudonym)
    form = LimitsForm.of(member, request.POST)
    if not taken(form, lambda: members.change_limits(participation=member, limits=form.limits(), by=request.user)):
        return _page(request, member, limits_form=form)
    messages.success(request, "The limits are saved. They count from the next assignment or repair on.")
    return redirect("person", slug, pseudonym)


@person_posts
def leave(request: PersonRequest, slug: str, pseudonym: str) -> HttpResponse:
    """Note that somebody takes part no more; then on to where what they leave undone is given to others."""
    member = _coordinated_member(request, slug, pseudonym)
    form = ReasonForm(request.POST)
    if not taken(form, lambda: people.leave(participation=member, by=request.user, **form.cleaned_data)):
        return _page(request, member, reason_form=form)
    messages.success(request, f"{pseudonym} has left the study. What they submitted stays.")
    if member.user_id == request.user.pk:
        return redirect("home")
    if person_page(member).left:
        return redirect(repair_address(member, leaves=True))
    return redirect("person", slug, pseudonym)


@person_posts
def come_back(request: PersonRequest, slug: str, pseudonym: str) -> HttpResponse:
    member = _coordinated_member(request, slug, pseudonym)
    form = ReasonForm(request.POST)
    if not taken(form, lambda: people.come_back(participation=member, by=request.user, **form.cleaned_data)):
        return _page(request, member, reason_form=form)
    messages.success(request, f"{pseudonym} takes part again.")
    return redirect("person", slug, pseudonym)
