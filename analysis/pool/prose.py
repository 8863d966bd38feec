"""Where prompts come from, in sentences."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from analysis.data.core.number_format import numeral
from analysis.pool.core.pool_report import PoolReport
from analysis.sections.prose.passage import Passage, enumerated, paragraph, said

HEADING: Final = "Where prompts come from"
METHODS: Final = Passage(
    HEADING,
    (
        "Functional diversity is 1 less the share of equivalent pairs among the prompts for a scenario that "
        "pass the quality filter: within the prompts of one generator, or across those of two, compared by the "
        "models that wrote neither. It is the mean over the scenarios all of whose pairs are compared, with an "
        "interval of t over scenarios; two prompts are equivalent where both models, or where either, say so.",
    ),
)


def pool_passages(found: PoolReport) -> Iterator[Passage]:
    yield Passage(HEADING, (*paragraph(_funnel(found)), *paragraph(_diversity(found))))


def _funnel(found: PoolReport) -> str:
    parts = []
    for source, steps in groupby(found.funnel, key=lambda step: step.source):
        first, *rest = steps
        last = rest[-1] if rest else first
        parts.append(f"{source} {numeral(first.kept, 0)} ({first.step}) to {numeral(last.kept, 0)} ({last.step})")
    return f"By source: {enumerated(parts)}." if parts else ""


def _diversity(found: PoolReport) -> str:
    parts = [
        f"{line.source or 'all sources'}, {line.generators}, {said(line.both)}"
        for line in found.diversity
        if line.both.value is not None
    ]
    return (
        f"Functional diversity, where both models have to say that prompts are alike: {enumerated(parts)}."
        * bool(parts)
    )
