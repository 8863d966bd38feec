"""A study's people and those who are invited, as its coordinator sees them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Case, Q, QuerySet, Value, When
from django.db.models.functions import Now

from annotation.people.core.limits import Limits
from annotation.people.core.people_import import Standing
from annotation.people.core.work_kinds import MAIL_INVITATION
from annotation.people.policies import mailable_from
from annotation.people.selectors.pending_work import work_of
from annotation.platform.models.work import Task
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import EligibilityChange, Invitation, LimitedWork, Participation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import has_consented, is_complete, is_ready, is_studied

BY_ROLE = Case(*(When(role=role, then=Value(place)) for place, role in enumerate(Role)))


@dataclass(frozen=True)
class Member:
    """One member: `done` of `total` pieces of work are finished; both 0 for people without such work.

    Consent and profile are asked of writers and judges only. Somebody who gave both and still is not ready falls
    short of the study's rule of eligibility. `has_changed_answers` that the rule goes by.
    """

    name: str
    email: str
    role: str
    roles: str
    pseudonym: str
    is_studied: bool
    has_consented: bool
    has_withdrawn: bool
    has_profile: bool
    is_ready: bool
    has_changed_answers: bool
    capacity: int | None
    available_from: date | None
    available_until: date | None
    institution: str
    done: int
    total: int


@dataclass(frozen=True)
class Former:
    """Somebody who has left the study."""

    name: str
    pseudonym: str
    role: str
    left_at: datetime


@dataclass(frozen=True)
class InvitationLine:
    """`mail` is sent, waiting, trying again or failed: what became of the mail that was asked for last."""

    id: int
    email: str
    name: str
    role: str
    invited_at: datetime
    expires_at: datetime
    is_expired: bool
    mailable_from: datetime
    can_be_mailed: bool
    mail: str


@dataclass(frozen=True)
class Sending:
    """How many invitations' mails are sent, on their way and given up."""

    sent: int
    waiting: int
    failed: int

    @property
    def total(self) -> int:
        return self.sent + self.waiting + self.failed


# -- members -------------------------------------------------------------------------------------------------


def here(study: Study, *, role: str = "", words: str = "") -> QuerySet[Participation]:
    """Who takes part, writers first; of one role, or with `words` in their name, address or pseudonym."""
    named = Q(user__name__icontains=words) | Q(user__email__icontains=words) | Q(pseudonym__icontains=words)
    found = Participation.objects.filter(named, study=study, role__contains=role, left_at__isnull=True)
    return found.select_related("study", "user", "profile", "consent").order_by(BY_ROLE, "pseudonym")


def member_lines(participations: Sequence[Participation]) -> list[Member]:
    """A line for each, in their order. They come with study, user, consent and profile, as `here` gives them."""
    work = work_of(participations)
    changes = EligibilityChange.objects.filter(participation__in=participations)
    changed = set(changes.values_list("participation", flat=True))
    return [_member(part, work.get(part.pk, Counter()), part.pk in changed) for part in participations]


def _member(part: Participation, work: Counter[str], has_changed_answers: bool) -> Member:
    consented = has_consented(part)
    return Member(
        name=part.user.name,
        email=part.user.email,
        role=part.role,
        roles=f"{part.get_role_display()}s",
        pseudonym=part.pseudonym,
        is_studied=is_studied(part),
        has_consented=consented,
        has_withdrawn=hasattr(part, "consent") and not consented,
        has_profile=hasattr(part, "profile") and is_complete(part.study, part.profile),
        is_ready=not is_studied(part) or is_ready(part),
        has_changed_answers=has_changed_answers,
        capacity=part.capacity,
        available_from=part.available_from,
        available_until=part.available_until,
        institution=part.institution,
        done=work["submitted"],
        total=work.total(),
    )


def role_sizes(study: Study) -> dict[str, int]:
    """How many take part as what, writers first; roles that nobody has are left out."""
    sizes = Counter(here(study).values_list("role", flat=True))
    return {role: sizes[role] for role in Role if role in sizes}


def former(study: Study) -> list[Former]:
    """Who has left, the last one first."""
    gone = Participation.objects.filter(study=study, left_at__isnull=False).select_related("user")
    return [
        Former(part.user.name, part.pseudonym, part.get_role_display(), part.left_at)
        for part in gone.order_by("-left_at", "-id")
        if part.left_at
    ]


# -- invitations ---------------------------------------------------------------------------------------------


def pending(study: Study) -> QuerySet[Invitation]:
    """Invitations that nobody has accepted or withdrawn, expired ones among them."""
    return Invitation.objects.filter(study=study, accepted_at__isnull=True, withdrawn_at__isnull=True)


def usable(study: Study) -> QuerySet[Invitation]:
    """Invitations that can still be accepted."""
    return pending(study).filter(expires_at__gt=Now())


def invitation_lines(study: Study, *, role: str = "", words: str = "") -> list[InvitationLine]:
    """A line for each pending invitation, those whose mail failed first, then the others by name.

    Of all, of those to one role, or of those with `words` in name or address.
    """
    now = database_now()
    named = Q(name__icontains=words) | Q(email__icontains=words)
    invitations = list(pending(study).filter(named, role__contains=role).order_by("name", "id"))
    mails = _mails(invitation.pk for invitation in invitations)
    lines = [
        InvitationLine(
            id=invitation.pk,
            email=invitation.email,
            name=invitation.name,
            role=invitation.get_role_display(),
            invited_at=invitation.invited_at,
            expires_at=invitation.expires_at,
            is_expired=invitation.expires_at <= now,
            mailable_from=mailable_from(invitation),
            can_be_mailed=mailable_from(invitation) <= now,
            mail=mails.get(str(invitation.pk), "sent"),
        )
        for invitation in invitations
    ]
    return sorted(lines, key=lambda line: line.mail != "failed")


def sending(study: Study) -> Sending:
    """Pending invitations by what became of their mails."""
    invitations = list(pending(study).values_list("pk", flat=True))
    mails = Counter(_mails(invitations).values())
    waiting, failed = mails["waiting"] + mails["trying again"], mails["failed"]
    return Sending(len(invitations) - waiting - failed, waiting, failed)


def _mails(invitations: Iterable[int]) -> dict[str, str]:
    """Invitation → what became of its last task. One without a task was mailed at once."""
    tasks = Task.objects.filter(kind=MAIL_INVITATION, subject__in=[str(pk) for pk in invitations]).order_by("id")
    return {task.subject: _mail(task) for task in tasks}


def _mail(task: Task) -> str:
    if task.gave_up_at:
        return "failed"
    if task.done_at:
        return "sent"
    return "trying again" if task.last_error else "waiting"


# -- for an import -------------------------------------------------------------------------------------------


def standing(study: Study) -> dict[str, Standing]:
    """What each address that the study knows is in it: member, former member, or invited with a link that works."""
    found = {offer.email: Standing(offer.role, "invited", limits_of(offer)) for offer in usable(study)}
    for part in Participation.objects.filter(study=study).select_related("user"):
        found[part.user.email] = Standing(part.role, "left" if part.left_at else "member", limits_of(part))
    return found


def limits_of(part: LimitedWork) -> Limits:
    return Limits(
        capacity=part.capacity,
        available_from=part.available_from,
        available_until=part.available_until,
        institution=part.institution,
        prefers=tuple(part.prefers),
        excludes=tuple(part.excludes),
    )
