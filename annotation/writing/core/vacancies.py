"""Which answers fill their place no more, while nobody else has been given it."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple


class Standing(NamedTuple):
    """An answer by id. It `stands` unless it was withdrawn or its text is out.

    One that does not stand `is_to_replace` where its text is out or its writer gone. `is_waived`: the study does
    without it.
    """

    answer: int
    prompt: str
    stands: bool
    is_to_replace: bool
    is_waived: bool = False


def vacancies(answers: Iterable[Standing], *, wanted: int | None) -> frozenset[int]:
    """Ids of the answers still to replace, of `answers` in the order in which they were given out.

    A prompt lacks as many as it has fewer standing answers than are `wanted`, less those it does without; those
    given out last are taken for missing. `wanted` is `None` where every writer answers every prompt: then each one
    is missing.
    """
    standing, waived, open_ones = Counter[str](), Counter[str](), defaultdict[str, list[int]](list)
    for one in answers:
        standing[one.prompt] += one.stands
        waived[one.prompt] += one.is_waived
        if one.is_to_replace and not one.stands and not one.is_waived:
            open_ones[one.prompt].append(one.answer)
    if wanted is None:
        return frozenset(answer for own in open_ones.values() for answer in own)
    return frozenset(
        answer
        for prompt, own in open_ones.items()
        for answer in own[max(0, len(own) + standing[prompt] + waived[prompt] - wanted) :]
    )
