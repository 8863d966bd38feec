"""Which of several judgments in one place counts."""

from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from annotation.judging.core.requested_ratings import RatedItem, requested_ratings

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def item(
    number: int, *, replaces: int | None = None, submitted: int | None = None, state: str = "open"
) -> RatedItem:
    """An item of judge J<number>, submitted so many minutes after nine."""
    at = None if submitted is None else START + timedelta(minutes=submitted)
    return RatedItem(number, "P", f"J{number}", "submitted" if at else state, replaces, at)


def test_a_place_is_an_item_and_those_that_replace_it_in_turn() -> None:
    first, second = requested_ratings([item(3, replaces=2), item(1), item(4), item(2, replaces=1)])
    assert [rating.id for rating in first.items] == [1, 2, 3]
    assert [rating.id for rating in second.items] == [4]
    assert first.holder.id == 3


def test_the_judgment_submitted_first_counts_and_the_others_are_surplus() -> None:
    [rating] = requested_ratings(
        [item(1, submitted=30), item(2, replaces=1, submitted=10), item(3, replaces=2, submitted=20)]
    )
    assert getattr(rating.counted, "id", None) == 2
    assert [one.id for one in rating.surplus] == [1, 3]


def test_of_two_at_the_same_moment_the_earlier_item_counts() -> None:
    [rating] = requested_ratings([item(1, submitted=10), item(2, replaces=1, submitted=10)])
    assert getattr(rating.counted, "id", None) == 1


def test_without_a_judgment_nothing_counts_and_nothing_is_surplus() -> None:
    [rating] = requested_ratings([item(1), item(2, replaces=1, state="assigned")])
    assert (rating.counted, rating.surplus, rating.is_running) == (None, (), True)
    assert not requested_ratings([item(1, state="cancelled"), item(2, replaces=1, state="assigned")])[0].is_running


@given(st.lists(st.none() | st.integers(0, 5), min_size=1, max_size=6), st.randoms())
def test_at_most_one_judgment_counts_whatever_the_order_of_the_items(
    times: list[int | None], random: Random
) -> None:
    chain = [item(n, replaces=n - 1 or None, submitted=time) for n, time in enumerate(times, start=1)]
    random.shuffle(chain)
    [rating] = requested_ratings(chain)
    judged = sum(time is not None for time in times)
    assert len(rating.surplus) == max(0, judged - 1)
    assert (rating.counted is None) == (judged == 0)
