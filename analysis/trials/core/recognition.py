"""Whether judges recognised the framework behind an answer: the blinding of conditions."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.results import Estimate
from analysis.data.core.trials import UNKNOWN, TrialDesign, Trials
from analysis.trials.core.score_table import with_jackknife
from analysis.uncertainty.core.judgment_arrays import BoolArray

EVERY: Final = "every condition"
METHOD: Final = "t of the jackknife over judges"


@dataclass(frozen=True, slots=True)
class Recognised:
    """Of guesses about answers under a condition, or EVERY one: the share that is right, and that of not knowing.

    `index` is Bang’s for several sources: (right − wrong / (k − 1)) / n among k conditions, 0 by chance and 1 where
    all are right; not knowing counts as chance. `taken_for` is the commonest wrong guess, "" where there is none.
    """

    condition: str
    right: Estimate
    unknown: Estimate
    index: Estimate
    taken_for: str


def recognised(trials: Trials, design: TrialDesign, level: float) -> Iterator[Recognised]:
    """EVERY condition first; nothing where nobody guessed."""
    guesses = trials.guesses
    if guesses.empty:
        return
    named = [name for name in dict.fromkeys(trials.frame["condition"]) if name not in design.controls]
    yield _recognised(EVERY, guesses, len(named), level)
    for name in named:
        if (rows := guesses[guesses["condition"] == name]).size:
            yield _recognised(name, rows, len(named), level)


def _recognised(name: str, rows: pd.DataFrame, conditions: int, level: float) -> Recognised:
    right = (rows["guess"] == rows["condition"]).to_numpy(dtype=float)
    unknown = (rows["guess"] == UNKNOWN).to_numpy(dtype=float)
    wrong = 1 - right - unknown
    judges = pd.factorize(rows["judge"], sort=True)[0].astype(np.intp)
    n = len(rows)

    def index(kept: BoolArray) -> float:
        if not kept.any():
            return float("nan")
        return float(right[kept].mean() - wrong[kept].mean() / max(conditions - 1, 1))

    taken = Counter(rows["guess"][wrong > 0])
    return Recognised(
        name,
        Estimate("right", float(right.mean()), n),
        Estimate("unknown", float(unknown.mean()), n),
        with_jackknife("index", index, judges, n=n, level=level, is_difference=True, method=METHOD),
        min(taken, key=lambda each: (-taken[each], each)) if taken else "",
    )
