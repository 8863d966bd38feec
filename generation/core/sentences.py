"""Counting sentences in prose, as far as that goes without understanding it."""

import re
from itertools import pairwise
from typing import Final

from annotation.core.text import count_words

_PARAGRAPHS: Final = re.compile(r"\n\s*\n")
# Marks that may end a sentence, with quotes and brackets that close after them.
_MARKS: Final = re.compile(r"(?P<marks>[.?!…]+)[\"'”’»)\]*_]*(?=\s|$)")
# A sentence begins with anything but a small letter, be it quoted, bracketed or emphasised.
_GOES_ON: Final = re.compile(r"\s*[\"'“‘«(\[*_]*(?P<first>\S)")
_LAST_WORD: Final = re.compile(r"[\w.]*\w$")
_INITIALS: Final = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]|[A-HJ-Z]")  # U.S, e.g; the J of J. S. Mill; but not “I”
_BEFORE_NAMES: Final = frozenset("al approx ca cf dr gen gov hon mr mrs ms prof rep rev sen st vs".split())
_BEFORE_NUMBERS: Final = frozenset("art ch eq fig no nos p pp sec vol".split())


def count_sentences(text: str) -> int:
    """How many sentences a cleaned `text` has; one without a mark at its end counts, one without a word does not.

    A full stop, question or exclamation mark ends a sentence where the next one begins with something else than a
    small letter, so that “Why?” within one ends none. The full stop of an abbreviation or initial never does; the
    end of a paragraph always does.
    """
    return sum(map(_in_paragraph, _PARAGRAPHS.split(text)))


def _in_paragraph(text: str) -> int:
    ends = [match.end() for match in _MARKS.finditer(text) if _is_end(match)]
    return sum(count_words(text[start:end]) > 0 for start, end in pairwise([0, *ends, len(text)]))


def _is_end(mark: re.Match[str]) -> bool:
    following = _GOES_ON.match(mark.string, mark.end())
    if following is None:
        return True
    if following["first"].islower():
        return False
    return mark["marks"] != "." or not _is_abbreviation(mark.string[: mark.start()], following["first"])


def _is_abbreviation(before: str, following: str) -> bool:
    last = _LAST_WORD.search(before)
    word = last.group() if last else ""
    if word.lower() in _BEFORE_NUMBERS:
        return following.isdigit()
    return word.lower() in _BEFORE_NAMES or _INITIALS.fullmatch(word) is not None
