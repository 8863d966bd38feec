"""Where a text thinks aloud about what it was asked for, as models do before they answer, without any mark.

Each sign by itself stands in people's prose as well ("Let us see.", "The user wants …"); several within a few
sentences do not. So signs are weighed, and what is weighed is a run of sentences.
"""

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from annotation.texts.core.leaks.grammar import Grammar, Group, Told
from annotation.texts.core.leaks.signs import SURELY
from annotation.texts.core.sentences import Sentence

MEANING: Final = "thinks aloud before it answers"
MIN_WEIGHT: Final = 3
"""What the signs of a run have to weigh together; each counts once."""

APART: Final = 4  # sentences from one sign to the next of its run

_FILE: Final = Path(__file__).resolve().parents[2] / "data" / "leak_musings.toml"
_SIGNS: Final = tomllib.loads(_FILE.read_text("utf-8"))["sign"]
SIGNS: Final = [Group("musing", SURELY, str(at), tuple(sign["patterns"])) for at, sign in enumerate(_SIGNS)]
_WEIGHTS: Final[list[int]] = [sign["weight"] for sign in _SIGNS]


@cache
def _grammar() -> Grammar:
    return Grammar(SIGNS)


def musings(read: Sequence[Sentence]) -> Iterator[tuple[int, int]]:
    """Start and end of each run of sentences whose signs weigh enough."""
    found = [
        (at, match.start, match.end, int(match.group.meaning))
        for at, sentence in enumerate(read)
        for match in _grammar().matches(Told(sentence.words))
    ]
    runs: list[list[tuple[int, int, int, int]]] = []
    for sign in found:
        if runs and sign[0] - runs[-1][-1][0] <= APART:
            runs[-1].append(sign)
        else:
            runs.append([sign])
    for run in runs:
        if sum(_WEIGHTS[number] for number in {sign[3] for sign in run}) >= MIN_WEIGHT:
            yield min(sign[1] for sign in run), max(sign[2] for sign in run)
