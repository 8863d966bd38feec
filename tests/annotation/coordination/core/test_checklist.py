"""What is done, what is next, what comes later: by the study's state and what is settled."""

import pytest

from annotation.coordination.core.checklist import Amount, Duty, Standing, checklist, merged

STATES = ("design", "writing", "assembling", "judging")


def duty(*, is_settled: bool = False) -> Duty:
    """One that can be done while people write and until judging opens."""
    return Duty("Collect the texts", "Coordinator", "writing", "judging", "study_runs", is_settled=is_settled)


@pytest.mark.parametrize(
    ("state", "is_settled", "standing"),
    [
        ("design", False, Standing.LATER),
        ("design", True, Standing.LATER),
        ("writing", False, Standing.NEXT),
        ("assembling", True, Standing.DONE),
        ("assembling", False, Standing.NEXT),
        ("judging", False, Standing.DONE),
    ],
)
def test_a_step_is_later_next_or_done_by_the_state_and_by_what_is_settled(
    state: str, is_settled: bool, standing: Standing
) -> None:
    [point] = checklist([duty(is_settled=is_settled)], state, STATES)
    assert point.standing == standing


def test_several_steps_can_be_next_at_once() -> None:
    write = Duty("Write", "Writers", "writing", "assembling", "writing_desk")
    assert [point.standing for point in checklist([write, duty()], "writing", STATES)] == [Standing.NEXT] * 2


def test_what_models_do_stands_before_the_step_that_leaves_the_state_it_begins_in() -> None:
    close = Duty("Close writing", "Coordinator", "writing", "assembling")
    look = Duty("Look at the texts", "Coordinator", "assembling", "judging")
    further = [Duty(title, "Models", "writing", "judging") for title in ("Answer", "Answer again")]
    titles = [each.title for each in merged([duty(), close, look], further)]
    assert titles == ["Collect the texts", "Answer", "Answer again", "Close writing", "Look at the texts"]


@pytest.mark.parametrize(
    ("done", "total", "told", "missing"),
    [
        (0, 0, "", "no answer was asked for"),
        (0, 1, "0 of 1 answer", "1 answer missing"),
        (1100, 1200, "1,100 of 1,200 answers", "100 answers missing"),
        (4, 4, "4 of 4 answers", ""),
    ],
)
def test_a_step_tells_how_much_of_it_is_there_and_how_much_is_missing(
    done: int, total: int, told: str, missing: str
) -> None:
    amount = Amount(done, total, "answer")
    assert (Duty("Answer", "Models", "writing", "judging", amount=amount).told, amount.missing) == (told, missing)


@pytest.mark.parametrize(
    ("done", "total", "is_settled", "stands"),
    [
        (0, 0, False, "Have them answer: not begun"),
        (3, 4, False, "Have them answer"),
        (4, 4, True, "Have them answer: done"),
    ],
)
def test_beside_how_much_is_there_a_step_says_whether_it_is_done(
    done: int, total: int, is_settled: bool, stands: str
) -> None:
    amount = Amount(done, total, "answer")
    step = Duty("Have them answer", "Models", "writing", "judging", is_settled=is_settled, amount=amount)
    assert step.stands == stands


def test_a_step_that_others_come_before_is_not_called_the_next_one() -> None:
    lock = Duty("Lock the design", "Coordinator", "design", "writing", is_blocked=True)
    assert [point.standing for point in checklist([lock], "design", STATES)] == [Standing.LATER]
    assert [point.standing for point in checklist([lock], "writing", STATES)] == [Standing.DONE]
