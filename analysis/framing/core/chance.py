"""What chance alone would show: the signs of whole prompts' Δ are flipped, as if framing changed nothing.

Under that hypothesis baseline and condition are exchangeable within a prompt, so Δ and −Δ are as likely. A prompt's
Δ under all conditions, in all dimensions and of all models share one baseline or one set of framings, and are
flipped together (Winkler et al. 2014, NeuroImage 92, whole-block sign flipping).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from analysis.data.core.results import ROUNDING, FloatArray
from analysis.framing.core.deltas import MARKED_FROM, Deltas

FLIPS: Final = 5_000
ALL_UP_TO: Final = 12  # prompts: all 4,096 flips are made


@dataclass(frozen=True, slots=True)
class Marks:
    """Marked cells of a model, or of all under "": how many there are, and of as many flips the mean number and the
    one that 95 % do not exceed. Means over dimensions are not counted.
    """

    respondent: str
    found: int
    expected: float
    most: float


def flips(prompts: int, *, seed: int, draws: int = FLIPS) -> FloatArray:
    """Signs, (draws, prompts): every combination of few prompts, else so many at random, the first unflipped."""
    if prompts <= ALL_UP_TO:
        return np.array(list(product((1.0, -1.0), repeat=prompts))).reshape(-1, prompts)
    signs = np.random.default_rng(seed).choice((1.0, -1.0), size=(draws, prompts))
    signs[0] = 1
    return signs


def marks_by_chance(found: Sequence[Deltas], *, seed: int, draws: int = FLIPS) -> list[Marks]:
    """Marks by chance for each model, then for all together; nothing without a model or a prompt."""
    if not found or not found[0].prompts:
        return []
    signs = flips(len(found[0].prompts), seed=seed, draws=draws)
    counts = [_marked(signs, each.values.reshape(len(each.prompts), -1)) for each in found]
    observed = [_marked(np.ones_like(signs[:1]), each.values.reshape(len(each.prompts), -1))[0] for each in found]
    names = [each.respondent for each in found]
    rows = [*zip(names, observed, counts, strict=True), ("", sum(observed), np.sum(counts, axis=0))]
    return [
        Marks(name, int(has), float(by_chance.mean()), float(np.quantile(by_chance, 0.95, method="higher")))
        for name, has, by_chance in rows
    ]


def _marked(signs: FloatArray, values: FloatArray) -> FloatArray:
    """How many cells are marked in each flip; `values` are (prompts, cells)."""
    sums, prompts = signs @ np.nan_to_num(values), np.isfinite(values).sum(axis=0)
    means = np.abs(sums[:, prompts > 0]) / prompts[prompts > 0]
    return np.asarray((means >= MARKED_FROM - ROUNDING).sum(axis=1))
