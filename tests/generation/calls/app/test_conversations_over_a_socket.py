"""Conversations in every wire format and in batches, with servers that speak it; a worker killed in the middle."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

import django_rq
import pytest
from django.db import connection
from pytest_django import Settings

from generation.calls import jobs
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import purposes, runs
from generation.calls.services.conversations import accepted_texts
from tests.fake_providers.script import Behaviour
from tests.fake_providers.server import FakeProviders
from tests.fake_providers.site import site_with_fakes
from tests.forked import forked
from tests.generation.calls import talks
from tests.generation.calls.batched_runs import PROVIDERS, looked_at, sent
from tests.generation.calls.engine import lapse_all
from tests.generation.calls.talks import SYSTEM, a_model, in_turn, started, states, stories
from tests.generation.providers.core import official

QUESTION = "Where is the ball?"
CHECKS: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
    "fake-openai": official.check_openai,
    "fake-anthropic": official.check_anthropic,
    "fake-google": official.check_google,
    "fake-chat": official.check_chat,
}


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProviders]:
    monkeypatch.setitem(purposes._PURPOSES, talks.NAME, talks.TALK)
    monkeypatch.setattr(jobs, "PATIENCE", 0.05)
    monkeypatch.setattr(jobs, "GATHER", 0.01)
    for name in CHECKS:
        django_rq.get_connection("calls").delete(f"limits:{name}")
    with site_with_fakes(tmp_path) as server:
        yield server


def turn_by_turn(body: Mapping[str, Any]) -> list[str]:
    """The texts of a request in any wire format, the system turn first."""
    if "contents" in body:
        turns = [body["systemInstruction"], *body["contents"]]
        return [part["text"] for turn in turns for part in turn["parts"]]
    turns = body.get("messages", body.get("input"))
    said = [turns] if isinstance(turns, str) else [turn["content"] for turn in turns]
    return [*(body[name] for name in ("system", "instructions") if name in body), *said]


def check_conversation(run: GenerationRun, name: str) -> None:
    """Every request of a story is one the official client would send, with the replies before it as they came."""
    chain = in_turn(run)
    replies = accepted_texts(list(Call.objects.select_related("target").filter(run=run)))
    said = [SYSTEM]
    for call in chain:
        body = json.loads(Attempt.objects.get(call=call, outcome="ok").request)
        CHECKS[name](body)
        said.append(QUESTION)
        assert turn_by_turn(body) == said
        said.append(replies[call.pk])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", CHECKS)
def test_a_conversation_goes_on_within_a_turn_of_a_worker_in_every_wire_format(
    fake: FakeProviders, name: str
) -> None:
    run = started(stories(1, 3), a_model(name))
    jobs.work_run(f"{run.pk}/0")
    run.refresh_from_db()
    assert (run.state, states(run)) == ("finished", {"accepted": 3})
    check_conversation(run, name)


@pytest.mark.django_db
@pytest.mark.parametrize("name", PROVIDERS)
def test_batches_go_round_by_round(fake: FakeProviders, name: str) -> None:
    run = started(stories(1, 3), a_model(name), uses_batches=True)
    for _ in range(3):
        batch = looked_at(sent(run))
        assert (batch.state, batch.attempts.count()) == ("ended", 1)
    runs.go_on(run.pk, 0)
    run.refresh_from_db()
    assert run.state == "finished"
    check_conversation(run, name)


def kill(worker: ForkProcess) -> None:
    worker.kill()


def flush_redis(_worker: ForkProcess) -> None:
    django_rq.get_connection("calls").flushdb()


def restart_database(_worker: ForkProcess) -> None:
    """What everybody but this test sees of a restart: every connection ends, whatever it was in the middle of."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("accident", [kill, flush_redis, restart_database])
def test_an_accident_in_the_middle_of_conversations_loses_and_repeats_nothing(
    fake: FakeProviders, settings: Settings, accident: Callable[[ForkProcess], None]
) -> None:
    settings.LEASE_SECONDS = 3
    fake.script.usually = Behaviour(delay=0.1)
    run = started(stories(6, 5), a_model("fake-chat"))
    for seen in (8, 20):
        worker = forked(jobs.work_run, f"{run.pk}/0")
        wait_for_requests(fake, seen)
        accident(worker)
        worker.join(60)
        assert not worker.is_alive()
        lapse_all(run)
    jobs.work_run(f"{run.pk}/0")
    run.refresh_from_db()
    assert (run.state, states(run)) == ("finished", {"accepted": 30})
    attempts = Attempt.objects.filter(call__run=run)
    assert attempts.filter(outcome="ok").count() == 30
    assert attempts.exclude(outcome__in=["ok", "lost"]).count() == 0
    assert sum(fake.log.made.values()) <= attempts.count(), "what may have been paid for is counted"
    for call in Call.objects.filter(run=run):
        asked = turn_by_turn(json.loads(attempts.get(call=call, outcome="ok").request))
        assert len(asked) == 2 + 2 * turns_before(call)


def wait_for_requests(fake: FakeProviders, number: int) -> None:
    until = time.monotonic() + 60
    while len(fake.log.requests) < number:
        assert time.monotonic() < until
        time.sleep(0.02)


def turns_before(call: Call) -> int:
    return 1 + turns_before(call.after) if call.after else 0
