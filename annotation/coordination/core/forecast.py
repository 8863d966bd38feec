"""When the last piece of work will be done, as far as the pace so far can tell."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from annotation.platform.core.phrases import counted

MIN_PIECES: Final = 5  # pieces of work done, below which no pace can be told
MAX_DAYS: Final = 3650

_Floats = npt.NDArray[np.float64]

_SHAPES: Final[_Floats] = np.geomspace(0.5, 64, num=8)  # from "a few do nearly all" to "all work equally fast"
_SPREADS: Final[_Floats] = np.linspace(-2.5, 2.5, num=7)
_NEGLIGIBLE: Final = 6.0  # on the logarithmic scale: 1 to 400
_MIN_DAYS: Final = 1e-9


@dataclass(frozen=True)
class Pace:
    """How fast somebody went: `done` pieces in `days`, with `left` more to do.

    `days` is the time they had for the pieces done: until now, or until the last one where none is left.
    """

    person: str
    done: int
    left: int
    days: float


@dataclass(frozen=True)
class Forecast:
    """Days from now until the last piece is done: half the time within the median, 80 % between low and high."""

    median_days: float
    low_days: float
    high_days: float


@dataclass(frozen=True)
class Undefined:
    """No forecast; `reason` says why, for the person who asks."""

    reason: str


def forecast(paces: Sequence[Pace]) -> Forecast | Undefined:
    """Tell when all of `left` will be done, if everybody goes on as before and nobody takes over from another.

    Everybody's pieces are a Poisson process, with one rate per person for all times of day and week, and the rates
    are a sample from one gamma distribution with shape a and mean a / b. Given these, the rate of somebody with n
    pieces in t days is again gamma, with a + n and b + t (Gelman et al. 2013, Bayesian Data Analysis, section 2.6),
    so the time T until their m more are done is a compound gamma: T / (b + t) · (a + n) / m has the F distribution
    with 2 m and 2 (a + n) degrees of freedom (Dubey 1970, Compound gamma, beta and F distributions, Metrika 16).
    The last of all is the maximum over people: its distribution function is the product of theirs.

    a and a / b are not known either. They are averaged over a small grid, each pair weighed by how likely it makes
    all counts (negative binomial), with no preference on logarithmic scales: plugging in the likeliest pair would
    make the intervals too narrow. With one person alone, no preference for their rate is what remains: a = b = 0.

    Undefined before `MIN_PIECES` pieces are done, and where less than 90 of 100 cases end within `MAX_DAYS`.
    """
    left = [pace for pace in paces if pace.left]
    if not left:
        return Forecast(0.0, 0.0, 0.0)
    done = sum(pace.done for pace in paces)
    if done < MIN_PIECES:
        return Undefined(f"{counted(done, 'piece')} of work done so far; a forecast needs {MIN_PIECES}.")
    if not any(pace.days for pace in paces):
        return Undefined("No time has passed yet since the work was given out.")
    last = _LastPiece(left, _rates(paces))
    if last.chance_within(MAX_DAYS) <= 0.9:
        return Undefined("At this pace, the last piece may take more than ten years.")
    low = last.quantile(0.1, _MIN_DAYS, MAX_DAYS)
    high = last.quantile(0.9, low, MAX_DAYS)
    return Forecast(median_days=last.quantile(0.5, low, high), low_days=low, high_days=high)


def pace_per_day(paces: Sequence[Pace]) -> float:
    """Return how many pieces a person does on a day, on average. Somebody must have had time."""
    return sum(pace.done for pace in paces) / sum(pace.days for pace in paces)


class _Rates(NamedTuple):
    """Gamma distributions of people's rates: a (`shape`) and b (`days`) of `forecast`, with their weights."""

    shape: _Floats
    days: _Floats
    weight: _Floats


def _rates(paces: Sequence[Pace]) -> _Rates:
    if len(paces) == 1:
        return _Rates(np.zeros(1), np.zeros(1), np.ones(1))
    n = np.array([pace.done for pace in paces], dtype=float)
    t = np.array([pace.days for pace in paces])
    a = np.repeat(_SHAPES, _SPREADS.size)
    error = np.sqrt(1 / n.sum() + 1 / (n.size * a))  # of the logarithm of the mean rate
    b = a / pace_per_day(paces) / np.exp(error * np.tile(_SPREADS, _SHAPES.size))
    of_each = scipy.special.gammaln(np.add.outer(a, n)) - np.add.outer(a, n) * np.log(np.add.outer(b, t))
    # What is the same for all pairs is left out. A pair stands for a stretch of means as wide as the error.
    score = of_each.sum(axis=1) + n.size * (a * np.log(b) - scipy.special.gammaln(a)) + np.log(error)
    likely = score > score.max() - _NEGLIGIBLE
    weight = np.exp(score[likely] - score.max())
    return _Rates(a[likely], b[likely], weight / weight.sum())


class _LastPiece:
    """The time until everybody is done."""

    def __init__(self, paces: Sequence[Pace], rates: _Rates) -> None:
        alike = Counter((pace.left, pace.done, pace.days) for pace in paces)
        left, done, days = (np.array(column, dtype=float) for column in zip(*alike, strict=True))
        self._left = left
        self._shape = rates.shape[:, None] + done
        self._days = rates.days[:, None] + days
        self._people = np.array(list(alike.values()))
        self._weight = rates.weight

    def chance_within(self, days: float) -> float:
        # The incomplete beta function is the distribution function of the compound gamma.
        each = scipy.special.betainc(self._left, self._shape, days / (days + self._days))
        return float(self._weight @ np.prod(each**self._people, axis=1))

    def quantile(self, chance: float, shortest: float, longest: float) -> float:
        """Return the days within which all is done with this chance; they lie between the last two."""
        least, most = log(shortest), log(longest)
        return exp(scipy.optimize.brentq(lambda at: self.chance_within(exp(at)) - chance, least, most, xtol=1e-3))
