from datetime import UTC, datetime, timedelta

import pytest

from annotation.core.timing import accepts_save, deadline, remaining_seconds, session_of

START = datetime(2026, 3, 29, 0, 50, tzinfo=UTC)  # ten minutes before European clocks change
DUE = START + timedelta(minutes=30)


@pytest.mark.parametrize(
    ("minutes", "extra_seconds", "due"),
    [
        (30, 0, DUE),
        (20, 0, START + timedelta(seconds=1200)),
        (30, 450, START + timedelta(seconds=1800 + 450)),
        (None, 0, None),
        (None, 450, None),
    ],
)
def test_the_deadline_is_start_plus_limit_plus_extra_time(minutes, extra_seconds, due) -> None:
    assert deadline(START, minutes=minutes, extra_seconds=extra_seconds) == due


@pytest.mark.parametrize(("minutes", "extra_seconds"), [(0, 0), (-5, 0), (30, -1)])
def test_a_limit_that_gives_no_time_is_refused(minutes: int, extra_seconds: int) -> None:
    with pytest.raises(ValueError, match="no time limit"):
        deadline(START, minutes=minutes, extra_seconds=extra_seconds)


@pytest.mark.parametrize(
    ("seconds_after", "accepted"), [(-60, True), (0, True), (10, True), (10.001, False), (11, False), (3600, False)]
)
def test_a_save_counts_until_the_grace_has_passed(seconds_after: float, accepted: bool) -> None:
    now = DUE + timedelta(seconds=seconds_after)
    assert accepts_save(now, DUE, grace_seconds=10) is accepted


def test_without_a_deadline_every_save_counts_and_no_time_runs() -> None:
    assert accepts_save(START + timedelta(days=30), None, grace_seconds=0)
    assert remaining_seconds(START, None) is None


@pytest.mark.parametrize(("seconds_after", "left"), [(-1800, 1800), (-0.5, 0.5), (0, 0), (90, 0)])
def test_remaining_time_never_falls_below_nought(seconds_after: float, left: float) -> None:
    assert remaining_seconds(DUE + timedelta(seconds=seconds_after), DUE) == left


def test_five_prompts_make_a_session() -> None:
    assert [session_of(position, 5) for position in range(1, 12)] == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3]


@pytest.mark.parametrize(("position", "per_session"), [(0, 5), (1, 0)])
def test_positions_and_sessions_start_at_one(position: int, per_session: int) -> None:
    with pytest.raises(ValueError, match="start at 1"):
        session_of(position, per_session)
