"""Attempts at calls that were settled in another way: waited for, then given up, so that a run's books close."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.platform.models.work import Task
from generation.calls.core.work_kinds import WORK_RUN
from generation.calls.models import Attempt, Call, GenerationRun, ProviderBatch
from generation.calls.services import runs, targets_in_use
from generation.calls.services.claiming import Outgoing
from generation.providers.base import Outcome, Reply
from tests.generation.calls.engine import COST, a_run, check_books, claimed, lapse, recorded

pytestmark = pytest.mark.django_db

# A request takes ten minutes at most; a lease is one.
MAX_WAIT = timedelta(seconds=660)


def superseded(run: GenerationRun) -> Outgoing:
    """An attempt that is still open while its call was settled by the late reply to an earlier one."""
    (first,) = claimed(run, 1)
    lapse(first)
    (second,) = claimed(run, 1)
    assert second.call_id == first.call_id
    assert recorded(run, first).outcome == "ok"
    return second


def long_ago(*outgoing: Outgoing) -> None:
    ids = [each.attempt_id for each in outgoing]
    Attempt.objects.filter(pk__in=ids).update(sent_at=timezone.now() - MAX_WAIT)


def after_a_turn(run: GenerationRun) -> str:
    runs.go_on(run.pk, 0)
    run.refresh_from_db()
    return run.state


def test_a_run_waits_for_an_attempt_that_may_still_be_paid_for_and_comes_back_for_it() -> None:
    run = a_run()
    superseded(run)
    for outgoing in claimed(run):
        recorded(run, outgoing)
    Task.objects.all().delete()
    assert after_a_turn(run) == "running"
    wait = Task.objects.get(kind=WORK_RUN).due_at - timezone.now()
    assert MAX_WAIT - timedelta(seconds=30) < wait <= MAX_WAIT
    check_books(run)


def test_the_reply_to_a_superseded_attempt_is_counted_and_ends_the_run() -> None:
    run = a_run()
    left = superseded(run)
    for outgoing in claimed(run):
        recorded(run, outgoing)
    assert recorded(run, left).outcome == "superseded"
    assert (after_a_turn(run), run.spent) == ("finished", 11 * COST)
    check_books(run)


def test_nobody_waits_for_a_superseded_attempt_longer_than_a_request_can_take() -> None:
    run = a_run()
    left = superseded(run)
    for outgoing in claimed(run):
        recorded(run, outgoing)
    long_ago(left)
    assert after_a_turn(run) == "finished"
    attempt = Attempt.objects.get(pk=left.attempt_id)
    assert (attempt.outcome, attempt.cost) == ("lost", attempt.reserved)
    assert run.spent == 10 * COST + attempt.reserved
    check_books(run)


def test_what_the_worker_of_a_retired_model_had_is_given_up_too() -> None:
    run = a_run()
    out = claimed(run, 3)
    targets_in_use._give_up_calls(run.shares.get().target)
    assert after_a_turn(run) == "running"
    long_ago(*out)
    assert (after_a_turn(run), run.reserved) == ("finished", Decimal(0))
    check_books(run)


def test_a_superseded_attempt_keeps_no_run_from_stopping_for_want_of_money() -> None:
    """Three worst cases are allowed: one is spent as lost for good, one is set aside for what is left over."""
    worst = max(Attempt.objects.get(pk=each.attempt_id).reserved for each in claimed(a_run()))
    run = a_run(cap=str(Decimal("2.5") * worst))
    left = superseded(run)
    (dear,) = claimed(run, 1)
    recorded(run, dear, Reply(Outcome.RETRYABLE, cost_unknown=True))
    Call.objects.filter(run=run).update(due_at=None)
    assert claimed(run) == []
    assert after_a_turn(run) == "running"
    long_ago(left)
    assert after_a_turn(run) == "running"
    assert claimed(run) == []
    run.refresh_from_db()
    assert (run.state, run.reserved) == ("stopped", Decimal(0))
    check_books(run)


def test_what_is_in_a_batch_is_waited_for_until_the_batch_has_ended() -> None:
    run = a_run()
    target = run.shares.get().target
    batch = ProviderBatch.objects.create(run=run, target=target, state="sent", remote_id="b-1")
    left = superseded(run)
    Attempt.objects.filter(pk=left.attempt_id).update(batch=batch)
    for outgoing in claimed(run):
        recorded(run, outgoing)
    long_ago(left)
    Task.objects.all().delete()
    assert after_a_turn(run) == "running"
    assert not Task.objects.filter(kind=WORK_RUN).exists(), "whoever ends the batch asks for a turn"
    ProviderBatch.objects.update(state="ended")
    assert after_a_turn(run) == "finished"
    check_books(run)


def test_a_run_whose_last_model_is_stopped_ends_though_the_worker_that_asked_it_was_killed() -> None:
    run = a_run()
    out = claimed(run, 3)
    run.shares.update(stopped_because="It refuses everything.")
    Task.objects.all().delete()
    assert after_a_turn(run) == "running", "its worker may still be alive"
    assert Task.objects.get(kind=WORK_RUN).due_at == Call.objects.get(pk=out[0].call_id).leased_until
    lapse(*out)
    assert (after_a_turn(run), run.stopped_because) == ("stopped", "It refuses everything.")
    assert {attempt.outcome for attempt in Attempt.objects.filter(call__run=run)} == {"lost"}
    check_books(run)
    runs.start_run(run=run, spend_cap=Decimal(1000), by=None)
    Call.objects.filter(run=run).update(due_at=None)
    assert len(claimed(run)) == 10
