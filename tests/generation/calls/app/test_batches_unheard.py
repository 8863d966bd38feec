"""Batches that nothing is heard of: when they left, when they are looked at, or when their results should come."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from generation.calls.core.work_kinds import SEND_BATCH, WORK_RUN
from generation.calls.models import Attempt, GenerationRun, ProviderBatch
from generation.calls.services import batching, claiming, purposes, runs
from generation.catalogue.models import Target
from tests.fake_providers.batches import Batches
from tests.fake_providers.script import Behaviour
from tests.fake_providers.server import FakeProviders
from tests.fake_providers.site import KEY
from tests.fake_providers.sockets import Break
from tests.generation.calls import talks
from tests.generation.calls.batched_runs import (
    PROVIDERS,
    a_run,
    is_wanted,
    looked_at,
    outcomes,
    sent,
    states,
)

pytestmark = pytest.mark.django_db

UNHEARD = Behaviour(breaks=Break.BEFORE_THE_REPLY)
SOMEBODYS = {"model": "fake-1", "max_tokens": 10, "messages": [{"role": "user", "content": "Another site's."}]}


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Lets the time pass after which a batch has arrived or not."""
    return lambda: monkeypatch.setattr(batching, "PATIENCE", timedelta(seconds=-1))


def all_end(shelf: Batches) -> None:
    for batch in shelf.taken.values():
        batch.looks_missing = 0


def sent_again(batch: ProviderBatch) -> ProviderBatch:
    """The batch after its run was to send once more."""
    batching.send_batch(batch.run_id)
    batch.refresh_from_db()
    return batch


def costs(run: GenerationRun) -> tuple[Decimal, Decimal]:
    """What is set aside, and what was spent."""
    run.refresh_from_db()
    return run.reserved, run.spent


def worst_of(run: GenerationRun, **which: str) -> Decimal:
    return sum(Attempt.objects.filter(call__run=run, **which).values_list("reserved", flat=True), Decimal(0))


class TestUnheard:
    def test_a_batch_cut_at_hand_over_holds_up_no_other_provider(
        self, fake: FakeProviders, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(purposes._PURPOSES, talks.NAME, talks.TALK)
        models = [talks.a_model(name, family=name) for name in PROVIDERS]
        run = talks.started(talks.stories(2, 1), *models, uses_batches=True)
        fake.script.then(UNHEARD)
        cut = sent(run)
        assert (cut.target.provider, cut.state) == ("fake-anthropic", "sending")
        other = sent(run)
        assert (other.target.provider, other.state) == ("fake-openai", "sent")
        assert sent(run) == other, "the one that was cut is looked up first"
        assert is_wanted(SEND_BATCH, run.pk)

    def test_a_batch_of_which_nothing_was_heard_is_found_and_not_sent_twice(
        self, run: GenerationRun, shelf: Batches, fake: FakeProviders, provider_name: str, later: Callable[[], None]
    ) -> None:
        files = [Behaviour()] if provider_name == "fake-openai" else []
        fake.script.then(*files, UNHEARD)
        batch = sent(run)
        assert (batch.state, len(shelf.taken)) == ("sending", 1)

        sent_again(batch)
        assert len(shelf.taken) == 1, "as long as it may be on its way nothing is sent after it"

        later()
        all_end(shelf)
        assert sent_again(batch).remote_id in shelf.taken
        looked_at(batch)
        assert states(run) == ["accepted"] * 3
        assert len(shelf.taken) == 1

    def test_a_batch_without_a_name_is_waited_for_while_it_cannot_be_told_from_others(
        self, fake: FakeProviders, later: Callable[[], None]
    ) -> None:
        fake.script.then(UNHEARD)
        run = a_run("fake-anthropic")
        batch = sent(run)
        later()
        assert sent_again(batch).state == "sending"
        assert "shows once" in batch.detail
        assert len(fake.anthropic_batches.taken) == 1
        assert is_wanted(SEND_BATCH, run.pk)

    def test_a_batch_of_which_nothing_was_heard_is_not_taken_for_another_one_of_its_size(
        self, fake: FakeProviders, provider_name: str, shelf: Batches, later: Callable[[], None]
    ) -> None:
        pair = [a_run(provider_name, slug) for slug in ("one", "other")]
        sending = []
        for run in pair:
            files = [Behaviour()] if provider_name == "fake-openai" else []
            fake.script.then(*files, UNHEARD)
            sending.append(sent(run))
        later()
        all_end(shelf)

        for batch in sending:
            looked_at(sent_again(batch))

        assert len(shelf.taken) == 2
        for run in pair:
            assert states(run) == ["accepted"] * 3
            assert costs(run)[1] > 0

    def test_a_batch_of_somebody_else_is_not_ours_and_our_calls_go_out_for_the_first_time(
        self, fake: FakeProviders, later: Callable[[], None]
    ) -> None:
        run = a_run("fake-anthropic")
        fake.script.then(Behaviour("gateway page"))
        batch = sent(run)
        shelf = fake.anthropic_batches
        shelf.take("msgbatch", {f"other-{n}": SOMEBODYS for n in range(3)}, host="elsewhere")
        later()
        assert sent_again(batch).state == "sending", "while it runs it may be ours"

        all_end(shelf)
        assert sent_again(batch).state == "lost"
        assert costs(run)[1] == 0
        looked_at(run.batches.latest("pk"))
        assert states(run) == ["accepted"] * 3

    def test_a_batch_that_never_arrived_goes_out_again_at_no_cost(
        self, run: GenerationRun, shelf: Batches, fake: FakeProviders, later: Callable[[], None]
    ) -> None:
        fake.script.then(Behaviour("gateway page"))
        first = sent(run)
        assert not shelf.taken
        assert costs(run)[0] > 0

        later()
        second = sent(run)

        first.refresh_from_db()
        assert (first.state, second.state) == ("lost", "sent")
        assert is_wanted(WORK_RUN, f"{run.pk}/0")
        assert looked_at(second).state == "ended"
        assert costs(run)[0] == 0
        assert outcomes(run) == ["ok"] * 3

    def test_a_batch_that_nobody_will_ever_tell_of_counts_as_paid_for(
        self, run: GenerationRun, fake: FakeProviders, later: Callable[[], None]
    ) -> None:
        """Its provider keeps no list of batches any more."""
        fake.script.then(Behaviour("gateway page"))
        batch = sent(run)
        later()
        fake.script.then(Behaviour("no such model"))

        assert sent_again(batch).state == "lost"

        assert outcomes(run) == ["retryable"] * 3
        assert costs(run) == (Decimal(0), worst_of(run))


class TestGone:
    def test_a_batch_that_is_gone_counts_as_paid_for_and_its_calls_go_out_again(
        self, run: GenerationRun, shelf: Batches
    ) -> None:
        batch = sent(run)
        worst = costs(run)[0]
        shelf.taken.clear()

        batch = looked_at(batch)

        assert batch.state == "ended"
        assert outcomes(run) == ["retryable"] * 3
        assert costs(run) == (Decimal(0), worst)
        assert run.state == "running"
        assert is_wanted(SEND_BATCH, run.pk)
        assert run.calls.filter(state="pending", leased_until=None).count() == 3
        run.calls.update(due_at=None)
        looked_at(sent(run))
        assert states(run) == ["accepted"] * 3

    def test_a_batch_that_is_gone_leaves_a_stopped_run_that_can_be_started(
        self, run: GenerationRun, shelf: Batches
    ) -> None:
        batch = sent(run)
        runs.stop_run(run=run, reason="Enough for today.", by=run.approved_by)
        shelf.taken.clear()
        looked_at(batch)
        run.refresh_from_db()
        runs.start_run(run=run, spend_cap=Decimal(1000), by=run.approved_by)
        run.calls.update(due_at=None)
        looked_at(sent(run))
        assert states(run) == ["accepted"] * 3

    def test_a_batch_that_never_ends_counts_as_gone(self, run: GenerationRun, shelf: Batches) -> None:
        shelf.looks_needed = 99
        batch = sent(run)
        worst = costs(run)[0]
        ProviderBatch.objects.update(made_at=F("made_at") - claiming.BATCH_LEASE)

        assert looked_at(batch).state == "ended"

        assert costs(run) == (Decimal(0), worst)
        assert is_wanted(SEND_BATCH, run.pk)


def test_results_that_are_cut_short_count_as_paid_for(run: GenerationRun, shelf: Batches) -> None:
    """The batch was three requests; of one of them there is no line."""
    batch = sent(run)
    shelf.taken[batch.remote_id].replies.popitem()

    assert looked_at(batch).state == "ended"

    assert outcomes(run) == ["ok", "ok", "retryable"]
    missing = Attempt.objects.get(call__run=run, outcome="retryable")
    assert missing.cost == missing.reserved > 0
    assert costs(run)[0] == 0


def test_what_a_provider_says_of_a_batch_is_kept_without_the_key(fake: FakeProviders) -> None:
    run = a_run("fake-openai")
    fake.openai_batches.refuses_for = f"no right for {KEY}\0"
    batch = looked_at(sent(run))
    run.refresh_from_db()
    for words in (batch.detail, run.stopped_because):
        assert "no right for [key]\ufffd" in words


def test_a_provider_that_the_site_knows_no_more_stops_the_run(fake: FakeProviders) -> None:
    run = a_run("fake-openai")
    batch = sent(run)
    Target.objects.update(provider="elsewhere")
    assert looked_at(batch).state == "sent"
    run.refresh_from_db()
    assert (run.state, "does not know it any more" in run.stopped_because) == ("stopped", True)


def test_a_batch_locks_the_study_before_its_run(run: GenerationRun) -> None:
    with CaptureQueriesContext(connection) as asked:
        sent(run)
    statements = [query["sql"] for query in asked]
    study = next(n for n, sql in enumerate(statements) if "annotation_study" in sql and "FOR SHARE" in sql)
    batch = next(n for n, sql in enumerate(statements) if sql.startswith('INSERT INTO "generation_providerbatch"'))
    assert study < batch
