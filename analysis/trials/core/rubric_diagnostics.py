"""How evaluators use the rubric: dimensions together, bands, severity, and what length has to do with scores."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from scipy import stats

from analysis.data.core.results import Estimate, FloatArray
from analysis.trials.core.evaluator_pairs import MIN_ANSWERS, TOO_FEW_EVALUATORS
from analysis.trials.core.score_table import MEAN, ScoreTable, means_of, with_jackknife
from analysis.uncertainty.core.intervals import of_differences
from analysis.uncertainty.core.judgment_arrays import BoolArray

RATINGS, CONSENSUS = "ratings", "consensus"
TOO_FEW: Final = "fewer than three have all dimensions"
TOO_FEW_LENGTHS: Final = "fewer than three answers have both a length and a score"
NO_LENGTHS: Final = "the texts’ lengths are not known"


@dataclass(frozen=True, slots=True)
class Link:
    """Pearson’s r of two dimensions in an approach, over RATINGS, or over the means of evaluators (CONSENSUS)."""

    approach: str
    over: str
    one: str
    other: str
    r: Estimate


@dataclass(frozen=True, slots=True)
class Component:
    """The share of variance of a component of the correlation matrix of an approach’s dimensions, “component 1”
    being the largest.
    """

    approach: str
    over: str
    component: str
    share: Estimate


@dataclass(frozen=True, slots=True)
class BandShare:
    """The share of ratings on a dimension that lie in a band (of points), or are of a category."""

    approach: str
    dimension: str
    band: str
    share: Estimate


@dataclass(frozen=True, slots=True)
class Severity:
    """How far an evaluator’s overall scores lie above the mean of the others, on the approach’s own scale, over the
    answers that all of them scored; below 0 for a severe one.
    """

    approach: str
    evaluator: str
    above: Estimate


@dataclass(frozen=True, slots=True)
class Length:
    """Spearman’s r of the mean score on a measure with the number of words."""

    approach: str
    measure: str
    r: Estimate


def links(table: ScoreTable, level: float) -> Iterator[Link]:
    for over, values in _observations(table).items():
        for one, other in combinations(range(len(table.dimensions)), 2):
            names = table.dimensions[one], table.dimensions[other]
            found = _estimate(table, values[[one, other]], _correlation, "r", level, names=names)
            yield Link(table.approach, over, *names, found)


def components(table: ScoreTable, level: float) -> Iterator[Component]:
    if len(table.dimensions) < 2:
        return
    for over, values in _observations(table).items():
        for number in range(len(table.dimensions)):

            def share(rated: FloatArray, place: int = number) -> float:
                return float(_shares(rated)[place])

            yield Component(
                table.approach,
                over,
                f"component {number + 1}",
                _estimate(table, values, share, "share", level, names=table.dimensions, is_share=True),
            )


def band_shares(table: ScoreTable) -> Iterator[BandShare]:
    for dimension in table.dimensions:
        scores = table.scores[dimension]
        known = table.categorised(dimension)[~np.isnan(scores)]
        names = table.categories
        for value in sorted({*names, *known.tolist()}):
            share = (
                Estimate("share", float((known == value).mean()), known.size)
                if known.size
                else Estimate("share", None, 0, reason="no scores")
            )
            yield BandShare(table.approach, dimension, names.get(value, f"{value:g}"), share)


def severities(table: ScoreTable, level: float) -> Iterator[Severity]:
    scores = table.scores[MEAN]
    complete = ~np.isnan(scores).any(axis=0)
    for place, name in enumerate(table.evaluators):

        def above(kept: BoolArray, place: int = place) -> float:
            rated = scores[:, kept & complete]
            if not rated.shape[1]:
                return float("nan")
            return float((rated[place] - np.delete(rated, place, axis=0).mean(axis=0)).mean())

        if len(scores) < 2 or not complete.any():
            reason = TOO_FEW_EVALUATORS if len(scores) < 2 else "no answer that all evaluators scored"
            yield Severity(table.approach, name, Estimate("above", None, 0, reason=reason))
            continue
        n, bounds = int(complete.sum()), of_differences(table.scale.ends)
        found = with_jackknife("above", above, table.clusters, n=n, level=level, bounds=bounds)
        yield Severity(table.approach, name, found)


def lengths(table: ScoreTable, level: float) -> Iterator[Length]:
    words = table.answers["words"].to_numpy(dtype=float)
    for measure, scores in table.scores.items():
        if np.isnan(words).all():
            yield Length(table.approach, measure, Estimate("r", None, 0, reason=NO_LENGTHS))
        else:
            both = np.array([words, means_of(scores)])[:, None, :]
            names = "the number of words", "the mean score"
            found = _estimate(table, both, _rank_correlation, "r", level, names=names, too_few=TOO_FEW_LENGTHS)
            yield Length(table.approach, measure, found)


def _observations(table: ScoreTable) -> dict[str, FloatArray]:
    """Dimensions × evaluators × answers; of the consensus there is one evaluator, the mean of all."""
    rated = np.array([table.scores[each] for each in table.dimensions])
    return {RATINGS: rated, CONSENSUS: np.array([means_of(each) for each in rated])[:, None, :]}


def _estimate(
    table: ScoreTable,
    values: FloatArray,
    compute: Callable[[FloatArray], float],
    name: str,
    level: float,
    *,
    names: Sequence[str],
    too_few: str = TOO_FEW,
    is_share: bool = False,
) -> Estimate:
    """What is computed of `values`, each of which has a name."""

    def of(kept: BoolArray) -> float:
        rated = values[:, :, kept].reshape(len(values), -1)
        return compute(rated[:, ~np.isnan(rated).any(axis=0)])

    n = int((~np.isnan(values).any(axis=0)).sum())
    whole = of(np.ones(table.clusters.size, dtype=bool))
    if np.isnan(whole):
        return Estimate(name, None, n, reason=_why_none(values, names, too_few))
    if is_share:  # of so few components that an interval would tell nothing beside that of r
        return Estimate(name, whole, n)
    return with_jackknife(name, of, table.clusters, n=n, level=level, is_of_squares=True)


def _why_none(values: FloatArray, names: Sequence[str], too_few: str) -> str:
    rows = values.reshape(len(values), -1)
    rated = rows[:, ~np.isnan(rows).any(axis=0)]
    if rated.shape[1] < MIN_ANSWERS:
        return f"{too_few}: {rated.shape[1]}"
    flat = [name for name, is_flat in zip(names, (rated == rated[:, :1]).all(axis=1), strict=True) if is_flat]
    return f"{flat[0]} has one value throughout"


def _correlation(rated: FloatArray) -> float:
    return float(_matrix(rated)[0, 1])


def _rank_correlation(rated: FloatArray) -> float:
    return _correlation(np.asarray(stats.rankdata(rated, axis=1))) if rated.shape[1] else float("nan")


def _shares(rated: FloatArray) -> FloatArray:
    matrix = _matrix(rated)
    if np.isnan(matrix).any():
        return np.full(len(rated), np.nan)
    return np.asarray(np.linalg.eigvalsh(matrix)[::-1] / len(rated))


def _matrix(rated: FloatArray) -> FloatArray:
    if rated.shape[1] < MIN_ANSWERS or (rated == rated[:, :1]).all(axis=1).any():
        return np.full((len(rated), len(rated)), np.nan)
    return np.asarray(np.corrcoef(rated))
