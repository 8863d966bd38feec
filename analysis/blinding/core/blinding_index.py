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

from analysis.data.core.judgment_frame import HUMAN, MODEL
from analysis.data.core.results import Estimate, FloatArray
from analysis.uncertainty.core.intervals import with_t_interval

SOURCES: Final = (HUMAN, MODEL)
GUESSES: Final = (HUMAN, MODEL, "unknown")
MAX_CONFIDENCE: Final = 5  # of confidences, which begin with 1, a pure guess
BANG: Final = (-1.0, 1.0)
JAMES: Final = (0.0, 1.0)
METHOD: Final = "t, jackknife over judges"
# James' weights: a right guess is no evidence of blinding, a wrong one is half of what not knowing is.
_WEIGHTS: Final = np.array([[0.0, 0.5], [0.5, 0.0]])


@dataclass(frozen=True, slots=True)
class BlindingIndices:
    """`bang` by true source, −1 (all guess wrong) to 1 (all guess right), 0 where guesses are as good as chance.
    `bang_by_confidence` lets a guess count as much as the judge was sure of it, from 0 for a pure guess, as for not
    knowing, to 1. `james` is 0 where all guess right, 1 where nobody knows, ½ where guesses are as good as chance.
    `n` counts guesses. Intervals leave out one judge at a time, since one judge's guesses are not independent of
    each other.
    """

    bang: tuple[Estimate, ...]
    bang_by_confidence: tuple[Estimate, ...]
    james: Estimate


@dataclass(frozen=True)
class Guesses:
    """Judges × sources × guesses: how many there are, and the sums of how sure the judge was of them, 0 to 1."""

    counts: FloatArray
    sureness: FloatArray


def guesses_by_judge(guesses: pd.DataFrame, answers: pd.DataFrame) -> Guesses:
    """Guesses by judge, from a study's tables. A deliberately weak answer is a model's.

    Guesses about answers that are not in the table of answers, and guesses of conditions, are left out; without a
    confidence, as those of not knowing are, a guess is a pure one.
    """
    arms = dict(zip(answers["response_id"], answers["arm"], strict=True))
    known = guesses[guesses["true_id"].isin(arms) & guesses["guess"].isin(GUESSES)]
    sources = [SOURCES.index(HUMAN if arms[answer] == HUMAN else MODEL) for answer in known["true_id"]]
    judges, names = pd.factorize(known["judge_id"], sort=True)
    guessed = [GUESSES.index(guess) for guess in known["guess"]]
    sure = (known["confidence"].fillna(1).to_numpy(dtype=float) - 1) / (MAX_CONFIDENCE - 1)
    tables = np.zeros((2, len(names), len(SOURCES), len(GUESSES)))
    cells = (judges, np.array(sources, dtype=int), np.array(guessed, dtype=int))
    np.add.at(tables[0], cells, 1)
    np.add.at(tables[1], cells, sure)
    return Guesses(*tables)


def blinding_indices(guesses: Guesses, *, level: float = 0.95) -> BlindingIndices:
    counted = np.stack([guesses.counts, guesses.counts], axis=1)
    by_confidence = np.stack([guesses.counts, guesses.sureness], axis=1)

    def bang(name: str, tables: FloatArray) -> tuple[Estimate, ...]:
        indices = [partial(_bang, name=f"{name}_{of}", source=source) for source, of in enumerate(SOURCES)]
        return tuple(_with_interval(index, tables, level, BANG) for index in indices)

    return BlindingIndices(
        bang=bang("bang", counted),
        bang_by_confidence=bang("bang_by_confidence", by_confidence),
        james=_with_interval(_james, guesses.counts, level, JAMES),
    )


def _bang(tables: FloatArray, *, name: str, source: int) -> Estimate:
    """(right − wrong) / all, from the counts of guesses and what each of them weighs together (Bang, Ni & Davis
    2004, Controlled Clinical Trials 25: 143–156).
    """
    counts, weights = tables[:, source]
    n = round(float(counts.sum()))
    if n == 0:
        return Estimate(name, None, 0, reason="nobody guessed about such answers")
    return Estimate(name, float((weights[source] - weights[1 - source]) / n), n)


def _james(counts: FloatArray) -> Estimate:
    """(1 + P_DK + (1 − P_DK)·K) / 2, where K compares the disagreement of guesses with the truth, among those who
    guessed, with what chance would bring (James et al. 1996, Statistics in Medicine 15: 1421–1434).

    With A the weighted share of guesses that disagree and B what that would be by chance, it is P_DK + A(1 −
    P_DK)²/2B.
    """
    n = round(float(counts.sum()))
    if n == 0:
        return Estimate("james", None, 0, reason="nobody guessed")
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


def _with_interval(
    index: Callable[[FloatArray], Estimate], counts: FloatArray, level: float, bounds: tuple[float, float]
) -> Estimate:
    """The index of all judges together, with the error of the jackknife (Efron & Stein 1981, Annals of Statistics
    9: 586–596).
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
    return with_t_interval(found, se, judges - 1, level=level, method=METHOD, bounds=bounds)
