"""One look for all answers, so that no judge can tell a source by its formatting.

Models answer in Markdown and people type into a field of plain text. Both pass through here, and nothing here knows
which it is: whatever one of them may use to mark a heading, a list or a pause is read in every text, and leaves as
plain paragraphs in the style of typed prose.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from annotation.texts.core.blocks import Block, blocks
from annotation.texts.core.characters import as_typed
from annotation.texts.core.inline_marks import without_inline_marks
from annotation.texts.core.lists import as_paragraphs, without_numbers_in_line
from annotation.texts.core.surroundings import are_headings, seems_heading, without_surroundings
from annotation.texts.core.typography import in_one_style

VERSION: Final = 3
"""Counts up whenever any text would come out otherwise; kept with every text that is let in."""

MAX_MARKS: Final = 3_000  # characters that mean something in Markdown
MAX_LINES: Final = 1_500
MAX_PASSES: Final = 5  # until nothing changes; a text in which ever more comes to light is no prose

_MARK: Final = re.compile(r"[!&*<\[\]\\_`~$]")
_RAISED_OR_LOWERED: Final = re.compile(r"<(su[pb])>([0-9]{1,4})</\1>", re.IGNORECASE)
_SIGNS: Final = re.compile(r"[^\w\s.,;:!?'\"()%/-]|(?<!\w)[-_]|[-_](?!\w)|_")
_WORD: Final = re.compile(r"[^\W_]+")
_LETTER_OR_DIGIT: Final = re.compile(r"[^\W_]")
_MAX_LINE_WORDS: Final = 15  # of an item without a bullet
_MIN_ANNOUNCED_LINES: Final = 2
_MIN_SHORT_LINES: Final = 3  # of lines without a sign at their ends that are a list without bullets


def normalise(text: str) -> str:
    """Return `text` as plain paragraphs in the one style that judges see. Doing it twice changes nothing.

    The words, runs of letters and digits, stay in order. Those of headings, salutations, signatures and counts of
    words go, and so do numbers of lists and addresses behind links; nothing else does. Paragraphs are separated by
    one blank line.

    A text with more than `MAX_MARKS` of Markdown's signs is no prose: it keeps them, which the leak scan finds.
    One that hides marks in marks beyond `MAX_PASSES` loses every sign that could be one.
    """
    text = _with_few_lines(as_typed(text))
    if len(_MARK.findall(text)) > MAX_MARKS:
        return "\n\n".join(" ".join(line.split()) for line in text.split("\n") if _LETTER_OR_DIGIT.search(line))
    for attempt in (text, _SIGNS.sub(" ", text)):
        if (settled := _settled(attempt)) is not None:
            return settled
    return " ".join(_WORD.findall(text))


def _settled(text: str) -> str | None:
    """What is left of the text when nothing changes any more; None where that takes too long."""
    for _ in range(MAX_PASSES):
        plain = _once(text)
        if plain == text:
            return text
        text = plain
    return None


def _once(text: str) -> str:
    text = as_typed(_RAISED_OR_LOWERED.sub(_raised_or_lowered, text))
    found = [replace(block, text=without_inline_marks(block.text).strip()) for block in blocks(text)]
    found = [block for block in found if _LETTER_OR_DIGIT.search(block.text)]
    if any(block.kind != "heading" for block in found):
        found = [block for block in found if block.kind != "heading"]
    paragraphs = map(in_one_style, _prose(found))
    return _with_few_lines("\n\n".join(text for text in paragraphs if _LETTER_OR_DIGIT.search(text)))


def _raised_or_lowered(found: re.Match[str]) -> str:
    return f"{'^' if found[1].lower() == 'sup' else '_'}{found[2]}"


def _with_few_lines(text: str) -> str:
    """The text in one paragraph where there are more lines than prose has."""
    return text if text.count("\n") <= MAX_LINES else " ".join(text.split())


def _prose(found: Iterable[Block]) -> list[str]:
    """Paragraphs of the answer itself, with lists among them."""
    paragraphs: list[str] = []
    for is_item, group in groupby(found, key=lambda block: block.kind == "item"):
        if is_item:
            for items in _lists(list(group)):
                _add_list(paragraphs, [block.text for block in items])
        else:
            paragraphs += (block.text for block in group)
    paragraphs = _with_unmarked_lists(map(without_numbers_in_line, without_surroundings(paragraphs)))
    return [text for text, is_heading in zip(paragraphs, are_headings(paragraphs), strict=True) if not is_heading]


def _lists(items: Sequence[Block]) -> Iterator[list[Block]]:
    """Items by the lists they are of: below a list without blank lines, one ends it."""
    found: list[Block] = []
    for item in items:
        is_other = bool(found) and item.style[:1] != found[-1].style[:1] and "" not in (item.style, found[-1].style)
        if (item.is_apart and any(not block.is_apart for block in found[1:])) or (is_other and item.is_apart):
            yield found
            found = []
        found.append(item)
    if len(found) > _MIN_ANNOUNCED_LINES and found[-1].style not in {item.style for item in found[:-1]}:
        yield found[:-1]
        found = found[-1:]  # a numbered heading
    yield found


def _add_list(paragraphs: list[str], items: Sequence[str]) -> None:
    """Put a list behind what announces it, or in paragraphs of its own."""
    listed = as_paragraphs(items)
    if len(listed) == 1 and len(items) > 1 and paragraphs and paragraphs[-1].endswith(":"):
        paragraphs[-1] += f" {listed[0]}"
    else:
        paragraphs += listed


def _with_unmarked_lists(paragraphs: Iterable[str]) -> list[str]:
    """Short lines as a list: those that something announces, and three or more without a sign at the end."""
    found: list[str] = []
    for is_short, group in groupby(paragraphs, key=_is_short):
        texts = list(group)
        is_announced = bool(found) and found[-1].endswith(":") and not seems_heading(found[-1])
        is_last_heading = is_announced and seems_heading(texts[-1]) and not all(map(seems_heading, texts))
        items = texts[:-1] if is_last_heading else texts
        is_list = len(items) >= (_MIN_ANNOUNCED_LINES if is_announced else _MIN_SHORT_LINES)
        if is_short and is_list and (is_announced or all(map(seems_heading, items))):
            _add_list(found, items)
            found += texts[len(items) :]
        else:
            found += texts
    return found


def _is_short(text: str) -> bool:
    return len(text.split()) <= _MAX_LINE_WORDS and not text.endswith(":")
