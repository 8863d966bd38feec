"""How the rubric's dimensions hang together: correlations between them, and their principal components."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from analysis.core.judgment_frame import dimensions_of, standard_only
from analysis.core.results import Estimate, FloatArray


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r of two dimensions over ratings, −1 to 1; `n` counts ratings that have both."""

    one: str
    other: str
    r: Estimate


@dataclass(frozen=True, slots=True)
class Component:
    """A principal component of the dimensions' correlation matrix: its share of their variance, 0 to 1, and its
    loadings by dimension (correlations with it, the largest one positive).
    """

    share: Estimate
    loadings: tuple[float, ...]


def correlations(frame: pd.DataFrame) -> list[Correlation]:
    """Of every two dimensions of the standard items, in the frame's order."""
    standard = standard_only(frame)
    names = dimensions_of(standard)
    values = {name: standard[name].to_numpy(dtype=float) for name in names}
    return [Correlation(one, other, _pearson(values[one], values[other])) for one, other in combinations(names, 2)]


def components(frame: pd.DataFrame) -> list[Component]:
    """Principal components of the dimensions, the largest first, over the ratings that have all of them.

    Of the correlation matrix, so that a dimension that judges spread more does not count more. One component with
    nearly all of the variance says that the dimensions measure one thing. Empty where there is nothing to
    correlate.
    """
    standard = standard_only(frame)
    names = dimensions_of(standard)
    ratings = standard[names].dropna().to_numpy(dtype=float)
    left_out = len(standard) - len(ratings)
    if len(names) < 2 or len(ratings) < 2 or (ratings == ratings[0]).all(axis=0).any():
        return []
    shares, vectors = np.linalg.eigh(np.corrcoef(ratings, rowvar=False))
    shares, vectors = np.maximum(shares[::-1], 0), vectors[:, ::-1]
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(len(names))])
    loadings = vectors * signs * np.sqrt(shares)
    return [
        Component(
            Estimate("component_share", float(share / len(names)), len(ratings), left_out),
            tuple(float(loading) for loading in column),
        )
        for share, column in zip(shares, loadings.T, strict=True)
    ]


def _pearson(one: FloatArray, other: FloatArray) -> Estimate:
    kept = ~np.isnan(one) & ~np.isnan(other)
    n, left_out = int(kept.sum()), int((~kept).sum())
    if n < 2:
        return Estimate("pearson_r", None, n, left_out, "fewer than two ratings have both")
    one, other = one[kept], other[kept]
    if (one == one[0]).all() or (other == other[0]).all():
        return Estimate("pearson_r", None, n, left_out, "one of the two is the same in every rating")
    return Estimate("pearson_r", float(np.corrcoef(one, other)[0, 1]), n, left_out)
