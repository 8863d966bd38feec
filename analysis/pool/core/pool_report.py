"""Where prompts come from: what was left of each source, how different the prompts are, and where they lie."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import pandas as pd

from analysis.data.core.results import Estimate, summarise
from analysis.data.core.study_pool import AND, PROMPT
from analysis.data.core.study_tables import StudyTables
from analysis.uncertainty.core.intervals import SHARE, with_t_interval

METHOD: Final = "t over scenarios, as a sample from many"
NOT_COMPARED: Final = "no scenario has all its pairs compared"
ALL_PAIRS: Final = "any two generators"


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """What a step left of a source's items, or of the prompts that were written from them, and what it removed."""

    source: str
    step: str
    kept: int
    removed: int


@dataclass(frozen=True, slots=True)
class DiversityLine:
    """Functional diversity, 0 to 1, within the prompts of one generator for a scenario, or across those of two: the
    mean over scenarios, where prompts are alike if both models say so, or if either does. `n` counts scenarios,
    those whose pairs are not all compared are left out. `source` is blank for all of them.
    """

    source: str
    generators: str
    is_across: bool
    both: Estimate
    either: Estimate


@dataclass(frozen=True, slots=True)
class MapPoint:
    """`generator` is blank for a scenario. Coordinates are from −1 to 1."""

    scenario: str
    generator: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class SourceMap:
    source: str
    points: tuple[MapPoint, ...]


@dataclass(frozen=True, slots=True)
class PoolReport:
    funnel: tuple[FunnelStep, ...]
    diversity: tuple[DiversityLine, ...]
    maps: tuple[SourceMap, ...]


def pool_report(tables: StudyTables, *, level: float) -> PoolReport:
    """The report on the tables `pool_funnel`, `pool_diversity` and `pool_map`."""
    steps = tables.pool_funnel.sort_values(["source", "number"])
    return PoolReport(
        funnel=tuple(
            FunnelStep(source, step, int(kept), int(removed))
            for source, step, kept, removed in zip(
                *(steps[name] for name in ("source", "step", "kept", "removed")), strict=True
            )
        ),
        diversity=tuple(_lines(tables.pool_diversity, level)),
        maps=tuple(
            SourceMap(
                str(source),
                tuple(
                    MapPoint(key, generator, float(x), float(y))
                    for key, generator, x, y in zip(
                        *(points[name] for name in ("scenario", "generator", "x", "y")), strict=True
                    )
                ),
            )
            for source, points in tables.pool_map.groupby("source", sort=True)
            if (points["kind"] == PROMPT).any()
        ),
    )


def _lines(table: pd.DataFrame, level: float) -> Iterator[DiversityLine]:
    """Lines by source, then over all of them where there are several: of each generator, of every two, and of any
    two.
    """
    is_across = table["generators"].str.contains(AND, regex=False)
    sources = sorted(set(table["source"]))
    for source in (*sources, *([""] if len(sources) > 1 else [])):
        of_source = (table["source"] == source) | (source == "")
        for across in (False, True):
            rows = table[of_source & (is_across == across)]
            names = sorted(set(rows["generators"]))
            for name in names:
                yield _line(source, name, rows[rows["generators"] == name], level, is_across=across)
            if across and len(names) > 1:
                yield _line(source, ALL_PAIRS, rows, level, is_across=True)


def _line(source: str, generators: str, cells: pd.DataFrame, level: float, *, is_across: bool) -> DiversityLine:
    both, either = (_mean(cells, f"equivalent_{reading}", level) for reading in ("both", "either"))
    return DiversityLine(source, generators, is_across, both, either)


def _mean(cells: pd.DataFrame, equivalent: str, level: float) -> Estimate:
    """The mean over scenarios, each with the mean of its cells; those with pairs to be compared yet are left
    out.
    """
    is_complete = cells["votes"] == cells["pairs"] * cells["evaluators"]
    values = (1 - cells[equivalent] / cells["pairs"]).where(is_complete)
    by_scenario = values.groupby([cells["source"], cells["scenario"]]).agg(lambda each: each.mean(skipna=False))
    found = summarise("functional_diversity", by_scenario.to_numpy(dtype=float))
    if found.mean.value is None:
        return replace(found.mean, reason=NOT_COMPARED)
    return with_t_interval(found.mean, found.se, max(found.mean.n - 1, 1), level=level, method=METHOD, bounds=SHARE)
