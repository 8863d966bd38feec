"""How often intervals hold what is true, figure by figure, as tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from analysis.agreement.core.intraclass import mean_of
from analysis.data.core.results import FloatArray
from analysis.uncertainty.core.judgment_arrays import BoolArray
from benchmarks.intervals.coverage_cells import Cell, Tried
from benchmarks.intervals.simulated_studies import Design
from benchmarks.intervals.tried_figures import OF_THE_DESIGN
from benchmarks.intervals.tried_framing import AT_ONCE

MIN_HELD, MAX_HELD, MAX_MISSED = 0.92, 0.98, 0.04
MIN_WITH_INTERVAL: Final = 0.98  # of the studies, there
FEW: Final = 0.05  # of the studies, that have the commonest value: no end can be moved by less


@dataclass(frozen=True)
class Coverage:
    """Of a figure's intervals: the share of studies that have one, of these the shares that hold what is true, lie
    above it or lie below it, and the median width. `is_few` says that the figure takes few values, so that its
    intervals can only hold it too often, `is_sure` that in such a design every figure has one.
    """

    figure: str
    true: float
    has: float
    holds: float
    above: float
    below: float
    width: float
    is_few: bool
    is_sure: bool

    @property
    def is_good(self) -> bool:
        if self.is_sure and self.has < MIN_WITH_INTERVAL:
            return False
        if not self.has:
            return True
        return (
            self.holds >= MIN_HELD
            and (self.holds <= MAX_HELD or self.is_few)
            and max(self.above, self.below) <= MAX_MISSED
        )


def coverage(trials: list[dict[str, Tried]], of_all: Mapping[str, float], cell: Cell) -> Iterator[Coverage]:
    """Figure by figure; what is compared at once is one."""
    held = {name: _held(name, trials, of_all, cell.design) for name in trials[0]}
    at_once = [each for name, each in held.items() if name.startswith(AT_ONCE)]
    for name, each in held.items():
        if not name.startswith(AT_ONCE):
            yield each.coverage(name, is_sure=cell.is_sure)
    if at_once:
        yield _all_of(at_once).coverage(AT_ONCE, is_sure=cell.is_sure)


@dataclass(frozen=True)
class _Held:
    """A figure, study by study: its value, what is true, whether it has an interval and whether that lies above or
    below the truth, and how wide it is.
    """

    values: FloatArray
    true: FloatArray
    has: BoolArray
    above: BoolArray
    below: BoolArray
    widths: FloatArray

    def coverage(self, name: str, *, is_sure: bool) -> Coverage:
        has, is_few = self.has, _commonest(self.values) > FEW
        above, below, missed = (
            float(side[has].mean()) if has.any() else np.nan
            for side in (self.above, self.below, self.above | self.below)
        )
        width = float(np.median(self.widths[has])) if has.any() else np.nan
        true, share = float(np.mean(self.true)), float(has.mean())
        return Coverage(name, true, share, 1 - missed, above, below, width, is_few, is_sure)


def _held(name: str, trials: Sequence[Mapping[str, Tried]], of_all: Mapping[str, float], design: Design) -> _Held:
    each = [trial[name] for trial in trials]
    values, low, high, own = (
        np.array([getattr(one, part) for one in each]) for part in ("value", "low", "high", "true")
    )
    if name in OF_THE_DESIGN:
        single = name.removesuffix(" mean")
        of_one = float(np.nanmean([trial[single].value for trial in trials]))
        true = np.full(values.size, of_one if single == name else mean_of(of_one, design.each))
    else:
        true = np.where(np.isnan(own), of_all.get(name, np.nan), own)
    return _Held(values, true, ~np.isnan(low), low > true, high < true, high - low)


def _all_of(held: Sequence[_Held]) -> _Held:
    """Several figures as one: there where all are, and missed where any is."""
    has, above, below = (np.array([getattr(each, part) for each in held]) for part in ("has", "above", "below"))
    return replace(
        held[0],
        has=np.asarray(has.all(axis=0)),
        above=np.asarray(above.any(axis=0)),
        below=np.asarray(below.any(axis=0)),
        widths=np.median([each.widths for each in held], axis=0),
    )


def _commonest(values: FloatArray) -> float:
    """The share of studies that have the value that is found most often."""
    counts = np.unique(values[~np.isnan(values)].round(9), return_counts=True)[1]
    return float(counts.max(initial=0) / max(values.size, 1))


def printed(cell: str, found: Coverage) -> str:
    mark = "" if found.is_good else " ✗"
    if not found.has:
        return f"{cell} | {found.figure} | {found.true:.3f} | no interval{mark} | | | | |"
    few = " (few values)" if found.is_few else ""
    return (
        f"{cell} | {found.figure} | {found.true:.3f} | {found.has:.1%} | {found.holds:.1%}{few}{mark} "
        f"| {found.above:.1%} | {found.below:.1%} | {found.width:.3f} |"
    )


def brief(found: Mapping[Cell, Sequence[Coverage]]) -> Iterator[str]:
    """The tables of the documentation, one for each kind: in per cent the least and the most that are held over the
    generators, and the most on one side.
    """
    for kind in dict.fromkeys(cell.kind for cell in found):
        designs = list(dict.fromkeys(cell.design for cell in found if cell.kind == kind))
        rows: dict[str, dict[Design, list[Coverage]]] = {}
        for cell, figures in found.items():
            for one in figures if cell.kind == kind else ():
                rows.setdefault(one.figure, {}).setdefault(cell.design, []).append(one)
        yield f"{kind}:"
        yield "| Figure |" + "".join(f" {design} |" for design in designs)
        yield "|---|" + "---|" * len(designs)
        for name, by_design in rows.items():
            yield f"| {name} |" + "".join(f" {_brief(by_design.get(design, []))} |" for design in designs)


def _brief(by_generator: Sequence[Coverage]) -> str:
    mark = "" if all(one.is_good for one in by_generator) else " ✗"
    with_interval = [one for one in by_generator if one.has]
    if not with_interval:
        return f"no interval{mark}"
    least, most = (f"{100 * end(one.holds for one in with_interval):.0f}" for end in (min, max))
    side = max(max(one.above, one.below) for one in with_interval)
    return f"{least if least == most else f'{least}–{most}'}, {100 * side:.1f}{mark}"
