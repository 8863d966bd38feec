"""A worker's turn: claims, sends and records as a stream, and leaves nothing undecided when something is away."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from threading import Thread, Timer
from typing import Any

import django_rq
import pytest
from django.db import OperationalError, connection
from pytest_django import Settings
from redis.exceptions import ConnectionError as RedisAway

from annotation.platform.models.work import Task
from annotation.platform.services import work
from annotation.platform.services.clock import database_now
from generation.calls import jobs
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import provider_states, rate_limits, recording, runs
from generation.calls.services.recording import Arrival
from tests.fake_providers.script import Behaviour
from tests.fake_providers.server import FakeProviders, fake_providers
from tests.fake_providers.sockets import HttpRequest
from tests.generation.calls.engine import a_run, check_books
from tests.waiting import eventually
from tests.work import begun, leased

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fake(settings: Settings, tmp_path: Path) -> Iterator[FakeProviders]:
    """A server, and a provider “fake” at it that answers four requests at a time."""
    with fake_providers() as server:
        file = tmp_path / "providers.toml"
        file.write_text(
            f'[providers.fake]\nlabel = "Fake"\nwire = "chat_completions"\nbase_url = "{server.url}/v1"\n'
            "concurrency = 4\n"
        )
        settings.PROVIDERS_FILE = str(file)
        yield server


@pytest.fixture
def nobody_there(fake: FakeProviders, settings: Settings) -> None:
    """The provider “fake” at an address where nobody listens."""
    file = Path(settings.PROVIDERS_FILE).with_name("nobody.toml")
    listening = Path(settings.PROVIDERS_FILE).read_text()
    file.write_text(listening.replace(fake.url, "http://127.0.0.1:1"))
    settings.PROVIDERS_FILE = str(file)


@pytest.fixture(autouse=True)
def nothing_known_of_providers() -> None:
    """No wait of an earlier test goes on."""
    django_rq.get_connection("calls").delete("limits:fake")


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "PATIENCE", 0.05)
    monkeypatch.setattr(jobs, "GATHER", 0.01)


def a_turn(run: GenerationRun, lane: int = 0) -> GenerationRun:
    jobs.work_run(f"{run.pk}/{lane}")
    run.refresh_from_db()
    return run


def states(run: GenerationRun) -> dict[str, int]:
    found = Call.objects.filter(run=run).values_list("state", flat=True)
    return {state: list(found).count(state) for state in set(found)}


def outcomes(run: GenerationRun) -> Counter[str]:
    return Counter(Attempt.objects.filter(call__run=run).values_list("outcome", flat=True))


def note_the_times(fake: FakeProviders) -> list[float]:
    """When requests come, from now on, in seconds of one clock."""
    came: list[float] = []
    log = fake.log.came

    def noted(request: HttpRequest) -> None:
        came.append(time.monotonic())
        log(request)

    fake.log.came = noted  # type: ignore[method-assign]
    return came


def gaps(moments: list[float]) -> list[float]:
    return [later - earlier for earlier, later in pairwise(moments)]


def test_a_turn_works_a_run_off_and_ends_it(fake: FakeProviders) -> None:
    run = a_turn(a_run(texts=4, providers=("fake",)))
    assert run.state == "finished"
    assert states(run) == {"accepted": 40}
    assert len(fake.log.requests) == 40
    check_books(run)


def test_a_turn_keeps_every_slot_busy_and_no_more(fake: FakeProviders) -> None:
    fake.script.usually = Behaviour(delay=0.05)
    a_turn(a_run(texts=4, providers=("fake",)))
    assert fake.log.most_at_once == 4


def test_a_call_that_fails_is_left_for_when_it_is_due(fake: FakeProviders) -> None:
    fake.script.every = {5: Behaviour("server error")}
    run = a_run(texts=2, providers=("fake",))
    Task.objects.all().delete()  # as if the task of this turn had been leased
    a_turn(run)
    assert states(run) == {"accepted": 16, "pending": 4}
    due = Call.objects.filter(run=run, state="pending").earliest("due_at").due_at
    assert Task.objects.get(kind="work_run", subject=f"{run.pk}/0").due_at == due
    check_books(run)


def test_a_run_that_is_stopped_lets_nothing_more_leave_and_keeps_what_comes(fake: FakeProviders) -> None:
    fake.script.usually = Behaviour(delay=0.3)
    run = a_run(texts=4, providers=("fake",))

    def once_some_are_on_their_way() -> None:
        eventually(lambda: fake.log.requests)
        runs.stop_run(run=run, reason="Enough.", by=None)

    stop = Thread(target=in_a_thread(once_some_are_on_their_way))
    stop.start()
    a_turn(run)
    stop.join()
    assert states(run)["accepted"] == len(fake.log.requests) <= 8
    assert run.reserved == 0, "what was claimed and did not leave is free again"
    assert run.stopped_because == "Enough."
    check_books(run)


def test_too_many_requests_pause_the_provider_for_everybody(
    fake: FakeProviders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "FIRST_WAIT", 0.01)
    fake.script.then(Behaviour("rate limit", headers={"retry-after": "0.8"}))
    run = a_run(texts=4, providers=("fake",))
    came = note_the_times(fake)
    run = a_turn(run)
    found = outcomes(run)
    assert found.keys() == {"retryable", "ok"}
    assert found["retryable"] == 1
    assert found["ok"] in (39, 40), "the one that was refused may have its turn still, or in the next"
    assert max(gaps(came)) > 0.7, "nothing left meanwhile"
    check_books(run)


def test_an_outage_pauses_the_provider_and_is_found_out_by_single_requests(
    fake: FakeProviders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any hint, for a second. A few leave together, then one after 0.1, 0.2, 0.4 and 0.8 seconds each."""
    monkeypatch.setattr(rate_limits, "FIRST_WAIT", 0.1)
    fake.script.usually = Behaviour("overloaded", headers={"retry-after": "soon"})
    back = Timer(1.0, lambda: setattr(fake.script, "usually", Behaviour()))
    run = a_run(texts=4, providers=("fake",))
    back.start()
    a_turn(run)
    back.join()
    assert 4 < outcomes(run)["retryable"] < 20, "of 40 calls"
    assert "failed" not in states(run)
    check_books(run)


def test_nobody_there_makes_no_call_fail_and_frees_the_worker(
    monkeypatch: pytest.MonkeyPatch, nobody_there: None
) -> None:
    monkeypatch.setattr(provider_states, "IDLE", 0.3)
    monkeypatch.setattr(rate_limits, "FIRST_WAIT", 0.1)
    run = a_run(texts=1, providers=("fake",))
    Task.objects.all().delete()
    a_turn(run)
    assert outcomes(run).keys() == {"unreachable"}
    assert states(run) == {"pending": 10}
    assert not Call.objects.filter(run=run, due_at__isnull=False).exists(), "nothing is held against the calls"
    task = Task.objects.get(kind="work_run", subject=f"{run.pk}/0")
    assert timedelta(0) < task.due_at - database_now() < timedelta(seconds=1), "when the pause is over"
    check_books(run)


def test_a_quarter_of_an_hour_of_failures_stops_what_the_provider_has_of_the_run_in_words(
    monkeypatch: pytest.MonkeyPatch, nobody_there: None
) -> None:
    monkeypatch.setattr(rate_limits, "FIRST_WAIT", 0.1)
    monkeypatch.setattr(jobs, "MAX_PATIENCE", 0.05)
    run = a_turn(a_run(texts=1, providers=("fake", "demo")))
    assert run.state == "stopped"
    assert "“judge fake” is asked nothing more: Nothing but failures came from fake for" in run.stopped_because
    assert "The provider could not be reached." in run.stopped_because
    assert states(run) == {"pending": 10, "accepted": 10}
    check_books(run)


def test_a_database_that_is_away_for_a_moment_loses_no_reply(
    fake: FakeProviders, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = fails_at_first(recording.record, OperationalError("the server closed the connection"), times=2)
    monkeypatch.setattr(recording, "record", away)
    run = a_turn(a_run(texts=2, providers=("fake",)))
    assert states(run) == {"accepted": 20}
    assert len(fake.log.requests) == 20
    check_books(run)


def test_without_redis_nothing_more_leaves_and_what_is_out_is_recorded(
    fake: FakeProviders, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.script.usually = Behaviour(delay=0.1)
    run = a_run(texts=4, providers=("fake",))
    hold, told = rate_limits.acquire, []

    def gone_after_three(*args: object, **kwargs: object) -> rate_limits.Allowed:
        told.append(1)
        if len(told) > 3:
            raise RedisAway("Connection refused.")
        return hold(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(rate_limits, "acquire", gone_after_three)
    with pytest.raises(RedisAway):
        a_turn(run)
    run.refresh_from_db()
    assert 0 < states(run)["accepted"] == len(fake.log.requests) < 40
    assert run.reserved == 0
    check_books(run)


def test_a_reply_that_cannot_be_recorded_holds_nothing_else_up(
    fake: FakeProviders, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    run = a_run(providers=("fake",))
    record = recording.record
    cursed: list[int] = []

    def fails_for_one(run_id: int, arrivals: list[Arrival]) -> int:
        cursed[:] = cursed or [arrivals[0].attempt_id]
        if any(arrival.attempt_id == cursed[0] for arrival in arrivals):
            raise ValueError("what a reply")
        return record(run_id, arrivals)

    monkeypatch.setattr(recording, "record", fails_for_one)
    Task.objects.all().delete()  # as if the task of this turn had been leased
    a_turn(run)
    assert states(run) == {"accepted": 9, "pending": 1}
    assert Task.objects.filter(kind="work_run", subject=f"{run.pk}/0").exists(), "the lane goes on"
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == [
        f"the reply to attempt {cursed[0]} cannot be recorded"
    ]
    check_books(run)


def test_two_workers_share_a_run_and_its_provider(fake: FakeProviders) -> None:
    fake.script.usually = Behaviour(delay=0.05)
    run = a_run(texts=8, providers=("fake",))
    other = Thread(target=in_a_thread(lambda: jobs.work_run(f"{run.pk}/1")))
    other.start()
    a_turn(run)
    other.join()
    run.refresh_from_db()
    assert states(run) == {"accepted": 80}
    assert len(fake.log.requests) == 80
    assert fake.log.most_at_once <= 4
    check_books(run)


def test_a_turn_whose_lane_was_given_to_another_worker_claims_no_more_and_records_what_was_on_its_way(
    fake: FakeProviders, settings: Settings
) -> None:
    settings.LEASE_SECONDS = 1
    fake.script.usually = Behaviour(delay=0.3)
    run = a_run(texts=8, providers=("fake",))
    lane = Task.objects.get(kind="work_run", subject=f"{run.pk}/0")
    attempt = begun(lane)
    leased(lane)
    with work.doing(attempt), pytest.raises(work.LeaseLost):
        a_turn(run)
    run.refresh_from_db()
    assert 0 < len(fake.log.requests) < 80
    assert states(run) == {"accepted": len(fake.log.requests), "pending": 80 - len(fake.log.requests)}
    assert run.reserved == 0
    check_books(run)


def in_a_thread(verb: Callable[[], None]) -> Callable[[], None]:
    """With a connection of its own, closed at the end."""

    def run() -> None:
        try:
            verb()
        finally:
            connection.close()

    return run


def fails_at_first(work: Callable[..., Any], error: Exception, *, times: int) -> Callable[..., Any]:
    failures = iter([error] * times)

    def attempt(*args: object, **kwargs: object) -> Any:
        if failure := next(failures, None):
            raise failure
        return work(*args, **kwargs)

    return attempt
