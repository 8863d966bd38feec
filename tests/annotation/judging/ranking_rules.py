"""What a ranking promises, as checks that any way to rank can be put to: the server's and the browser's."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from tests.folders import VECTORS

Rank = Callable[[Sequence[float]], Sequence[float]]

_FILE = json.loads((VECTORS / "ranking.json").read_text("utf-8"))
RANKINGS: list[dict[str, Any]] = _FILE["rankings"]
SHEETS: list[dict[str, Any]] = _FILE["sheets"]

LABELS = "ABCDEFGH"

# Few different values, so that ties are common.
score_lists = st.lists(st.integers(5, 12), max_size=8)


@st.composite
def raises(draw: st.DrawFn) -> tuple[list[int], int, int]:
    """Scores, the position of one of them, and by how much it is raised."""
    scores = draw(st.lists(st.integers(5, 12), min_size=1, max_size=8))
    return scores, draw(st.integers(0, len(scores) - 1)), draw(st.integers(1, 4))


@st.composite
def sheets(draw: st.DrawFn) -> list[list[int]]:
    """The scores of two to eight answers on one to eight dimensions, 1 to 10 each."""
    dimensions = draw(st.integers(1, 8))
    one = st.lists(st.integers(1, 10), min_size=dimensions, max_size=dimensions)
    return draw(st.lists(one, min_size=2, max_size=8))


def check_order_does_not_matter(rank: Rank, scores: Sequence[float], order: Sequence[int]) -> None:
    ranks = rank(scores)
    assert list(rank([scores[position] for position in order])) == [ranks[position] for position in order]


def check_ties_are_exactly_equal_scores(rank: Rank, scores: Sequence[float]) -> None:
    ranks = rank(scores)
    for score, own in zip(scores, ranks, strict=True):
        for other_score, other in zip(scores, ranks, strict=True):
            assert (score > other_score) == (own < other)
            assert (score == other_score) == (own == other)


def check_raising_never_hurts(rank: Rank, scores: Sequence[int], position: int, by: int) -> None:
    """The raised answer's rank is no worse, and nobody passes or catches up with it."""
    before = rank(scores)
    after = rank([score + by * (index == position) for index, score in enumerate(scores)])
    assert after[position] <= before[position]
    for other in range(len(scores)):
        if before[position] < before[other]:
            assert after[position] < after[other]
        if before[position] == before[other] and other != position:
            assert after[position] < after[other]
