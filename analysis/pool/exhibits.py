"""Where prompts come from, in tables and pictures: the funnel of sources, functional diversity, maps of prompts."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from analysis.pool.core.pool_report import PoolReport, SourceMap
from analysis.sections.exhibits.composing import compose
from analysis.sections.exhibits.counts import counts_plot
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Column, Exhibit
from analysis.sections.exhibits.maps import MapPoint, map_plot

SECTION: Final = "Where prompts come from"
ALL_SOURCES: Final = "All sources"


def pool_exhibits(found: PoolReport) -> Iterator[Exhibit]:
    yield _funnel(found)
    if found.diversity:
        yield _diversity(found)
    for number, each in enumerate(found.maps, start=1):
        yield _map(each, number)


def _funnel(found: PoolReport) -> Exhibit:
    groups = [(source, [*steps]) for source, steps in groupby(found.funnel, key=lambda step: step.source)]
    return compose(
        "prompts-funnel",
        SECTION,
        "What was left of each source",
        describes="How many items each step left of a source, and how many prompts were written, passed and drawn.",
        method="Counts, in the order of the steps; items first, then the prompts that were written from them.",
        columns=[Column("Source"), Column("Step"), Column("Kept", 0), Column("Removed", 0)],
        rows=[(step.source, step.step, float(step.kept), float(step.removed)) for step in found.funnel],
        draw=lambda: counts_plot(
            [(source, [(step.step, step.kept) for step in steps]) for source, steps in groups],
            what="Items or prompts (logarithmic)",
        ),
    )


def _diversity(found: PoolReport) -> Exhibit:
    groups = groupby(found.diversity, key=lambda line: line.source)
    drawn = [
        Group(source or ALL_SOURCES, tuple(Lane(line.generators, (line.both, line.either)) for line in lines))
        for source, lines in groups
    ]
    return compose(
        "prompts-diversity",
        SECTION,
        "Functional diversity",
        describes="How many of the prompts for a scenario ask for analytical work of their own: 1 where no two are "
        "alike, 0 where all are.",
        method="1 less the share of equivalent pairs of prompts that pass the quality filter, within one generator "
        "or across two; the mean over scenarios all of whose pairs are compared.",
        columns=[Column("Source"), Column("Generators"), Column("Alike if both say so"), Column("If either does")],
        rows=[(line.source or ALL_SOURCES, line.generators, line.both, line.either) for line in found.diversity],
        draw=lambda: dot_plot(
            drawn,
            [
                Scale("Diversity, alike if both say so", reaches=(0, 1)),
                Scale("Alike if either does", reaches=(0, 1)),
            ],
        ),
    )


def _map(found: SourceMap, number: int) -> Exhibit:
    return compose(
        f"prompts-map-{number}",
        SECTION,
        f"Map of prompts from {found.source}",
        describes="Prompts by who wrote them, and the scenarios they were written from: similar texts lie near "
        "each other.",
        method="Texts as vectors, in two dimensions; the axes have no unit, and only distances mean anything.",
        columns=[Column("Scenario"), Column("Generator"), Column("Across", 4), Column("Up", 4)],
        rows=[(point.scenario, point.generator or "the scenario", point.x, point.y) for point in found.points],
        draw=lambda: map_plot(
            [MapPoint(point.x, point.y, point.generator) for point in found.points], ring="Scenario"
        ),
    )
