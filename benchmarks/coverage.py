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
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
from scipy import stats

from analysis.agreement.core.concordance import kendall_w, permutation_p
from analysis.data.core.parameters import DEFAULTS
from analysis.data.core.results import Estimate, FloatArray
from benchmarks.intervals.coverage_cells import DESIGNS_OF, GIVEN, POPULATIONS_OF_GIVEN, Cell, Tried, true_of_one
from benchmarks.intervals.coverage_table import Coverage, brief, coverage, printed
from benchmarks.intervals.simulated_studies import GENERATORS
from benchmarks.intervals.tried_figures import (
    POPULATIONS,
)

ROUND, CHUNK = 40, 20  # studies of a cell until the next one has its turn; of a process at once


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
                found = pd.DataFrame(pool.map(partial(true_of_one, *asked), range(populations or usual)))
            file.write_text(json.dumps(found.mean().to_dict()))
        true: dict[str, float] = json.loads(file.read_text())
        return true

    def _file(self, cell: Cell) -> Path:
        return self.folder / f"{cell.design}-{cell.generator.replace(' ', '-')}-{cell.kind}.jsonl"


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
