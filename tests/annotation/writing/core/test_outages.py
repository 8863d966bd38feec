from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.writing.core.outages import MIN_OUTAGE, Span, outages, seconds_lost

NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)


def at(second: float) -> datetime:
    return NOON + timedelta(seconds=second)


def spans(*pairs: tuple[float, float]) -> list[Span]:
    """Stretches of time in seconds after noon."""
    return [Span(at(began), at(ended)) for began, ended in pairs]


@pytest.mark.parametrize(
    ("periods", "found"),
    [
        ([], []),
        ([(0, 600)], []),
        ([(0, 600), (630, 900)], [(600, 630)]),
        ([(630, 900), (0, 600)], [(600, 630)]),  # in whatever order they come
        ([(0, 600), (609, 900)], []),  # nine seconds are bridged by saving again
        ([(0, 600), (610, 900)], [(600, 610)]),
        ([(0, 600), (100, 900), (1000, 1100)], [(900, 1000)]),  # two loops side by side
        ([(0, 900), (100, 200), (300, 400)], []),  # one within the other
    ],
)
def test_an_outage_is_a_gap_of_ten_seconds_or_more_between_two_periods(
    periods: list[tuple[float, float]], found: list[tuple[float, float]]
) -> None:
    assert outages(spans(*periods)) == spans(*found)


@pytest.mark.parametrize(
    ("proofs", "found"),
    [
        ([], [(600, 700)]),
        ([650], [(600, 650), (650, 700)]),
        ([695], [(600, 695)]),  # five seconds are left of the second part
        ([610, 619, 690], [(600, 610), (619, 690), (690, 700)]),
        ([608, 616, 624, 632, 640, 648, 656, 664, 672, 680, 688, 696], []),  # it was the loop that was away
        ([-50, 300, 5000], [(600, 700)]),  # outside the gap nothing is proved
    ],
)
def test_an_acknowledged_save_proves_that_the_server_was_up_and_parts_the_gap(
    proofs: list[int], found: list[tuple[float, float]]
) -> None:
    periods = spans((0, 600), (700, 900))
    assert outages(periods, map(at, proofs)) == spans(*found)


@given(
    periods=st.lists(st.tuples(st.integers(0, 500), st.integers(0, 120)), max_size=8),
    proofs=st.lists(st.integers(-100, 900), max_size=20),
)
def test_no_outage_holds_a_moment_at_which_the_site_was_seen(
    periods: list[tuple[int, int]], proofs: list[int]
) -> None:
    seen = spans(*((began, began + length) for began, length in periods))
    for outage in outages(seen, map(at, proofs)):
        assert outage.ended_at - outage.began_at >= MIN_OUTAGE
        assert not any(outage.began_at < at(proof) < outage.ended_at for proof in proofs)
        assert not any(span.began_at < outage.ended_at and outage.began_at < span.ended_at for span in seen)


@pytest.mark.parametrize(
    ("outage", "seconds"),
    [
        ((600, 630), 30),
        ((-100, 60), 60),  # began before the answer did
        ((1790, 2000), 10),  # went on after the deadline
        ((-100, 2000), 1800),
        ((1800, 1900), 0),
        ((-100, 0), 0),
        ((600, 610.2), 11),  # 10.2 seconds, in the writer's favour
    ],
)
def test_what_an_answer_of_thirty_minutes_loses_is_the_part_of_the_outage_that_lies_in_it(
    outage: tuple[float, float], seconds: int
) -> None:
    [lost_in], [answer] = spans(outage), spans((0, 1800))
    assert seconds_lost(lost_in, answer) == seconds


@pytest.mark.parametrize(
    ("pauses", "seconds"),
    [
        ([(0, 600)], 60),  # before the outage
        ([(590, 620)], 40),  # 600 to 620 of 600 to 660
        ([(610, 620), (650, 700)], 40),  # 10 and 10 of the 60
        ([(500, 700)], 0),
    ],
)
def test_nothing_is_lost_while_the_clock_stands_still(pauses: list[tuple[float, float]], seconds: int) -> None:
    [outage], [answer] = spans((600, 660)), spans((0, 1800))
    assert seconds_lost(outage, answer, spans(*pauses)) == seconds
