"""What a coordinator can do about writing while it goes on.

Every verb is for the study's coordinators while writing is open, `waive` also while texts are decided about. Each
wants a reason and leaves it in the audit trail.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction

from annotation.notifications.core.occasions import ANSWER_GIVEN_BACK
from annotation.notifications.services import notifications
from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STIMULUS, WRITING
from annotation.platform.core.text import count_words
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.core.phases import WRITING_PHASE, check_open
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import has_consented
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from annotation.texts.models.provenance import Stimulus
from annotation.texts.policies import takes_texts
from annotation.texts.services import intake
from annotation.writing.models import (
    Draft,
    LateText,
    OutageCredit,
    WaivedAnswer,
    WritingAssignment,
    WritingPause,
)
from annotation.writing.selectors.outages import proposals
from annotation.writing.selectors.rejected_answers import rejected_answer, shortfall_without
from annotation.writing.services import drafts, receipts, writing

MAX_MINUTES = 600  # as many as a study may give for an answer


def _open_study(study: Study, by: User) -> None:
    """Writing is open in `by`'s study, and stays so until the transaction ends."""
    check_coordinator(by, study)
    studies.lock_shared(study)
    check_open(WRITING_PHASE, study.state, " in this study.")


def _locked(assignment: WritingAssignment, by: User) -> WritingAssignment:
    _open_study(assignment.study, by)
    return drafts.locked(assignment.pk, None)


def _record(verb: AuditVerb, assignment: WritingAssignment, reason: str, by: User, **detail: object) -> None:
    audit.record(verb=verb, by=by, study=assignment.study, subject=assignment.pk, reason=reason, **detail)


# -- the clock of an answer that is being written ------------------------------------------------------------


@transaction.atomic
def pause(*, assignment: WritingAssignment, reason: str, by: User) -> None:
    """Stop the clock. Saves are still taken, so that what is on its way arrives. Pausing twice changes nothing."""
    reason, assignment = audit.stated(reason), _locked(assignment, by)
    now = _check_running(assignment)
    if assignment.paused_at:
        return
    assignment.paused_at = now
    assignment.save(update_fields=["paused_at"])
    WritingPause.objects.create(assignment=assignment, began_at=now)
    writing.set_deadline(assignment, assignment.deadline_at)
    _record(AuditVerb.WRITING_PAUSED, assignment, reason, by)


@transaction.atomic
def resume(*, assignment: WritingAssignment, reason: str, by: User) -> None:
    """Let the clock run on: the deadline moves by the time it stood still. Resuming twice changes nothing."""
    reason, assignment = audit.stated(reason), _locked(assignment, by)
    now = _check_running(assignment)
    if assignment.paused_at is None:
        return
    stood_still = now - assignment.paused_at
    writing.end_pause(assignment, now)
    assignment.save(update_fields=["paused_at"])
    writing.set_deadline(assignment, assignment.deadline_at and assignment.deadline_at + stood_still)
    _record(AuditVerb.WRITING_RESUMED, assignment, reason, by, seconds=round(stood_still.total_seconds()))


@transaction.atomic
def grant_time(*, assignment: WritingAssignment, seconds: int, reason: str, by: User) -> None:
    """Move the deadline of an answer that is being written."""
    reason, assignment = audit.stated(reason), _locked(assignment, by)
    _check_seconds(seconds)
    _check_running(assignment)
    _extend(assignment, seconds)
    _record(AuditVerb.WRITING_TIME_GRANTED, assignment, reason, by, seconds=seconds)


@transaction.atomic
def grant_minutes(*, participation: Participation, minutes: int, reason: str, by: User) -> None:
    """Set the extra minutes, 0 to 600, that a writer has for each answer they have not started yet."""
    reason = audit.stated(reason)
    _open_study(participation.study, by)
    if participation.study.writing_minutes is None:
        raise Refused("This study sets no time limit.")
    if not 0 <= minutes <= MAX_MINUTES:
        raise Refused(f"Extra time is 0 to {MAX_MINUTES} minutes for each answer.")
    writer = Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
    if writer.role != Role.WRITER or writer.left_at:
        raise Refused("This person does not write in the study.")
    before, writer.extra_minutes = writer.extra_minutes, minutes
    writer.save(update_fields=["extra_minutes"])
    audit.record(
        verb=AuditVerb.WRITING_MINUTES_GRANTED,
        by=by,
        study=participation.study,
        subject=writer.pseudonym,
        reason=reason,
        minutes=minutes,
        before=before,
    )


def _check_running(assignment: WritingAssignment) -> datetime:
    """The answer is being written and its time is not up at the moment that is returned."""
    if assignment.state != "writing":
        raise Refused("This answer is not being written.")
    draft, now = drafts.locked_draft(assignment), database_now()
    if not drafts.takes_saves(draft, now):
        raise Refused("Time is up for this answer.")
    return now


def _check_seconds(seconds: int) -> None:
    if not 0 < seconds <= MAX_MINUTES * 60:
        raise Refused(f"Time for an answer is 1 to {MAX_MINUTES} minutes.")


def _extend(assignment: WritingAssignment, seconds: int) -> None:
    if assignment.deadline_at is None:
        raise Refused("This answer has no time limit.")
    assignment.extra_seconds += seconds
    assignment.save(update_fields=["extra_seconds"])
    writing.set_deadline(assignment, assignment.deadline_at + timedelta(seconds=seconds))


# -- answers that are given back or taken back ---------------------------------------------------------------


@transaction.atomic
def reopen(*, assignment: WritingAssignment, minutes: int | None, reason: str, by: User) -> None:
    """Give an answer back to its writer, who finds its text and has `minutes` from when they start again.

    `None` is for studies without a time limit. The text that was handed in is rejected; texts that came late stay
    to be decided about.
    """
    reason, assignment = audit.stated(reason), _locked(assignment, by)
    if minutes is None and assignment.study.writing_minutes is not None:
        raise Refused("Say how many minutes the writer has.")
    seconds = minutes and minutes * 60
    if seconds is not None:
        _check_seconds(seconds)
    _give_back(assignment, seconds, reason, by)


def _give_back(assignment: WritingAssignment, seconds: int | None, reason: str, by: User) -> None:
    _check_takes_part(assignment.participation)
    assignment.state = WRITING.after("reopen", assignment.state)
    _reject_text(assignment, reason, by)
    assignment.allowed_seconds = seconds
    assignment.response = None
    assignment.started_at = assignment.deadline_at = None
    assignment.submitted_at = assignment.confirmed_at = None
    assignment.submitted_by_clock = False
    assignment.given_back_for = reason
    assignment.save()
    # The window that held the pen may be long closed: whichever is opened next takes it.
    Draft.objects.filter(assignment=assignment).update(pen_holder="")
    _record(AuditVerb.WRITING_REOPENED, assignment, reason, by, seconds=seconds)
    told = {"prompt": f"prompt {assignment.position}", "reason": reason}
    notifications.tell(
        study=assignment.study,
        occasion=ANSWER_GIVEN_BACK,
        people={assignment.participation.user_id: told},
        by=by,
    )


def _reject_text(assignment: WritingAssignment, reason: str, by: User) -> None:
    """Take the text that was handed in, if any, out of the study; one rejected or withdrawn already stays so.

    Another text comes in its place, so the study does not do without it any more.
    """
    WaivedAnswer.objects.filter(assignment=assignment).delete()
    handed_in = Stimulus.objects.select_for_update(of=("self",)).select_related("study")
    stimulus = handed_in.filter(pk=assignment.response_id).first()
    if stimulus and STIMULUS.allows("reject", stimulus.state):
        intake.decide(stimulus=stimulus, verb="reject", reason=reason, by=by)


def _check_takes_part(writer: Participation) -> None:
    if writer.left_at or not has_consented(writer):
        raise Refused("The writer has left the study or withdrawn their consent.")


@transaction.atomic
def cancel(*, assignment: WritingAssignment, reason: str, by: User) -> None:
    """Take an answer back that is not handed in. What was written of it stays where it is and is not used."""
    reason, assignment = audit.stated(reason), _locked(assignment, by)
    assignment.state = WRITING.after("cancel", assignment.state)
    writing.end_pause(assignment, database_now())
    assignment.save(update_fields=["state", "paused_at"])
    if draft := Draft.objects.select_for_update().filter(assignment=assignment, closed_at__isnull=True).first():
        writing.close(draft, database_now())
    _record(AuditVerb.WRITING_CANCELLED, assignment, reason, by)


@transaction.atomic
def waive(*, assignment: WritingAssignment, reason: str, by: User) -> None:
    """Do without an answer whose text was rejected: the prompt has one human answer fewer.

    While texts are decided about. Raises `Refused` where the text is not missed, or where judging could not open
    without it.
    """
    reason = audit.stated(reason)
    check_coordinator(by, assignment.study)
    studies.lock_shared(assignment.study)
    assignment = drafts.locked(assignment.pk, None)
    if not takes_texts(assignment.study):
        raise Refused("Texts can be decided on only until judging opens.")
    if rejected_answer(assignment) is None:
        raise Refused("The study does not miss this answer.")
    if lack := shortfall_without(assignment):
        raise Refused(f"Judging cannot open without it: the prompt would lack {lack}.")
    WaivedAnswer.objects.create(assignment=assignment, waived_by=by, reason=reason)
    _record(AuditVerb.WRITING_WAIVED, assignment, reason, by)


# -- texts that came late ------------------------------------------------------------------------------------


@transaction.atomic
def decide_late(*, late: LateText, use: bool, reason: str, by: User) -> None:
    """Make a late text the answer, or leave it aside; once for each text.

    Raises `Refused` for using it while the answer can still be written or has been taken back.
    """
    reason, assignment = audit.stated(reason), _locked(late.assignment, by)
    late = LateText.objects.select_for_update().get(pk=late.pk)
    if late.decision != LateText.Decision.OPEN:
        raise Refused("This text has been decided about already.")
    late.decision = LateText.Decision.USE if use else LateText.Decision.LEAVE
    late.decided_at, late.decided_by, late.reason = database_now(), by, reason
    late.save()
    if use:
        _make_answer(assignment, late, reason, by)
    verb = AuditVerb.WRITING_LATE_TEXT_USED if use else AuditVerb.WRITING_LATE_TEXT_LEFT
    _record(verb, assignment, reason, by, words=count_words(late.text))


def _make_answer(assignment: WritingAssignment, late: LateText, reason: str, by: User) -> None:
    if assignment.state not in ("submitted", "lapsed"):
        raise Refused("A late text can be used once the answer is handed in or has lapsed. This one is neither.")
    _check_takes_part(assignment.participation)
    _reject_text(assignment, reason, by)
    assignment.response = writing.receive(assignment, late.text, by=by)
    if assignment.state == "lapsed":
        assignment.state = WRITING.after("use_late_text", assignment.state)
        assignment.submitted_at, assignment.submitted_by_clock = late.received_at, True
    assignment.save()
    # The draft is what a receipt shows: its hash is that of the answer.
    draft = drafts.locked_draft(assignment)
    drafts.store(draft, late.text, seq=draft.seq + 1, now=database_now())
    receipts.ask_for(assignment)


# -- time lost in an outage ----------------------------------------------------------------------------------


@transaction.atomic
def decide_outage(
    *,
    study: Study,
    began_at: datetime,
    assignments: Collection[WritingAssignment],
    approve: bool,
    reason: str,
    by: User,
) -> int:
    """Credit these answers with what they lost in the outage that began then, or decline to; returns how many.

    An answer that is being written gets the time at once; one that the clock has ended is given back with it, and
    with what it lost in other outages. Answers for which nothing is proposed any more are left as they are; raises
    `Refused` where that holds for all of them.
    """
    reason = audit.stated(reason)
    _open_study(study, by)
    answers = _locked_together(assignments)
    losses = [(outage, loss) for outage in proposals(study) for loss in outage.losses]
    decided = 0
    for answer in answers:
        own = [(outage, loss) for outage, loss in losses if loss.assignment == answer.pk]
        settled = [(outage, loss) for outage, loss in own if outage.began_at == began_at]
        if not settled:
            continue
        if approve and answer.state != "writing":
            settled = own  # it starts anew: nothing it lost before can be credited later
        seconds = sum(loss.seconds for _, loss in settled) if approve else 0
        if approve:
            _credit(answer, seconds, reason, by)
        now = database_now()
        OutageCredit.objects.bulk_create(
            OutageCredit(
                assignment=answer,
                began_at=outage.began_at,
                ended_at=outage.ended_at,
                seconds=loss.seconds if approve else 0,
                decided_at=now,
                decided_by=by,
            )
            for outage, loss in settled
        )
        verb = AuditVerb.WRITING_OUTAGE_CREDITED if approve else AuditVerb.WRITING_OUTAGE_DECLINED
        _record(verb, answer, reason, by, seconds=seconds)
        decided += 1
    if not decided:
        raise Refused("Nothing is proposed for these answers any more. Look at the page again.")
    return decided


def _locked_together(assignments: Collection[WritingAssignment]) -> list[WritingAssignment]:
    """Several answers under lock: their writers first, lest two of one writer's and a save block each other."""
    writers = Participation.objects.select_for_update(no_key=True).order_by("pk")
    list(writers.filter(pk__in=[assignment.participation_id for assignment in assignments]))
    return [drafts.locked(pk, None) for pk in sorted(assignment.pk for assignment in assignments)]


def _credit(assignment: WritingAssignment, seconds: int, reason: str, by: User) -> None:
    if assignment.state == "writing":
        _check_running(assignment)
        _extend(assignment, seconds)
    else:
        _give_back(assignment, seconds, reason, by)
