"""Runs as coordinators watch them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from annotation.models.studies import Study
from generation.models.runs import Attempt, Call, GenerationRun

PACE_OVER = timedelta(seconds=60)

OUTCOMES_IN_WORDS = {
    "ok": "complete",
    "truncated": "cut off at the output cap",
    "refused": "declined by the model",
    "filtered": "withheld by the provider",
    "empty": "without any text",
    "retryable": "failed for the moment",
    "final_request": "request not accepted",
    "final_account": "account cannot pay",
    "lost": "no reply came back",
}


@dataclass(frozen=True)
class RunLine:
    """A run in a study's list: calls accepted and failed, of how many."""

    id: int
    state: str
    planned_at: datetime
    accepted: int
    failed: int
    total: int

    @property
    def settled(self) -> int:
        return self.accepted + self.failed


@dataclass(frozen=True)
class ModelLine:
    """The calls of one model, by how they stand."""

    family: str
    model_id: str
    accepted: int
    failed: int
    waiting: int


@dataclass(frozen=True)
class RunPage:
    """`outcomes` counts attempts by how they ended, in words. `per_minute` is the pace of the last minute, and
    `minutes_left` what follows from it; both are `None` where nothing ended in that time.

    Prompts and texts are not told: a prompt with more answers than another, or with a weak one, serves calibration,
    and coordinators are not to know which do.
    """

    line: RunLine
    template_version: str
    planned_by: str
    approved_at: datetime | None
    approved_by: str
    finished_at: datetime | None
    stopped_because: str
    outcomes: Mapping[str, int]
    input_tokens: int
    output_tokens: int
    per_minute: int | None
    minutes_left: int | None
    models: tuple[ModelLine, ...]


def runs_of(study: Study) -> list[RunLine]:
    """The study's runs, newest first."""
    return _lines(GenerationRun.objects.filter(study=study))


def run_page(run: GenerationRun) -> RunPage:
    """Everything the run's page shows."""
    [line] = _lines(GenerationRun.objects.filter(pk=run.pk))
    attempts = Attempt.objects.filter(call__run=run)
    ended = attempts.exclude(outcome="").order_by("outcome").values_list("outcome").annotate(Count("id"))
    tokens = attempts.aggregate(input=Sum("input_tokens", default=0), output=Sum("output_tokens", default=0))
    per_minute = _pace(run, attempts)
    return RunPage(
        line=line,
        template_version=run.template_version,
        planned_by=run.planned_by.name,
        approved_at=run.approved_at,
        approved_by=run.approved_by.name if run.approved_by else "",
        finished_at=run.finished_at,
        stopped_because=run.stopped_because,
        outcomes={OUTCOMES_IN_WORDS.get(outcome, outcome): count for outcome, count in ended},
        input_tokens=tokens["input"],
        output_tokens=tokens["output"],
        per_minute=per_minute,
        minutes_left=ceil((line.total - line.settled) / per_minute) if per_minute else None,
        models=_models(run),
    )


def _lines(runs: QuerySet[GenerationRun]) -> list[RunLine]:
    counted = runs.annotate(
        accepted=Count("calls", filter=Q(calls__state="accepted")),
        failed=Count("calls", filter=Q(calls__state="failed")),
        total=Count("calls"),
    )
    return [RunLine(run.pk, run.state, run.planned_at, run.accepted, run.failed, run.total) for run in counted]


def _pace(run: GenerationRun, attempts: QuerySet[Attempt]) -> int | None:
    """Good replies a minute, over the last minute or since the run was started."""
    if run.state != "running" or run.approved_at is None:
        return None
    now = timezone.now()
    since = max(run.approved_at, now - PACE_OVER)
    good = attempts.filter(outcome="ok", ended_at__gte=since).count()
    seconds = max((now - since).total_seconds(), 1.0)
    return round(60 * good / seconds) or None


def _models(run: GenerationRun) -> tuple[ModelLine, ...]:
    rows = Call.objects.filter(run=run).values_list("target__family", "target__model_id").order_by("target__family")
    states = {state: Count("pk", filter=Q(state=state)) for state in ("accepted", "failed", "pending")}
    return tuple(ModelLine(*row) for row in rows.annotate(**states))
