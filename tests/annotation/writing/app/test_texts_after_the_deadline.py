"""What is sent after an answer's deadline: kept once, beside the answer, for a while."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from annotation.platform.core.text import sha256_hex
from annotation.platform.models.audit import AuditEvent
from annotation.writing.models import LateText, SideText, WritingAssignment
from annotation.writing.services import drafts
from annotation.writing.services.drafts import MAX_LATE_TEXTS, Save, Status
from tests.annotation.writing.app.test_drafts import cancel, kept
from tests.annotation.writing.desk import response_of
from tests.answers import (
    MINUTE,
    OTHER_WINDOW,
    SECOND,
    change_of,
    finalise,
    pass_time,
    save,
    send,
    submit,
    take_pen,
    text_of,
    verbs_of,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("by", ["whole text", "change"])
def test_a_save_within_the_grace_counts_and_one_after_it_is_kept_as_late(
    answer: WritingAssignment, by: str
) -> None:
    def sent(text: str) -> Save:
        held = text_of(answer)
        change = change_of(answer, len(held), 0, text.removeprefix(held))
        return change if by == "change" else Save(epoch=1, seq=change.seq, text=text)

    send(answer, sent("in time"))
    pass_time(answer, 30 * MINUTE + 8 * SECOND)
    assert send(answer, sent("in time, within the grace"))[0] == Status.SAVED
    pass_time(answer, 3 * SECOND)
    status, held = send(answer, sent("in time, within the grace, eleven seconds after"))
    assert (status, held.sha256) == (Status.LATE, sha256_hex("in time, within the grace"))
    assert text_of(answer) == "in time, within the grace"
    assert kept(LateText) == ["in time, within the grace, eleven seconds after"]
    event = AuditEvent.objects.get(verb="writing.late_text_kept")
    assert (event.subject, event.detail) == (str(answer.pk), {"words": 8})


def test_a_late_change_to_a_text_that_is_not_held_is_asked_for_as_a_whole(answer: WritingAssignment) -> None:
    save(answer, 1, "in time")
    sent = replace(change_of(answer, 0, 0, "late "), base_sha=sha256_hex("only in the browser"))
    pass_time(answer, 31 * MINUTE)
    assert send(answer, sent)[0] == Status.FULL
    assert save(answer, 2, "late only in the browser")[0] == Status.LATE


def test_a_late_text_is_kept_once_however_often_it_is_sent_and_never_becomes_the_answer(
    answer: WritingAssignment,
) -> None:
    save(answer, 1, "in time")
    pass_time(answer, 31 * MINUTE)
    for _ in range(2):
        assert save(answer, 2, "in time and a bit more")[0] == Status.LATE
        finalise(answer)
    assert kept(LateText) == ["in time and a bit more"]
    assert response_of(answer).text == "in time"
    assert verbs_of(answer) == ["writing.started", "writing.late_text_kept", "writing.submitted"]


@pytest.mark.parametrize("text", ["in time", "", " \n"])
def test_sending_the_answer_again_or_nothing_after_the_end_is_not_a_late_text(
    answer: WritingAssignment, text: str
) -> None:
    save(answer, 1, "in time")
    pass_time(answer, 31 * MINUTE)
    assert save(answer, 2, text)[0] == Status.CLOSED
    assert kept(LateText) == []


def test_late_texts_are_taken_for_fifteen_minutes_after_the_deadline(answer: WritingAssignment) -> None:
    pass_time(answer, 45 * MINUTE - 2 * SECOND)
    assert save(answer, 1, "just in time to be late")[0] == Status.LATE
    pass_time(answer, 3 * SECOND)
    assert save(answer, 2, "not any more")[0] == Status.CLOSED
    assert kept(LateText) == ["just in time to be late"]


def test_so_many_late_texts_are_kept_and_no_more(answer: WritingAssignment) -> None:
    pass_time(answer, 31 * MINUTE)
    statuses = [save(answer, number, f"text {number}")[0] for number in range(1, MAX_LATE_TEXTS + 2)]
    assert statuses == [Status.LATE] * MAX_LATE_TEXTS + [Status.CLOSED]
    assert save(answer, 1, "text 1")[0] == Status.LATE, "it is kept"
    assert len(kept(LateText)) == MAX_LATE_TEXTS


@pytest.mark.parametrize("end", [submit, cancel], ids=["handed in", "taken back"])
def test_what_is_sent_after_somebody_ended_the_answer_is_not_kept(
    answer: WritingAssignment, end: Callable[[WritingAssignment], WritingAssignment]
) -> None:
    save(answer, 1, "the answer")
    end(answer)
    for span in (0 * SECOND, 31 * MINUTE):
        pass_time(answer, span)
        assert save(answer, 2, "an afterthought")[0] == Status.CLOSED
    assert (text_of(answer), kept(LateText)) == ("the answer", [])


def test_a_text_of_any_window_is_kept_as_late_once_time_is_up(answer: WritingAssignment) -> None:
    take_pen(answer, OTHER_WINDOW)
    pass_time(answer, 31 * MINUTE)
    assert [save(answer, 1, f"window {epoch}", epoch=epoch)[0] for epoch in (1, 2)] == [Status.LATE] * 2
    assert (kept(LateText), kept(SideText)) == (["window 1", "window 2"], [])


def test_a_late_form_is_kept_like_any_late_text_before_the_lapse_and_after_it(answer: WritingAssignment) -> None:
    pass_time(answer, 31 * MINUTE)
    by = answer.participation.user
    assert drafts.keep(assignment=answer, text="without scripts", by=by) == Status.LATE
    assert finalise(answer).state == "lapsed"
    assert drafts.keep(assignment=answer, text="with scripts", pen_epoch=1, by=by) == Status.LATE
    assert kept(LateText) == ["without scripts", "with scripts"]
