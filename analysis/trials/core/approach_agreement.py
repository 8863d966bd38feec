"""How far evaluators agree when asked in one way, and which way of asking they agree in most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.agreement.core.categories import coefficient_estimate
from analysis.agreement.core.intraclass import RaterPairs, coefficients
from analysis.agreement.core.krippendorff import alpha_of_ratings
from analysis.data.core.results import Estimate, FloatArray
from analysis.trials.core.evaluator_pairs import (
    TOO_FEW_EVALUATORS,
    mean_correlation,
    mean_polychoric,
    pairs,
    why_undefined,
)
from analysis.trials.core.score_table import (
    MEAN,
    METHOD,
    THREE_BANDS,
    TWO_BANDS,
    ScoreTable,
    banded,
    with_jackknife,
)
from analysis.uncertainty.core.intervals import CORRELATION, of_correlation, of_differences, of_reliability
from analysis.uncertainty.core.judgment_arrays import BoolArray
from annotation.platform.core.category_agreement import category_agreement

EACH_FLAT: Final = "every evaluator gave one value to all"
NOTHING_VARIES: Final = "neither answers nor evaluators differ in the mean"
AS_GIVEN, THREE, TWO = "", "three bands", "two bands"


@dataclass(frozen=True, slots=True)
class Without:
    """The mean correlations without one evaluator."""

    evaluator: str
    pearson: Estimate
    spearman: Estimate


@dataclass(frozen=True, slots=True)
class MeasureAgreement:
    """Agreement on one measure of an approach. The correlations are means over pairs of evaluators (`n`), α is of
    all ratings, and intraclass correlations are of the answers that all evaluators scored.

    With any undefined pair the correlations are “not assessable”: never the mean of the rest. `prevalence` is the
    share of the commonest category (or band), on which share, AC1 and AC2 depend, for which also those count that
    evaluators could have chosen and nobody did; polychoric r is descriptive.
    """

    approach: str
    measure: str
    pearson: Estimate
    spearman: Estimate
    polychoric: Estimate
    alpha_ordinal: Estimate
    icc_random: Estimate
    icc_fixed: Estimate
    prevalence: Estimate
    share: Estimate
    ac1: Estimate
    ac2: Estimate
    without: tuple[Without, ...]


@dataclass(frozen=True, slots=True)
class Yardstick:
    """An approach, or points put into bands, on what all of them have: Spearman's r and ordinal α of the overall
    score, and how far its r lies behind the highest.
    """

    approach: str
    bands: str
    spearman: Estimate
    alpha_ordinal: Estimate
    behind_best: Estimate


def measure_agreement(table: ScoreTable, measure: str, level: float) -> MeasureAgreement:
    scores = table.scores[measure]
    categories = table.categorised(measure)
    prevalence, share, ac1, ac2 = _on_categories(table, categories, level)
    return MeasureAgreement(
        table.approach,
        measure,
        pearson=_correlation("pearson", table, scores, level),
        spearman=_correlation("spearman", table, scores, level),
        polychoric=_polychoric(categories),
        alpha_ordinal=_alpha(table, scores, level),
        icc_random=_intraclass("icc_random", "random", table, scores, level),
        icc_fixed=_intraclass("icc_fixed", "fixed", table, scores, level),
        prevalence=prevalence,
        share=share,
        ac1=ac1,
        ac2=ac2,
        without=tuple(_without_each(table, scores)),
    )


def yardsticks(tables: Sequence[ScoreTable], level: float) -> tuple[Yardstick, ...]:
    """Every approach, points in bands too; what cannot be assessed last, else the best first. The best of several
    is optimistic, which is why the others’ distance from it has an interval.
    """
    found = []
    for table in tables:
        scores = table.scores[MEAN]
        found.append((table, AS_GIVEN, scores))
        if table.has_points:
            found += [(table, THREE, banded(scores, THREE_BANDS)), (table, TWO, banded(scores, TWO_BANDS))]
    known = [
        (table, bands, scores, _correlation("spearman", table, scores, level)) for table, bands, scores in found
    ]
    known.sort(key=lambda each: -np.inf if each[3].value is None else each[3].value, reverse=True)
    if not known:
        return ()
    _, _, best, best_r = known[0]
    return tuple(
        Yardstick(
            table.approach,
            bands,
            r,
            _alpha(table, scores, level),
            _behind(table, (best, best_r), (scores, r), level),
        )
        for table, bands, scores, r in known
    )


def _behind(
    table: ScoreTable, best: tuple[FloatArray, Estimate], other: tuple[FloatArray, Estimate], level: float
) -> Estimate:
    """How far the other scores’ r lies behind the best, both with their r."""
    name = "behind_best"
    (first, best_r), (second, r) = best, other
    if best_r.value is None or r.value is None:
        return Estimate(name, None, 0, reason=r.reason or best_r.reason)
    if first is second:
        return Estimate(name, None, r.n, reason="it is the best itself")
    return with_jackknife(
        name,
        lambda kept: mean_correlation(first[:, kept], "spearman") - mean_correlation(second[:, kept], "spearman"),
        table.clusters,
        n=r.n,
        level=level,
        bounds=of_differences(CORRELATION),
    )


def _correlation(kind: str, table: ScoreTable, scores: FloatArray, level: float) -> Estimate:
    found = pairs(scores, table.evaluators)
    if reason := why_undefined(found):
        left_out = sum(bool(each.reason) for each in found)
        return Estimate(kind, None, len(found) - left_out, left_out, reason)
    return with_jackknife(
        kind,
        lambda kept: mean_correlation(scores[:, kept], kind),
        table.clusters,
        n=len(found),
        level=level,
        bounds=of_correlation(len(scores), mean_correlation(scores, kind)),
        is_of_squares=True,
    )


def _without_each(table: ScoreTable, scores: FloatArray) -> Iterator[Without]:
    for place, name in enumerate(table.evaluators):
        rest = np.delete(scores, place, axis=0)
        found = pairs(rest, table.evaluators[:place] + table.evaluators[place + 1 :])
        reason = why_undefined(found) or None
        pearson, spearman = (
            Estimate(kind, None if reason else mean_correlation(rest, kind), len(found), reason=reason)
            for kind in ("pearson", "spearman")
        )
        yield Without(name, pearson, spearman)


def _polychoric(categories: FloatArray) -> Estimate:
    value, used, others = mean_polychoric(categories)
    if not used:
        alone = "in no pair both used two categories at least five times"
        reason = alone if others else TOO_FEW_EVALUATORS
        return Estimate("polychoric", None, 0, others, reason)
    return Estimate("polychoric", value, used, others)


def _alpha(table: ScoreTable, scores: FloatArray, level: float) -> Estimate:
    def alpha(kept: BoolArray) -> Estimate:
        rated = scores[:, kept]
        places, known = np.broadcast_to(np.arange(rated.shape[1]), rated.shape), ~np.isnan(rated)
        return alpha_of_ratings(rated[known], places[known], number=rated.shape[1], level="ordinal")

    whole = alpha(np.ones(table.clusters.size, dtype=bool))
    if whole.value is None:
        return whole

    def value(kept: BoolArray) -> float:
        found = alpha(kept).value
        return float("nan") if found is None else found

    bounds = of_reliability(len(scores), whole.value)
    return with_jackknife(
        "alpha_ordinal", value, table.clusters, n=whole.n, level=level, bounds=bounds, is_of_squares=True
    )


def _intraclass(name: str, coefficient: str, table: ScoreTable, scores: FloatArray, level: float) -> Estimate:
    """ICC(2,1), the `coefficient` “random”, or ICC(3,1), “fixed”, over the answers that all evaluators scored."""
    complete: BoolArray = np.asarray((~np.isnan(scores)).all(axis=0))

    def icc(kept: BoolArray) -> float:
        components = RaterPairs.of(scores[None][:, :, kept & complete]).components(np.ones((1, len(scores))))
        return float(coefficients(components, np.ones(1), raters=max(len(scores), 1))[coefficient])

    n = int(complete.sum())
    if np.isnan(found := icc(complete)):
        return Estimate(name, None, n, reason=_why_no_intraclass(scores[:, complete]))
    bounds = of_reliability(len(scores), found)
    return with_jackknife(name, icc, table.clusters, n=n, level=level, bounds=bounds, is_of_squares=True)


def _why_no_intraclass(complete: FloatArray) -> str:
    """Of evaluators × answers that all of them scored."""
    if len(complete) < 2:
        return TOO_FEW_EVALUATORS
    if complete.shape[1] < 2:
        return f"fewer than two answers that all evaluators scored: {complete.shape[1]}"
    return EACH_FLAT if (complete == complete[:, :1]).all() else NOTHING_VARIES


def _on_categories(
    table: ScoreTable, categories: FloatArray, level: float
) -> tuple[Estimate, Estimate, Estimate, Estimate]:
    """Prevalence, share of equal ratings, AC1 and AC2."""
    raters, answers = np.nonzero(~np.isnan(categories))
    values = categories[raters, answers]
    clusters = table.clusters[answers].tolist()
    found = category_agreement(
        values.tolist(), answers.tolist(), raters.tolist(), clusters, offered=table.categories
    )
    share, ac1, ac2 = (
        coefficient_estimate(name, each, n=found.n, level=level, method=METHOD, cluster="scenario")
        for name, each in (("share", found.share), ("ac1", found.ac1), ("ac2", found.ac2))
    )
    if not values.size:
        return Estimate("prevalence", None, 0, reason="no scores"), share, ac1, ac2
    most = float(np.unique(values, return_counts=True)[1].max() / values.size)
    return Estimate("prevalence", most, int(values.size)), share, ac1, ac2
