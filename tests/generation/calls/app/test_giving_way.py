"""A turn that only waits for replies leaves its lane and its worker to others, and keeps what comes."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from threading import Thread

import django_rq
import pytest
from django.db import connection

from annotation.platform.models.work import Task
from annotation.platform.services import work
from generation.calls import jobs
from generation.calls.models import Call, GenerationRun
from generation.calls.services import runs
from scrub_site import jobs as kinds
from tests.fake_providers.script import Behaviour
from tests.fake_providers.server import FakeProviders
from tests.fake_providers.site import site_with_fakes
from tests.generation.calls.engine import a_run, check_books, known
from tests.work import begun

pytestmark = pytest.mark.django_db(transaction=True)

SLOW = 1.0


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProviders]:
    monkeypatch.setattr(jobs, "PATIENCE", 0.05)
    monkeypatch.setattr(jobs, "GATHER", 0.01)
    with site_with_fakes(tmp_path) as server:
        small = tmp_path / "providers.toml"
        small.write_text(small.read_text().replace("concurrency = 64", "concurrency = 4"))
        django_rq.get_connection("calls").delete("limits:fake-chat")
        server.script.usually = Behaviour(delay=SLOW)
        yield server


def lane(run: GenerationRun) -> Task:
    return Task.objects.get(kind="work_run", subject=f"{run.pk}/0", done_at=None)


def turned(run: GenerationRun) -> list[str]:
    """A turn as a worker does it; how its task and its calls stood when it gave way."""
    seen: list[str] = []

    def look() -> None:
        task = lane(run)
        has_left = Call.objects.filter(run=run, leased_until__isnull=False).count()
        seen.append(f"{'leased' if task.lease_token else 'free'}, {has_left} on their way")

    task = begun(lane(run))

    def work_in_a_thread() -> None:
        try:
            with work.doing(task, on_giving_way=look):
                kinds.KINDS[task.kind].handler(task.subject)
        finally:
            connection.close()

    worker = Thread(target=work_in_a_thread)
    worker.start()
    worker.join()
    return seen


def test_a_turn_whose_time_is_up_leaves_its_lane_to_the_next_one_and_keeps_what_comes(
    fake: FakeProviders, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = a_run(texts=1, providers=("fake-chat",))
    monkeypatch.setattr(jobs, "TURN", 0.3)
    assert turned(run) == ["free, 4 on their way"]
    assert Call.objects.filter(run=run, state="accepted").count() == 4
    assert len(fake.log.requests) == 4
    assert lane(run).due_at <= lane(run).asked_at, "the next turn is due"
    check_books(run)


def test_a_turn_with_nothing_more_to_ask_gives_way_and_ends_the_run(
    fake: FakeProviders, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = a_run(texts=1, providers=("fake-chat",))
    Call.objects.filter(pk__in=list(run.calls.values_list("pk", flat=True)[3:])).delete()
    run.shares.update(planned=3)
    monkeypatch.setattr(jobs, "IDLE", 0.2)
    assert turned(run) == ["free, 3 on their way"]
    run.refresh_from_db()
    assert run.state == "finished"
    assert not Task.objects.filter(kind="work_run", done_at=None).exists(), "no worker is woken up for it"
    check_books(run)


def test_a_command_never_gives_way(fake: FakeProviders, monkeypatch: pytest.MonkeyPatch) -> None:
    fake.script.usually = Behaviour(delay=0.1)
    monkeypatch.setattr(jobs, "TURN", 0.0)
    run = a_run(texts=1, providers=("fake-chat",))
    jobs.work_run(f"{run.pk}/0")
    run.refresh_from_db()
    assert run.state == "finished"


def test_near_its_limit_a_run_asks_again_as_soon_as_a_reply_is_there(
    fake: FakeProviders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where only a reply makes room for the next request, none waits for the next look."""
    fake.script.usually = Behaviour(delay=0.02)
    monkeypatch.setattr(jobs, "PATIENCE", 30.0)
    run = a_run(texts=1, providers=("fake-chat",))
    run.spend_cap = known(run.shares.get().worst_call) + Decimal("0.05")
    run.save(update_fields=["spend_cap"])
    jobs.work_run(f"{run.pk}/0")
    run.refresh_from_db()
    assert run.state == "finished", run.stopped_because


def test_the_lanes_of_a_run_that_was_stopped_wake_nobody_up() -> None:
    run = a_run()
    other = a_run()
    runs.stop_run(run=run, reason="Enough.", by=None)
    assert not Task.objects.filter(kind="work_run", subject__startswith=f"{run.pk}/", done_at=None).exists()
    assert Task.objects.filter(kind="work_run", subject__startswith=f"{other.pk}/", done_at=None).exists()
