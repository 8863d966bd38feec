"""Ranks from scores: a higher score is better, the best rank is 1, and equal scores share a rank."""

import math
from collections.abc import Sequence
from itertools import groupby


def tie_groups(scores: Sequence[float]) -> tuple[tuple[int, ...], ...]:
    """Return the positions of `scores` in groups of equal scores, best group first.

    Every position is in exactly one group; inside a group positions ascend. (7, 9, 7) gives ((1,), (0, 2)).
    Raises `ValueError` for a score that is missing or not a number.
    """
    for position, score in enumerate(scores):
        if score is None or math.isnan(score):
            raise ValueError(f"Score {position + 1} of {len(scores)} is missing, so nothing can be ranked.")
    best_first = sorted(range(len(scores)), key=lambda position: scores[position], reverse=True)
    return tuple(tuple(group) for _, group in groupby(best_first, key=lambda position: scores[position]))


def competition_ranks(scores: Sequence[float]) -> tuple[int, ...]:
    """Return each score's rank as people write it: one more than the number of better scores (1, 2, 2, 4)."""
    ranks = [0] * len(scores)
    better = 0
    for group in tie_groups(scores):
        for position in group:
            ranks[position] = better + 1
        better += len(group)
    return tuple(ranks)


def mid_ranks(scores: Sequence[float]) -> tuple[float, ...]:
    """Return each score's rank for statistics: a tie takes the mean of its places (1, 2.5, 2.5, 4)."""
    ranks = [0.0] * len(scores)
    better = 0
    for group in tie_groups(scores):
        for position in group:
            ranks[position] = better + (len(group) + 1) / 2
        better += len(group)
    return tuple(ranks)
