"""A worker's turn: claims, sends and records as a stream, and leaves nothing undecided when something is away."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread, Timer

import pytest
from django.db import OperationalError, connection
from redis.exceptions import ConnectionError as RedisAway

from annotation.models.work import Task
from generation import jobs
from generation.models.runs import Attempt, Call, GenerationRun
from generation.services import limits, recording, runs
from generation.services.recording import Arrival
from tests.engine import a_run, check_books
from tests.fake_providers.script import Behaviour
from tests.fake_providers.server import FakeProviders, fake_providers

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fake(settings: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FakeProviders]:
    """A server, and a provider “fake” at it that answers four requests at a time."""
    with fake_providers() as server:
        file = tmp_path / "providers.toml"
        file.write_text(
            f'[providers.fake]\nlabel = "Fake"\nwire = "chat_completions"\nbase_url = "{server.url}/v1"\n'
            "concurrency = 4\n"
        )
        settings.PROVIDERS_FILE = str(file)  # type: ignore[attr-defined]
        yield server


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


def test_works_a_run_off_and_ends_it(fake: FakeProviders) -> None:
    run = a_turn(a_run(texts=4, providers=("fake",)))
    assert run.state == "finished"
    assert states(run) == {"accepted": 40}
    assert len(fake.log.requests) == 40
    check_books(run)


def test_keeps_every_slot_busy_and_no_more(fake: FakeProviders) -> None:
    fake.script.usually = Behaviour(delay=0.05)
    a_turn(a_run(texts=4, providers=("fake",)))
    assert fake.log.most_at_once == 4


def test_what_fails_is_left_for_when_it_is_due(fake: FakeProviders) -> None:
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
    stop = Timer(0.15, in_a_thread(lambda: runs.stop_run(run=run, reason="Enough.", by=None)))
    stop.start()
    a_turn(run)
    stop.join()
    assert states(run)["accepted"] == len(fake.log.requests) <= 8
    assert run.reserved == 0, "what was claimed and did not leave is free again"
    assert run.stopped_because == "Enough."
    check_books(run)


def test_too_many_requests_pause_the_provider_for_everybody(fake: FakeProviders) -> None:
    fake.script.then(Behaviour("rate limit", headers={"retry-after": "0.4"}))
    run = a_turn(a_run(texts=1, providers=("fake",)))
    pauses = [attempt.outcome for attempt in Attempt.objects.filter(call__run=run)]
    assert pauses.count("retryable") == 1
    assert states(run)["accepted"] >= 9
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
    hold, told = limits.hold, []

    def gone_after_three(*args: object, **kwargs: object) -> limits.Allowed:
        told.append(1)
        if len(told) > 3:
            raise RedisAway("Connection refused.")
        return hold(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(limits, "hold", gone_after_three)
    with pytest.raises(ExceptionGroup, match="Not everything went well"):
        a_turn(run)
    run.refresh_from_db()
    assert 0 < states(run)["accepted"] == len(fake.log.requests) < 40
    assert run.reserved == 0
    check_books(run)


def test_a_reply_that_cannot_be_recorded_holds_no_other_one_up(
    fake: FakeProviders, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = a_run(providers=("fake",))
    record = recording.record
    cursed: list[int] = []

    def fails_for_one(run_id: int, arrivals: list[Arrival]) -> None:
        cursed[:] = cursed or [arrivals[0].attempt_id]
        if any(arrival.attempt_id == cursed[0] for arrival in arrivals):
            raise ValueError("what a reply")
        record(run_id, arrivals)

    monkeypatch.setattr(recording, "record", fails_for_one)
    with pytest.raises(ExceptionGroup):
        a_turn(run)
    assert states(run) == {"accepted": 9, "pending": 1}
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


def in_a_thread(work: Callable[[], None]) -> Callable[[], None]:
    """With a connection of its own, closed at the end."""

    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    return run


def fails_at_first(work: Callable[..., None], error: Exception, *, times: int) -> Callable[..., None]:
    failures = iter([error] * times)

    def attempt(*args: object, **kwargs: object) -> None:
        if failure := next(failures, None):
            raise failure
        work(*args, **kwargs)

    return attempt
