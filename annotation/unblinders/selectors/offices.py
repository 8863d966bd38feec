"""The offices of a study as they are now: the rows, the accounts behind them, and the states that follow."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import Q

from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study, StudyStep
from annotation.unblinders.core.accounts import account_sha256
from annotation.unblinders.core.offices import (
    APPOINT,
    IN_OFFICE,
    LEAVE,
    RESTORE,
    Change,
    Facts,
    is_intact,
    state_of,
)
from annotation.unblinders.core.similarity import Known, hints
from annotation.unblinders.models import Ending, OfficeChange, RecoveryPerson, Unblinder

ADMINISTERS: Final = Q(is_staff=True) | Q(is_superuser=True)
SECRETS: Final = ("secret", "seed")  # of an app, and of recovery codes; using one of those changes neither


@dataclass(frozen=True)
class Office:
    """An office as it is now. `account_now` is the account's fingerprint, `is_intact`: it is the one accepted last.

    Of its `changes`, `waiting` are those that wait for a consent or for their time; `since` is when an office that
    was proposed after the lock began to stand, `until` when it ended.
    """

    row: Unblinder
    state: str
    account_now: str
    is_intact: bool
    changes: tuple[OfficeChange, ...]
    waiting: tuple[OfficeChange, ...]
    since: datetime | None
    until: datetime | None

    @property
    def stands(self) -> bool:
        return self.state == "standing"

    @property
    def is_held(self) -> bool:
        return self.state in IN_OFFICE

    @property
    def came_into_office(self) -> bool:
        """Whether it stands or stood at any time since the lock, or was found."""
        if self.since is not None or self.row.is_found:
            return True
        is_over = self.row.ended_at is not None and self.row.ending != Ending.REPLACED
        return self.row.accepted_at is not None and not is_over and not self.came_later

    @property
    def came_later(self) -> bool:
        """Whether it was proposed after the lock."""
        return any(change.kind == APPOINT for change in self.changes)

    @property
    def never_stood(self) -> bool:
        """Whether it was proposed after the lock and has not come to stand."""
        return self.since is None and self.came_later

    @property
    def is_live(self) -> bool:
        return self.state != "left"


def closed_at(study: Study) -> datetime | None:
    """When collection was closed; None as long as it is not."""
    steps = StudyStep.objects.filter(study=study, verb="close").order_by("id")
    return steps.values_list("taken_at", flat=True).first()


def fingerprints(users: Iterable[User], study: Study) -> dict[int, str]:
    """The fingerprint of each account, by its id, as it is now; their part in the study belongs to it."""
    people = {user.pk: user for user in users}
    addresses, factors = defaultdict[int, list[str]](list), defaultdict[int, list[tuple[str, str]]](list)
    for user, email in EmailAddress.objects.filter(user__in=people, verified=True).values_list("user_id", "email"):
        addresses[user].append(email)
    for factor in Authenticator.objects.filter(user__in=people):
        secrets = (str(factor.data[name]) for name in SECRETS if name in factor.data)
        factors[factor.user_id].append((factor.type, "".join(secrets)))
    here = researchers(study, people)
    return {
        pk: account_sha256(
            email=user.email,
            addresses=addresses[pk],
            password=user.password,
            factors=factors[pk],
            standing=_standing(user, is_here=pk in here),
        )
        for pk, user in people.items()
    }


def _standing(user: User, *, is_here: bool) -> list[str]:
    said = {
        "closed": not user.is_active,
        "administers": user.is_staff or user.is_superuser,
        "has left": not is_here,
    }
    return [word for word, is_so in said.items() if is_so]


def researchers(study: Study, users: Collection[int]) -> set[int]:
    """Which of the users are researchers of the study at present."""
    here = Participation.objects.filter(study=study, role=Role.RESEARCHER, left_at__isnull=True, user__in=users)
    return set(here.values_list("user_id", flat=True))


def may_hold(user: User) -> bool:
    """Whether the account may hold an office at all: open, and no administrator's."""
    return user.is_active and not user.is_staff and not user.is_superuser


def offices_of(study: Study) -> list[Office]:
    """All offices of the study, past ones too, in the order in which they were proposed."""
    rows = list(Unblinder.objects.filter(study=study).select_related("user", "proposed_by"))
    if not rows:
        return []
    for row in rows:
        row.study = study
    now, closed = database_now(), closed_at(study)
    accounts = fingerprints((row.user for row in rows), study)
    here = researchers(study, accounts)
    changes = defaultdict[int, list[OfficeChange]](list)
    by_id = {row.pk: row for row in rows}
    for change in OfficeChange.objects.filter(unblinder__study=study).select_related("proposed_by", "consented_by"):
        change.unblinder = by_id[change.unblinder_id]
        changes[change.unblinder_id].append(change)
    return [
        _office(
            study, row, changes[row.pk], accounts[row.user_id], is_here=row.user_id in here, now=now, closed=closed
        )
        for row in rows
    ]


def _office(
    study: Study,
    row: Unblinder,
    changes: list[OfficeChange],
    account: str,
    *,
    is_here: bool,
    now: datetime,
    closed: datetime | None,
) -> Office:
    facts = Facts(
        accepted_at=row.accepted_at,
        ended_at=row.ended_at,
        is_found=row.is_found,
        account_sha256=row.account_sha256,
        account_now=account,
        may_hold=is_here and may_hold(row.user),
        changes=[as_change(change) for change in changes],
    )
    took_effect = {
        change.kind: as_change(change).takes_effect_at(closed)
        for change in changes
        if as_change(change).has_taken_effect(now, closed)
    }
    return Office(
        row=row,
        state=state_of(facts, now=now, is_locked=study.state != "design", closed_at=closed),
        account_now=account,
        is_intact=is_intact(facts, now=now, closed_at=closed),
        changes=tuple(changes),
        waiting=tuple(change for change in changes if as_change(change).is_open(now, closed)),
        since=took_effect.get(APPOINT),
        until=took_effect.get(LEAVE) or row.ended_at,
    )


def as_change(row: OfficeChange) -> Change:
    return Change(
        kind=row.kind,
        proposed_at=row.proposed_at,
        consented_at=row.consented_at,
        withdrawn_at=row.withdrawn_at,
        by_recovery=row.by_recovery,
        account_sha256=row.account_sha256,
    )


def office_of(user: User, study: Study) -> Office | None:
    """The person's live office in the study."""
    return next((office for office in offices_of(study) if office.row.user_id == user.pk and office.is_live), None)


def recovery_of(study: Study) -> RecoveryPerson | None:
    return RecoveryPerson.objects.filter(study=study).select_related("study").first()


def team_of(study: Study) -> list[User]:
    """Coordinators and researchers of the study at present: who is told of every change."""
    roles = (Role.COORDINATOR, Role.RESEARCHER)
    here = Participation.objects.filter(study=study, role__in=roles, left_at__isnull=True, user__is_active=True)
    return [member.user for member in here.select_related("user").order_by("user__email")]


def addresses_in_office(study: Study) -> list[str]:
    """Of whoever accepted the office and did not give it up before it stood; also of those sent away since."""
    rows = Unblinder.objects.filter(study=study).filter(Q(accepted_at__isnull=False) | Q(is_found=True))
    held = rows.filter(ending__in=["", Ending.REPLACED])
    return list(held.order_by("id").values_list("user__email", flat=True))


def addresses_by_person(people: Q) -> dict[int, tuple[str, ...]]:
    """Every address of these accounts by the account's number, its own first; also such as were only added."""
    users = User.objects.filter(people)
    found = {pk: [email] for pk, email in users.values_list("pk", "email")}
    added = EmailAddress.objects.filter(user__in=found).order_by("email").values_list("user_id", "email")
    for pk, email in added:
        found[pk].append(email)
    return {pk: tuple(dict.fromkeys(addresses)) for pk, addresses in found.items()}


def hints_about(candidate: User, study: Study) -> tuple[str, ...]:
    """Who of the study, or of the site's administrators, is like the candidate by name or address."""
    members = Participation.objects.filter(study=study).exclude(user=candidate).select_related("user")
    members = members.filter(role__in=(Role.COORDINATOR, Role.RESEARCHER)).order_by("role", "pseudonym")
    administrators = User.objects.filter(ADMINISTERS, is_active=True).exclude(pk=candidate.pk)
    people = [(member.user, member.get_role_display().lower()) for member in members]
    people += [(user, "administrator") for user in administrators.order_by("email")]
    addresses = addresses_by_person(Q(pk__in=[candidate.pk, *(user.pk for user, _ in people)]))
    others = [Known(user.name, user.email, part, addresses[user.pk]) for user, part in people]
    if third := recovery_of(study):
        others.append(Known(third.name, third.email, "named for a recovery"))
    return hints(Known(candidate.name, candidate.email, further=addresses[candidate.pk]), others)


def candidates_for(study: Study) -> list[User]:
    """Researchers of the study who may be proposed: they hold no office and are proposed for none."""
    live = {office.row.user_id for office in offices_of(study) if office.is_live}
    here = Participation.objects.filter(study=study, role=Role.RESEARCHER, left_at__isnull=True)
    people = [member.user for member in here.select_related("user").order_by("user__name", "user_id")]
    return [person for person in people if may_hold(person) and person.pk not in live]


def restorations(office: Office) -> list[OfficeChange]:
    return [change for change in office.waiting if change.kind == RESTORE]
