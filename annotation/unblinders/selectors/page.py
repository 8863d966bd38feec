"""The page about a study's unblinders, as one of its team sees it: who is in office, and what waits for whom."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.core.exceptions import PermissionDenied
from django.db.models.functions import Now

from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.study.models.participation import Invitation, Role
from annotation.study.models.studies import Study
from annotation.unblinders.core.offices import (
    APPOINT,
    LEAVE,
    MAX_UNBLINDERS,
    MIN_UNBLINDERS,
    RESTORE,
    WAIT,
    missing_before_the_lock,
)
from annotation.unblinders.models import OfficeChange, OfficeCommitment, RecoveryPerson
from annotation.unblinders.policies import (
    BLINDED,
    COLLECTING,
    awaits_recovery,
    check_may_ask_recovery,
    check_may_change_offices,
    check_may_name_recovery,
    check_may_withdraw,
    is_recovering,
    is_standing,
    may_consent,
)
from annotation.unblinders.selectors.offices import (
    Office,
    as_change,
    candidates_for,
    closed_at,
    hints_about,
    offices_of,
    recovery_of,
    restorations,
)

TAGS: Final = {
    "proposed": "waiting",
    "accepted": "info",
    "standing": "success",
    "suspended": "warning",
    "left": "info",
}


@dataclass(frozen=True)
class OfficeLine:
    """An office. `hints` are shown as long as somebody may still have to consent to it."""

    office: Office
    tag: str
    is_own: bool
    hints: tuple[str, ...]
    suspended_until: datetime | None
    can_be_withdrawn: bool
    can_be_left: bool


@dataclass(frozen=True)
class ChangeLine:
    """A change that waits: for a consent (`effective_at` is None then), or for its time."""

    row: OfficeChange
    says: str
    effective_at: datetime | None
    hints: tuple[str, ...]
    candidate_has_accepted: bool
    can_consent: bool
    can_be_withdrawn: bool
    waits_for_recovery: bool


@dataclass(frozen=True)
class Page:
    """`missing` says what stands in the way of the lock, `own_proposal` is the reader's to answer.

    `why_not` tells why nobody can be proposed, and `invited` how many researchers have not joined yet.
    """

    offices: tuple[OfficeLine, ...]
    former: tuple[Office, ...]
    changes: tuple[ChangeLine, ...]
    own_proposal: Office | None
    own_accepted: Office | None
    candidates: tuple[User, ...]
    invited: int
    why_not: str
    missing: tuple[str, ...]
    recovery: RecoveryPerson | None
    can_name_recovery: bool
    can_ask_recovery: bool
    is_recovering: bool
    commitment: OfficeCommitment | None
    fewest: int = MIN_UNBLINDERS
    most: int = MAX_UNBLINDERS


def page_of(study: Study, reader: User) -> Page:
    offices, closed = offices_of(study), closed_at(study)
    live = [office for office in offices if office.is_live]
    own = next((office for office in live if office.row.user_id == reader.pk), None)
    why_not = _why_not(study, offices)
    return Page(
        offices=tuple(_office(study, office, reader) for office in live),
        former=tuple(office for office in offices if not office.is_live),
        changes=tuple(
            _change(change, office, offices, reader, closed) for office in live for change in office.waiting
        ),
        own_proposal=own if own and own.state == "proposed" else None,
        own_accepted=own if own and own.state == "accepted" else None,
        candidates=() if why_not else tuple(candidates_for(study)),
        invited=_researchers_to_come(study),
        why_not=why_not,
        missing=missing(study, offices) if study.state == "design" else (),
        recovery=recovery_of(study),
        can_name_recovery=_holds(lambda: check_may_name_recovery(study)),
        can_ask_recovery=_holds(lambda: check_may_ask_recovery(study, offices)),
        is_recovering=is_recovering(study, offices),
        commitment=OfficeCommitment.objects.filter(study=study).first(),
    )


def _researchers_to_come(study: Study) -> int:
    """How many are invited to analyse the study, by a link that is valid still."""
    open_to = Invitation.objects.filter(study=study, role=Role.RESEARCHER, expires_at__gt=Now())
    return open_to.filter(accepted_at__isnull=True, withdrawn_at__isnull=True).count()


def missing(study: Study, offices: Sequence[Office] | None = None) -> tuple[str, ...]:
    """What, in words, is missing of unblinders before the design can be locked."""
    offices = offices_of(study) if offices is None else offices
    accepted = sum(office.state == "accepted" and office.is_intact for office in offices)
    return tuple(missing_before_the_lock(accepted, sum(office.state == "proposed" for office in offices)))


def waiting_for(user: User, study: Study) -> str:
    """What waits for a researcher, in a few words; empty where nothing about unblinders does."""
    decision = decision_for(user, study)
    if not decision and study.state == "closed" and not is_standing(user, study):
        return "Nothing to do: the unblinders decide, two of them together"
    return decision


def decision_for(user: User, study: Study) -> str:
    """What a researcher has to decide about the office; empty where there is nothing."""
    if study.state not in BLINDED:
        return ""
    offices = offices_of(study)
    own = next((office for office in offices if office.row.user_id == user.pk and office.is_live), None)
    if own and own.state == "proposed":
        return "Accept or decline the office of unblinder"
    if any(may_consent(user, change, offices) for office in offices for change in office.waiting):
        return "Decide about a change of unblinders"
    return ""


def changes_for_recovery(study: Study) -> list[ChangeLine]:
    """What the third person decides about."""
    offices, closed = offices_of(study), closed_at(study)
    return [
        _change(change, office, offices, None, closed)
        for office in offices
        for change in office.waiting
        if office.is_live and awaits_recovery(change, offices) and _has_accepted(office)
    ]


def _has_accepted(office: Office) -> bool:
    return office.row.accepted_at is not None or office.row.is_found


def _office(study: Study, office: Office, reader: User) -> OfficeLine:
    suspensions = restorations(office)
    is_own = office.row.user_id == reader.pk
    return OfficeLine(
        office=office,
        tag=TAGS[office.state],
        is_own=is_own,
        hints=hints_about(office.row.user, study) if study.state == "design" else (),
        suspended_until=suspensions[-1].proposed_at + WAIT if suspensions else None,
        can_be_withdrawn=office.state == "accepted" or (office.state == "proposed" and not is_own),
        can_be_left=office.is_held
        and study.state in COLLECTING
        and all(change.kind != LEAVE for change in office.waiting),
    )


def _change(
    change: OfficeChange, office: Office, offices: Sequence[Office], reader: User | None, closed: datetime | None
) -> ChangeLine:
    study = office.row.study
    return ChangeLine(
        row=change,
        says={
            APPOINT: "is proposed as unblinder",
            LEAVE: "is to leave the office",
            RESTORE: "is suspended, as the account was changed",
        }[change.kind],
        effective_at=as_change(change).takes_effect_at(closed),
        hints=hints_about(office.row.user, study) if change.consented_at is None and change.kind != LEAVE else (),
        candidate_has_accepted=_has_accepted(office),
        can_consent=reader is not None and may_consent(reader, change, offices),
        can_be_withdrawn=reader is not None and _holds(lambda: check_may_withdraw(reader, change, offices)),
        waits_for_recovery=awaits_recovery(change, offices),
    )


def _why_not(study: Study, offices: Sequence[Office]) -> str:
    try:
        check_may_change_offices(study, offices)
    except Refused as refusal:
        return str(refusal)
    return ""


def _holds(check: Callable[[], object]) -> bool:
    try:
        check()
    except (PermissionDenied, Refused):
        return False
    return True
