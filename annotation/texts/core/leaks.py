"""Finds what gives a text's source away, for a coordinator to look at before any judge does."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from annotation.texts.core.leak_signs import SIGNS, Kind

_PATTERNS: Final = [(kind, re.compile(pattern)) for kind, patterns in SIGNS.items() for pattern in patterns]

_ENDS_COMPLETE: Final = re.compile(r"""[.!?。！？।؟]["')\]]{0,9}(?:\[\d{1,4}\])?$""")
_CONTEXT: Final = 30  # characters shown on either side of a finding

MAX_FINDINGS: Final = 100
"""How many findings of one sign, and of all together, are told; a text with more is held back by these already."""

_Span = tuple[int, int, Kind]


@dataclass(frozen=True)
class Finding:
    """`text[start:end]` may identify the source; `excerpt` shows it with a little of what stands around it."""

    kind: Kind
    start: int
    end: int
    excerpt: str


def scan(text: str, *, names: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Return what may identify the source of a normalised `text`, in the order of the text.

    `names` are the people who must not be recognised, such as the author: each is found as whole words, with
    any white space between its parts, and only where it begins with a capital or has a digit, so that a Will or
    a Rose does not turn every verb and flower into a finding. A text that ends without a full stop, question
    mark or the like counts as truncated, and so does an empty one. No more than the first `MAX_FINDINGS` are given.
    """
    spans = sorted({*_signs(text), *_author_names(text, names), *_truncation(text)})
    return tuple(Finding(kind, start, end, _excerpt(text, start, end)) for start, end, kind in spans[:MAX_FINDINGS])


def _signs(text: str) -> Iterator[_Span]:
    for kind, pattern in _PATTERNS:
        for found in islice(pattern.finditer(text), MAX_FINDINGS):
            yield found.start(), found.end(), kind


def _author_names(text: str, names: Sequence[str]) -> Iterator[_Span]:
    for parts in filter(None, map(str.split, names)):
        for found in islice(re.finditer(name_pattern(parts), text, re.IGNORECASE), MAX_FINDINGS):
            words = found[0]
            if words[0] == words[0].upper() or any(map(str.isdigit, words)):
                yield found.start(), found.end(), "author_name"


def name_pattern(parts: Iterable[str]) -> str:
    """Finds the parts of a name as whole words after each other, whatever white space is between them."""
    return r"(?<!\w)" + r"\s{1,9}".join(map(re.escape, parts)) + r"(?!\w)"


def _truncation(text: str) -> Iterator[_Span]:
    if not _ENDS_COMPLETE.search(text):
        yield text.rfind(" ") + 1, len(text), "truncated"


def _excerpt(text: str, start: int, end: int) -> str:
    return " ".join(text[max(0, start - _CONTEXT) : end + _CONTEXT].split())
