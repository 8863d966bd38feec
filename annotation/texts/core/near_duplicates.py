"""Answers to one prompt that are nearly the same: by the runs of words that they share."""

import re
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Final

RUN: Final = 5  # words in a row
NEARLY_THE_SAME: Final = 0.5  # of the runs of both together
WORD: Final = re.compile(r"\w+")


def near_duplicates(texts: Mapping[int, str]) -> list[tuple[int, int]]:
    """Pairs whose runs of five words have a Jaccard similarity of ½ or more; texts shorter than a run have none."""
    runs = {key: _runs(text) for key, text in texts.items()}
    return [(one, other) for one, other in combinations(runs, 2) if _are_near(runs[one], runs[other])]


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = WORD.findall(text.casefold())
    return frozenset(_windows(words))


def _windows(words: list[str]) -> Iterable[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(RUN)), strict=False)


def _are_near(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> bool:
    shared = len(one & other)
    return shared > 0 and shared >= NEARLY_THE_SAME * len(one | other)
