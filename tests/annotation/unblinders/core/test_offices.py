"""The state of an office, from what was said and when. Hours count from the lock, unless a line says otherwise."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from annotation.unblinders.core.offices import (
    APPOINT,
    LEAVE,
    OFFICE,
    RESTORE,
    Change,
    Facts,
    missing_before_the_lock,
    state_of,
)

LOCK = datetime(2026, 3, 2, 9, tzinfo=UTC)
ACCOUNT, OTHER = "a" * 64, "b" * 64


def at(hours: float) -> datetime:
    return LOCK + timedelta(hours=hours)


def facts(*changes: Change, **others: object) -> Facts:
    accepted = Facts(
        accepted_at=at(-5),
        ended_at=None,
        is_found=False,
        account_sha256=ACCOUNT,
        account_now=ACCOUNT,
        may_hold=True,
        changes=changes,
    )
    return replace(accepted, **others)  # type: ignore[arg-type]


def state(found: Facts, *, hours: float, closed: float | None = None, is_locked: bool = True) -> str:
    closed_at = None if closed is None else at(closed)
    return state_of(found, now=at(hours), is_locked=is_locked, closed_at=closed_at)


def test_an_office_stands_from_the_lock_on_for_whoever_accepted_before() -> None:
    assert state(facts(accepted_at=None), hours=-4, is_locked=False) == "proposed"
    assert state(facts(), hours=-4, is_locked=False) == "accepted"
    assert state(facts(), hours=0) == "standing"


def test_who_is_no_active_researcher_any_more_has_left_and_whoever_declined_too() -> None:
    assert state(facts(may_hold=False), hours=1) == "left"
    assert state(facts(ended_at=at(-1)), hours=1) == "left"


@pytest.mark.parametrize(("hours", "expected"), [(81.9, "accepted"), (82, "standing"), (900, "standing")])
def test_a_later_office_stands_72_hours_after_the_consent(hours: float, expected: str) -> None:
    appointed = facts(Change(APPOINT, at(1), consented_at=at(10)), accepted_at=at(2))
    assert state(appointed, hours=hours) == expected


@pytest.mark.parametrize(
    ("closed", "by_recovery", "expected"),
    [(81, False, "accepted"), (82, False, "standing"), (81, True, "standing"), (5, True, "standing")],
)
def test_nobody_comes_into_office_after_closing_but_by_the_third_person(
    closed: float, by_recovery: bool, expected: str
) -> None:
    appointed = facts(Change(APPOINT, at(1), consented_at=at(10), by_recovery=by_recovery), accepted_at=at(2))
    assert state(appointed, hours=200, closed=closed) == expected


def test_a_consent_that_was_withdrawn_never_counts() -> None:
    withdrawn = Change(APPOINT, at(1), consented_at=at(10), withdrawn_at=at(20))
    assert state(facts(withdrawn, accepted_at=at(2)), hours=900) == "accepted"


@pytest.mark.parametrize(("hours", "expected"), [(81.9, "standing"), (82, "left")])
def test_somebody_leaves_72_hours_after_the_consent(hours: float, expected: str) -> None:
    assert state(facts(Change(LEAVE, at(1), consented_at=at(10))), hours=hours) == expected


def test_an_account_that_is_not_as_it_was_accepted_suspends_before_anybody_notices() -> None:
    assert state(facts(account_now=OTHER), hours=1) == "suspended"


def test_what_was_noticed_suspends_even_if_the_account_is_changed_back() -> None:
    assert state(facts(Change(RESTORE, at(1), account_sha256=OTHER)), hours=900) == "suspended"


@pytest.mark.parametrize(
    ("consented", "hours", "expected"),
    [
        (2, 72.9, "suspended"),  # noticed at 1, so 73
        (2, 73, "standing"),
        (100, 99, "suspended"),
        (100, 100, "standing"),
    ],
)
def test_a_suspension_ends_after_72_hours_and_not_before_the_consent(
    consented: float, hours: float, expected: str
) -> None:
    restored = Change(RESTORE, at(1), consented_at=at(consented), account_sha256=OTHER)
    assert state(facts(restored, account_now=OTHER), hours=hours) == expected


def test_a_suspension_ends_after_closing_too() -> None:
    restored = Change(RESTORE, at(1), consented_at=at(2), account_sha256=OTHER)
    assert state(facts(restored, account_now=OTHER), hours=100, closed=3) == "standing"


def test_an_account_that_was_restored_and_changed_again_suspends_again() -> None:
    restored = Change(RESTORE, at(1), consented_at=at(2), account_sha256=OTHER)
    assert state(facts(restored, account_now=ACCOUNT), hours=100) == "suspended"


def test_a_restoration_that_gave_way_to_a_newer_one_counts_for_nothing() -> None:
    stale = Change(RESTORE, at(1), consented_at=at(2), withdrawn_at=at(3), account_sha256=OTHER)
    newer = Change(RESTORE, at(3), consented_at=at(4), account_sha256="c" * 64)
    assert state(facts(stale, newer, account_now="c" * 64), hours=100) == "standing"
    assert state(facts(stale, newer, account_now=OTHER), hours=100) == "suspended"


def test_offices_from_before_there_were_any_stand_with_the_account_as_it_was_found() -> None:
    found = facts(accepted_at=None, is_found=True, account_sha256="")
    assert state(found, hours=1) == "standing"
    assert state(replace(found, account_sha256=ACCOUNT, account_now=OTHER), hours=1) == "suspended"


def test_every_state_is_in_the_table_of_the_life_cycle() -> None:
    assert {t.target for t in OFFICE.transitions} | {OFFICE.initial} == set(OFFICE.states)


@pytest.mark.parametrize(
    ("accepted", "proposed", "words", "asks_to_propose"),
    [
        (0, 0, "Nobody has accepted it yet.", True),
        (0, 1, "and 1 proposed has not answered", True),
        (1, 0, "One researcher has accepted it so far.", True),
        (0, 3, "and 3 proposed have not answered", False),
        (1, 1, "One researcher has accepted it so far, and 1 proposed has not answered", False),
    ],
)
def test_what_is_missing_before_the_lock_is_said_with_what_to_do(
    accepted: int, proposed: int, words: str, *, asks_to_propose: bool
) -> None:
    [said] = missing_before_the_lock(accepted, proposed)
    assert words in said
    assert ("Each of them accepts" in said) is not asks_to_propose
    assert ("propose them on the page “Unblinders”" in said) is asks_to_propose


@pytest.mark.parametrize("accepted", [2, 5])
def test_two_accepted_offices_are_enough_to_lock(accepted: int) -> None:
    assert not list(missing_before_the_lock(accepted, 1))
