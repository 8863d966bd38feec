"""A set's runs, with what each takes."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Sum

from generation.calls.models import GenerationRun
from generation.framing.models import FramingSet


@dataclass(frozen=True)
class SetRun:
    """`known` is wanted and was asked for before; `planned` is to be asked. Costs in $, expected and at worst."""

    id: int
    title: str
    state: str
    known: int
    planned: int
    cost: Decimal
    worst_cost: Decimal


def runs_of_set(framing_set: FramingSet) -> list[SetRun]:
    """The newest first."""
    runs = GenerationRun.objects.filter(
        study=framing_set.study,
        purpose__in=["framing", "framing_check", "framed_answer", "framed_score"],
        materials__only__set=framing_set.pk,
    )
    takes = runs.annotate(
        known=Sum("shares__known", default=0),
        planned=Sum("shares__planned", default=0),
        cost=Sum("shares__cost", default=Decimal(0)),
        worst_cost=Sum("shares__worst_cost", default=Decimal(0)),
    )
    return [
        SetRun(run.pk, _title(run), run.get_state_display(), run.known, run.planned, run.cost, run.worst_cost)
        for run in takes.order_by("-pk")
    ]


def _title(run: GenerationRun) -> str:
    only, what = run.materials["only"], str(run.get_purpose_display())
    if "instructed" not in only:
        return what
    way = "with the instruction about the length" if only["instructed"] else "framings alone"
    below = {"framing": ", below framings", "prompt": ", below the prompts behind them"}
    twice = ", the prompts themselves twice" if only.get("again") else ""
    return f"{what}, {way}{twice}{below.get(only.get('shows', ''), '')}"
