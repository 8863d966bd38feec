"""Two texts side by side, and which words of each the other has not."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

MAX_WORDS = 3000  # of either text; beyond, nothing is marked, because comparing would take too long


@dataclass(frozen=True)
class Passage:
    """A stretch of one text; `differs` where the other text has not got it in this place."""

    text: str
    differs: bool


@dataclass(frozen=True)
class Comparison:
    """Both texts in passages, which put together are the whole text. Not `is_marked`: they were too long."""

    old: tuple[Passage, ...]
    new: tuple[Passage, ...]
    is_marked: bool


def compare(old: str, new: str) -> Comparison:
    """Mark whole words. How they are spaced makes no difference."""
    old_words, new_words = _words(old), _words(new)
    if max(len(old_words), len(new_words)) > MAX_WORDS:
        return Comparison(_passage(old_words, differs=False), _passage(new_words, differs=False), is_marked=False)
    matcher = SequenceMatcher(None, [word.strip() for word in old_words], [word.strip() for word in new_words])
    left: list[Passage] = []
    right: list[Passage] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        left += _passage(old_words[i1:i2], differs=tag != "equal")
        right += _passage(new_words[j1:j2], differs=tag != "equal")
    return Comparison(tuple(left), tuple(right), is_marked=True)


def _words(text: str) -> list[str]:
    """The words with the space after each, which put together are the text."""
    return re.findall(r"^\s+|\S+\s*", text)


def _passage(words: Sequence[str], *, differs: bool) -> tuple[Passage, ...]:
    """One passage of these words; none where there are no words."""
    return (Passage("".join(words), differs),) if words else ()
