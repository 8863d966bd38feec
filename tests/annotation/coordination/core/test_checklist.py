"""What is done, what is next, what comes later: by the study's state and what is settled."""

import pytest

from annotation.coordination.core.checklist import Duty, Standing, checklist

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
