"""Words that are recognised in disguise: misspelt, seen from afar, or run together."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

MIN_CORRECTED_LETTERS: Final = 6  # letters; shorter words are too near to others
_MAX_LETTERS: Final = 18  # letters of a word among words that are run together


@dataclass(frozen=True)
class Vocabulary:
    """The words that are recognised in disguise: `keys` where misspelt as well, `words` where run together."""

    words: frozenset[str]
    keys: frozenset[str]
    near: dict[str, str]
    shapes: dict[str, str]

    @classmethod
    def of(cls, words: Collection[str], keys: Collection[str], *, never: Collection[str] = ()) -> "Vocabulary":
        """`never` are words of the language that look like a misspelt key."""
        near: dict[str, str] = dict.fromkeys(never, "")
        for key in sorted(words, key=lambda key: (key not in keys, -len(key), key)):
            if len(key) >= MIN_CORRECTED_LETTERS:
                for shorter in _with_one_letter_less(key):
                    near.setdefault(shorter, key)
        shapes = {shape(key): key for key in sorted(keys)}
        return cls(frozenset(words), frozenset(keys), near, shapes)

    def corrected(self, word: str) -> str:
        """The key that `word` misspells by one letter, or two exchanged; empty where there is none."""
        if not MIN_CORRECTED_LETTERS - 1 <= len(word) <= 20:
            return ""
        if word in self.near:
            key = self.near[word]
            return key if key and _has_ends_of(key, word) else ""
        for shorter in _with_one_letter_less(word):
            if shorter in self.words and len(shorter) >= MIN_CORRECTED_LETTERS and _has_ends_of(shorter, word):
                return shorter
            key = self.near.get(shorter, "")
            if len(key) == len(word) and _has_ends_of(key, word) and _is_slip(key, word):
                return key
        return ""

    def parts(self, letters: str) -> tuple[str, ...]:
        """The fewest words that `letters` are when read without spaces; none unless all of them are words."""
        best: list[tuple[int, int] | None] = [(0, 0)]
        for end in range(1, len(letters) + 1):
            reached: tuple[int, int] | None = None
            for start in range(max(0, end - _MAX_LETTERS), end):
                before = best[start]
                if before is not None and letters[start:end] in self.words:
                    count = (before[0] + 1, start)
                    reached = count if reached is None else min(reached, count)
            best.append(reached)
        if best[-1] is None:
            return ()
        found: list[str] = []
        end = len(letters)
        while end:
            start = best[end][1]  # type: ignore[index]  # every place on the way was reached
            found.append(letters[start:end])
            end = start
        return tuple(reversed(found))


_CONFUSED: Final = tuple(map(frozenset, ("aeiouy", "cksz", "gj")))


def _is_slip(key: str, word: str) -> bool:
    """Whether two letters are exchanged, or one is written for another that sounds alike."""
    apart = [frozenset(pair) for pair in zip(key, word, strict=True) if pair[0] != pair[1]]
    if len(apart) == 2:
        return apart[0] == apart[1] and sorted(key) == sorted(word)
    return len(apart) == 1 and any(apart[0] <= each for each in _CONFUSED)


def _has_ends_of(key: str, word: str) -> bool:
    return key[0] == word[0] and key[-1] == word[-1]


def shape(word: str) -> str:
    """How a word looks from afar: l, I and 1 are one letter, and so are rn and m."""
    return word.translate(_ALIKE).replace("rn", "m").replace("vv", "w")


_ALIKE: Final = str.maketrans("i1|0", "lllo")


def _with_one_letter_less(word: str) -> Iterator[str]:
    return (word[:at] + word[at + 1 :] for at in range(len(word)))
