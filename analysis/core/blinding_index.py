"""Whether the blinding held: what judges guessed of an answer's source, beside what it was.

Guesses are counted in a table of sources × guesses: rows are the true sources, human and model, columns the guesses
human, model and “don't know”, in that order.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import stats

from analysis.core.results import Estimate, FloatArray, Interval

SOURCES: Final = ("human", "model")
GUESSES: Final = ("human", "model", "unknown")
# James' weights: a right guess is no evidence of blinding, a wrong one is half of what not knowing is.
_WEIGHTS: Final = np.array([[0.0, 0.5], [0.5, 0.0]])


@dataclass(frozen=True, slots=True)
class BlindingIndices:
    """`bang` by true source, −1 (all guess wrong) to 1 (all guess right), 0 where guesses are as good as chance.
    `james` is 0 where all guess right, 1 where nobody knows, ½ where guesses are as good as chance. `n` counts
    guesses.

    Intervals take guesses as independent, which a judge's several guesses are not quite.
    """

    bang: tuple[Estimate, ...]
    james: Estimate


def blinding_indices(counts: FloatArray, *, level: float = 0.95) -> BlindingIndices:
    """Both indices of a table of counts, sources × guesses."""
    return BlindingIndices(
        bang=tuple(_bang(row, source, level) for source, row in enumerate(counts)), james=_james(counts, level)
    )


def _bang(row: FloatArray, source: int, level: float) -> Estimate:
    """(right − wrong) / all, with the variance of a multinomial (Bang, Ni & Davis 2004, Controlled Clinical Trials
    25: 143–156).
    """
    name, n = f"bang_{SOURCES[source]}", round(float(row.sum()))
    if n == 0:
        return Estimate(name, None, 0, reason="nobody guessed about such answers")
    right, wrong = row[source] / n, row[1 - source] / n
    variance = (right * (1 - right) + wrong * (1 - wrong) + 2 * right * wrong) / n
    return Estimate(name, float(right - wrong), n, interval=_normal(right - wrong, variance, level))


def _james(counts: FloatArray, level: float) -> Estimate:
    """(1 + P_DK + (1 − P_DK)·K) / 2, where K compares the disagreement of guesses with the truth, among those who
    guessed, with what chance would bring (James et al. 1996, Statistics in Medicine 15: 1421–1434).

    With A the weighted share of guesses that disagree and B what that would be by chance, it is P_DK + A(1 −
    P_DK)²/2B; the variance is that of the multinomial, by the delta method.
    """
    n = round(float(counts.sum()))
    if (counts.sum(axis=1) == 0).any():
        return Estimate("james", None, n, reason="only one kind of source was guessed about")
    shares = counts / n
    unknown, guessed = float(shares[:, 2].sum()), shares[:, :2]
    if unknown == 1:
        return Estimate("james", 1.0, n, interval=_no_interval("nobody guessed", level))
    by_source, by_guess = guessed.sum(axis=1), guessed.sum(axis=0)
    disagree = float((_WEIGHTS * guessed).sum())
    by_chance = float(by_source @ _WEIGHTS @ by_guess)
    if by_chance == 0:
        return Estimate("james", None, n, reason="all guesses are the same, about one kind of source")
    index = unknown + disagree * (1 - unknown) ** 2 / (2 * by_chance)
    slope_of_chance = (_WEIGHTS @ by_guess)[:, None] + (_WEIGHTS.T @ by_source)[None, :]
    slopes = np.empty_like(shares)
    slopes[:, :2] = (1 - unknown) ** 2 / (2 * by_chance) * (_WEIGHTS - disagree / by_chance * slope_of_chance)
    slopes[:, 2] = 1 - disagree * (1 - unknown) / by_chance
    variance = ((shares * slopes**2).sum() - (shares * slopes).sum() ** 2) / n
    return Estimate("james", index, n, interval=_normal(index, variance, level))


def _normal(value: float, variance: float, level: float) -> Interval:
    if variance <= 0:
        return _no_interval("everybody guessed alike", level)
    reach = stats.norm.ppf((1 + level) / 2) * variance**0.5
    return Interval(float(value - reach), float(value + reach), level, "normal approximation")


def _no_interval(reason: str, level: float) -> Interval:
    return Interval(None, None, level, "normal approximation", reason=reason)
