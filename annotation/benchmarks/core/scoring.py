"""Whether a model's words count as the right answer: by exact match, edit distance, or the option they name."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, Literal

Method = Literal["exact", "levenshtein", "option"]
METHODS: Final[tuple[Method, ...]] = ("exact", "levenshtein", "option")
THRESHOLD: Final = 0.8  # of similarity, 0 to 1; ours, since the published audit does not give its own

_ENDS: Final = re.compile(r"\A[\W_]{1,100}|[\W_]{1,100}\Z")
_MARK: Final = re.compile(
    r"\s{0,9}(?:the )?(?:correct |best )?(?:answer|option)?(?: is)?\s{0,9}:?\s{0,9}(?:option )?[(\[]?"
    r"(?:([a-z])|(\d{1,2}))(?:[\])]?[.:]?\s{0,9}\Z|[\]).:]{1,2}\s{1,9}(.{1,4000}))",
    re.I | re.S,
)


def normalised(text: str) -> str:
    """The words without regard to case, width of letters, runs of spaces, underscores, and signs at the ends."""
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().replace("_", " ").split())
    return _ENDS.sub("", plain)


def is_right(
    method: Method,
    prediction: str,
    *,
    gold: str,
    options: Sequence[str] = (),
    gold_option: int | None = None,
    threshold: float = THRESHOLD,
) -> bool:
    """Whether a prediction counts as right. `gold_option` is the number of the right option, from 1, where there is
    one; a question without one is scored by exact match where options are asked for. What is empty is never right.
    """
    if method == "option" and gold_option:
        return named_option(prediction, options) == gold_option
    said = normalised(prediction)
    right = normalised(options[gold_option - 1] if gold_option else gold)
    if not said:
        return False
    return similarity(said, right) >= threshold if method == "levenshtein" else said == right


def named_option(prediction: str, options: Sequence[str]) -> int | None:
    """The number of the option that a prediction names, from 1: by its words, its letter or its number.

    None where it names none, stands for several, or gives a letter or number with another option's words.
    """
    said = normalised(prediction)
    by_words = [number for number, option in enumerate(options, start=1) if normalised(option) == said]
    if by_words:
        return by_words[0] if len(by_words) == 1 else None
    mark = _MARK.match(prediction)
    if mark is None:
        return None
    letter, digits, words = mark.groups()
    number = ord(letter.casefold()) - ord("a") + 1 if letter else int(digits)
    if not 1 <= number <= len(options):
        return None
    others = {normalised(option) for option in options} - {normalised(options[number - 1])}
    return None if words and normalised(words) in others else number


def similarity(one: str, other: str) -> float:
    """1 less the edit distance (Levenshtein 1966, Soviet Physics Doklady 10: 707–710) over the longer text's
    length, 0 to 1; 1 of two empty texts.
    """
    longer = max(len(one), len(other))
    return 1 - _distance(one, other) / longer if longer else 1.0


def _distance(one: str, other: str) -> int:
    above = list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        here = [row]
        for column, sign in enumerate(other, start=1):
            here.append(min(above[column] + 1, here[-1] + 1, above[column - 1] + (letter != sign)))
        above = here
    return above[-1]
