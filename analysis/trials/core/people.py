"""How near evaluators that are models come to people who judged the same answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.data.core.results import Estimate, FloatArray
from analysis.trials.core.evaluator_pairs import mean_correlation, pairs
from analysis.trials.core.score_table import ScoreTable, means_of, with_jackknife
from analysis.uncertainty.core.intervals import of_differences

ALL: Final = "all models"


@dataclass(frozen=True, slots=True)
class BesidePeople:
    """An evaluator, or the mean of all of them, against the mean of people on a measure of an approach: Spearman’s
    r over the answers that both scored and, on points, by how many the evaluator’s scores lie above people’s.
    """

    approach: str
    measure: str
    evaluator: str
    spearman: Estimate
    above: Estimate


def beside_people(people: ScoreTable, models: Sequence[ScoreTable], level: float) -> Iterator[BesidePeople]:
    """Tables have the same answers in the same places; measures that only one of them has are left out."""
    for table in models:
        for measure in table.scores:
            if measure in people.scores:
                of_people = means_of(people.scores[measure])
                rows = {ALL: means_of(table.scores[measure])}
                rows |= dict(zip(table.evaluators, table.scores[measure], strict=True))
                for name, scores in rows.items():
                    yield _beside(table, measure, name, np.array([scores, of_people]), level)


def _beside(table: ScoreTable, measure: str, name: str, both: FloatArray, level: float) -> BesidePeople:
    [pair] = pairs(both, (name, "people"))
    place = (table.approach, measure, name)
    on_points = "" if table.has_points else "the approach is not in points"
    if pair.reason:
        spearman = Estimate("spearman", None, pair.n, reason=pair.reason)
    else:
        spearman = with_jackknife(
            *("spearman", lambda kept: mean_correlation(both[:, kept], "spearman"), table.clusters),
            n=pair.n,
            level=level,
            is_of_squares=True,
        )
    # How far the ones score above the others is known of one answer, and where nothing varies.
    if on_points or not _any(both):
        return BesidePeople(*place, spearman, Estimate("above", None, pair.n, reason=on_points or pair.reason))
    above = with_jackknife(
        "above",
        lambda kept: float(np.nanmean(both[0, kept] - both[1, kept])) if _any(both[:, kept]) else float("nan"),
        table.clusters,
        n=pair.n,
        level=level,
        bounds=of_differences(table.scale.ends),
    )
    return BesidePeople(*place, spearman, above)


def _any(both: FloatArray) -> bool:
    return bool((~np.isnan(both)).all(axis=0).any())
