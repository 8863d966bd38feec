"""Runs that somebody has to choose among, with what each takes."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import QuerySet, Sum

from generation.calls.models import GenerationRun


@dataclass(frozen=True)
class PlannedRun:
    """`known_as` is its number in the study. `known` is wanted and was asked for before; `planned` is to be asked.

    Costs are in $, expected and at worst.
    """

    id: int
    known_as: int
    title: str
    state: str
    known: int
    planned: int
    cost: Decimal
    worst_cost: Decimal


def planned_runs(runs: QuerySet[GenerationRun], title: Callable[[GenerationRun], str]) -> list[PlannedRun]:
    """The newest first."""
    takes = runs.annotate(
        known=Sum("shares__known", default=0),
        planned=Sum("shares__planned", default=0),
        cost=Sum("shares__cost", default=Decimal(0)),
        worst_cost=Sum("shares__worst_cost", default=Decimal(0)),
    )
    return [
        PlannedRun(
            run.pk,
            run.known_as,
            title(run),
            run.get_state_display(),
            run.known,
            run.planned,
            run.cost,
            run.worst_cost,
        )
        for run in takes.order_by("-pk")
    ]
