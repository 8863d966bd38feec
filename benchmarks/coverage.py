"""Whether intervals hold what they promise: studies drawn from known parameters, analysed as any other.

`python -m benchmarks.coverage [--studies 2000] [--seed 1] [--processes 2] [--draws 2000] [--kept FOLDER]`. A table,
for every design, generator and kind, of how often the nominal 95 % intervals of each figure hold what is true, and
on which side they miss it. 92 to 98 % should, with at most 4 % missed on either side; from 26 prompts by 15 judges
on, every figure should have an interval in 98 % of the studies. Exits with 1 where one does not.

Kinds are judgments, analysed by `default` or as in the `paper`, and what the same raters say in every study: a
`panel` of judge models, answers under pressure (`framing`), constitutional `trials`, and `categories`. Every study
is kept in the folder; after an interruption the same command goes on, and with --print it tells what is there. With
--brief it prints the tables of the documentation.
"""

import argparse
import gc
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final

import numpy as np
import pandas as pd
from scipy import stats

from analysis.agreement.core.concordance import kendall_w, permutation_p
from analysis.agreement.core.intraclass import mean_of
from analysis.data.core.parameters import DEFAULTS, Parameters
from analysis.data.core.results import Estimate, FloatArray
from analysis.uncertainty.core.judgment_arrays import BoolArray
from benchmarks.support.simulated_studies import GENERATORS, SCALE, Design, Generator, a_study
from benchmarks.support.tried_categories import EACH, RATERS, category_figures
from benchmarks.support.tried_figures import (
    OF_THE_DESIGN,
    POPULATIONS,
    figures_of,
    published_of,
    true_of,
    true_of_population,
)
from benchmarks.support.tried_framing import AT_ONCE, framing_figures
from benchmarks.support.tried_panel import panel_figures
from benchmarks.support.tried_trials import trial_figures

DESIGNS: Final = (Design(9, 15, 5), Design(10, 5, 5), Design(26, 15, 5), Design(30, 45, 10))
PAPER: Final = "paper"
JUDGED: Final = ("default", PAPER)
MODELS_BY_PROMPTS: Final = tuple(Design(prompts, 3, 3) for prompts in (9, 26))
# Whose raters are the same in every study; prompts alone are a sample.
GIVEN: Final[Mapping[str, Callable[[Generator, int, Parameters, np.random.Generator], dict[str, Estimate]]]] = {
    "panel": panel_figures,
    "framing": framing_figures,
    "trials": trial_figures,
    "categories": category_figures,
}
DESIGNS_OF: Final[Mapping[str, Sequence[Design]]] = {
    **dict.fromkeys(JUDGED, DESIGNS),
    **dict.fromkeys(GIVEN, MODELS_BY_PROMPTS),
    "categories": tuple(Design(each.prompts, RATERS, EACH) for each in MODELS_BY_PROMPTS),
}
# Of a population of given raters: bias is gone from so many prompts, and leaving out one at a time is quick. Of as
# many populations the mean is off by a fortieth of what a study of 26 prompts varies by.
PROMPTS_OF_GIVEN, POPULATIONS_OF_GIVEN = 150, 280
MIN_HELD, MAX_HELD, MAX_MISSED = 0.92, 0.98, 0.04
SURE: Final = Design(26, 15, 5)  # from so many prompts, judges and judgments on, figures have intervals
MIN_WITH_INTERVAL: Final = 0.98  # of the studies, there
FEW: Final = 0.05  # of the studies, that have the commonest value: no end can be moved by less
ROUND, CHUNK = 40, 20  # studies of a cell until the next one has its turn; of a process at once


@dataclass(frozen=True)
class Tried:
    """What the analysis of one study found of a figure, and what is true if that is the study's own; NaN where
    there is none.
    """

    value: float
    low: float
    high: float
    true: float


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


@dataclass(frozen=True)
class Cell:
    """Studies of one design, from one generator, of one kind."""

    design: Design
    generator: str
    kind: str

    def __str__(self) -> str:
        return f"{self.design} | {self.generator} | {self.kind}"

    @property
    def is_sure(self) -> bool:
        """Whether every figure has an interval; raters who are no sample need not be many."""
        judges = self.design.judges or 0
        return self.design.prompts >= SURE.prompts and (self.kind in GIVEN or judges >= (SURE.judges or 0))

    def trial(self, number: int, *, draws: int, seed: int) -> dict[str, Tried]:
        """What is found in study `number`; of the kind “paper” of the figures alone that are others there."""
        generator, rng = GENERATORS[self.generator], np.random.default_rng((seed, number))
        parameters = Parameters(mode=PAPER if self.kind == PAPER else "default", draws=draws, seed=number)
        if self.kind in GIVEN:
            given = GIVEN[self.kind](generator, self.design.prompts, replace(parameters, scale=SCALE), rng)
            return {name: _tried(figure, np.nan) for name, figure in given.items()}
        study = a_study(self.design, generator, rng)
        if self.kind == PAPER:
            return {name: _tried(figure, np.nan) for name, figure in published_of(study, parameters).items()}
        figures, true = figures_of(study, parameters), true_of(study)
        return {name: _tried(figure, true.get(name, np.nan)) for name, figure in figures.items()}


class Kept:
    """A folder with what was tried: a file for each cell, a line for each study. Who goes on after an interruption
    tries what is not there; a line that was not written to its end goes.
    """

    def __init__(self, folder: Path, *, draws: int, seed: int) -> None:
        self.folder, self.asked = folder, {"draws": draws, "seed": seed}
        folder.mkdir(parents=True, exist_ok=True)

    def trials(self, cell: Cell) -> dict[int, dict[str, Tried]]:
        """By the study's number. Raises SystemExit where they were tried with other resamples or another seed."""
        file = self._file(cell)
        text = file.read_text() if file.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            file.write_text(whole)
        found: dict[int, dict[str, Tried]] = {}
        for line in whole.splitlines():
            row = json.loads(line)
            if {name: row[name] for name in self.asked} != self.asked:
                raise SystemExit(f"{file}: was tried with {row['draws']} resamples and seed {row['seed']}")
            found[row["study"]] = {name: Tried(*parts) for name, parts in row["figures"].items()}
        return found

    def add(self, cell: Cell, trials: Mapping[int, dict[str, Tried]]) -> None:
        lines = [
            json.dumps(
                {"study": number, **self.asked, "figures": {name: astuple(one) for name, one in found.items()}}
            )
            for number, found in trials.items()
        ]
        with self._file(cell).open("a") as out:
            out.write("".join(line + "\n" for line in lines))

    def true_of_all(self, cell: Cell, *, processes: int, populations: int | None = None) -> Mapping[str, float]:
        """What is true of everything that the cell's studies are drawn from: the mean over many populations."""
        asked = (cell.generator, cell.design.each, cell.kind, self.asked["seed"])
        usual = POPULATIONS_OF_GIVEN if cell.kind in GIVEN else POPULATIONS
        file = self.folder / f"true-{'-'.join(map(str, asked)).replace(' ', '-')}.json"
        if not file.exists():
            with ProcessPoolExecutor(processes, initializer=_once_for_all) as pool:
                found = pd.DataFrame(pool.map(partial(_true_of_one, *asked), range(populations or usual)))
            file.write_text(json.dumps(found.mean().to_dict()))
        true: dict[str, float] = json.loads(file.read_text())
        return true

    def _file(self, cell: Cell) -> Path:
        return self.folder / f"{cell.design}-{cell.generator.replace(' ', '-')}-{cell.kind}.jsonl"


def _tried(figure: Estimate, true: float) -> Tried:
    found, value = figure.interval, np.nan if figure.value is None else figure.value
    low, high = (
        (np.nan, np.nan) if found is None or found.low is None or found.high is None else (found.low, found.high)
    )
    return Tried(value, low, high, true)


def _true_of_one(name: str, each: int, kind: str, seed: int, number: int) -> dict[str, float]:
    generator, rng = GENERATORS[name], np.random.default_rng((seed, number))
    if kind in GIVEN:
        given = GIVEN[kind](generator, PROMPTS_OF_GIVEN, Parameters(draws=1, scale=SCALE), rng)
        return {name: figure.value for name, figure in given.items() if figure.value is not None}
    return true_of_population(generator, each, Parameters(mode=PAPER if kind == PAPER else "default"), rng)


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


def at_random(runs: int, seed: int = 2) -> bool:
    """W of judges who rank at random, and its p-value, 0 to 1."""
    rng = np.random.default_rng(seed)
    judges, objects = 10, 6
    studies = [rng.permuted(np.tile(np.arange(1.0, objects + 1), (judges, 1)), axis=1) for _ in range(runs)]
    ws = np.array([_value(kendall_w(ranks, tie_corrected=True)) for ranks in studies])
    found: FloatArray = np.array([_value(permutation_p(ranks, draws=199, rng=rng)) for ranks in studies])
    uniform = float(stats.kstest(found, stats.uniform(0, 1).cdf).pvalue)
    print(f"W of {judges} judges at random: mean {ws.mean():.4f}, to be expected 1/{judges}")
    print(f"p-values of the permutation test: uniform, Kolmogorov–Smirnov p = {uniform:.2f}")
    return bool(abs(ws.mean() - 1 / judges) < 3 * ws.std() / runs**0.5 and uniform > 0.01)


def _value(figure: Estimate) -> float:
    assert figure.value is not None
    return figure.value


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=2000, help="of each design and generator")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--draws", type=int, default=DEFAULTS.draws, help="resamples of each study")
    parser.add_argument("--designs", nargs="*", help="such as 9×15×5; by default all")
    parser.add_argument("--generators", nargs="*", default=list(GENERATORS))
    parser.add_argument("--kinds", nargs="*", default=list(DESIGNS_OF), choices=list(DESIGNS_OF))
    parser.add_argument("--kept", type=Path, default=Path(".local/coverage"), help="where what was tried is kept")
    parser.add_argument("--print", action="store_true", help="try nothing more: print the tables of what is kept")
    parser.add_argument("--brief", action="store_true", help="print the documentation's tables")
    return parser.parse_args()


def _once_for_all() -> None:
    """In each process: circular references, of which an analysis leaves few, are seldom looked for."""
    gc.set_threshold(500_000)
    pd.options.mode.string_storage = "python"


def try_all(cells: Sequence[Cell], kept: Kept, *, studies: int, processes: int) -> None:
    """All cells by turns, so that after an interruption each has as many studies as any other."""
    lacking = {cell: sorted(set(range(studies)) - set(kept.trials(cell))) for cell in cells}
    with ProcessPoolExecutor(processes, initializer=_once_for_all) as pool:
        while any(lacking.values()):
            for cell in cells:
                numbers, lacking[cell] = lacking[cell][:ROUND], lacking[cell][ROUND:]
                found = pool.map(partial(cell.trial, **kept.asked), numbers, chunksize=CHUNK)
                kept.add(cell, dict(zip(numbers, found, strict=True)))
            print(f"{studies - max(map(len, lacking.values()))} studies of each", file=sys.stderr, flush=True)


def main() -> None:
    asked, began, bad = arguments(), perf_counter(), 0
    cells = [
        Cell(design, generator, kind)
        for kind in asked.kinds
        for design in DESIGNS_OF[kind]
        for generator in asked.generators
        if asked.designs is None or str(design) in asked.designs
    ]
    kept = Kept(asked.kept, draws=asked.draws, seed=asked.seed)
    if not asked.print:
        try_all(cells, kept, studies=asked.studies, processes=asked.processes)
    found: dict[Cell, list[Coverage]] = {}
    if not asked.brief:
        print(
            "| design | generator | kind | studies | figure | true | has one | holds it | above | below | width |"
        )
        print("|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for cell in cells:
        trials = list(kept.trials(cell).values())
        of_all = kept.true_of_all(cell, processes=asked.processes) if trials else {}
        found[cell] = list(coverage(trials, of_all, cell)) if trials else []
        for one in found[cell]:
            if not asked.brief:
                print(printed(f"| {cell} | {len(trials)}", one), flush=True)
            bad += not one.is_good
    if asked.brief:
        print("\n".join(brief(found)))
    is_good = at_random(asked.studies)
    print(f"{bad} beyond what is asked; {perf_counter() - began:.0f} s")
    sys.exit(0 if not bad and is_good else 1)


if __name__ == "__main__":
    main()
