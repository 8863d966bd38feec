"""Lines as paragraphs, items and headings, by whichever convention they were typed or marked.

Markdown, HTML and what people do with a keyboard are read alike: a heading may have hashes, tags, a line drawn
under it or emphasis all over; an item a bullet, a number or a letter; a paragraph a blank line after it, or an
indented first line, or only the end of a line.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise, takewhile
from typing import Final, Literal

from annotation.texts.core.list_markers import without_markers

MAX_HEADING_WORDS: Final = 20  # of a line that is marked as one; what is longer is a paragraph
MAX_HEADING_WORDS_OF_A_SENTENCE: Final = 6  # the same of a line that ends like a sentence
MAX_ANNOUNCED_LINE: Final = 90  # characters of an item without a bullet below a colon
MAX_LISTS: Final = 20  # without a bullet, of one text
MIN_WRAP: Final = 40  # characters; nobody's lines are wrapped where so few fit in
MAX_WRAP: Final = 120  # characters; lines that get longer are not wrapped
SLACK: Final = 0.3  # of the width, where blank lines part paragraphs, so that few lines end on purpose
SHORT_LINE: Final = 0.6  # of the width of wrapped lines; a shorter one was ended on purpose

_TAGS: Final = (
    (re.compile(r"<!--[^<>]{0,2000}-->"), ""),
    (re.compile(r"<br\s{0,9}/?>", re.IGNORECASE), "\n"),
    (re.compile(r"</t[dh]>\s{0,9}<t[dh](?:\s[^<>]{0,300})?>", re.IGNORECASE), "\t"),
    (re.compile(r"<li(?:\s[^<>]{0,300})?>", re.IGNORECASE), "\n- "),
    (re.compile(r"<h[1-6](?:\s[^<>]{0,300})?>", re.IGNORECASE), "\n\n# "),
    (re.compile(r"</(?:li|tr)>", re.IGNORECASE), "\n"),
    (
        re.compile(
            r"<hr(?:\s[^<>]{0,300})?>|</?(?:h[1-6]|p|div|section|article|blockquote|pre|ul|ol|table)(?:\s[^<>]{0,300})?>",
            re.IGNORECASE,
        ),
        "\n\n",
    ),
)
_QUOTED: Final = re.compile(r"[ \t]{0,9}(?:>(?![=\w])[ \t]?|>(?=[^\W\d_]))++")
_FENCE: Final = re.compile(r"(?:`{3,99}|~{3,99})[ \t]{0,9}[\w+#.-]{0,30}")
_UNDERLINES: Final = frozenset("=-~_*#^+–—")
_HASHES: Final = re.compile(r"#{1,6}[ \t]{1,99}(?=\S)")
_DECORATED: Final = re.compile(r"([*=~_+]{1,9}|[-–—]{1,9})[ \t]{1,9}(\S.{0,200}?)[ \t]{1,9}\1")
_CLOSING_HASHES: Final = re.compile(r"(?<![ \t#])[ \t]+#+\Z")
_EMPHASISED: Final = re.compile(r"(\*{1,3}|_{1,3})(?=[^\s*_])([^*_\n]{1,200})(?<=\S)\1:?\Z")
_ADDRESS: Final = re.compile(
    r"[ \t]{0,9}\[([^\[\]\n]{1,60})\]:[ \t]{1,9}<?(?:https?://|www\.|mailto:|[/#.])\S{1,999}"
)
_REFERENCE: Final = re.compile(r"\[([^\[\]\n]{1,300})\][ ]?\[([^\[\]\n]{0,60})\]")
_NOTE: Final = re.compile(r"[ \t]{0,9}\[\^([\w-]{1,30})\]:[ \t]{0,9}")
_SIGNS_OF_TABLE_RULES: Final = frozenset("-:|+= \t")
_LETTER_OR_DIGIT: Final = re.compile(r"[^\W_]")
_ENDS_CLAUSE: Final = re.compile(r"""[.!?:;。！？।؟۔…]["'’)\]*_~`]{0,9}\Z""")
_ENDS_STATEMENT: Final = re.compile(r"""[.!?。！？।؟۔…]["'’)\]*_~`]{0,9}(?:\[[^\[\]\s]{1,9}\]){0,9}\Z""")
_FIRST_LETTER: Final = re.compile(r"[^\w]{0,4}([^\W\d_])")
_RANGE_BROKEN_OFF: Final = re.compile(r"(?<=[0-9])[-–—]{1,2}\Z")
_RANGE_GOING_ON: Final = re.compile(r"[-–—]{1,2}[0-9]")
_GOING_ON: Final = frozenset("([{.,;:!?)]}%")
_CHINESE_OR_JAPANESE: Final = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff65]")
_GOES_ON_AFTER_HYPHEN: Final = frozenset("and or nor to und oder bis et ou y o e".split())

Kind = Literal["paragraph", "item", "heading"]


@dataclass(frozen=True)
class _Line:
    text: str
    length: int = 0  # as it was typed
    is_indented: bool = False
    is_heading: bool = False
    is_item: bool = False
    style: str = ""  # of its marker

    @property
    def is_blank(self) -> bool:
        return not self.text


@dataclass(frozen=True)
class Block:
    """What belongs together: a paragraph, an item of a list or a row of a table, or a heading marked as one.

    `style` tells lists apart by their markers; `is_apart` where a blank line stands before it.
    """

    kind: Kind
    text: str
    style: str = ""
    is_apart: bool = False


@dataclass
class _Open:
    kind: Kind
    style: str
    lines: list[str] = field(default_factory=list)


def ends_statement(text: str) -> bool:
    """Whether `text` stops where a sentence may."""
    return bool(_ENDS_STATEMENT.search(text))


def blocks(text: str) -> list[Block]:
    """The blocks of `text` in order, each in one line, without list markers and without lines of signs alone."""
    if "<" in text:
        for tag, instead in _TAGS:
            text = tag.sub(instead, text)
    lines = _without_tables(list(_without_quotation_marks(text.split("\n"))))
    lines, addresses = _without_addresses(lines)
    marked = _with_items(_with_headings(lines))
    groups = [list(group) for is_blank, group in groupby(marked, key=lambda line: line.is_blank) if not is_blank]
    are_parted = sum(len(group) > 1 for group in groups) > 1
    found: list[Block] = []
    before = ""
    for group in groups:
        lines_of_group = _with_announced_items(group, are_announced=before.endswith(":"))
        for number, one in enumerate(_of_group(lines_of_group, are_parted=are_parted)):
            found.append(Block(one.kind, _joined(one.lines), style=one.style, is_apart=number == 0))
        before = group[-1].text
    if addresses:
        return [replace(block, text=_without_references(block.text, addresses)) for block in found]
    return found


def _without_quotation_marks(lines: Iterable[str]) -> Iterator[str]:
    """Lines without the mark of a quotation before them; where it begins and ends there is a blank line."""
    was_quoted, was_blank = False, True
    for line in lines:
        mark = _QUOTED.match(line)
        is_quoted = mark is not None and (
            was_quoted or was_blank or not line[mark.end() : mark.end() + 1].isdigit()
        )
        if is_quoted != was_quoted:
            yield ""
        yield line[mark.end() :] if mark and is_quoted else line
        was_quoted, was_blank = is_quoted, not line.strip()


def _without_tables(lines: Sequence[str]) -> list[str]:
    """Rows of tables as items of a list, cells separated by commas."""
    found: list[str] = []
    for sign, group in groupby(lines, key=_parts_cells_by):
        rows = list(group)
        are_cells = sign and (
            (
                len(rows) > 1
                and (sign == "\t" or any("-" in row and _SIGNS_OF_TABLE_RULES.issuperset(row) for row in rows))
            )
            or all(row.strip()[:1] == row.strip()[-1:] == "|" for row in rows)
        )
        if not are_cells:
            found += rows
            continue
        for row in rows:
            if _LETTER_OR_DIGIT.search(row):
                found.append(
                    "- " + ", ".join(filter(None, (cell.strip() for cell in row.strip(" \t|").split(sign))))
                )
    return found


def _parts_cells_by(line: str) -> str:
    if "|" in line:
        return "|"
    return "\t" if "\t" in line.strip() and not line.startswith(("-", "*", "•", "·", "o\t")) else ""


def _without_addresses(lines: Iterable[str]) -> tuple[list[str], frozenset[str]]:
    """Lines but those that say where a link leads, and the names of these links; notes begin with `[1]`."""
    found, names = [], []
    for line in lines:
        if "[" not in line[:10]:
            found.append(line)
        elif address := _ADDRESS.match(line):
            names.append(address[1].casefold())
        else:
            found.append(_NOTE.sub(r"[\1] ", line, count=1))
    return found, frozenset(names)


def _without_references(text: str, names: frozenset[str]) -> str:
    return _REFERENCE.sub(lambda found: found[1] if (found[2] or found[1]).casefold() in names else found[0], text)


def _with_headings(lines: Sequence[str]) -> list[_Line]:
    """The lines stripped, headings that are marked known; fences and lines of signs alone are blank."""
    found: list[_Line] = []
    for typed in lines:
        text = typed.strip()
        if not _LETTER_OR_DIGIT.search(text) or _FENCE.fullmatch(text):
            if _is_underline(text) and found and _is_alone(found):
                found[-1] = replace(found[-1], is_heading=_may_be_heading(found[-1].text))
            found.append(_Line(""))
            continue
        if decorated := _DECORATED.fullmatch(text):
            text = f"# {decorated[2]}"
        mark = _HASHES.match(text)
        if mark:
            text = _CLOSING_HASHES.sub("", text[mark.end() :])
        emphasised = _EMPHASISED.match(text)
        is_heading = (
            _may_be_heading(text)
            if mark
            else emphasised is not None and _may_be_heading(text) and not ends_statement(text)
        )
        is_indented = typed.startswith(("\t", "  "))
        found.append(_Line(text, len(typed.rstrip()), is_indented, is_heading))
    return found


def _is_underline(text: str) -> bool:
    return len(set(text)) == 1 and text[0] in _UNDERLINES and (len(text) > 1 or text == "=")


def _is_alone(lines: Sequence[_Line]) -> bool:
    """Whether the last line goes on with nothing that was said before it."""
    return not lines[-1].is_blank and (
        len(lines) == 1 or lines[-2].is_blank or lines[-2].is_heading or ends_statement(lines[-2].text)
    )


def _may_be_heading(text: str) -> bool:
    words = len(text.split())
    return words <= (MAX_HEADING_WORDS_OF_A_SENTENCE if ends_statement(text) else MAX_HEADING_WORDS)


def _with_items(lines: Sequence[_Line]) -> list[_Line]:
    unmarked = without_markers(["" if line.is_heading else line.text for line in lines])
    return [
        line if line.is_heading else replace(line, text=text.strip(), is_item=bool(style), style=style)
        for line, (text, style) in zip(lines, unmarked, strict=True)
    ]


def _with_announced_items(lines: list[_Line], *, are_announced: bool) -> list[_Line]:
    """The lines, those as items that stand below a colon: short ones, and no wrapped sentence."""
    if are_announced:
        return _items_first(lines)
    places = [number for number, line in enumerate(lines) if line.text.endswith(":") and not _is_marked(line)]
    for place in reversed(places[:MAX_LISTS]):
        lines = [*lines[: place + 1], *_items_first(lines[place + 1 :])]
    return lines


def _items_first(lines: list[_Line]) -> list[_Line]:
    """The lines, as many as are short and stand first as items."""
    items = list(takewhile(lambda line: not _is_marked(line) and line.length <= MAX_ANNOUNCED_LINE, lines))
    if len(items) < len(lines) and len(items) > 1 and _ENDS_CLAUSE.search(items[-2].text):
        items = items if _ENDS_CLAUSE.search(items[-1].text) else items[:-1]  # what is left is a heading
    if len(items) < 2:
        return lines
    ended = [bool(_ENDS_CLAUSE.search(line.text)) for line in items[:-1]]
    width = max(line.length for line in items)
    has_room = sum(_has_room(before, line, width) for before, line in pairwise(items)) >= len(ended) / 2
    if not all(ended) and (any(ended) or not has_room):
        return lines
    return [*(replace(line, is_item=True) for line in items), *lines[len(items) :]]


def _has_room(before: _Line, line: _Line, width: float) -> bool:
    """Whether the first word of a line would have fitted into the one before it."""
    return before.length + 1 + len(line.text.split(maxsplit=1)[0]) <= width


def _is_marked(line: _Line) -> bool:
    return line.is_item or line.is_heading


def _of_group(lines: Sequence[_Line], *, are_parted: bool) -> Iterator[_Open]:
    """The blocks of lines that stand together; `are_parted` where blank lines part paragraphs in this text."""
    width = max(line.length for line in lines)
    if not _seem_wrapped(lines, width):
        width = 0
    slack = SLACK if are_parted or len({line.is_indented for line in lines}) > 1 else 0
    block: _Open | None = None
    for number, line in enumerate(lines):
        follows = block is not None and block.kind != "heading" and not _is_marked(line)
        if block and follows and _goes_on(lines[number - 1 : number + 2], width, slack, block.kind):
            block.lines.append(line.text)
            continue
        if block:
            yield block
        block = _Open(
            "heading" if line.is_heading else "item" if line.is_item else "paragraph", line.style, [line.text]
        )
    if block:
        yield block


def _seem_wrapped(lines: Sequence[_Line], width: int) -> bool:
    """Whether some line breaks off in mid-sentence where a next word has little room."""
    return MIN_WRAP <= width <= MAX_WRAP and any(
        not _ENDS_CLAUSE.search(line.text) and line.length >= SHORT_LINE * width for line in lines[:-1]
    )


def _goes_on(lines: Sequence[_Line], width: int, slack: float, kind: Kind) -> bool:
    """Whether the break between the first two lines only wraps what they say; `width` is 0 where none does."""
    before, line, *after = lines
    if line.text.startswith(("–", "—")):
        return True
    has_ended = bool(_ENDS_CLAUSE.search(before.text))
    if has_ended and line.is_indented and not before.is_indented and kind == "paragraph":
        return False
    first = _FIRST_LETTER.match(line.text)
    if not has_ended and (line.text[0] in _GOING_ON or (first and first[1].islower())):
        return True
    is_title = before.text.endswith(":") and before.length < SHORT_LINE * width
    if not width or is_title or (has_ended and after and _stands_out(line, after[0], width)):
        return False
    if not _has_room(before, line, width * (1 - slack * has_ended)):
        return True
    return not has_ended and before.length >= SHORT_LINE * width


def _stands_out(line: _Line, after: _Line, width: int) -> bool:
    """Whether a short line without an end stands above one that begins anew, as headings do."""
    first = _FIRST_LETTER.match(after.text)
    is_open = not _ENDS_CLAUSE.search(line.text) and line.length < SHORT_LINE * width
    return is_open and first is not None and first[1].isupper()


def _joined(lines: Sequence[str]) -> str:
    """Lines as one; a word that was parted at its hyphen has no space in it, and Chinese has none anywhere."""
    parts = [lines[0]]
    for before, line in pairwise(lines):
        word = line.split(maxsplit=1)[0].casefold()
        is_parted = before.endswith("-") and before[-2:-1].isalpha() and word not in _GOES_ON_AFTER_HYPHEN
        is_chinese = _CHINESE_OR_JAPANESE.match(before[-1:]) and _CHINESE_OR_JAPANESE.match(line)
        is_range = (_RANGE_BROKEN_OFF.search(before) and line[0].isdigit()) or (
            before[-1].isdigit() and _RANGE_GOING_ON.match(line)
        )
        parts += ["" if is_parted or is_chinese or is_range else " ", line]
    return "".join(parts)
