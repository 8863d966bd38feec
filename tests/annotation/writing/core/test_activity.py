"""What a browser notes about the writing of an answer: what is taken of it, and what it amounts to."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.writing.core.activity import (
    FIELDS,
    MAX_EVENTS,
    MAX_INTEGER,
    Event,
    Pastes,
    ProcessRecord,
    Saved,
    entered,
    read,
    summarise,
)

NOTHING = Pastes(count=0, size=0, largest=0)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from([*FIELDS]),
    lambda children: st.lists(children, max_size=6) | st.dictionaries(st.text(max_size=3), children, max_size=3),
)
events = st.sampled_from([*FIELDS]).flatmap(
    lambda kind: st.tuples(st.just(kind), *[st.integers(0, MAX_INTEGER) for _ in FIELDS[kind]]).map(list)
)


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


# -- what is taken -------------------------------------------------------------------------------------------


@given(anything)
def test_whatever_is_sent_only_events_are_taken_and_nothing_is_refused(sent: object) -> None:
    for kind, *numbers in read(sent):
        assert len(numbers) == len(FIELDS[str(kind)])
        assert all(type(number) is int and 0 <= number <= MAX_INTEGER for number in numbers)


@given(st.lists(events, max_size=20))
def test_events_are_taken_as_they_were_sent(sent: list[Event]) -> None:
    assert read(sent) == sent


@pytest.mark.parametrize(
    "odd",
    [
        None,
        "burst",
        [],
        ["burst"],
        ["burst", 0, 10, 4],
        ["burst", 0, 10, 4, 0, 0],
        ["burst", 0, 10, 4, -1],
        ["burst", 0, 10, 4, 1.0],
        ["burst", 0, 10, 4, True],
        ["burst", 0, 10, 4, MAX_INTEGER + 1],
        ["paste_outside", 0, "the text itself"],
        ["keystroke", 0, 65],
        [["burst"], 0, 10, 4, 0],
        {"burst": [0, 10, 4, 0]},
    ],
)
def test_an_entry_that_is_no_event_is_left_out_and_its_neighbours_stay(odd: object) -> None:
    assert read([["away", 1, 2], odd, ["away", 3, 4]]) == [["away", 1, 2], ["away", 3, 4]]


def test_one_save_brings_two_hundred_events_at_most() -> None:
    sent = [["away", at, 1] for at in range(MAX_EVENTS + 1)]
    assert read(sent) == sent[:200]


# -- what it amounts to --------------------------------------------------------------------------------------


def test_an_answer_is_summed_up_in_figures() -> None:
    record = summarise(
        [
            Saved(1, inserted=40, removed=0, activity=[["burst", 0, 8_000, 42, 2]]),
            # 3 s after the first burst ended, and 1.5 s after the second: the latter is no pause
            Saved(1, 55, 5, [["burst", 11_000, 500, 10, 5], ["burst", 13_000, 9_000, 45, 0]]),
            Saved(1, 20, 0, [["paste_inside", 30_000, 20]]),
            Saved(1, 300, 0, [["paste_outside", 60_000, 100], ["paste_outside", 61_000, 200]]),
            Saved(1, 0, 300, [["burst", 70_000, 0, 0, 300], ["away", 90_000, 45_000], ["away", 200_000, 500]]),
        ]
    )
    assert record == ProcessRecord(
        saves=5,
        noted=1 + 2 + 1 + 2 + 3,
        inside=Pastes(count=1, size=20, largest=20),
        outside=Pastes(count=2, size=100 + 200, largest=200),
        blocked=NOTHING,
        times_away=2,
        away=seconds(45.5),
        bursts=4,
        median_burst=(10 + 42) / 2,  # of 0, 10, 42, 45
        pauses=2,  # 8 s to 11 s, and 22 s to 70 s
        longest_pause=seconds(70 - 22),
        typed=42 + 10 + 45 + 0,
        deleted=2 + 5 + 0 + 300,
        length=40 + 50 + 20 + 300 - 300,
    )
    assert record.produced == 97 + 20 + 300
    assert record.kept == pytest.approx(110 / 417)


def test_a_blocked_paste_counts_for_itself_and_not_as_produced() -> None:
    record = summarise([Saved(1, 10, 0, [["burst", 0, 900, 10, 0], ["paste_blocked", 2_000, 5_000]])])
    assert (record.blocked, record.outside) == (Pastes(1, 5_000, 5_000), NOTHING)
    assert record.kept == 10 / 10


def test_two_seconds_make_a_pause() -> None:
    def pauses(gap: int) -> int:
        return summarise([Saved(1, 2, 0, [["burst", 0, 100, 1, 0], ["burst", 100 + gap, 100, 1, 0]])]).pauses

    assert [pauses(gap) for gap in (1_999, 2_000, 2_001)] == [0, 1, 1]


def test_pauses_lie_within_one_window() -> None:
    """In another window, or after the answer was given back, the clock of the room begins anew."""
    first = Saved(1, 5, 0, [["burst", 50_000, 1_000, 5, 0]])
    second = Saved(2, 5, 0, [["burst", 10_000, 1_000, 3, 0], ["burst", 14_000, 1_000, 2, 0]])
    record = summarise([first, second])
    assert (record.bursts, record.pauses, record.longest_pause) == (3, 1, seconds(3))


def test_an_event_that_was_sent_again_counts_once() -> None:
    paste: Event = ["paste_outside", 5_000, 80]
    record = summarise([Saved(1, 80, 0, [paste]), Saved(1, 1, 0, [paste]), Saved(2, 1, 0, [paste])])
    assert record.outside == Pastes(1, 80, 80)


def test_an_answer_without_any_record_has_a_length_and_no_ratio() -> None:
    record = summarise([Saved(1, 400, 0), Saved(1, 0, 50)])
    assert (record.saves, record.noted, record.length) == (2, 0, 350)
    assert (record.median_burst, record.kept) == (None, None)
    assert summarise([]).kept is None


def test_a_record_that_tells_of_less_than_stands_in_the_text_has_no_ratio() -> None:
    assert summarise([Saved(1, 400, 0, [["burst", 0, 5_000, 399, 0]])]).kept is None
    assert summarise([Saved(1, 400, 0, [["burst", 0, 5_000, 400, 0]])]).kept == 1


@given(st.lists(st.lists(events, max_size=5), max_size=5))
def test_any_events_whatever_they_claim_can_be_summed_up(sent: list[list[Event]]) -> None:
    record = summarise(Saved(epoch, 10, 0, activity) for epoch, activity in enumerate(sent))
    assert record.noted <= sum(map(len, sent))
    assert record.pauses < max(record.bursts, 1)
    assert record.kept is None or 0 < record.kept <= 1


@pytest.mark.parametrize(
    ("activity", "span"),
    [
        ([], None),
        ([["away", 1000, 5000], ["paste_blocked", 2000, 9]], None),
        ([["burst", 3000, 2000, 12, 0]], (3, 5)),
        (
            [
                ["burst", 3000, 2000, 12, 0],
                ["paste_inside", 9000, 4],
                ["away", 20000, 1],
                ["burst", 1000, 500, 2, 0],
            ],
            (1, 9),
        ),
    ],
)
def test_words_came_into_a_text_from_the_first_keystroke_or_paste_to_the_last(
    activity: list[Event], span: tuple[int, int] | None
) -> None:
    assert entered(activity) == (span and (seconds(span[0]), seconds(span[1])))
