"""Recording: what came back is kept and counted; one good reply to a call is accepted, never two."""

from dataclasses import replace
from decimal import Decimal
from random import Random

import pytest

from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import recording, runs
from generation.calls.services.claiming import Outgoing
from generation.calls.services.recording import Arrival
from generation.panel.models import PanelScore
from generation.providers.base import Outcome, Reply
from generation.providers.core.prices import Usage
from tests.generation.calls.engine import COST, a_run, bad, check_books, claimed, good, lapse, recorded

pytestmark = pytest.mark.django_db


def test_a_good_reply_is_accepted_and_kept_whole() -> None:
    run = a_run()
    (outgoing,) = claimed(run, 1)
    reply = replace(good(outgoing), raw='{"id": 7}', request_id="req-7", model="demo-2026", status=200)
    attempt = recorded(run, outgoing, reply)
    assert (attempt.outcome, attempt.cost, attempt.milliseconds) == ("ok", COST, 20)
    assert (attempt.reply, attempt.request_id, attempt.model, attempt.status) == (
        '{"id": 7}',
        "req-7",
        "demo-2026",
        200,
    )
    assert attempt.call.state == "accepted"
    assert PanelScore.objects.filter(call=attempt.call).count() == 1
    check_books(run)


def test_recording_twice_changes_nothing() -> None:
    run = a_run()
    (outgoing,) = claimed(run, 1)
    first = recorded(run, outgoing)
    second = recorded(run, outgoing, bad(Outcome.REFUSED))
    assert (second.outcome, second.ended_at) == ("ok", first.ended_at)
    check_books(run)


def test_a_group_is_recorded_together() -> None:
    run = a_run()
    group = claimed(run)
    recording.record(run.pk, [Arrival(each.attempt_id, good(each)) for each in group])
    runs.go_on(run.pk, 0)
    run.refresh_from_db()
    assert (run.state, run.spent, run.reserved) == ("finished", 10 * COST, Decimal(0))
    check_books(run)


class TestLateReplies:
    """A worker that was taken for dead has its reply after all."""

    @pytest.fixture
    def twice(self) -> tuple[Outgoing, Outgoing]:
        """A call that was claimed, lost and claimed anew."""
        run = a_run()
        (first,) = claimed(run, 1)
        lapse(first)
        second = next(each for each in claimed(run) if each.call_id == first.call_id)
        return first, second

    def test_of_two_good_replies_the_first_is_accepted_and_the_second_paid_for(
        self, twice: tuple[Outgoing, Outgoing]
    ) -> None:
        first, second = twice
        run = Call.objects.get(pk=first.call_id).run
        assert recorded(run, first).outcome == "ok"
        attempt = recorded(run, second)
        assert (attempt.outcome, attempt.cost) == ("superseded", COST)
        assert PanelScore.objects.filter(call=first.call_id).count() == 1
        check_books(run)

    def test_of_two_good_replies_the_one_to_the_second_attempt_is_accepted_where_it_comes_first(
        self, twice: tuple[Outgoing, Outgoing]
    ) -> None:
        first, second = twice
        run = Call.objects.get(pk=first.call_id).run
        assert recorded(run, second).outcome == "ok"
        assert recorded(run, first).outcome == "superseded"
        check_books(run)

    def test_of_two_good_replies_in_one_group_the_first_is_accepted(self, twice: tuple[Outgoing, Outgoing]) -> None:
        run = Call.objects.get(pk=twice[0].call_id).run
        recording.record(run.pk, [Arrival(each.attempt_id, good(each)) for each in twice])
        call = Call.objects.get(pk=twice[0].call_id)
        assert [attempt.outcome for attempt in call.attempts.all()] == ["ok", "superseded"]
        check_books(run)

    def test_a_late_failure_counts_but_leaves_the_call_to_whoever_has_it(
        self, twice: tuple[Outgoing, Outgoing]
    ) -> None:
        first, second = twice
        run = Call.objects.get(pk=first.call_id).run
        leased = Call.objects.get(pk=first.call_id).leased_until
        attempt = recorded(run, first, bad(Outcome.REFUSED))
        assert (attempt.outcome, attempt.cost) == ("refused", COST)
        assert (attempt.call.state, attempt.call.leased_until) == ("pending", leased)
        assert recorded(run, second).outcome == "ok"
        check_books(run)


class TestAReplyToACallThatWasGivenUp:
    """Six attempts were lost, and the worker of the last one has its reply after all."""

    @pytest.fixture
    def last(self) -> Outgoing:
        run = a_run()
        (outgoing,) = claimed(run, 1)
        for _ in range(5):
            lapse(outgoing)
            (outgoing,) = [each for each in claimed(run) if each.call_id == outgoing.call_id]
        lapse(outgoing)
        claimed(run)
        assert Call.objects.get(pk=outgoing.call_id).state == "failed"
        return outgoing

    def test_a_reply_to_a_call_that_was_given_up_is_accepted_where_it_is_good(self, last: Outgoing) -> None:
        run = Call.objects.get(pk=last.call_id).run
        for outgoing in (Outgoing(*row, "demo", last.request) for row in open_attempts(run)):
            recorded(run, outgoing)
        attempt = recorded(run, last)
        assert (attempt.outcome, attempt.cost, attempt.call.state) == ("ok", COST, "accepted")
        share = run.shares.get()
        assert (share.planned, share.accepted, share.failed) == (10, 10, 0)
        check_books(run)

    def test_a_reply_that_cannot_be_read_leaves_a_call_given_up(self, last: Outgoing) -> None:
        run = Call.objects.get(pk=last.call_id).run
        attempt = recorded(run, last, replace(good(last), text="Seven."))
        assert (attempt.outcome, attempt.call.state) == ("unreadable", "failed")
        check_books(run)


def open_attempts(run: GenerationRun) -> list[tuple[int, int]]:
    return list(Attempt.objects.filter(call__run=run, ended_at__isnull=True).values_list("pk", "call_id"))


def test_an_unreadable_reply_is_asked_for_again_and_never_guessed() -> None:
    run, most = a_run(), 3
    (outgoing,) = claimed(run, 1)
    for number in range(1, most + 1):
        attempt = recorded(run, outgoing, replace(good(outgoing), text="I would say seven."))
        assert attempt.outcome == "unreadable"
        assert attempt.call.state == ("failed" if number == most else "pending")
        outgoing = next((each for each in claimed(run) if each.call_id == outgoing.call_id), outgoing)
    assert not PanelScore.objects.filter(call=outgoing.call_id).exists()
    check_books(run)


@pytest.mark.parametrize("outcome", [Outcome.REFUSED, Outcome.FILTERED, Outcome.FINAL_REQUEST])
def test_a_call_whose_outcome_is_final_fails_at_once(outcome: Outcome) -> None:
    run = a_run()
    (outgoing,) = claimed(run, 1)
    assert recorded(run, outgoing, bad(outcome)).call.state == "failed"
    check_books(run)


def test_a_spent_account_stops_the_run_in_the_providers_words_and_fails_nothing() -> None:
    run = a_run()
    first, second = claimed(run, 2)
    recorded(run, first, Reply(Outcome.FINAL_ACCOUNT, detail="Your credit balance is too low.", status=402))
    run.refresh_from_db()
    assert run.state == "stopped"
    assert "Your credit balance is too low." in run.stopped_because
    assert recorded(run, second).outcome == "ok", "what was on its way is kept"
    assert Call.objects.filter(run=run, state="failed").count() == 0
    runs.start_run(run=run, spend_cap=Decimal(1000), by=None)
    assert len(claimed(run)) == 9
    check_books(run)


def test_a_provider_that_asks_for_an_hour_stops_the_run() -> None:
    run = a_run()
    (outgoing,) = claimed(run, 1)
    recorded(run, outgoing, bad(Outcome.RETRYABLE, status=429, retry_after=3600))
    run.refresh_from_db()
    assert run.state == "stopped"
    assert "asks to wait 1\N{NO-BREAK SPACE}h" in run.stopped_because


def test_a_call_that_failed_can_be_asked_for_again_with_all_its_tries() -> None:
    run = a_run()
    for outgoing in claimed(run):
        recorded(run, outgoing, bad(Outcome.REFUSED))
    runs.go_on(run.pk, 0)
    run.refresh_from_db()
    assert run.state == "finished"
    runs.retry_failed(run=run, by=None)
    check_books(run)
    for outgoing in claimed(run):
        recorded(run, outgoing)
    assert Call.objects.filter(run=run, state="accepted").count() == 10
    check_books(run)


class TestCost:
    def test_a_reply_costs_what_the_tokens_used_cost(self) -> None:
        """(500,000 × 2 + 20,000 × 10) / 1,000,000 = 1.2"""
        run = a_run()
        (outgoing,) = claimed(run, 1)
        used = Usage(input_tokens=500_000, output_tokens=20_000)
        assert recorded(run, outgoing, good(outgoing, used)).cost == Decimal("1.2")

    def test_a_reply_costs_what_the_provider_charges_where_it_says_so(self) -> None:
        run = a_run()
        (outgoing,) = claimed(run, 1)
        assert recorded(run, outgoing, replace(good(outgoing), charged=Decimal("0.5"))).cost == Decimal("0.5")

    def test_a_reply_that_broke_off_costs_the_worst_case(self) -> None:
        run = a_run()
        (outgoing,) = claimed(run, 1)
        attempt = recorded(run, outgoing, Reply(Outcome.RETRYABLE, cost_unknown=True))
        assert attempt.cost == attempt.reserved
        check_books(run)

    def test_a_refusal_at_the_door_costs_nothing(self) -> None:
        run = a_run()
        (outgoing,) = claimed(run, 1)
        assert recorded(run, outgoing, Reply(Outcome.RETRYABLE, status=503)).cost == 0


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_in_whatever_order_the_books_balance(seed: int) -> None:
    """Workers die, come back late, repeat themselves, and providers fail: drawn at random, checked each time."""
    draw = Random(seed)  # noqa: S311
    worst = Decimal("0.1")
    run = a_run(cap=str(worst * draw.choice([4, 30, 1000])))
    out: list[Outgoing] = []
    for _ in range(30):
        match draw.choice(["claim", "record", "record", "lapse"]):
            case "claim":
                out += claimed(run, draw.randint(1, 6))
            case "record" if out:
                group = draw.sample(out, k=draw.randint(1, min(4, len(out))))
                recording.record(run.pk, [Arrival(each.attempt_id, any_reply(each, draw)) for each in group])
            case "lapse" if out:
                lapse(*draw.sample(out, k=draw.randint(1, len(out))))
        Call.objects.filter(run=run).update(due_at=None)
        check_books(run)


def any_reply(outgoing: Outgoing, draw: Random) -> Reply:
    unreadable = replace(good(outgoing), text="Seven.")
    lost = Reply(Outcome.RETRYABLE, cost_unknown=True)
    away = Reply(Outcome.RETRYABLE, status=503)
    return draw.choice([good(outgoing), good(outgoing), unreadable, lost, away, bad(Outcome.TRUNCATED)])
