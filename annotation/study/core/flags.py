"""What somebody tells the coordinator about an answer, without what could tell whose it is."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

LEFT_OUT: Final = "[…]"
MIN_QUOTE_WORDS: Final = 6  # words in a row; fewer are anybody's
_WORD: Final = re.compile(r"\w+")


def without_quotes(words: str, texts: Iterable[str]) -> str:
    """`words` without what is quoted in them from one of the `texts`: six words in a row, or more."""
    said = list(_WORD.finditer(words))
    shown = {run for text in texts for run in _runs([found.group() for found in _WORD.finditer(text)])}
    quoted: set[int] = set()
    for start, run in enumerate(_runs([found.group() for found in said])):
        if run in shown:
            quoted.update(range(start, start + MIN_QUOTE_WORDS))
    return without(words, [said[index].span() for index in sorted(quoted)], between=3)


def _runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    folded = [word.casefold() for word in words]
    return [tuple(folded[start : start + MIN_QUOTE_WORDS]) for start in range(len(folded) - MIN_QUOTE_WORDS + 1)]


def without(words: str, spans: Iterable[tuple[int, int]], *, between: int = 0) -> str:
    """`words` with a mark in place of the `spans`: one where they are `between` characters apart."""
    kept, end, is_first = [], 0, True
    for start, stop in sorted(spans):
        if is_first or start > end + between:
            kept += [words[end:start], LEFT_OUT]
        end, is_first = max(end, stop), False
    return "".join([*kept, words[end:]])
