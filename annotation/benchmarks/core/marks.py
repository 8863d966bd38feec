"""What people say of answers to a benchmark's questions, and of questions put into other words."""

from collections.abc import Mapping, Sequence
from typing import Final

from annotation.platform.core.blinding import keyed_hash

ANSWER: Final = "answer"
REPHRASING: Final = "rephrasing"
VERDICTS: Final[Mapping[str, Mapping[str, str]]] = {
    ANSWER: {
        "right": "Right: the same as the expected answer, or another valid way to say it",
        "wrong": "Wrong",
        "granularity": "Right, but in other detail than expected, such as the room instead of the box",
    },
    REPHRASING: {
        "same": "The same question: meaning, right answer and names are kept, and it reads well",
        "changed": "Another question, or one that does not read well",
    },
}
"""By what is marked."""


def stratified_sample(strata: Mapping[str, Sequence[str]], share: int, *, seed: bytes, context: str) -> list[str]:
    """`share` per cent of each stratum's items, rounded up, drawn from the seed: the same for the same items,
    whatever their order. `share` is 0 to 100; items are unique over all strata.
    """
    found: list[str] = []
    for name in sorted(strata):
        drawn = sorted(strata[name], key=lambda item: keyed_hash(seed, "sample of an audit", context, item))
        found += drawn[: -(-len(drawn) * share // 100)]
    return found
