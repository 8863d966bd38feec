"""What follows from an attempt that brought nothing to keep."""

import pytest

from generation.calls.core.retries import MAX_PATIENCE, Rules, Then, Verdict, alike, verdict

RULES = Rules(unreadable=2, over_limit=4)


def after(outcome: str, tries: int = 1, *, jitter: float = 0.0, asked: float | None = None) -> Verdict:
    return verdict(outcome, tries=tries, rules=RULES, jitter=jitter, asked_to_wait=asked)


@pytest.mark.parametrize("outcome", ["retryable", "lost"])
def test_what_was_away_is_tried_six_times_with_waits_that_grow(outcome: str) -> None:
    """2, five times as much each time, 250 s cut to 240."""
    verdicts = [after(outcome, tries) for tries in range(1, 7)]
    assert [each.seconds for each in verdicts] == [2, 10, 50, 240, 240, 0]
    assert [each.then for each in verdicts] == [Then.AGAIN] * 5 + [Then.FAIL]


def test_no_call_fails_for_an_outage_of_five_minutes() -> None:
    """With the shortest waits, a quarter less: 0.75 * (2 + 10 + 50 + 240 + 240) = 406.5 s."""
    assert sum(after("retryable", tries, jitter=1.0, asked=0.0).seconds for tries in range(1, 6)) == 406.5


def test_a_request_that_never_left_counts_for_nothing() -> None:
    assert after("unreachable", 6) == after("unreachable", 600) == Verdict(Then.AGAIN)


def test_a_lost_reply_and_one_that_never_came_count_together() -> None:
    assert alike("lost") == alike("retryable") == {"lost", "retryable"}
    assert alike("truncated") == {"truncated"}


def test_chance_takes_up_to_a_quarter_off_the_wait() -> None:
    assert after("retryable", 3, jitter=1.0).seconds == 50 * 0.75


def test_a_wait_without_a_hint_is_never_longer_than_four_minutes() -> None:
    assert after("retryable", 11).seconds == 240


def test_the_providers_own_figure_is_never_undercut() -> None:
    assert after("retryable", 1, asked=100, jitter=1.0).seconds == pytest.approx(110)
    assert after("retryable", 5, asked=MAX_PATIENCE).seconds == MAX_PATIENCE


@pytest.mark.parametrize("asked", [0.0, 0.5])
def test_who_asks_for_a_short_wait_gets_no_more_tries_at_once_than_others(asked: float) -> None:
    assert [after("retryable", tries, asked=asked) for tries in range(1, 7)] == [
        after("retryable", tries) for tries in range(1, 7)
    ]


def test_who_asks_for_more_patience_than_a_quarter_of_an_hour_stops_the_run() -> None:
    assert after("retryable", asked=MAX_PATIENCE).then is Then.AGAIN
    assert after("retryable", asked=MAX_PATIENCE + 1) == Verdict(Then.STOP)


@pytest.mark.parametrize(
    ("outcome", "most"), [("truncated", 3), ("empty", 2), ("odd", 2), ("unreadable", 2), ("over_limit", 4)]
)
def test_what_the_model_did_is_tried_again_at_once_a_few_times(outcome: str, most: int) -> None:
    verdicts = [after(outcome, tries) for tries in range(1, most + 1)]
    assert verdicts == [Verdict(Then.AGAIN)] * (most - 1) + [Verdict(Then.FAIL)]


@pytest.mark.parametrize("outcome", ["refused", "filtered", "final_request"])
def test_a_final_outcome_fails_at_once(outcome: str) -> None:
    assert after(outcome) == Verdict(Then.FAIL)


def test_an_account_that_is_spent_stops_the_run() -> None:
    assert after("final_account") == Verdict(Then.STOP)


def test_a_reply_that_came_too_late_for_the_study_leaves_its_call_as_it_was() -> None:
    assert after("superseded", 6) == Verdict(Then.AGAIN)


def test_replies_of_another_form_count_together_whatever_is_wrong_with_them() -> None:
    kinds = {"unreadable", "untagged", "not_five", "label_length", "question_length"}
    assert {alike(kind) for kind in kinds} == {frozenset(kinds)}
    assert {after(kind, 2).then for kind in kinds} == {Then.FAIL}


def test_what_is_asked_for_again_gets_all_its_tries_again() -> None:
    assert [after("truncated", tries).then for tries in range(4, 7)] == [Then.AGAIN, Then.AGAIN, Then.FAIL]


def test_a_rule_of_no_attempts_means_the_one_that_was_made() -> None:
    none = Rules(unreadable=0, over_limit=0)
    for outcome in ("unreadable", "over_limit"):
        assert verdict(outcome, tries=1, rules=none, jitter=0.0) == Verdict(Then.FAIL)
