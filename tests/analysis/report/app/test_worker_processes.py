"""Real workers, as processes of their own, that are woken up for the same analysis."""

import django_rq
import pytest
from django.utils import timezone

from analysis.report.models import AnalysisRun
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from benchmarks.support.calls_run import managed
from scrub_site import jobs
from scrub_site.management.commands import run_loop
from tests.analysis.report.analyses import asked_for
from tests.factories import a_closed_study
from tests.thorough import IS_THOROUGH

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.stack,
    pytest.mark.skipif(not IS_THOROUGH, reason="a long run: see test_one_worker"),
]

WORKERS = 2
MAX_SECONDS = 180.0  # seconds, after which something is stuck


def test_an_analysis_that_was_sent_once_for_each_worker_is_computed_by_one_of_them() -> None:
    run = asked_for(a_closed_study(1, 1, 2, levels={"family-1": 8, "model": 7, "human": 5}))
    queue = django_rq.get_queue("default")
    queue.empty()
    sent: list[tuple[int, str]] = []
    for _ in range(WORKERS):  # its lease ran out, so that it was sent again
        Task.objects.filter(kind="compute_masked").update(leased_until=None, lease_token=None)
        run_loop.dispatch()
        task_id, token = queue.jobs[-1].args
        sent.append((task_id, token))
    for old in sent[:-1]:  # which a worker had taken out before the loop could
        queue.enqueue(jobs.perform, *old, at_front=True)
    assert [tuple(job.args) for job in queue.jobs] == sent
    assert {each for each, _ in sent} == {Task.objects.get(kind="compute_masked").pk}
    assert len({token for _, token in sent}) == WORKERS

    workers = [managed("rqworker", "default", "--burst", "--verbosity=0") for _ in range(WORKERS)]
    assert [worker.wait(timeout=MAX_SECONDS) for worker in workers] == [0] * WORKERS

    task = Task.objects.get(kind="compute_masked")
    assert (task.attempts, task.last_error, task.lease_token) == (1, "", None)
    assert task.done_at
    assert task.done_at < timezone.now()
    assert AnalysisRun.objects.get(pk=run.pk).finished_at
    assert AuditEvent.objects.filter(verb="analysis.finished").count() == 1
