"""Whether the blinding held: what judges guessed of an answer's source, beside what it was.

Guesses are counted in tables of sources × guesses, one for each judge: rows are the true sources, human and model,
columns the guesses human, model and “don't know”, in that order.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import Final

import numpy as np
import pandas as pd

from analysis.core.intervals import with_t_interval
from analysis.core.judgment_frame import HUMAN, MODEL
from analysis.core.results import Estimate, FloatArray

SOURCES: Final = (HUMAN, MODEL)
GUESSES: Final = (HUMAN, MODEL, "unknown")
BOUNDS: Final = {"bang_human": (-1.0, 1.0), "bang_model": (-1.0, 1.0), "james": (0.0, 1.0)}
METHOD: Final = "t, jackknife over judges"
# James' weights: a right guess is no evidence of blinding, a wrong one is half of what not knowing is.
_WEIGHTS: Final = np.array([[0.0, 0.5], [0.5, 0.0]])


@dataclass(frozen=True, slots=True)
class BlindingIndices:
    """`bang` by true source, −1 (all guess wrong) to 1 (all guess right), 0 where guesses are as good as chance.
    `james` is 0 where all guess right, 1 where nobody knows, ½ where guesses are as good as chance. `n` counts
    guesses. Intervals leave out one judge at a time, since one judge's guesses are not independent of each other.
    """

    bang: tuple[Estimate, ...]
    james: Estimate


def guesses_by_judge(guesses: pd.DataFrame, answers: pd.DataFrame) -> FloatArray:
    """Judges × sources × guesses, from a study's tables. A deliberately weak answer is a model's.

    Guesses about answers that are not in the table of answers are left out.
    """
    arms = dict(zip(answers["response_id"], answers["arm"], strict=True))
    known = guesses[guesses["true_id"].isin(arms)]
    sources = [SOURCES.index(HUMAN if arms[answer] == HUMAN else MODEL) for answer in known["true_id"]]
    judges, names = pd.factorize(known["judge_id"], sort=True)
    counts = np.zeros((len(names), len(SOURCES), len(GUESSES)))
    guessed = [GUESSES.index(guess) for guess in known["guess"]]
    np.add.at(counts, (judges, np.array(sources, dtype=int), np.array(guessed, dtype=int)), 1)
    return counts


def blinding_indices(counts: FloatArray, *, level: float = 0.95) -> BlindingIndices:
    """Both indices of judges × sources × guesses."""
    return BlindingIndices(
        bang=tuple(_with_interval(partial(_bang, source=source), counts, level) for source in range(len(SOURCES))),
        james=_with_interval(_james, counts, level),
    )


def _bang(counts: FloatArray, *, source: int) -> Estimate:
    """(right − wrong) / all (Bang, Ni & Davis 2004, Controlled Clinical Trials 25: 143–156)."""
    row = counts[source]
    name, n = f"bang_{SOURCES[source]}", round(float(row.sum()))
    if n == 0:
        return Estimate(name, None, 0, reason="nobody guessed about such answers")
    return Estimate(name, float((row[source] - row[1 - source]) / n), n)


def _james(counts: FloatArray) -> Estimate:
    """(1 + P_DK + (1 − P_DK)·K) / 2, where K compares the disagreement of guesses with the truth, among those who
    guessed, with what chance would bring (James et al. 1996, Statistics in Medicine 15: 1421–1434).

    With A the weighted share of guesses that disagree and B what that would be by chance, it is P_DK + A(1 −
    P_DK)²/2B.
    """
    n = round(float(counts.sum()))
    if (counts.sum(axis=1) == 0).any():
        return Estimate("james", None, n, reason="only one kind of source was guessed about")
    shares = counts / n
    unknown, guessed = float(shares[:, 2].sum()), shares[:, :2]
    if unknown == 1:
        return Estimate("james", 1.0, n)
    by_chance = float(guessed.sum(axis=1) @ _WEIGHTS @ guessed.sum(axis=0))
    if by_chance == 0:
        return Estimate("james", None, n, reason="all guesses are the same, about one kind of source")
    disagree = float((_WEIGHTS * guessed).sum())
    return Estimate("james", unknown + disagree * (1 - unknown) ** 2 / (2 * by_chance), n)


def _with_interval(index: Callable[[FloatArray], Estimate], counts: FloatArray, level: float) -> Estimate:
    """Of all judges together, with the error of the jackknife (Efron & Stein 1981, Annals of Statistics 9:
    586–596).
    """
    total = counts.sum(axis=0)
    found, judges = index(total), len(counts)
    without = [index(total - own).value for own in counts]
    values = [value for value in without if value is not None]
    se = Estimate(f"{found.name}_se", None, judges, reason="undefined without one of the judges")
    if judges < 2:
        se = replace(se, reason="fewer than two judges guessed")
    elif len(values) == judges:
        se = replace(se, value=sqrt((judges - 1) * np.var(values)), reason=None)
    return with_t_interval(found, se, judges - 1, level=level, method=METHOD, bounds=BOUNDS[found.name])
