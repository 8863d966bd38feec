"""Audits’ calls over a socket: conversations in every wire format, and workers killed in every kind of run."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import django_rq
import pytest
from pytest_django import Settings

from generation.benchmarks.core.asking import HISTORY
from generation.benchmarks.models import ModelMark, Prediction, Wording
from generation.benchmarks.services.model_marks import plan_model_marks
from generation.benchmarks.services.rephrasings import plan_rephrasings
from generation.calls import jobs
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import planning
from tests.annotation.benchmarks.tomi_stories import ANSWERS, FALSE_BELIEF, SWAPPED, as_generated
from tests.factories import coordinator_of
from tests.fake_providers.script import Behaviour
from tests.fake_providers.server import FakeProviders
from tests.fake_providers.site import site_with_fakes
from tests.forked import forked
from tests.generation.benchmarks.asked import an_asked_audit, planned, started
from tests.generation.calls.app.test_conversations_over_a_socket import CHECKS, turn_by_turn
from tests.generation.calls.engine import lapse_all
from tests.generation.calls.model_runs import a_target

PRICE = {"input": "1", "output": "1"}


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProviders]:
    monkeypatch.setattr(jobs, "PATIENCE", 0.05)
    monkeypatch.setattr(jobs, "GATHER", 0.01)
    for name in CHECKS:
        django_rq.get_connection("calls").delete(f"limits:{name}")
    with site_with_fakes(tmp_path) as server:
        yield server


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", CHECKS)
def test_in_every_wire_format_a_conversation_carries_the_models_own_wrong_replies(
    fake: FakeProviders, name: str
) -> None:
    """The fakes answer with an essay, which is wrong whatever the question."""
    benchmark = an_asked_audit(models=())
    a_target(benchmark.study, "asked", provider=name, model_id="m", price=PRICE)
    run = started(planned(benchmark, mode=HISTORY))
    jobs.work_run(f"{run.pk}/0")
    run.refresh_from_db()
    assert run.state == "finished"
    before: list[str] = []
    for prediction in Prediction.objects.order_by("wording__question__number").select_related("wording__question"):
        body = json.loads(Attempt.objects.get(call=prediction.call_id, outcome="ok").request)
        CHECKS[name](body)
        system, *turns = turn_by_turn(body)
        assert "a single word" in system
        assert turns[:-1] == before
        assert turns[-1].startswith(FALSE_BELIEF)
        assert prediction.words not in ANSWERS.values()
        before += [turns[-1], prediction.words]
    assert len(before) == 12


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_loses_no_answer_of_a_conversation_and_asks_nothing_twice_that_was_answered(
    fake: FakeProviders, settings: Settings
) -> None:
    settings.LEASE_SECONDS = 3
    fake.script.usually = Behaviour(delay=0.15)
    stories = b"".join(as_generated(FALSE_BELIEF.replace("kite", f"kite{n}"), ANSWERS) for n in range(4))
    benchmark = an_asked_audit(stories + SWAPPED, models=())
    a_target(benchmark.study, "asked", provider="fake-chat", model_id="m", price=PRICE)
    run = started(planned(benchmark, mode=HISTORY))
    killed_while(fake, run, seen=(6, 16))
    assert Prediction.objects.count() == Call.objects.filter(run=run, state="accepted").count() == 30
    attempts = Attempt.objects.filter(call__run=run)
    assert attempts.filter(outcome="ok").count() == 30
    assert attempts.exclude(outcome__in=["ok", "lost"]).count() == 0
    for each in Prediction.objects.select_related("after__wording", "wording__question"):
        if each.after:
            assert each.after.wording.question.story_id == each.wording.question.story_id
    assert Prediction.objects.filter(after=None).count() == 5, "one for each story"


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_killed_workers_lose_no_rephrasing_and_no_mark_and_keep_none_twice(settings: Settings) -> None:
    settings.LEASE_SECONDS = 3
    slow = {"delay_seconds": 0.3}
    stories = b"".join(as_generated(FALSE_BELIEF.replace("kite", f"kite{n}"), ANSWERS) for n in range(4))
    benchmark = an_asked_audit(stories, models=())
    study, by = benchmark.study, coordinator_of(benchmark.study)
    for role in ("answers", "prompts", "panel"):
        a_target(study, role, role=role, provider="demo", model_id="demo-small", options=slow, price=PRICE)
    rephrasing = _filled(plan_rephrasings(benchmark=benchmark, by=by, subset="original"))
    _killed_at(started(rephrasing), seen=(3, 12))
    assert Wording.objects.filter(kind="rephrased").count() == 5 * 24
    assert Wording.objects.filter(kind="rephrased").values("call", "number").distinct().count() == 5 * 24
    _killed_at(started(planned(benchmark)), seen=(9,))
    _killed_at(started(_filled(plan_model_marks(benchmark=benchmark, by=by))), seen=(9,))
    assert ModelMark.objects.values("prediction").distinct().count() == ModelMark.objects.count() == 24


def _filled(run: GenerationRun) -> GenerationRun:
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    return run


def _killed_at(run: GenerationRun, *, seen: tuple[int, ...]) -> None:
    """A worker is killed each time that so many calls have been answered; then the run is worked off."""
    for number in seen:
        worker = forked(jobs.work_run, f"{run.pk}/0")
        until = time.monotonic() + 90
        while Call.objects.filter(run=run, state="accepted").count() < number:
            assert worker.is_alive(), "it ended before it was killed"
            assert time.monotonic() < until
            time.sleep(0.05)
        worker.kill()
        worker.join()
        lapse_all(run)
    jobs.work_run(f"{run.pk}/0")
    run.refresh_from_db()
    assert run.state == "finished"
    attempts = Attempt.objects.filter(call__run=run)
    assert attempts.filter(outcome="ok").count() == run.calls.count() == run.calls.filter(state="accepted").count()
    assert not attempts.exclude(outcome__in=["ok", "lost"]).exists()


def killed_while(fake: FakeProviders, run: GenerationRun, *, seen: tuple[int, ...]) -> None:
    """A worker is killed each time that so many requests have come in all; then the run is worked off."""
    for number in seen:
        worker = forked(jobs.work_run, f"{run.pk}/0")
        until = time.monotonic() + 90
        while len(fake.log.requests) < number:
            assert worker.is_alive(), "it ended before it was killed"
            assert time.monotonic() < until
            time.sleep(0.02)
        worker.kill()
        worker.join()
        lapse_all(run)
    jobs.work_run(f"{run.pk}/0")
    run.refresh_from_db()
    assert run.state == "finished"
