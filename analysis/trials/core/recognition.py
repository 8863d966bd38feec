"""Whether judges recognised the framework behind an answer: the blinding of conditions."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.results import Estimate
from analysis.data.core.trials import UNKNOWN, TrialDesign, Trials
from analysis.uncertainty.core.intervals import with_t_interval

EVERY: Final = "every condition"
METHOD: Final = "t of the jackknife over judges"


@dataclass(frozen=True, slots=True)
class Recognised:
    """Results of guesses about answers under a condition, or EVERY one: the share that is right, and that of not
    knowing.

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

    # Of each judge the guesses, and what they add to the index.
    numbers = np.bincount(judges).astype(float)
    worth = np.bincount(judges, right - wrong / max(conditions - 1, 1))
    index = float(worth.sum() / n)
    se = Estimate("index_se", None, numbers.size, reason="fewer than two judges guessed")
    if numbers.size > 1:
        without = (worth.sum() - worth) / (n - numbers)
        error = sqrt((numbers.size - 1) * float(np.var(without)))
        se = Estimate("index_se", error, numbers.size)
    taken = Counter(rows["guess"][wrong > 0])
    return Recognised(
        name,
        Estimate("right", float(right.mean()), n),
        Estimate("unknown", float(unknown.mean()), n),
        with_t_interval(
            Estimate("index", index, n),
            se,
            numbers.size - 1,
            level=level,
            method=METHOD,
            bounds=(-1 / max(conditions - 1, 1), 1.0),
        ),
        min(taken, key=lambda each: (-taken[each], each)) if taken else "",
    )
