"""Claiming: what leaves is written down and paid for beforehand, and nobody else's."""

import json
from datetime import timedelta
from decimal import Decimal

import pytest

from annotation.platform.services.clock import database_now
from generation.calls.models import Attempt, Call, ProviderBatch
from generation.calls.services import claiming, runs
from generation.calls.services.purposes import purpose_of
from generation.providers import provider
from generation.providers.base import Outcome
from tests.generation.calls.engine import COST, a_run, bad, check_books, claimed, good, lapse, recorded

pytestmark = pytest.mark.django_db


def test_a_planned_call_holds_no_request_before_it_is_claimed() -> None:
    run = a_run(texts=3)
    claimed(run, 4)
    assert Call.objects.filter(run=run).count() == 30
    assert Attempt.objects.filter(call__run=run).count() == 4


def test_the_request_is_kept_as_it_leaves_with_its_worst_case_set_aside() -> None:
    run = a_run()
    (outgoing,) = claimed(run, 1)
    attempt = Attempt.objects.get(pk=outgoing.attempt_id)
    assert json.loads(attempt.request) == provider("demo").body(outgoing.request)
    assert attempt.reserved > COST
    assert (attempt.number, attempt.ended_at, attempt.outcome, attempt.cost) == (1, None, "", None)
    check_books(run)


def test_there_is_room_for_each_provider_by_itself() -> None:
    run = a_run(texts=2, providers=("demo", "ollama"))
    found = claiming.claim(run.pk, room={"demo": 3, "ollama": 5}) or []
    assert sorted(outgoing.provider for outgoing in found) == ["demo"] * 3 + ["ollama"] * 5


def test_a_call_belongs_to_whoever_claimed_it_until_the_lease_runs_out() -> None:
    run = a_run()
    first = claimed(run, 6)
    second = claimed(run)
    assert len(first) + len(second) == 10
    assert not {each.call_id for each in first} & {each.call_id for each in second}
    assert claimed(run) == []
    lapse(*first)
    assert {each.call_id for each in claimed(run)} == {each.call_id for each in first}


def test_a_renewed_lease_is_nobody_elses() -> None:
    run = a_run()
    mine = claimed(run)
    lapse(*mine)
    claiming.renew([each.attempt_id for each in mine])
    assert claimed(run) == []


def test_who_has_lost_a_call_does_not_extend_the_lease_of_whoever_claimed_it_since() -> None:
    run = a_run()
    (lost,) = claimed(run, 1)
    lapse(lost)
    theirs = next(each for each in claimed(run) if each.call_id == lost.call_id)
    lapse(theirs)
    claiming.renew([lost.attempt_id])
    assert [each.call_id for each in claimed(run)] == [lost.call_id]


def test_a_lost_attempt_counts_as_paid_in_full_and_another_one_leaves() -> None:
    run = a_run()
    (lost,) = claimed(run, 1)
    lapse(lost)
    anew = next(each for each in claimed(run) if each.call_id == lost.call_id)
    first, second = Attempt.objects.filter(call=lost.call_id)
    assert (first.outcome, first.cost, second.pk) == ("lost", first.reserved, anew.attempt_id)
    assert second.number == 2
    check_books(run)


def test_a_call_lost_six_times_has_failed() -> None:
    run = a_run()
    (outgoing,) = claimed(run, 1)
    for _ in range(6):
        lapse(outgoing)
        claimed(run)
    call = Call.objects.get(pk=outgoing.call_id)
    assert (call.state, call.attempts.count(), call.leased_until) == ("failed", 6, None)
    check_books(run)


@pytest.mark.parametrize("verb", ["stopped", "finished"])
def test_a_run_that_does_not_run_lets_nothing_leave(verb: str) -> None:
    run = a_run()
    if verb == "stopped":
        runs.stop_run(run=run, reason="Enough.", by=None)
    else:
        for outgoing in claimed(run):
            recorded(run, outgoing)
        runs.go_on(run.pk, 0)
    assert claiming.claim(run.pk, room={"demo": 5}) is None


class TestSpendingLimit:
    def test_no_more_calls_leave_than_could_be_paid_for_at_worst(self) -> None:
        worst = self.worst()
        run = a_run(cap=str(3 * worst + worst / 2))
        assert len(claimed(run)) == 3
        check_books(run)

    def test_a_call_that_was_cheaper_than_feared_makes_room_for_others(self) -> None:
        """2.5 worst cases: two leave. They come back for a trifle each, and two more do."""
        worst = self.worst()
        run = a_run(cap=str(2 * worst + worst / 2))
        for outgoing in claimed(run):
            recorded(run, outgoing)
        assert len(claimed(run)) == 2
        check_books(run)

    def test_the_run_goes_on_at_its_limit_while_something_is_on_its_way(self) -> None:
        run = a_run(cap=str(self.worst() * Decimal("1.5")))
        assert (len(claimed(run)), claimed(run)) == (1, [])
        run.refresh_from_db()
        assert run.state == "running"

    def test_where_nothing_fits_into_the_limit_any_more_the_run_stops_and_says_so(self) -> None:
        worst = self.worst()
        run = a_run(cap=str(worst))
        (outgoing,) = claimed(run)
        recorded(run, outgoing)
        assert claimed(run) == []
        run.refresh_from_db()
        assert run.state == "stopped"
        left = f"What is left of the spending limit of ${worst:.2f} may not be enough"
        assert left in run.stopped_because
        assert Call.objects.filter(run=run, state="pending").count() == 9
        check_books(run)

    def test_lost_attempts_use_the_spending_limit_up(self) -> None:
        run = a_run(cap=str(self.worst() * Decimal("1.5")))
        lapse(*claimed(run))
        assert claimed(run) == []
        run.refresh_from_db()
        assert run.state == "stopped"
        check_books(run)

    @staticmethod
    def worst() -> Decimal:
        """The most that any call of such a run may cost; they differ by the length of a perspective."""
        run = a_run()
        return max(Attempt.objects.get(pk=each.attempt_id).reserved for each in claimed(run))


def test_a_call_that_never_left_is_as_if_it_had_not_been_claimed() -> None:
    run = a_run()
    kept, *unsent = claimed(run, 4)
    claiming.take_back(run.pk, [each.attempt_id for each in unsent])
    assert list(Attempt.objects.filter(call__run=run).values_list("pk", flat=True)) == [kept.attempt_id]
    assert len(claimed(run)) == 9
    check_books(run)


def test_a_call_that_has_come_back_cannot_be_taken_back() -> None:
    run = a_run()
    (outgoing,) = claimed(run, 1)
    recorded(run, outgoing)
    claiming.take_back(run.pk, [outgoing.attempt_id])
    assert Attempt.objects.filter(pk=outgoing.attempt_id, outcome="ok").exists()
    check_books(run)


def test_a_call_that_is_to_wait_is_left_alone_until_it_is_due() -> None:
    run = a_run()
    (outgoing,) = claimed(run, 1)
    call = recorded(run, outgoing, bad(Outcome.RETRYABLE)).call
    assert call.due_at is not None
    assert timedelta(seconds=1) < call.due_at - database_now() < timedelta(seconds=2)
    assert len(claimed(run)) == 9
    Call.objects.filter(pk=call.pk).update(due_at=database_now())
    assert [each.call_id for each in claimed(run)] == [call.pk]


def test_a_call_whose_text_is_gone_fails_without_being_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    run = a_run()
    purpose = purpose_of(run)
    asked = type(purpose).requests

    def without_one(self: object, run: object, calls: list[Call]) -> dict[int, object]:
        requests = asked(self, run, calls)  # type: ignore[arg-type]
        del requests[calls[0].pk]
        return requests  # type: ignore[return-value]

    monkeypatch.setattr(type(purpose), "requests", without_one)
    assert len(claimed(run)) == 9
    assert Call.objects.get(run=run, state="failed").attempts.count() == 0
    check_books(run)


def test_a_provider_that_is_no_longer_configured_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    run = a_run()
    run.shares.select_related("target").get().target.__class__.objects.update(provider="elsewhere")
    assert claiming.endpoints(run.pk) == []
    run.refresh_from_db()
    assert run.stopped_because == "The site knows the provider elsewhere no more. Ask whoever runs it."


class TestBatches:
    def test_a_batch_has_its_targets_calls_at_half_price_for_weeks(self) -> None:
        run = a_run(providers=("demo", "ollama"))
        (alone,) = claimed(run, 1)
        target = Call.objects.get(pk=alone.call_id).target
        batch = ProviderBatch.objects.create(run=run, target=target)
        batched = claiming.claim(run.pk, room={"demo": 100, "ollama": 100}, batch=batch) or []
        assert {each.provider for each in batched} == {"demo"}
        assert len(batched) == 9
        call = Call.objects.get(pk=batched[0].call_id)
        assert call.leased_until is not None
        assert call.leased_until - database_now() > timedelta(days=28)
        attempts = Attempt.objects.filter(batch=batch)
        dearest = Attempt.objects.get(pk=alone.attempt_id).reserved
        assert all(attempt.reserved < Decimal("0.6") * dearest for attempt in attempts)
        recorded(run, batched[0], good(batched[0]))
        assert Attempt.objects.get(pk=batched[0].attempt_id).cost == COST / 2
        check_books(run)

    def test_what_goes_out_in_batches_is_left_for_them(self, monkeypatch: pytest.MonkeyPatch) -> None:
        run = a_run()
        target = run.shares.get().target
        monkeypatch.setattr(claiming, "batched_targets", lambda _: [target])
        assert claimed(run) == []
