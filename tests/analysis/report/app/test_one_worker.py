"""An analysis is computed once, though several workers are woken up for it or one of them is slow."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.utils import timezone

from analysis.masked.services import masked_runs
from analysis.report.models import AnalysisRun
from analysis.report.services import runs
from analysis.sections.core.report import Report
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.platform.services import work
from scrub_site import jobs
from tests.analysis.report.analyses import asked_for, few_files
from tests.factories import a_closed_study

pytestmark = pytest.mark.django_db(transaction=True)

LEVELS = {"family-1": 8, "model": 7, "human": 5}


@pytest.fixture
def run() -> AnalysisRun:
    return asked_for(a_closed_study(1, 1, 2, levels=LEVELS))


@pytest.fixture
def computed(run: AnalysisRun, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """For each time that the analysis was computed to its end, the thread that did it."""
    threads: list[int] = []
    analyse: Callable[..., Report] = vars(masked_runs)["analyse_masked"]

    def noted(*args: Any, **kwargs: Any) -> Report:
        report = analyse(*args, **kwargs)
        threads.append(threading.get_ident())
        return report

    monkeypatch.setattr(masked_runs, "analyse_masked", noted)
    with mock.patch.object(runs, "files", few_files):  # nothing is drawn
        yield threads


def sent() -> work.Lease:
    """What the loop would put on the queue."""
    [lease] = work.lease_due(kinds={"compute_masked"})
    return lease


def run_out() -> None:
    Task.objects.filter(kind="compute_masked").update(
        leased_until=timezone.now() - timedelta(seconds=1), due_at=timezone.now()
    )


def perform(message: work.Lease) -> None:
    try:
        jobs.perform(message.task_id, message.token.hex)
    finally:
        connection.close()


def finished() -> int:
    return AuditEvent.objects.filter(verb="analysis.finished").count()


def test_two_workers_with_a_message_each_for_one_analysis_compute_it_once(computed: list[int]) -> None:
    messages = [sent()]
    run_out()  # while it waited behind others
    messages.append(sent())
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(perform, messages))
    assert (len(computed), finished()) == (1, 1)
    assert Task.objects.get(kind="compute_masked").done_at


def test_a_worker_that_was_taken_for_gone_stops_and_keeps_nothing(
    run: AnalysisRun, computed: list[int], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    slow = sent()
    analyse: Callable[..., Report] = vars(masked_runs)["analyse_masked"]
    others: list[work.Lease] = []

    def overtaken(*args: Any, **kwargs: Any) -> Report:
        if not others:
            run_out()
            others.append(sent())
            with ThreadPoolExecutor(1) as pool:
                pool.submit(perform, others[0]).result(timeout=60)
        return analyse(*args, **kwargs)

    monkeypatch.setattr(masked_runs, "analyse_masked", overtaken)
    perform(slow)
    run.refresh_from_db()
    assert run.finished_at
    assert (len(computed), finished()) == (1, 1)
    assert computed != [threading.get_ident()]
    assert f"compute_masked {run.pk} was stopped" in caplog.text
    task = Task.objects.get(kind="compute_masked")
    assert task.done_at
    assert (task.attempts, task.last_error) == (2, "")
