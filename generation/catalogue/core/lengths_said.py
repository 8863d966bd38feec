"""What a wording itself says of length, beside what is put in for its placeholders."""

import re
from collections.abc import Sequence
from typing import Final

_WORDS: Final = re.compile(
    r"(?<![\w{.,])(\d{1,3}(?:,\d{3}){1,2}|\d{1,6})"
    r"(?:\s{0,3}(?:-|–|to|and|or)\s{0,3}(\d{1,3}(?:,\d{3}){1,2}|\d{1,6}))?[\s-]{1,3}words?\b",
    re.IGNORECASE,
)
OF_LENGTH: Final = ("target_words", "word_limit")
"""The placeholders for a study's own lengths."""


def numbers_of_words(text: str) -> Sequence[int]:
    """The numbers of words that a wording names in digits, in their order; both ends of a span such as 90–110."""
    return [int(number.replace(",", "")) for found in _WORDS.finditer(text) for number in found.groups() if number]


def tells_length(text: str) -> bool:
    """Whether a model is told any length by the wording."""
    return any(f"{{{name}}}" in text for name in OF_LENGTH) or bool(numbers_of_words(text))
