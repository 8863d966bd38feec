"""The benchmark of many writers notices what is lost, and knows which saves were away from outages."""

import pytest

from annotation.platform.core.text import sha256_hex
from annotation.writing.models import Draft, WritingAssignment
from benchmarks.support.measures import Log, Span, away_from, disturbed
from benchmarks.support.room_client import Acknowledged
from benchmarks.support.writing_study import Findings, findings, prepare
from tests.answers import begin, change_of, save, send, submit

FIRST, SECOND = "A first text.", "A second text."
SAVES = [Acknowledged(1, 1, sha256_hex(FIRST)), Acknowledged(1, 2, sha256_hex(SECOND))]


@pytest.fixture
def answer(db: None) -> WritingAssignment:
    """One that was saved whole, then changed, and handed in."""
    (seat,) = prepare(writers=1, minutes=30)
    answer = begin(WritingAssignment.objects.select_related("participation__user").get(pk=seat.assignment_id))
    save(answer, 1, FIRST)
    send(answer, change_of(answer, at=2, delete=5, insert="second"))
    return submit(answer)


def found(answer: WritingAssignment, *saves: Acknowledged, last_text: str = SECOND) -> Findings:
    return findings({answer.pk: list(saves)}, {answer.pk: last_text})


def test_the_check_finds_every_acknowledged_save(answer: WritingAssignment) -> None:
    assert found(answer, *SAVES) == Findings(found=2, missing=[], states={"submitted": 1})


def test_the_check_misses_a_save_without_a_revision(answer: WritingAssignment) -> None:
    result = found(answer, *SAVES, Acknowledged(1, 3, sha256_hex(SECOND)))
    assert result.missing == [f"answer {answer.pk}: save 1.3"]


def test_the_check_misses_a_save_whose_revisions_give_another_text(answer: WritingAssignment) -> None:
    result = found(answer, Acknowledged(1, 2, sha256_hex(FIRST)))
    assert result.missing == [f"answer {answer.pk}: save 1.2"]


def test_the_check_misses_the_last_text_in_draft_and_submission(answer: WritingAssignment) -> None:
    assert len(found(answer, *SAVES, last_text="A third text.").missing) == 2


def test_the_check_misses_a_draft_with_another_hash(answer: WritingAssignment) -> None:
    Draft.objects.filter(assignment=answer).update(sha256=sha256_hex(FIRST))
    assert found(answer, *SAVES).missing == [f"answer {answer.pk}: the draft is not the last text"]


def test_a_fault_disturbs_until_five_seconds_after_the_last_failure_before_the_next() -> None:
    log = Log()
    for failure in (Span(11, 12), Span(14, 16), Span(31, 33)):
        log.note(failure, succeeded=False, is_save=True)
    assert disturbed([10, 30], [log]) == [Span(10, 16 + 5), Span(30, 33 + 5)]


def test_an_outage_lasts_from_the_first_failure_to_the_next_success() -> None:
    log = Log()
    log.note(Span(11, 12), succeeded=False, is_save=True)
    log.note(Span(13, 14), succeeded=False, is_save=False)
    log.note(Span(15, 15.5), succeeded=True, is_save=True)
    assert (log.outages, log.saves) == ([Span(11, 15.5)], [Span(15, 15.5)])


def test_a_save_that_reaches_into_a_disturbance_is_not_away_from_it() -> None:
    before, into, after = Span(8, 9), Span(9.5, 12), Span(21.5, 22)
    assert away_from([Span(10, 21)], [before, into, after]) == [before, after]
