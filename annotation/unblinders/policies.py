"""Who may hold the office of unblinder, propose a change, consent to it, take it back, and act by the office."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.core.exceptions import PermissionDenied

from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted
from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_role
from annotation.unblinders.core.offices import APPOINT, MAX_UNBLINDERS, MIN_UNBLINDERS, RESTORE, WAIT
from annotation.unblinders.models import OfficeChange, OfficeCommitment, RecoveryPerson
from annotation.unblinders.selectors.offices import (
    Office,
    may_hold,
    offices_of,
    recovery_of,
    researchers,
)

COLLECTING = ("writing", "assembling", "judging")
BLINDED = ("design", *COLLECTING, "closed")
LINK_VALID = timedelta(days=14)
MIN_LINK_INTERVAL = timedelta(minutes=10)
TOO_FEW = (
    f"Fewer than {MIN_UNBLINDERS} unblinders of this study are in office, so it stays blinded until the office is "
    "recovered: see the page “Unblinders”."
)


# -- acting by the office ------------------------------------------------------------------------------------


def standing(study: Study) -> list[Office]:
    """The offices that stand now. Under a lock of the study nobody comes into one, or consents to it, meanwhile."""
    return [office for office in offices_of(study) if office.stands]


def check_standing(user: User, study: Study) -> Office:
    """Raise `PermissionDenied` for whoever holds no office, `Refused` where theirs does not stand at present."""
    own = next((office for office in offices_of(study) if office.row.user_id == user.pk and office.is_live), None)
    if own is None or own.state in ("proposed", "accepted"):
        raise PermissionDenied("Only a standing unblinder of this study may do this.")
    if not own.stands:
        raise Refused(
            "Your office of unblinder is suspended, as your account was changed. The page “Unblinders” says how "
            "it ends."
        )
    return own


def is_standing(user: User, study: Study) -> bool:
    return any(office.row.user_id == user.pk for office in standing(study))


def check_enough(study: Study) -> None:
    """Raise `Refused` where fewer than `MIN_UNBLINDERS` offices stand."""
    if len(standing(study)) < MIN_UNBLINDERS:
        raise Refused(
            f"Fewer than {MIN_UNBLINDERS} offices of unblinder stand at present, so nobody could approve. The page "
            "“Unblinders” says what is missing."
        )


# -- proposing -----------------------------------------------------------------------------------------------


def check_team(user: User, study: Study) -> None:
    check_role(user, study, Role.COORDINATOR, Role.RESEARCHER)


def is_of_team(user: User, study: Study) -> bool:
    roles = (Role.COORDINATOR, Role.RESEARCHER)
    return Participation.objects.filter(study=study, user=user, role__in=roles, left_at__isnull=True).exists()


def check_blinded(study: Study) -> None:
    if study.state not in BLINDED:
        raise Refused("The study is unblinded: the task of its unblinders is done.")


def is_recovering(study: Study, offices: Sequence[Office]) -> bool:
    """Whether so few are left that only the third person can consent to somebody new."""
    return (
        study.state not in ("design", "unblinded", "released") and sum(o.is_held for o in offices) < MIN_UNBLINDERS
    )


def check_may_change_offices(study: Study, offices: Sequence[Office]) -> None:
    """Raise `Refused` once collection is closed, unless the office has to be recovered."""
    check_blinded(study)
    if study.state == "closed" and not is_recovering(study, offices):
        raise Refused("Since collection is closed, nobody comes into office and nobody leaves it any more.")


def check_may_be_proposed(candidate: User, study: Study, offices: Sequence[Office]) -> None:
    """Raise `Refused` for whoever is no active researcher here, administers the site, or is named already."""
    if candidate.pk not in researchers(study, [candidate.pk]):
        raise Refused("Only researchers who take part in this study can be its unblinders, never its coordinators.")
    if not may_hold(candidate):
        raise Refused("Who administers the site, or whose account is closed, can be no unblinder.")
    if any(office.row.user_id == candidate.pk and office.is_live for office in offices):
        raise Refused(f"{candidate.name} is proposed or in office already.")
    if sum(office.is_live for office in offices) >= MAX_UNBLINDERS:
        raise Refused(f"A study has {MAX_UNBLINDERS} unblinders at most, those who are only proposed among them.")


# -- consenting ----------------------------------------------------------------------------------------------


def check_may_consent(user: User, change: OfficeChange, offices: Sequence[Office]) -> None:
    """A standing unblinder who neither proposed the change nor is the one it is about, in time, to what waits."""
    study = change.unblinder.study
    own = check_standing(user, study)
    if own.row.user_id in (change.proposed_by_id, change.unblinder.user_id):
        raise PermissionDenied(
            "Who proposed this, or whom it is about, cannot consent to it: another unblinder must."
        )
    _check_waits(change, offices)
    if change.kind != RESTORE:
        if study.state not in COLLECTING:
            raise Refused("Since collection is closed, nobody comes into office and nobody leaves it any more.")
        if change.kind == APPOINT and is_recovering(study, offices):
            raise Refused(TOO_FEW)


def may_consent(user: User, change: OfficeChange, offices: Sequence[Office]) -> bool:
    try:
        check_may_consent(user, change, offices)
    except (PermissionDenied, Refused):
        return False
    return True


def check_recovery_may_consent(change: OfficeChange, offices: Sequence[Office]) -> None:
    """The third person, to somebody new while too few are in office, or to whom nobody in office can bring back."""
    _check_waits(change, offices)
    if not awaits_recovery(change, offices):
        raise Refused("This can be decided by the study’s own unblinders again.")


def awaits_recovery(change: OfficeChange, offices: Sequence[Office]) -> bool:
    """Whether the third person alone can consent to the change."""
    if change.consented_at is not None or change.withdrawn_at is not None:
        return False
    if change.kind == RESTORE:
        return not any(o.stands and o.row.pk != change.unblinder_id for o in offices)
    return change.kind == APPOINT and is_recovering(change.unblinder.study, offices)


def _check_waits(change: OfficeChange, offices: Sequence[Office]) -> None:
    if change.withdrawn_at or change.consented_at:
        raise Refused("This was decided or withdrawn already.")
    office = next(office for office in offices if office.row.pk == change.unblinder_id)
    if change.pk not in {waiting.pk for waiting in office.waiting} or not office.is_live:
        raise Refused("This does not wait for a consent any more.")
    if change.kind == APPOINT and (
        office.row.accepted_at is None or office.account_now != office.row.account_sha256
    ):
        raise Refused(f"{office.row.name} has not accepted the office yet, with the account as it is now.")
    if change.kind == RESTORE and office.account_now != change.account_sha256:
        raise Refused(
            f"The account of {office.row.name} was changed again. What waits is told anew in some minutes."
        )


def check_may_withdraw(user: User, change: OfficeChange, offices: Sequence[Office]) -> None:
    """Whoever of the team wants to, as long as it has not taken effect: caution needs no second person."""
    check_team(user, change.unblinder.study)
    office = next(office for office in offices if office.row.pk == change.unblinder_id)
    if change.pk not in {waiting.pk for waiting in office.waiting}:
        raise Refused("This has taken effect, or was withdrawn already.")
    if change.kind == RESTORE and change.consented_at is None:
        raise Refused("Nobody has consented to this yet, so there is nothing to take back.")


# -- the third person ----------------------------------------------------------------------------------------


def check_may_name_recovery(study: Study) -> None:
    """Raise `Refused` once the design is locked; a study locked before there were offices may name one later."""
    check_blinded(study)
    if study.state == "design":
        return
    if OfficeCommitment.objects.filter(study=study).exists():
        raise Refused("The third person is fixed since the design was locked: the published commitment names them.")
    if recovery_of(study) is not None:
        raise Refused("A third person is named already. Named after the lock, they cannot be exchanged.")


def in_force_from(recovery: RecoveryPerson) -> datetime:
    """Whoever was named after the lock can be asked only once the whole team has had time to object."""
    return recovery.named_at + (timedelta(0) if _is_committed(recovery) else WAIT)


def _is_committed(recovery: RecoveryPerson) -> bool:
    return OfficeCommitment.objects.filter(study=recovery.study_id).exists()


def check_may_ask_recovery(study: Study, offices: Sequence[Office]) -> RecoveryPerson:
    """Raise `Refused` unless a third person is named and something waits for them; and soon after a mail."""
    recovery = recovery_of(study)
    if recovery is None:
        raise Refused("No third person was named before the design was locked, so nobody can recover the office.")
    now = database_now()
    if in_force_from(recovery) > now:
        raise Refused("The third person was named after the lock, and can be asked 72 hours after that.")
    if not any(awaits_recovery(change, offices) for office in offices for change in office.waiting):
        raise Refused("Nothing waits for the third person. Propose somebody, and have them accept, first.")
    if recovery.asked_at and recovery.asked_at + MIN_LINK_INTERVAL > now:
        raise Refused(f"{recovery.name} was written to a moment ago.")
    return recovery


def check_link_open(recovery: RecoveryPerson) -> None:
    """Raise `Refused` for a link that is too old, or of a study that is unblinded."""
    check_blinded(recovery.study)
    if recovery.asked_at is None or recovery.asked_at + LINK_VALID < database_now():
        raise Refused(
            f"This link was valid for {counted(LINK_VALID.days, 'day')}. The team can send you another one."
        )
