"""Which submissions of an item count, and what is told of the others."""

import pytest

from analysis.blinding.core.submission_log import Step, read_log

JUDGE, OTHER = 7, 8


def submitted(sha256: str | None, *, number: int = 0, actor: int | None = JUDGE, after_close: bool = False) -> Step:
    return Step(number, True, actor, after_close, sha256)


def taken_back(*, actor: int | None = JUDGE, after_close: bool = False) -> Step:
    return Step(0, False, actor, after_close, None)


@pytest.mark.parametrize(
    ("steps", "is_submitted", "sha256"),
    [
        ([], False, None),
        ([submitted("aa")], True, "aa"),
        ([submitted(None)], True, None),
        ([submitted("aa"), taken_back()], False, None),
        ([submitted("aa"), taken_back(), submitted("bb")], True, "bb"),
        ([submitted("aa"), taken_back(), submitted("bb"), taken_back(), submitted("cc")], True, "cc"),
    ],
)
def test_the_last_of_a_judges_own_steps_counts(steps: list[Step], is_submitted: bool, sha256: str | None) -> None:
    log = read_log(steps, judge=JUDGE)
    assert (log.is_submitted, log.sha256, log.illegitimate) == (is_submitted, sha256, ())


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (submitted("bb"), "submitted once more, without having been taken back"),
        (submitted(None), "submitted once more, without having been taken back"),
        (submitted("bb", actor=OTHER), "submitted by somebody other than its judge"),
        (submitted("bb", actor=None), "submitted by somebody other than its judge"),
        (submitted("bb", after_close=True), "submitted after the study was closed"),
        (taken_back(actor=OTHER), "taken back by somebody other than its judge"),
        (taken_back(after_close=True), "taken back after the study was closed"),
    ],
)
def test_any_other_step_after_a_submission_changes_nothing_and_is_told(wrong: Step, told: str) -> None:
    log = read_log([submitted("aa"), wrong], judge=JUDGE)
    assert (log.is_submitted, log.sha256) == (True, "aa")
    assert log.illegitimate == (f"the audit trail has it {told}.",)


def test_what_was_never_submitted_is_not_taken_back() -> None:
    log = read_log([taken_back()], judge=JUDGE)
    assert not log.is_submitted
    assert log.illegitimate == ("the audit trail has it taken back without having been submitted.",)


def test_a_forged_way_back_does_not_make_room_for_another_submission() -> None:
    steps = [submitted("aa"), taken_back(after_close=True), submitted("bb", after_close=True)]
    log = read_log(steps, judge=JUDGE)
    assert log.sha256 == "aa"
    assert len(log.illegitimate) == 2


def test_the_place_in_the_trail_is_that_of_the_submission_that_stands() -> None:
    steps = [submitted("aa", number=3), taken_back(), submitted("bb", number=8), submitted("cc", number=9)]
    assert read_log(steps[:2], judge=JUDGE).number is None
    assert read_log(steps, judge=JUDGE).number == 8
