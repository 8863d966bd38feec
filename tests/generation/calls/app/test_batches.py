"""Calls that go out in providers' batches, from the plan to the answers, against a server that takes batches."""

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from annotation.platform.models.work import Task
from annotation.platform.services.clock import database_now
from generation.calls.core.work_kinds import LOOK_AT_BATCH, SEND_BATCH, WORK_RUN
from generation.calls.models import Attempt, Call, GenerationRun, ProviderBatch
from generation.calls.services import batching, claiming, purposes, runs
from tests.fake_providers.batches import Batches
from tests.fake_providers.script import Behaviour
from tests.fake_providers.server import FakeProviders
from tests.fake_providers.sockets import Break
from tests.generation.calls import talks
from tests.generation.calls.batched_runs import (
    PRICE,
    PROVIDERS,
    a_run,
    is_wanted,
    looked_at,
    outcomes,
    sent,
    states,
)
from tests.generation.calls.engine import known
from tests.generation.calls.model_runs import a_locked_study, a_target, started
from tests.generation.providers.core import official

pytestmark = pytest.mark.django_db

CHECKS: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
    "fake-openai": official.check_openai,
    "fake-anthropic": official.check_anthropic,
}


def test_calls_go_out_together_and_come_back_as_answers(
    run: GenerationRun, shelf: Batches, fake: FakeProviders, provider_name: str
) -> None:
    batch = sent(run)

    assert batch.state == "sent"
    assert batch.remote_id == next(iter(shelf.taken))
    assert is_wanted(LOOK_AT_BATCH, batch.pk)
    assert set(shelf.taken[batch.remote_id].replies) == set(run.calls.values_list("key", flat=True))

    batch = looked_at(batch)

    assert batch.state == "ended"
    assert states(run) == ["accepted"] * 3
    assert outcomes(run) == ["ok"] * 3
    assert is_wanted(WORK_RUN, f"{run.pk}/0")
    runs.go_on(run.pk, 0)
    run.refresh_from_db()
    assert run.state == "finished"


def test_a_batch_is_sent_as_the_official_client_would_send_it(
    run: GenerationRun, fake: FakeProviders, provider_name: str
) -> None:
    sent(run)

    for attempt in Attempt.objects.filter(call__run=run):
        CHECKS[provider_name](json.loads(attempt.request))


def test_a_batch_costs_half(run: GenerationRun) -> None:
    looked_at(sent(run))

    run.refresh_from_db()
    attempts = Attempt.objects.filter(call__run=run)
    # 120 tokens of input at $2 and the output at $10 for a million, and half of that.
    halves = [(120 * 2 + attempt.output_tokens * 10) / Decimal(2_000_000) for attempt in attempts]
    assert [attempt.cost for attempt in attempts] == [half.quantize(Decimal("0.000001")) for half in halves]
    assert run.spent == sum(known(attempt.cost) for attempt in attempts)
    assert run.reserved == 0


def test_a_batch_that_works_on_is_looked_at_later(run: GenerationRun, shelf: Batches) -> None:
    shelf.looks_needed = 2
    batch = looked_at(sent(run))

    assert batch.state == "sent"
    assert batch.looked_at
    assert "in_progress" in batch.detail
    assert Task.objects.get(kind=LOOK_AT_BATCH).due_at > database_now() + timedelta(minutes=4)
    assert states(run) == ["pending"] * 3

    assert looked_at(batch).state == "ended"
    assert states(run) == ["accepted"] * 3


def test_failures_within_a_batch_are_what_they_are_elsewhere(run: GenerationRun, shelf: Batches) -> None:
    """One is refused for good, one hits a limit and may go out again, the third is answered."""
    shelf.items.extend(["refusal", "rate limit"])

    looked_at(sent(run))

    assert outcomes(run) == ["ok", "refused", "retryable"]
    assert states(run) == ["accepted", "failed", "pending"]
    assert Attempt.objects.get(outcome="retryable").cost == 0


def test_what_a_batch_left_out_goes_out_again(run: GenerationRun, shelf: Batches) -> None:
    shelf.left_out = 2
    batch = looked_at(sent(run))

    assert batch.state == "ended"
    assert outcomes(run) == ["ok", "retryable", "retryable"]
    assert is_wanted(SEND_BATCH, run.pk)

    shelf.left_out = 0
    run.calls.update(due_at=None)
    looked_at(sent(run))

    assert states(run) == ["accepted"] * 3
    assert outcomes(run) == ["ok", "ok", "ok", "retryable", "retryable"]


def test_calls_that_may_only_be_tried_later_have_their_batch_then(run: GenerationRun, shelf: Batches) -> None:
    shelf.items.append("rate limit")
    looked_at(sent(run))
    Task.objects.all().delete()

    batching.send_batch(run.pk)

    due_at = run.calls.get(state="pending").due_at
    assert Task.objects.get(kind=SEND_BATCH).due_at == due_at
    assert run.batches.count() == 1


def test_a_key_that_is_refused_stops_the_run_in_its_words(run: GenerationRun, fake: FakeProviders) -> None:
    fake.script.then(Behaviour("bad key"))

    batch = sent(run)

    run.refresh_from_db()
    assert run.state == "stopped"
    assert "key" in run.stopped_because
    assert "fake-key" not in run.stopped_because
    assert batch.state == "lost"
    assert run.reserved == 0
    assert states(run) == ["pending"] * 3


def test_a_batch_that_is_refused_at_hand_over_stops_its_model_alone(
    fake: FakeProviders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(purposes._PURPOSES, talks.NAME, talks.TALK)
    models = [talks.a_model(name, family=name) for name in PROVIDERS]
    run = talks.started(talks.stories(2, 1), *models, uses_batches=True)
    fake.script.then(Behaviour("bad key"))
    refused, other = sent(run), sent(run)
    assert (refused.target.provider, refused.state) == ("fake-anthropic", "lost")
    assert (other.target.provider, other.state) == ("fake-openai", "sent")
    looked_at(other)
    run.refresh_from_db()
    told = {share.target.provider: share.stopped_because for share in run.shares.all()}
    assert told["fake-openai"] == ""
    assert "key" in told["fake-anthropic"]
    assert "does not work on a batch" in told["fake-anthropic"]
    runs.go_on(run.pk, 0)
    run.refresh_from_db()
    assert (run.state, run.stopped_because) == ("stopped", told["fake-anthropic"])


def test_a_batch_that_is_given_up_as_a_whole_stops_the_run(fake: FakeProviders) -> None:
    run = a_run("fake-openai")
    fake.openai_batches.refuses_for = "token_limit_exceeded"

    batch = looked_at(sent(run))

    run.refresh_from_db()
    assert batch.state == "ended"
    assert run.state == "stopped"
    assert "token_limit_exceeded" in run.stopped_because
    assert run.reserved == run.spent == 0
    assert states(run) == ["pending"] * 3


def test_replies_that_break_off_are_kept_as_far_as_they_came(
    run: GenerationRun, shelf: Batches, fake: FakeProviders, provider_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batching, "TOGETHER", 1)
    batch = sent(run)
    looks = [Behaviour()] * (2 if provider_name == "fake-openai" else 1)
    fake.script.then(*looks, Behaviour(breaks=Break.WITHIN_THE_REPLY))

    batch = looked_at(batch)

    assert batch.state == "sent"
    assert states(run) == ["accepted", "pending", "pending"]

    assert looked_at(batch).state == "ended"
    assert outcomes(run) == ["ok"] * 3
    assert states(run) == ["accepted"] * 3


def test_replies_that_come_after_the_run_was_stopped_are_kept(run: GenerationRun) -> None:
    batch = sent(run)
    runs.stop_run(run=run, reason="Enough for today.", by=run.approved_by)

    looked_at(batch)

    assert states(run) == ["accepted"] * 3
    batching.send_batch(run.pk)
    assert run.batches.count() == 1


def test_workers_leave_to_batches_what_can_go_in_one(fake: FakeProviders) -> None:
    """The demonstration's model takes no batches: its calls go out one by one beside those of the other."""
    study = a_locked_study(
        families=("claude",),
        of_targets={"provider": "fake-openai", "model_id": "fake-1", "weak_temperature": None, "price": PRICE},
        model_targets_expected=1,
    )
    other = a_target(study, "gpt")
    run = started(study, uses_batches=True)

    claimed = claiming.claim(run.pk, room={"demo": 10, "fake-openai": 10})

    assert claimed is not None
    assert {outgoing.provider for outgoing in claimed} == {"demo"}
    sent(run)
    in_batch = Call.objects.filter(attempts__batch__isnull=False)
    assert set(in_batch) == set(run.calls.exclude(target=other))


def test_a_batch_holds_no_more_than_may_be_spent(fake: FakeProviders) -> None:
    whole = a_run("fake-openai")
    sent(whole)
    worst = max(Attempt.objects.filter(call__run=whole).values_list("reserved", flat=True))
    Attempt.objects.all().delete()
    ProviderBatch.objects.all().delete()
    GenerationRun.objects.filter(pk=whole.pk).update(reserved=0, spend_cap=worst * 2)
    whole.calls.update(leased_until=None)

    sent(whole)

    whole.refresh_from_db()
    assert whole.calls.filter(attempts__isnull=False).count() == 2
    assert whole.reserved <= known(whole.spend_cap)


def test_a_separator_of_lines_within_a_text_separates_nothing(run: GenerationRun, shelf: Batches) -> None:
    shelf.items.append("line separator")
    looked_at(sent(run))
    assert states(run) == ["accepted"] * 3
