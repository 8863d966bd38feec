"""Runs as coordinators watch them. What is shown is counted while the work goes on, so that looking costs nothing.

Prompts and texts are not told: a prompt with more answers than another, or with a weak one, serves calibration, and
coordinators are not to know which do. Since prompts differ in length, tokens are shown by the thousand and money by
the cent, both rounded up; what a few calls took is not told at all, since a weak answer takes less than another.
Of runs about prompts that are to be, everything may be told.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_CEILING, Decimal
from functools import reduce
from math import ceil
from typing import Final

from django.db.models import Count, Min, QuerySet, Sum

from annotation.platform.services.clock import database_now
from annotation.study.models.studies import Study
from generation.calls.core.outcomes import OUTCOMES_IN_WORDS
from generation.calls.models import Attempt, Call, GenerationRun, OutcomeCount, ProviderBatch, RunShare
from generation.calls.policies import is_blinded
from generation.calls.selectors.margins import margin_of

PACE_OVER = timedelta(seconds=60)
COUNTS: Final = ("planned", "known", "accepted", "failed", "not_asked")
MIN_CALLS: Final = 10  # planned together, whose sums tell nothing of a single one


@dataclass(frozen=True)
class RunLine:
    """A run in a study's list: calls accepted, failed and not asked, for another had no reply, of those planned;
    `known` ones an earlier run asked for.

    `what` says in words what it asks for. Money is in US dollars; `spend_cap` is `None` until somebody approved the
    run, and `spent` where that is not to be told yet. Of it `assumed` are worst cases.
    """

    id: int
    known_as: int
    purpose: str
    what: str
    state: str
    planned_at: datetime
    planned: int
    known: int
    accepted: int
    failed: int
    not_asked: int
    spent: Decimal | None
    assumed: Decimal | None
    spend_cap: Decimal | None

    @property
    def billed(self) -> Decimal | None:
        return None if self.spent is None or self.assumed is None else self.spent - self.assumed

    @property
    def settled(self) -> int:
        return self.accepted + self.failed + self.not_asked

    @property
    def waiting(self) -> int:
        return self.planned - self.settled


@dataclass(frozen=True)
class ShareLine:
    """One model's part of a run: its calls by how they stand, and the tokens and US dollars they were estimated at.

    `sent` is the part of a request that tells the model its `effort`, as JSON, empty where nothing does, and `None`
    in runs from before this was kept. `cost` and `worst_cost` are `None` for runs that were planned before prices
    were known; `margin` is what may come to the cost by chance, `None` where nothing was seen that tells it.
    `stopped_because` says why the model is asked nothing more, if so.
    """

    target_id: int
    provider: str
    family: str
    model_id: str
    effort: str
    sent: str | None
    planned: int
    known: int
    accepted: int
    failed: int
    not_asked: int
    input_tokens: int
    output_tokens: int
    cost: Decimal | None
    worst_cost: Decimal | None
    margin: Decimal | None
    stopped_because: str

    @property
    def likely_most(self) -> Decimal | None:
        """US dollars that 95 of 100 such shares would not exceed; `None` where no replies were seen before."""
        return None if self.cost is None or self.margin is None else self.cost + self.margin

    @property
    def waiting(self) -> int:
        return self.planned - self.accepted - self.failed - self.not_asked

    @property
    def cost_of_rest(self) -> Decimal | None:
        """Estimated, in US dollars, of the calls that wait."""
        return None if self.cost is None else self.cost * self.waiting / max(1, self.planned)


@dataclass(frozen=True)
class Taken:
    """The tokens and US dollars that attempts took; of these `assumed` are worst cases."""

    input_tokens: int
    output_tokens: int
    cost: Decimal
    assumed: Decimal


@dataclass(frozen=True)
class OutcomeLine:
    """Attempts that ended in one way, of all models. `taken` is `None` where it is not to be told yet."""

    outcome: str
    words: str
    attempts: int
    taken: Taken | None


@dataclass(frozen=True)
class BatchLine:
    """Calls handed to a provider together: how many, and what it last said of them, at `looked_at`."""

    family: str
    state: str
    calls: int
    made_at: datetime
    looked_at: datetime | None
    ended_at: datetime | None
    detail: str


@dataclass(frozen=True)
class RunPage:
    """`reserved` is set aside for the attempts `on_their_way`, `None` where what the run takes is not told yet.
    `waiting_until` is when a call may be tried next, `None` where one may be now. `per_minute` is the pace of the
    last minute, and `minutes_left` what follows from it; both are `None` where nothing ended in that time.
    `presentation` is empty where the panel sees no answer.
    """

    line: RunLine
    track: str
    presentation: str
    is_blinded: bool
    uses_batches: bool
    template_version: str
    price_version: str
    planned_by: str
    approved_at: datetime | None
    approved_by: str
    finished_at: datetime | None
    stopped_because: str
    reserved: Decimal | None
    shares: tuple[ShareLine, ...]
    outcomes: tuple[OutcomeLine, ...]
    batches: tuple[BatchLine, ...]
    on_their_way: int
    waiting_until: datetime | None
    per_minute: int | None
    minutes_left: int | None

    @property
    def untold(self) -> tuple[str, ...]:
        """Models whose answers judges see, although nothing tells them the effort that all are to have."""
        if self.track != GenerationRun.Track.MATCHED:
            return ()
        return tuple(share.family for share in self.shares if share.sent == "")

    @property
    def stopped_besides(self) -> str:
        """Why the run stopped, besides what is told of its models one by one."""
        of_models = (share.stopped_because for share in self.shares if share.stopped_because)
        return reduce(lambda rest, told: rest.replace(told, ""), of_models, self.stopped_because).strip()

    @property
    def can_be_settled(self) -> bool:
        """Whether costs are assumed that the provider's invoice may tell."""
        return bool(self.line.assumed) and self.line.state in ("stopped", "finished")

    @property
    def can_retry(self) -> bool:
        """Whether anything failed, or was not asked, that may be asked again."""
        return bool(self.line.failed or self.line.not_asked)

    @property
    def estimated(self) -> Decimal | None:
        """US dollars the run will probably cost; `None` where a price is not known."""
        return _total([share.cost for share in self.shares])

    @property
    def likely_most(self) -> Decimal | None:
        """US dollars that 95 of 100 such runs would not exceed, if nothing is asked twice; `None`: not known."""
        margins = [share.margin for share in self.shares]
        if self.estimated is None or any(margin is None for margin in margins):
            return None
        return _cents(self.estimated + Decimal(sum(margin**2 for margin in margins if margin)).sqrt())

    @property
    def estimated_rest(self) -> Decimal | None:
        """Of that, what the calls without an outcome will probably cost."""
        return _total([share.cost_of_rest for share in self.shares])

    @property
    def worst(self) -> Decimal | None:
        """US dollars if every call took all it may, once; `None` where a price is not known."""
        return _total([share.worst_cost for share in self.shares])

    @property
    def input_tokens(self) -> int:
        return sum(line.taken.input_tokens for line in self.outcomes if line.taken)

    @property
    def output_tokens(self) -> int:
        return sum(line.taken.output_tokens for line in self.outcomes if line.taken)


def runs_of(study: Study) -> list[RunLine]:
    """The study's runs, newest first."""
    return _lines(GenerationRun.objects.filter(study=study))


def run_page(run: GenerationRun) -> RunPage:
    """Everything the run's page shows."""
    [line] = _lines(GenerationRun.objects.filter(pk=run.pk))
    tells_sums = line.spent is not None
    now = database_now()
    per_minute = _pace(run, now)
    return RunPage(
        line=line,
        track=run.track,
        presentation="" if run.mode == "inferred" else run.get_presentation_display(),
        is_blinded=is_blinded(run),
        uses_batches=run.uses_batches,
        template_version=run.template_version,
        price_version=run.price_version,
        planned_by=run.planned_by.name if run.planned_by else "",
        approved_at=run.approved_at,
        approved_by=run.approved_by.name if run.approved_by else "",
        finished_at=run.finished_at,
        stopped_because=run.stopped_because,
        reserved=_cents(run.reserved) if tells_sums else None,
        shares=_shares(run),
        outcomes=_outcomes(run, tells_sums=tells_sums),
        batches=_batches(run) if run.uses_batches else (),
        on_their_way=Attempt.objects.filter(ended_at__isnull=True, call__run=run).count(),
        waiting_until=_waiting_until(run, now),
        per_minute=per_minute,
        minutes_left=ceil(line.waiting / per_minute) if per_minute else None,
    )


def _lines(runs: QuerySet[GenerationRun]) -> list[RunLine]:
    sums = {f"all_{name}": Sum(f"shares__{name}", default=0) for name in COUNTS}
    return [_line(run) for run in runs.select_related("study").annotate(**sums).order_by("-planned_at", "-pk")]


def _line(run: GenerationRun) -> RunLine:
    counts = {name: getattr(run, f"all_{name}") for name in COUNTS}
    return RunLine(
        id=run.pk,
        known_as=run.known_as,
        purpose=run.purpose,
        what=_what(run),
        state=run.state,
        planned_at=run.planned_at,
        spent=_cents(run.spent) if _tells_sums(run, counts["planned"]) else None,
        assumed=_cents(run.assumed) if _tells_sums(run, counts["planned"]) else None,
        spend_cap=run.spend_cap,
        **counts,
    )


def _what(run: GenerationRun) -> str:
    """What the run asks for, and in which way where there are several."""
    match run.purpose:
        case "answers":
            return str(run.get_track_display())
        case "panel":
            return f"Panel: {run.get_mode_display()}"
        case _:
            return str(run.get_purpose_display())


def _tells_sums(run: GenerationRun, planned: int) -> bool:
    """Whether what so many calls took may be told."""
    return planned >= MIN_CALLS or run.study is None or not is_blinded(run)


def _pace(run: GenerationRun, now: datetime) -> int | None:
    """Good replies a minute, over the last minute or since the run was started."""
    if run.state != "running" or run.approved_at is None:
        return None
    since = max(run.approved_at, now - PACE_OVER)
    good = Attempt.objects.filter(ended_at__gte=since, outcome="ok", call__run=run).count()
    seconds = max((now - since).total_seconds(), 1.0)
    return round(60 * good / seconds) or None


def _waiting_until(run: GenerationRun, now: datetime) -> datetime | None:
    if run.state != "running":
        return None
    pending = Call.objects.filter(run=run, state="pending", leased_until__isnull=True)
    due = None if pending.filter(due_at__isnull=True).exists() else pending.aggregate(due=Min("due_at"))["due"]
    return due if due and due > now else None


def _shares(run: GenerationRun) -> tuple[ShareLine, ...]:
    efforts, sent = run.materials.get("efforts", {}), run.materials.get("sent", {})
    shares = RunShare.objects.filter(run=run).select_related("target").order_by("target__family", "target")
    return tuple(
        ShareLine(
            target_id=share.target_id,
            provider=share.target.provider,
            family=share.target.family,
            model_id=share.target.model_id,
            effort=efforts.get(str(share.target_id), ""),
            sent=sent.get(str(share.target_id)),
            planned=share.planned,
            known=share.known,
            accepted=share.accepted,
            failed=share.failed,
            not_asked=share.not_asked,
            input_tokens=_thousands(share.input_tokens),
            output_tokens=_thousands(share.output_tokens),
            cost=None if share.cost is None else _cents(share.cost),
            worst_cost=None if share.worst_cost is None else _cents(share.worst_cost),
            margin=_cents(found) if (found := margin_of(run, share)) is not None else None,
            stopped_because=share.stopped_because,
        )
        for share in shares
    )


def _outcomes(run: GenerationRun, *, tells_sums: bool) -> tuple[OutcomeLine, ...]:
    sums = [Sum(name) for name in ("attempts", "input_tokens", "output_tokens", "cost", "assumed")]
    rows = OutcomeCount.objects.filter(run=run).order_by("outcome").values_list("outcome").annotate(*sums)
    return tuple(
        OutcomeLine(
            outcome=outcome,
            words=OUTCOMES_IN_WORDS[outcome],
            attempts=attempts,
            taken=Taken(_thousands(input_tokens), _thousands(output_tokens), _cents(cost), _cents(assumed))
            if tells_sums
            else None,
        )
        for outcome, attempts, input_tokens, output_tokens, cost, assumed in rows
    )


def _batches(run: GenerationRun) -> tuple[BatchLine, ...]:
    batches = ProviderBatch.objects.filter(run=run).select_related("target").annotate(calls=Count("attempts"))
    return tuple(
        BatchLine(
            family=batch.target.family,
            state=batch.state,
            calls=batch.calls,
            made_at=batch.made_at,
            looked_at=batch.looked_at,
            ended_at=batch.ended_at,
            detail=batch.detail,
        )
        for batch in batches.order_by("pk")
    )


def _thousands(tokens: int) -> int:
    return -(-tokens // 1000) * 1000


def _cents(dollars: Decimal) -> Decimal:
    return dollars.quantize(Decimal("0.01"), ROUND_CEILING)


def _total(costs: Sequence[Decimal | None]) -> Decimal | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known, Decimal(0)) if len(known) == len(costs) else None
