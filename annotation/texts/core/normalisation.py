"""One look for all answers, so that no judge can tell a source by its formatting.

Models answer in Markdown and people in plain text. Both leave here as plain paragraphs separated by one blank
line, with straight quotes, one kind of dash, three full stops for an ellipsis, and single spaces.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from annotation.platform.core.text import clean, count_words

# Left out on purpose: indented code (an indented line is prose), reference definitions ("[Note]: this" would
# vanish) and blocks of HTML (their tags are dealt with in the line).
_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable(["code", "reference", "html_block"])

MAX_MARKS: Final = 3_000  # characters that mean something in Markdown, line ends included
MAX_PARSED: Final = 200_000  # characters, of one text as often as it is read; a mark takes as long as many of them
_CHARACTERS_OF_A_MARK: Final = 30
_MARK = re.compile(r"[\n!#$%&*+:<=>@\[\\\]^_`{}~|-]")

_GLYPHS = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‘’‚‛‹›′´", "'"),
        **dict.fromkeys("‐‑−", "-"),
        "‒": "–",
        "―": "—",
        "…": "...",
    }
)
_SPACED_ELLIPSIS = re.compile(r"\.(?: \.){2,}+")

# An en dash that touches what stands on both sides joins, as in "cost–benefit" and "1990–1995"; one that only
# touches the digit after it is a minus sign. Everything else that looks like a dash separates, except for a lone
# hyphen that touches a word.
_HYPHEN = re.compile(r"(?<=[^\s—–-])–(?=[^\s—–-])|(?<![^\s(])–(?=[0-9])")
_DASHES = re.compile(r"(?<![ –—-]) ?[–—-][ –—-]*")
_BULLETS = re.compile(r"^(?:[•‣◦▪▫●○■□*–-] )++", re.MULTILINE)

_TYPED_BULLET = re.compile(r"^([ \t]*)[•‣◦▪▫●○■□](?=[ \t])", re.MULTILINE)
_STAR_INSIDE_WORD = re.compile(r"(?<=[^\W_])\*(?=[^\W_])")
_TAG = re.compile(
    r"</?(?:a|b|big|blockquote|br|center|code|del|div|em|font|h[1-6]|hr|i|ins|li|mark|ol|p|pre|s|small|span"
    r"|strike|strong|sub|sup|table|tbody|td|th|thead|tr|tt|u|ul)(?:\s{1,9}[\w-]{1,30}=[^<>]*|\s{0,9}/?)>",
    re.IGNORECASE,
)
_MAX_LIST_NUMBER_DIGITS: Final = 2  # digits; a longer number opens a sentence: "1984. A year to remember"
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_SENTENCE_END = re.compile(r"""[.!?]["')\]’”]*$""")

_NUMBER = r"(?: about\  | approximately\  | approx\.?\  | [~≈]\ ? )? \d[\d,]{0,9}"
_COUNT = rf"""
    (?: total\ )? word\ ?count [\s:=–—-]* {_NUMBER} (?: \ words )?
    | words \ ?[:=]\ ? {_NUMBER}
    | {_NUMBER} \ words
"""
_COUNT_LINE = re.compile(rf"\A[\W_]*+ (?:{_COUNT}) [\W_]*+", re.IGNORECASE | re.VERBOSE)
_COUNT_AT_LINE_END = re.compile(rf"[(\[] (?:{_COUNT}) \.? [)\]] $", re.IGNORECASE | re.VERBOSE)

_SIGN_OFF = re.compile(
    r"""
    (?i: (?: best | kind | kindest | warm | warmest )\ (?: regards | wishes )
       | regards
       | (?: yours\ )? (?: sincerely | faithfully | truly )
       | (?: respectfully | sincerely )\ yours )
    (?: , [^.!?]{0,60} | \W? )                                # "Best regards, Jane Doe"
    | (?: [—–―] | -- )\ ? [A-Z][\w.'’-]{0,40} (?: ,?\ [A-Z][\w.'’-]{0,40} ){0,4}  # "— Jane Doe, PhD"
    """,
    re.VERBOSE,
)
_MAX_SIGNATURE_WORDS: Final = 5  # words


def normalise(text: str, *, markdown: bool) -> str:
    """Return `text` as plain paragraphs in the one style that judges see. Doing it twice changes nothing.

    People's prose (`markdown=False`) keeps every letter and digit in order: every line is a paragraph, and
    only white space, quotes, dashes, ellipses and opening bullets change; lines without a letter or digit go.

    Models' Markdown (`markdown=True`) loses its marks first. List items and table rows become paragraphs,
    links and code keep their text, and lines broken inside a paragraph are joined. Headings (a first line
    wholly in bold that does not end like a sentence is one too), word counts and closing signatures go. A text with
    more than `MAX_MARKS` of Markdown's characters, or with marks hidden in marks until `MAX_PARSED` characters are
    read, is no prose: what is left of it keeps its marks, which the leak scan finds.
    """
    text = clean(text)
    if not markdown:
        return _in_one_style(text.split("\n"))
    # What was escaped or written as an entity can look like Markdown once it is plain, so peel to the core.
    parsed = 0
    while parsed < MAX_PARSED and (marks := len(_MARK.findall(text))) <= MAX_MARKS:
        plain = _in_one_style(_without_markdown(text))
        if plain == text:
            return text
        parsed += len(text) + marks * _CHARACTERS_OF_A_MARK
        text = plain
    return _in_one_style(text.split("\n"))


def _in_one_style(paragraphs: Iterable[str]) -> str:
    text = "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs).translate(_GLYPHS)
    text = _SPACED_ELLIPSIS.sub("...", text)
    text = _HYPHEN.sub("-", text)
    text = "\n".join(map(str.strip, _DASHES.sub(_separating, text).split("\n")))
    text = _BULLETS.sub("", text)
    return "\n\n".join(line for line in text.split("\n") if _LETTER_OR_DIGIT.search(line))


def _separating(dashes: re.Match[str]) -> str:
    """A stretch of dashes and spaces as one dash, without the hyphens at its ends that belong to a word there."""
    found, text = dashes[0], dashes.string
    is_within_line = dashes.start() > 0 and text[dashes.start() - 1] != "\n"
    goes_on = dashes.end() < len(text) and text[dashes.end()] != "\n"
    pieces = found.split(" ")
    before = "-" if is_within_line and pieces[0] == "-" else ""
    after = "-" if goes_on and pieces[-1] == "-" else ""
    if before and len(pieces) == 1:
        return found
    between = pieces[bool(before) : len(pieces) - bool(after)]
    return f"{before} – {after}" if any(between) else found


def _without_markdown(text: str) -> list[str]:
    text = _TYPED_BULLET.sub(r"\1-", text)
    text = _STAR_INSIDE_WORD.sub(r"\\*", text)
    paragraphs = (_without_word_count(block) for block in _blocks(_MARKDOWN.parse(text)))
    return _without_signature([paragraph for paragraph in paragraphs if paragraph])


def _blocks(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield each block's text; a line break in it is a break the author typed."""
    number = ""  # of a list item, where it is too long to be one
    cells: list[str] = []
    for before, token in pairwise([Token("", "", 0), *tokens]):
        match token.type, before.type:
            case "list_item_open", _:
                if len(token.info) > _MAX_LIST_NUMBER_DIGITS:
                    number += f"{token.info}{token.markup} "
            case "inline", "th_open" | "td_open":
                cells.append(_inline_text(token))
            case "tr_close", _:
                yield ", ".join(filter(None, cells))
                cells = []
            case "inline", "heading_open":
                # A rule typed straight under a paragraph makes it a heading by accident.
                if before.markup == "-" and _SENTENCE_END.search(token.content.rstrip()):
                    yield _inline_text(token)
            case "inline", _:
                yield number + _without_bold_title(_inline_text(token), token)
                number = ""
            case "fence", _:
                yield from token.content.split("\n")
            case "list_item_close", _ if number:
                yield number
                number = ""


def _inline_text(token: Token) -> str:
    return "".join(_plain(child) for child in token.children or ())


def _plain(token: Token) -> str:
    match token.type:
        case "text" | "text_special" | "code_inline" | "image":
            return token.content
        case "softbreak" | "hardbreak":
            return "\n"
        case "html_inline":
            return _TAG.sub(lambda tag: "\n" if tag[0].lower().startswith("<br") else "", token.content)
        case _:
            return ""


def _without_bold_title(text: str, token: Token) -> str:
    """Return `text`, the plain form of `token`, without a first line that is a heading set in bold."""
    depth = 0
    for child in token.children or ():
        if child.type in ("strong_open", "strong_close"):
            depth += child.nesting
        elif child.type in ("softbreak", "hardbreak"):
            break
        elif depth == 0 and _plain(child).strip():
            return text
    title, _, rest = text.partition("\n")
    return text if _SENTENCE_END.search(title.rstrip()) else rest


def _without_word_count(paragraph: str) -> str:
    lines = (_COUNT_AT_LINE_END.sub("", line.rstrip()) for line in paragraph.split("\n"))
    return "\n".join(line for line in lines if not _COUNT_LINE.fullmatch(line)).strip()


def _without_signature(paragraphs: list[str]) -> list[str]:
    """Drop a closing formula or a name after a dash, with a name under it, from the end of an answer."""
    for last in (len(paragraphs) - 2, len(paragraphs) - 1):
        under = paragraphs[last + 1 :]
        short = all(count_words(paragraph) <= _MAX_SIGNATURE_WORDS for paragraph in under)
        if last > 0 and short and _SIGN_OFF.fullmatch(" ".join(paragraphs[last].split())):
            return paragraphs[:last]
    return paragraphs
