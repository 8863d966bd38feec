"""Texts that arrived after time was up: a coordinator decides, once, and the answer is what they decided."""

from datetime import datetime, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as date_format

from annotation.assignment.services import assembling, designing
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Consent, Role
from annotation.study.services import studies
from annotation.texts.models.provenance import Stimulus
from annotation.writing.core.activity import Event
from annotation.writing.models import LateText, WritingAssignment
from annotation.writing.selectors.answer_record import text_as_of
from annotation.writing.services import drafts, writing_desk
from annotation.writing.services.drafts import Save, Status
from tests.annotation.writing.desk import WHY, a_late_text, decide, draft_of, reopen, response_of, state_of_text
from tests.answers import MINUTE, SECOND, pass_time, start
from tests.clients import signed_in
from tests.factories import a_member, a_writing_study, an_essay, assignments_of, coordinator_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def assignment() -> WritingAssignment:
    """The first assignment of a writer with 30 minutes for each answer."""
    return assignments_of(a_writing_study(writing_minutes=30))[0]


def test_a_late_text_that_is_used_takes_the_answers_place(assignment: WritingAssignment) -> None:
    late = a_late_text(assignment, an_essay(2), in_time="In time.")
    before = WritingAssignment.objects.get(pk=assignment.pk)
    after = decide(late, use=True)
    assert response_of(after).text == an_essay(2)
    assert state_of_text(response_of(before)) == "rejected"
    assert state_of_text(response_of(after)) == "received"
    assert after.submitted_at == before.submitted_at
    assert Stimulus.objects.get(pk=after.response_id).source_code == after.participation.pseudonym


def test_a_late_text_makes_a_lapsed_answer_a_submitted_one(assignment: WritingAssignment) -> None:
    late = a_late_text(assignment)
    after = decide(late, use=True)
    assert (after.state, after.submitted_at) == ("submitted", late.received_at)
    assert after.submitted_by_clock
    assert response_of(after).text == late.text


def test_a_late_text_that_is_used_is_what_the_draft_holds_and_its_saves_lead_to(
    assignment: WritingAssignment,
) -> None:
    late = a_late_text(assignment, in_time="In time.")
    decide(late, use=True)
    draft, version = draft_of(assignment), text_as_of(assignment)
    assert (draft.text, draft.sha256) == (late.text, sha256_hex(late.text))
    assert version
    assert version.is_whole
    assert version.text == late.text


def test_a_late_text_that_is_left_changes_nothing(assignment: WritingAssignment) -> None:
    late = a_late_text(assignment, in_time="In time.")
    after = decide(late, use=False)
    assert response_of(after).text == "In time."
    late.refresh_from_db()
    assert (late.decision, late.decided_by, late.reason) == ("leave", coordinator_of(after.study), WHY)


@pytest.mark.parametrize("use", [True, False])
def test_a_late_text_is_decided_about_once(assignment: WritingAssignment, use: bool) -> None:
    late = a_late_text(assignment, in_time="In time.")
    decide(late, use=use)
    with pytest.raises(Refused, match="already"):
        decide(late, use=not use)


def test_a_late_text_is_not_used_while_the_answer_is_being_written_again(assignment: WritingAssignment) -> None:
    late = a_late_text(assignment, in_time="In time.")
    reopen(assignment)
    start(assignment)
    with pytest.raises(Refused, match="This one is neither"):
        decide(late, use=True)
    late.refresh_from_db()
    assert late.decision == "open"


def test_a_late_text_of_somebody_who_withdrew_is_not_used(assignment: WritingAssignment) -> None:
    late = a_late_text(assignment, in_time="In time.")
    Consent.objects.update(withdrawn_at=timezone.now())
    with pytest.raises(Refused, match="withdrawn their consent"):
        decide(late, use=True)


def test_late_texts_stand_in_the_way_of_closing_until_they_are_decided_about() -> None:
    study = a_writing_study(writers=2)
    lates = [a_late_text(assignments_of(study, writer=number)[0]) for number in (0, 1)]
    where = ", ".join(
        sorted(f"{late.assignment.prompt.code} by {late.assignment.participation.pseudonym}" for late in lates)
    )
    with pytest.raises(Refused, match=f"2 late texts must be decided about first, on the writing desk: {where}"):
        designing.close_writing(study=study, by=coordinator_of(study))
    for late in lates:
        decide(late, use=False)
    designing.close_writing(study=study, by=coordinator_of(study))
    assert study.state == "assembling"


def test_judging_does_not_open_over_a_late_text_that_nobody_decided_about(assignment: WritingAssignment) -> None:
    late = a_late_text(assignment)
    decide(late, use=False)
    designing.close_writing(study=assignment.study, by=coordinator_of(assignment.study))
    LateText.objects.filter(pk=late.pk).update(decision="open", decided_at=None, decided_by=None)  # came afterwards
    with pytest.raises(Refused, match="1 late text must be decided about first"):
        assembling.open_judging(
            study=assignment.study, by=coordinator_of(assignment.study), reason="Made for a test."
        )


@pytest.mark.parametrize("use", [True, False])
def test_a_decision_is_audited_with_its_reason(assignment: WritingAssignment, use: bool) -> None:
    decide(a_late_text(assignment, "Six words that came too late.", in_time="In time."), use=use)
    event = AuditEvent.objects.get(verb="writing.late_text_used" if use else "writing.late_text_left")
    assert event.actor == coordinator_of(assignment.study)
    assert event.detail == {"reason": WHY, "words": 6}


def test_nobody_but_a_coordinator_decides_about_late_texts(assignment: WritingAssignment) -> None:
    late = a_late_text(assignment, in_time="In time.")
    for person in (assignment.participation.user, a_member(assignment.study, Role.RESEARCHER).user):
        with pytest.raises(PermissionDenied):
            writing_desk.decide_late(late=late, use=True, reason=WHY, by=person)
    late.refresh_from_db()
    assert late.decision == "open"


def test_nothing_is_decided_without_a_reason_or_once_writing_is_closed(assignment: WritingAssignment) -> None:
    late, by = a_late_text(assignment, in_time="In time."), coordinator_of(assignment.study)
    with pytest.raises(Refused, match="Say why"):
        writing_desk.decide_late(late=late, use=True, reason=" ", by=by)
    studies.move(assignment.study, "close_writing", by=by)
    with pytest.raises(Refused, match="Writing is closed"):
        writing_desk.decide_late(late=late, use=False, reason=WHY, by=by)


@pytest.mark.parametrize(
    ("last_ms", "says"),
    [(1_799_000, "Before the end"), (1_803_000, "Not all before the end"), (None, "Not known")],
)
def test_the_decision_about_a_late_text_shows_when_its_words_were_typed_and_what_the_clock_said(
    assignment: WritingAssignment, last_ms: int | None, says: str
) -> None:
    """Thirty minutes are 1,800,000 ms; the text arrives half a minute after them."""
    start(assignment)
    pass_time(assignment, 30 * MINUTE + 30 * SECOND)
    noted: tuple[Event, ...] = () if last_ms is None else (["burst", last_ms - 4_000, 4_000, 30, 0],)
    sent = Save(epoch=1, seq=1, text="The words of the end.", activity=noted)
    status, _ = drafts.save(assignment_id=assignment.pk, sent=sent, by=assignment.participation.user)
    assert status == Status.LATE

    page = signed_in(coordinator_of(assignment.study)).get(reverse("writing_answer", args=[assignment.pk]))
    words = " ".join(page.content.decode().split())
    begun = WritingAssignment.objects.get(pk=assignment.pk)
    assert begun.started_at
    assert begun.deadline_at
    assert says in words
    assert f"the time ended on {in_words(begun.deadline_at)}, and the text arrived on" in words
    assert ", 30 s later" in words
    if last_ms:
        assert f"to {in_words(begun.started_at + timedelta(milliseconds=last_ms))}" in words


def test_a_late_text_says_on_which_day_and_how_much_later_it_arrived(assignment: WritingAssignment) -> None:
    start(assignment)
    pass_time(assignment, 42 * MINUTE + 5 * SECOND)
    sent = Save(epoch=1, seq=1, text="The words of the end.", activity=(["burst", 1_000, 4_000, 30, 0],))
    drafts.save(assignment_id=assignment.pk, sent=sent, by=assignment.participation.user)
    page = signed_in(coordinator_of(assignment.study)).get(reverse("writing_answer", args=[assignment.pk]))
    words = " ".join(page.content.decode().split())
    late, begun = LateText.objects.get(), WritingAssignment.objects.get(pk=assignment.pk)
    assert begun.started_at
    assert begun.deadline_at
    assert f"the time ended on {in_words(begun.deadline_at)}, and the text arrived on" in words
    assert f"arrived on {in_words(late.received_at)}, 12 min later" in words
    assert f"from {in_words(begun.started_at + timedelta(seconds=1))} to" in words


def in_words(moment: datetime) -> str:
    return date_format(moment, "j F, H:i:s")
