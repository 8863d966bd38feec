"""How the attempts of a call are counted."""

from decimal import Decimal

import pytest

from generation.providers.base import Outcome, Reply
from tests.generation.calls.engine import a_run, bad, check_books, claimed, lapse, recorded

pytestmark = pytest.mark.django_db


def test_a_reply_that_comes_late_moves_no_count_past_its_mark() -> None:
    """Lost, then truncated twice; the lost one comes late, truncated as well. The third in time is the last."""
    run = a_run()
    (first,) = claimed(run, 1)
    lapse(first)
    for _ in range(2):
        (again,) = claimed(run, 1)
        assert recorded(run, again, bad(Outcome.TRUNCATED)).call.state == "pending"
    (last,) = claimed(run, 1)
    assert recorded(run, first, bad(Outcome.TRUNCATED)).outcome == "truncated"
    assert recorded(run, last, bad(Outcome.TRUNCATED)).call.state == "failed"
    check_books(run)


@pytest.mark.parametrize("outcome", [Outcome.ODD, Outcome.EMPTY])
def test_an_odd_or_empty_end_is_paid_for_twice_at_most(outcome: Outcome) -> None:
    run = a_run()
    (first,) = claimed(run, 1)
    assert recorded(run, first, bad(outcome)).call.state == "pending"
    (second,) = claimed(run, 1)
    assert second.call_id == first.call_id
    assert recorded(run, second, bad(outcome)).call.state == "failed"


def test_requests_that_never_left_do_not_use_up_a_call() -> None:
    run = a_run()
    for _ in range(12):
        (outgoing,) = claimed(run, 1)
        attempt = recorded(run, outgoing, Reply(Outcome.UNREACHABLE, detail="Refused."))
        assert (attempt.call.state, attempt.cost) == ("pending", Decimal(0))
    check_books(run)
