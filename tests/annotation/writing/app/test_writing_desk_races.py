"""A coordinator's decision that meets what the writer sends: one waits for the other, and no text is lost."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from annotation.platform.core.errors import Refused
from annotation.study.models.responses import Response
from annotation.writing.models import Draft, SideText, WritingAssignment
from annotation.writing.services import drafts, writing_desk
from annotation.writing.services.drafts import Save, Status
from tests.annotation.judging.app.test_races import elsewhere, still_waits
from tests.answers import MINUTE, begin, change_of, finalise, pass_time, run_out, save, send, submit, text_of
from tests.factories import a_writing_study, an_essay, assignments_of, coordinator_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def assignment() -> WritingAssignment:
    """An answer that is being written, with 30 minutes for it."""
    return begin(assignments_of(a_writing_study(writing_minutes=30))[0])


def by(assignment: WritingAssignment) -> dict[str, Any]:
    return {"assignment": assignment, "reason": "The fire alarm.", "by": coordinator_of(assignment.study)}


def test_a_save_that_meets_a_pause_just_before_the_end_is_taken(assignment: WritingAssignment) -> None:
    """While the pause is being written down, the deadline and its grace pass; the save arrives after that."""
    pass_time(assignment, 30 * MINUTE + timedelta(seconds=9))
    sent = change_of(assignment, 0, 0, "just in time")
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            writing_desk.pause(**by(assignment))
            saved = elsewhere(pool, lambda: send(assignment, sent))
            assert still_waits(saved)
        status, _ = saved.result(timeout=10)
    assert status == Status.SAVED
    assert text_of(assignment) == "just in time"


def test_a_text_that_arrives_during_the_reopening_is_kept_beside_the_answer(assignment: WritingAssignment) -> None:
    save(assignment, 1, an_essay(1))
    run_out(assignment)
    finalise(assignment)
    sent, writer = Save(epoch=1, seq=2, text=an_essay(2)), assignment.participation.user
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            writing_desk.reopen(minutes=5, **by(assignment))
            late = elsewhere(pool, lambda: drafts.save(assignment_id=assignment.pk, sent=sent, by=writer))
            assert still_waits(late)
        status, _ = late.result(timeout=10)
    assert status == Status.CLOSED
    assert text_of(assignment) == an_essay(1)
    assert SideText.objects.get().text == an_essay(2)


def test_more_time_that_meets_the_clock_is_given_or_comes_too_late(assignment: WritingAssignment) -> None:
    save(assignment, 1, an_essay())
    run_out(assignment)
    Draft.objects.filter(assignment=assignment).update(closes_at=timezone.now() + MINUTE)  # a long grace
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            writing_desk.grant_time(seconds=600, **by(assignment))
            ended = elsewhere(pool, lambda: finalise(assignment).state)
            assert still_waits(ended)
        assert ended.result(timeout=10) == "writing"


def test_a_submission_that_meets_taking_back_is_refused(assignment: WritingAssignment) -> None:
    save(assignment, 1, an_essay())
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            writing_desk.cancel(**by(assignment))
            handed_in = elsewhere(pool, lambda: submit(assignment))
            assert still_waits(handed_in)
        with pytest.raises(Refused, match="not being written"):
            handed_in.result(timeout=10)
    assert not Response.objects.exists()
