"""Runs as coordinators watch them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.db.models import Case, Count, Prefetch, Q, QuerySet, Sum, When
from django.utils import timezone

from annotation.models.studies import Study
from generation.models.runs import Attempt, Call, GenerationRun, ModelAnswer

SHOWN = 200
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
class CallLine:
    """One call: `outcome` of its last attempt in words, empty while none has ended; `text` as judges will read it,
    empty where there is none or it is not to be shown."""

    prompt_code: str
    family: str
    model_id: str
    arm: str
    state: str
    attempts: int
    outcome: str
    text: str


@dataclass(frozen=True)
class RunPage:
    """`outcomes` counts attempts by how they ended, in words. `per_minute` is the pace of the last minute, and
    `minutes_left` what follows from it; both are `None` where nothing ended in that time."""

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
    calls: tuple[CallLine, ...]


def runs_of(study: Study) -> list[RunLine]:
    """The study's runs, newest first."""
    return _lines(GenerationRun.objects.filter(study=study))


def run_page(run: GenerationRun, *, with_texts: bool) -> RunPage:
    """Everything the run's page shows; at most 200 calls, those that need a look first."""
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
        calls=_calls(run, with_texts),
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


def _calls(run: GenerationRun, with_texts: bool) -> tuple[CallLine, ...]:
    first = Case(When(state="failed", then=0), When(state="pending", then=1), default=2)
    light = Attempt.objects.only("call_id", "number", "outcome").order_by("number")
    calls = (
        Call.objects.filter(run=run)
        .select_related("target", "prompt_version__prompt")
        .prefetch_related(Prefetch("attempts", queryset=light))
        .order_by(first, "id")[:SHOWN]
    )
    texts = _texts(run) if with_texts else {}
    return tuple(_call(call, texts.get(call.pk, "")) for call in calls)


def _texts(run: GenerationRun) -> dict[int, str]:
    return dict(ModelAnswer.objects.filter(call__run=run).values_list("call_id", "response__text"))


def _call(call: Call, text: str) -> CallLine:
    attempts = list(call.attempts.all())
    outcome = attempts[-1].outcome if attempts else ""
    return CallLine(
        prompt_code=call.prompt_version.prompt.code,
        family=call.target.family,
        model_id=call.target.model_id,
        arm=call.get_arm_display(),
        state=call.state,
        attempts=len(attempts),
        outcome=OUTCOMES_IN_WORDS.get(outcome, outcome),
        text=text,
    )
