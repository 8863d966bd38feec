"""Counting sentences in prose, as far as that goes without understanding it."""

import re
from itertools import pairwise
from typing import Final

from annotation.platform.core.text import count_words

_PARAGRAPHS: Final = re.compile(r"\n[^\S\n]*\n\s*")
# Marks that may end a sentence, with quotes and brackets that close after them.
_MARKS: Final = re.compile(r"(?<![.?!…])(?P<marks>[.?!…]++)[\"'”’»)\]*_]*+(?=\s|$)")
# A sentence begins with anything but a small letter, be it quoted, bracketed or emphasised.
_GOES_ON: Final = re.compile(r"\s{0,99}[\"'“‘«(\[*_]{0,9}(?P<word>[\w'’]+\.?|\S)")
_LAST_WORDS: Final = re.compile(r"(?<!\w)(?:(?P<before>\w{1,40}+)(?P<gap>\W{1,20}+))?(?P<last>[\w.]{0,40}\w)$")
_INITIALS: Final = re.compile(r"(?:[A-Za-z]\.){1,20}[A-Za-z]")  # U.S, e.g
_INITIAL: Final = re.compile(r"[A-HJ-Z]")  # the J of J. S. Mill; but not “I”
_BEFORE_NAMES: Final = frozenset("al approx ca cf dr gen gov hon mr mrs ms prof rep rev sen st vs".split())
_BEFORE_NUMBERS: Final = frozenset("art ch eq fig no nos p pp sec vol".split())
# What letters distinguish: “Group B” may end a sentence where “Susan B” does not.
_LETTERED: Final = frozenset(
    """candidate case city class community company country figure generation group hepatitis option party patient
    person plan policy rule scenario side society state student team town type village vitamin worker""".split()
)
# What sentences begin with, and no name does.
_OPENERS: Final = frozenset(
    """although an and are at because both but by can could did do does each every for from has have he how if in is
    it many may might most must no of on one our ought people shall she should since so some such suppose that the
    their then there these they this those to under was we were what when where whether which while who whom whose
    why will with would yet you""".split()
)
_REACH: Final = 100  # characters before a full stop that may tell what it is


def count_sentences(text: str) -> int:
    """How many sentences a cleaned `text` has; one without a mark at its end counts, one without a word does not.

    A full stop, question or exclamation mark ends a sentence where the next one begins with something else than a
    small letter, so that “Why?” within one ends none. The full stop of an abbreviation or initial does not; the end
    of a paragraph always does.
    """
    return sum(map(_in_paragraph, _PARAGRAPHS.split(text)))


def _in_paragraph(text: str) -> int:
    ends = [match.end() for match in _MARKS.finditer(text) if _is_end(match)]
    return sum(count_words(text[start:end]) > 0 for start, end in pairwise([0, *ends, len(text)]))


def _is_end(mark: re.Match[str]) -> bool:
    following = _GOES_ON.match(mark.string, mark.end())
    if following is None:
        return True
    if following["word"][0].islower():
        return False
    if mark["marks"] != ".":
        return True
    words = _LAST_WORDS.search(mark.string, max(mark.start() - _REACH, 0), mark.start())
    return words is None or not _is_abbreviation(words, following["word"])


def _is_abbreviation(words: re.Match[str], following: str) -> bool:
    """Whether a full stop between these words and the following one is an abbreviation's; in doubt it is not."""
    last = words["last"]
    if last.lower() in _BEFORE_NUMBERS:
        return following[0].isdigit()
    if last.lower() in _BEFORE_NAMES:
        return True
    if following.lower() in _OPENERS:
        return False
    if _INITIAL.fullmatch(last):
        return following[0].isupper() and _is_in_a_name(words, following)
    return _INITIALS.fullmatch(last) is not None


def _is_in_a_name(words: re.Match[str], following: str) -> bool:
    """Whether a single capital is an initial: before another, behind a name, or where a sentence begins."""
    is_before_another = following.endswith(".") and _INITIAL.fullmatch(following[:-1])
    if is_before_another or words["before"] is None or set(words["gap"]) & set(".?!…"):
        return True
    return words["before"][0].isupper() and words["before"].lower() not in _LETTERED
