"""Coming into the office of unblinder and leaving it: proposing, accepting, consenting, withdrawing; the lock."""

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.models.studies import Study
from annotation.study.services import studies
from annotation.unblinders.core.commitment import Named, Third, statement, statement_sha256
from annotation.unblinders.core.offices import APPOINT, LEAVE, RESTORE, missing_before_the_lock
from annotation.unblinders.models import Ending, OfficeChange, OfficeCommitment, Unblinder
from annotation.unblinders.policies import (
    check_blinded,
    check_may_be_proposed,
    check_may_change_offices,
    check_may_consent,
    check_may_withdraw,
    check_team,
)
from annotation.unblinders.selectors.offices import Office, offices_of, recovery_of
from annotation.unblinders.services import suspensions
from annotation.unblinders.services.notices import ask, tell

AFTER = "Nothing changes before 72 hours have passed; until then anybody of the team can withdraw it."


@transaction.atomic
def propose(*, study: Study, candidate: User, by: User, reason: str = "") -> Unblinder:
    """Propose a researcher of the study, who is asked by mail, unless it is themselves whom they propose.

    After the lock somebody in office has to consent once they have accepted, and the whole team is told.

    Raises `PermissionDenied` for whoever is not of the team, `Refused` for a candidate who may not hold the office,
    once collection is closed, and without a reason after the lock.
    """
    check_team(by, study)
    studies.lock_for_update(study)
    offices = offices_of(study)
    check_may_change_offices(study, offices)
    check_may_be_proposed(candidate, study, offices)
    # What had come to its end by time alone gives way to the new office.
    stale = Unblinder.objects.filter(study=study, user=candidate, ended_at__isnull=True)
    stale.update(ended_at=database_now(), ending=Ending.REPLACED)
    unblinder = Unblinder.objects.create(
        study=study, user=candidate, name=candidate.name, email=candidate.email, proposed_by=by
    )
    audit.record(verb=AuditVerb.UNBLINDER_PROPOSED, by=by, study=study, subject=unblinder.pk, name=unblinder.name)
    proposal = f"{by.name} ({by.email}) proposes {candidate.name} ({candidate.email})."
    becomes = "Whoever has not accepted when the design is locked holds no office."
    if study.state != "design":
        OfficeChange.objects.create(unblinder=unblinder, kind=APPOINT, reason=audit.stated(reason), proposed_by=by)
        proposal = f"{proposal[:-1]}: “{clean(reason).strip()}”"
        becomes = (
            "It takes effect only if they accept, somebody else in office consents, and 72 hours pass after that."
        )
        subject = f"{candidate.name} is proposed as unblinder of “{study.title}”"
        tell(study, subject, proposal, becomes, asked=candidate.email)
    if candidate != by or study.state != "design":
        ask(
            study,
            candidate.email,
            f"Will you be unblinder of “{study.title}”?",
            proposal,
            "Two unblinders together lift the blinding, once collection is closed; neither can alone, and nobody "
            "else can. Accept or decline on the page below.",
            becomes,
        )
    return unblinder


@transaction.atomic
def accept(*, unblinder: Unblinder, name: str, affiliation: str, by: User) -> None:
    """Take the office on, under the name and with the affiliation that are published. Only the person proposed can.

    Raises `Refused` where the proposal does not wait any more, and where the account has another address by now:
    then consent begins anew, with a new proposal.
    """
    _check_own(unblinder, by)
    study = unblinder.study
    studies.lock_for_update(study)
    offices = {office.row.pk: office for office in offices_of(study)}
    office = offices.pop(unblinder.pk)
    if office.state != "proposed":
        raise Refused("This proposal does not wait for your answer any more.")
    check_may_change_offices(study, list(offices.values()))
    row = office.row
    name, affiliation = studies.one_line(clean(name)), studies.one_line(clean(affiliation))
    if not name or not affiliation:
        raise Refused("Say your name and your affiliation, as they are to be published.")
    if by.email != row.email:
        raise Refused(f"You were proposed as {row.email}, and that is not your address any more: be proposed anew.")
    row.name, row.affiliation, row.accepted_at = name[:120], affiliation[:160], database_now()
    row.account_sha256 = office.account_now
    row.save(update_fields=["name", "affiliation", "accepted_at", "account_sha256"])
    audit.record(
        verb=AuditVerb.UNBLINDER_ACCEPTED,
        by=by,
        study=study,
        subject=row.pk,
        name=row.name,
        affiliation=row.affiliation,
    )


@transaction.atomic
def decline(*, unblinder: Unblinder, by: User) -> None:
    """Say no to a proposal, or, before the lock, give an accepted office back. Only the person themselves can."""
    office = _own_office(unblinder, by)
    if office.state not in ("proposed", "accepted"):
        raise Refused("You are in office: to leave it, propose that you leave.")
    _end(office, Ending.DECLINED, by)


@transaction.atomic
def withdraw_proposal(*, unblinder: Unblinder, by: User) -> None:
    """Take a proposal back before the office stands; anybody of the team can."""
    check_team(by, unblinder.study)
    studies.lock_for_update(unblinder.study)
    office = _office(unblinder)
    if office.state not in ("proposed", "accepted"):
        raise Refused("This is no proposal any more.")
    _end(office, Ending.WITHDRAWN, by)
    if unblinder.study.state != "design":
        tell(
            unblinder.study,
            f"{office.row.name} will not be unblinder of “{unblinder.study.title}”",
            f"{by.name} ({by.email}) has withdrawn the proposal.",
            also=[office.row.email],
        )


@transaction.atomic
def propose_leaving(*, unblinder: Unblinder, reason: str, by: User) -> OfficeChange:
    """Propose that somebody leaves the office; before the lock there is only `decline` and `withdraw_proposal`."""
    study = unblinder.study
    check_team(by, study)
    studies.lock_for_update(study)
    offices = offices_of(study)
    check_blinded(study)
    if study.state in ("design", "closed"):
        raise Refused("Leaving is proposed after the design is locked and before collection is closed.")
    office = next(office for office in offices if office.row.pk == unblinder.pk)
    if not office.is_held:
        raise Refused(f"{office.row.name} is not in office.")
    if any(change.kind == LEAVE for change in office.waiting):
        raise Refused("That is proposed already.")
    reason = audit.stated(reason)
    change = OfficeChange.objects.create(unblinder=office.row, kind=LEAVE, reason=reason, proposed_by=by)
    audit.record(
        verb=AuditVerb.UNBLINDER_LEAVE_PROPOSED,
        by=by,
        study=study,
        subject=office.row.pk,
        name=office.row.name,
        reason=reason,
    )
    tell(
        study,
        f"{office.row.name} is to leave the office of unblinder of “{study.title}”",
        f"{by.name} ({by.email}) proposes it: “{reason}”",
        "It takes effect only if somebody else in office consents, and 72 hours pass after that.",
        also=[office.row.email],
    )
    return change


@transaction.atomic
def consent(*, change: OfficeChange, by: User) -> OfficeChange:
    """A standing unblinder who neither proposed the change nor is the one it is about consents to it."""
    study = change.unblinder.study
    studies.lock_for_update(study)
    change = _locked(change)
    check_may_consent(by, change, offices_of(study))
    change.consented_at, change.consented_by = database_now(), by
    change.save(update_fields=["consented_at", "consented_by"])
    name = _recorded(AuditVerb.UNBLINDER_CONSENTED, change, by)
    tell(
        study,
        f"{name}: {_what(change)} of “{study.title}”",
        f"{by.name} ({by.email}) has consented that {name} {_becomes(change)}.",
        AFTER if change.kind != RESTORE else "It takes effect 72 hours after the office was suspended.",
        also=[change.unblinder.email, change.unblinder.user.email],
    )
    return change


@transaction.atomic
def withdraw_change(*, change: OfficeChange, by: User) -> None:
    """Take a change back before it takes effect; of a restoration, the consent to it."""
    study = change.unblinder.study
    studies.lock_for_update(study)
    change = _locked(change)
    check_may_withdraw(by, change, offices_of(study))
    if change.kind == RESTORE:
        change.consented_at, change.consented_by, change.by_recovery = None, None, False
    else:
        change.withdrawn_at, change.withdrawn_by = database_now(), by
    change.save()
    if change.kind == APPOINT:
        _end(_office(change.unblinder), Ending.WITHDRAWN, by)
    name = _recorded(AuditVerb.UNBLINDER_WITHDRAWN, change, by)
    tell(
        study,
        f"{name}: withdrawn, {_what(change)} of “{study.title}”",
        f"{by.name} ({by.email}) has withdrawn that {name} {_becomes(change)}. Nothing changes.",
        also=[change.unblinder.email],
    )


def commit(*, study: Study, seed_sha256: str) -> OfficeCommitment:
    """Fix who unblinds, as the design is locked; belongs in the lock's transaction, with the study locked.

    Raises `Refused` with fewer than two accepted, saying what to do. Who was only proposed is not any more.
    """
    suspensions.notice(study)
    offices = offices_of(study)
    accepted = [office for office in offices if office.state == "accepted"]
    proposed = [office for office in offices if office.state == "proposed"]
    for obstacle in missing_before_the_lock(len(accepted), len(proposed)):
        raise Refused(obstacle)
    for office in proposed:
        _end(office, Ending.NOT_ACCEPTED, None)
    third = recovery_of(study)
    text = statement(
        study=study.slug,
        seed_sha256=seed_sha256,
        unblinders=named(accepted),
        recovery=Third(third.name, third.affiliation, third.email) if third else None,
    )
    made = OfficeCommitment.objects.create(study=study, statement=text, sha256=statement_sha256(text))
    suspensions.watch_from_now_on(study)
    return made


def named(offices: Sequence[Office]) -> list[Named]:
    return [Named(office.row.name, office.row.affiliation) for office in offices]


def _own_office(unblinder: Unblinder, by: User) -> Office:
    _check_own(unblinder, by)
    studies.lock_for_update(unblinder.study)
    return _office(unblinder)


def _check_own(unblinder: Unblinder, by: User) -> None:
    if unblinder.user_id != by.pk:
        raise PermissionDenied("Only the person themselves can answer this.")


def _office(unblinder: Unblinder) -> Office:
    return next(office for office in offices_of(unblinder.study) if office.row.pk == unblinder.pk)


def _locked(change: OfficeChange) -> OfficeChange:
    rows = OfficeChange.objects.select_for_update(of=("self",))
    return rows.select_related("unblinder__study", "unblinder__user").get(pk=change.pk)


def _recorded(verb: AuditVerb, change: OfficeChange, by: User) -> str:
    """The name of whom the change is about, once the record says what was done with it."""
    unblinder = change.unblinder
    audit.record(
        verb=verb, by=by, study=unblinder.study, subject=unblinder.pk, name=unblinder.name, about=change.kind
    )
    return unblinder.name


def _end(office: Office, ending: Ending, by: User | None) -> None:
    suspensions.end(office.row, ending, by)


def _what(change: OfficeChange) -> str:
    return {APPOINT: "to become unblinder", LEAVE: "to leave the office of unblinder", RESTORE: "again unblinder"}[
        change.kind
    ]


def _becomes(change: OfficeChange) -> str:
    return {
        APPOINT: "becomes unblinder",
        LEAVE: "leaves the office",
        RESTORE: "keeps the office with the account as it is now",
    }[change.kind]
