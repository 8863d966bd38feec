"""Weighted shares of observations in clusters, and differences of two such shares, with intervals.

Clusters are drawn with replacement, and every share is computed anew in each draw from the same clusters. So the
difference of two shares is one of the same stories, whether it compares two scores of the same questions or a score
of all questions with that of some of them.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import Estimate, FloatArray
from analysis.uncertainty.core.intervals import CORRELATION, SHARE, or_exact
from analysis.uncertainty.core.resampling import pigeonhole, with_one_way_interval

METHOD: Final = "t, bootstrap over clusters"
NOTHING: Final = "there is nothing to take a share of"


def in_points(found: Estimate) -> Estimate:
    """A difference of shares in percentage points."""
    held = found.interval
    interval = held and replace(
        held, low=_hundredfold(held.low), high=_hundredfold(held.high), least=-100.0, most=100.0
    )
    return replace(found, value=_hundredfold(found.value), interval=interval)


def _hundredfold(share: float | None) -> float | None:
    return None if share is None else 100 * share


@dataclass(frozen=True)
class ClusterShare:
    """A share by cluster: the weight of what counts and the weight of everything. `n` observations have any
    weight.
    """

    counted: FloatArray
    everything: FloatArray
    n: int

    @property
    def value(self) -> float | None:
        whole = float(self.everything.sum())
        return float(self.counted.sum()) / whole if whole else None

    @property
    def without_each(self) -> FloatArray:
        """The share without each of the clusters, also those that it has nothing of; NaN where nothing is left."""
        others = self.everything.sum() - self.everything
        counted = self.counted.sum() - self.counted
        return np.asarray(np.divide(counted, others, out=np.full(others.size, np.nan), where=others > 0))


@dataclass(frozen=True)
class Resamples:
    """How often each cluster was drawn: draws × clusters."""

    weights: FloatArray
    level: float

    @classmethod
    def drawn(cls, clusters: int, *, draws: int, seed: int, level: float) -> "Resamples":
        parts = [each.prompts for each in pigeonhole(prompts=clusters, judges=1, draws=draws, seed=seed)]
        return cls(np.concatenate(parts), level)

    def share(self, counts: FloatArray, weights: FloatArray, clusters: IntArray) -> ClusterShare:
        """The share of observations that count, from 1 where one counts and else 0; its weight, 0 to leave it out;
        its cluster, from 0.
        """
        size = self.weights.shape[1]
        return ClusterShare(
            np.bincount(clusters, weights=counts * weights, minlength=size).astype(float),
            np.bincount(clusters, weights=weights, minlength=size).astype(float),
            int((weights > 0).sum()),
        )

    def estimate(self, name: str, share: ClusterShare) -> Estimate:
        value = share.value
        if value is None:
            return Estimate(name, None, 0, reason=NOTHING)
        has = share.everything > 0
        clusters = int(has.sum())
        found = with_one_way_interval(
            Estimate(name, value, share.n),
            self._drawn(share),
            clusters,
            level=self.level,
            method=METHOD,
            bounds=SHARE,
            without=share.without_each[has],
        )
        return or_exact(found, clusters, level=self.level)

    def difference(self, name: str, one: ClusterShare, other: ClusterShare) -> Estimate:
        """`one` less `other`, −1 to 1."""
        if one.value is None or other.value is None:
            return Estimate(name, None, 0, reason=NOTHING)
        has = (one.everything > 0) | (other.everything > 0)
        return with_one_way_interval(
            Estimate(name, one.value - other.value, min(one.n, other.n)),
            self._drawn(one) - self._drawn(other),
            int(has.sum()),
            level=self.level,
            method=METHOD,
            bounds=CORRELATION,
            without=(one.without_each - other.without_each)[has],
        )

    def _drawn(self, share: ClusterShare) -> FloatArray:
        counted, everything = self.weights @ share.counted, self.weights @ share.everything
        return np.asarray(np.divide(counted, everything, out=np.full(len(counted), np.nan), where=everything > 0))
