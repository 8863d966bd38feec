"""A study with very many answers that the panel is to score, and the plan of doing so.

Import this only once Django knows the database: its models come with it.
"""

import os
import resource
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.study.models.prompts import Prompt
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm, Stimulus
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import planning
from tests.clients import signed_in
from tests.factories import a_study, an_essay, coordinator_of
from tests.generation.calls.model_runs import a_target

ROUNDS = 15
PROMPTS = 30
JUDGES = ("demo-large", "demo-medium", "demo-small")


@dataclass(frozen=True)
class Figures:
    """`megabytes` is the most the process has held so far; the page's time is the median on the server.

    `processor_seconds` are those of planning that were worked, here and by the database, however busy the machine.
    """

    calls: int
    seconds: float
    processor_seconds: float
    megabytes: float
    page_milliseconds: float
    page_queries: int
    requests: int


def measure(answers: int) -> Figures:
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.DEBUG = False  # or every statement is kept in memory
    with transaction.atomic():
        study = a_study(f"planning-{answers}", prompts=PROMPTS)
        for model in JUDGES:
            a_target(study, model, role="panel", model_id=model)
        _fill(study, answers)
        run = planning.plan_run(
            study=study, by=coordinator_of(study), purpose="panel", mode="holistic", presentation="alone"
        )
        started, worked = time.perf_counter(), _processor_seconds()
        planning.fill_plan(run.pk)
        connection.check_constraints()  # which waits for the end of a transaction, and this one never ends
        seconds, processor_seconds = time.perf_counter() - started, _processor_seconds() - worked
        milliseconds, queries = _page(study, run)
        figures = Figures(
            calls=Call.objects.filter(run=run).count(),
            seconds=seconds,
            processor_seconds=processor_seconds,
            megabytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            page_milliseconds=milliseconds,
            page_queries=queries,
            requests=Attempt.objects.filter(call__run=run).count(),
        )
        transaction.set_rollback(True)
    return figures


def _fill(study: Study, answers: int) -> None:
    """Answers by models to all prompts alike; judging is open."""
    prompts = list(Prompt.objects.filter(study=study))
    for first in range(0, answers, 1_000):
        numbers = range(first, min(first + 1_000, answers))
        responses = Response.objects.bulk_create(
            Response(study=study, prompt=prompts[number % PROMPTS], text=an_essay(number), word_count=400)
            for number in numbers
        )
        Stimulus.objects.bulk_create(
            Stimulus(
                response=response,
                study=study,
                prompt=response.prompt,
                arm=Arm.MAXIMUM,
                source_code="gpt",
                state="admitted",
                is_read=True,
            )
            for response in responses
        )
    Study.objects.filter(pk=study.pk).update(state="judging")
    study.refresh_from_db()


def _processor_seconds() -> float:
    """Of this process and of its connection's, which is on the same machine (0 where it is not)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except FileNotFoundError:
        fields = ["0"] * 13
    ticks = int(fields[11]) + int(fields[12])
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def _page(study: Study, run: GenerationRun) -> tuple[float, int]:
    client, address = signed_in(coordinator_of(study)), reverse("run", args=[run.pk])
    with CaptureQueriesContext(connection) as asked:
        client.get(address)
        queries = len(asked)
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        client.get(address)
        times.append(1000 * (time.perf_counter() - started))
    return statistics.median(times), queries
