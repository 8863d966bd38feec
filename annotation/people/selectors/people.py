"""Invitations and consent texts as people see them, and the people of a demonstration."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import product

from annotation.people.selectors.pending_work import pending_work
from annotation.people.selectors.recruiting import usable
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User
from annotation.study.models.participation import Consent, Invitation, Participation, Profile, Role
from annotation.study.policies.participation import is_studied

COLLECTED = ("closed", "unblinded", "released")
PIECES = {Role.WRITER: "an answer", Role.ANNOTATOR: "a question", Role.ADJUDICATOR: "a question"}


def invitation_by_token(token: str) -> Invitation | None:
    """The invitation behind a personal link, whatever became of it."""
    return Invitation.objects.filter(token_sha256=sha256_hex(token)).select_related("study", "invited_by").first()


def has_account(email: str) -> bool:
    return User.objects.filter(email=email).exists()


def consent_of(participation: Participation) -> Consent | None:
    return Consent.objects.filter(participation=participation).first()


def profile_of(participation: Participation) -> Profile | None:
    return Profile.objects.filter(participation=participation).first()


@dataclass(frozen=True)
class About:
    """What whoever is studied can look up at any time. `fee` is for a piece of their work, 0 where none is set."""

    due_on: date | None
    fee: Decimal
    work: str
    coordinators: tuple[User, ...]


def about(participation: Participation) -> About:
    study, writes = participation.study, participation.role == Role.WRITER
    return About(
        due_on=study.writing_due_on if writes else study.judging_due_on,
        fee=study.fee_per_answer if writes else study.fee_per_item,
        work=PIECES.get(Role(participation.role), "an item"),
        coordinators=tuple(
            User.objects.filter(
                participations__study=study,
                participations__role=Role.COORDINATOR,
                participations__left_at__isnull=True,
            ).order_by("name", "id")
        ),
    )


@dataclass(frozen=True)
class Section:
    """A part of a consent text; a part without a heading has an empty one."""

    heading: str
    paragraphs: tuple[str, ...]


def consent_sections(text: str) -> list[Section]:
    """Blank lines part a consent text. A part of several lines begins with its heading."""
    sections = []
    for block in text.strip().split("\n\n"):
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        heading = lines.pop(0) if len(lines) > 1 else ""
        if lines:
            sections.append(Section(heading, tuple(lines)))
    return sections


@dataclass(frozen=True)
class DemoPerson:
    """Somebody a visitor of the demonstration may be, as what, and what they still have to do."""

    pk: int
    name: str
    role: str
    pending_work: str


@dataclass(frozen=True)
class DemoGroup:
    """The demonstration people of a study, or those of the whole site.

    `folded` are writers and judges of a study in which nothing is left to write or judge, `invited` those who have
    not accepted yet, by name and role.
    """

    title: str
    description: str
    people: tuple[DemoPerson, ...]
    folded: tuple[DemoPerson, ...] = ()
    invited: tuple[tuple[str, str], ...] = ()


def demo_people() -> list[DemoGroup]:
    """Everyone a visitor may sign in as: those who belong to no study first, then by study and role."""
    parts = list(
        Participation.objects.filter(user__is_demo=True, user__is_active=True, left_at__isnull=True)
        .select_related("user", "study", "consent", "profile")
        .order_by("study__created_at", "study", "user__name", "id")
    )
    pending = pending_work(parts)
    groups = _without_a_study()
    for study in dict.fromkeys(part.study for part in parts):
        people: dict[bool, list[DemoPerson]] = {False: [], True: []}
        for role, part in product(Role, parts):
            if part.study == study and part.role == role:
                folded = is_studied(part) and study.state in COLLECTED
                people[folded].append(DemoPerson(part.user.pk, part.user.name, role.label, pending[part.pk]))
        invited = tuple(
            (invitation.name or invitation.email, invitation.get_role_display())
            for invitation in usable(study).order_by("role", "name", "email")
        )
        groups.append(DemoGroup(study.title, study.description, tuple(people[False]), tuple(people[True]), invited))
    return groups


def _without_a_study() -> list[DemoGroup]:
    people = tuple(
        DemoPerson(user.pk, user.name, "Administrator", "Set up studies and look after accounts")
        if user.is_staff
        else DemoPerson(user.pk, user.name, "Visitor", "See the site as somebody without a study")
        for user in User.objects.filter(is_demo=True, is_active=True, participations__isnull=True).order_by("name")
    )
    return [DemoGroup("The whole site", "", people)] if people else []
