"""One typographic style for a paragraph: that of plain typed prose.

Straight double quotation marks, straight single ones within them; no dash that separates, but the comma, the
parentheses or nothing that stand for it; hyphens for ranges; three full stops for an ellipsis; one space between
words.
"""

import re
from collections.abc import Callable
from typing import Final

from annotation.texts.core.characters import BULLET
from annotation.texts.core.quotation_marks import with_double_marks, with_one_kind_of_quotation_marks

_SPACES: Final = re.compile(r"[ \t]+")
_EMOTICON: Final = re.compile(r"(?<!\S)[:;=][-'^]?[()\[\]|/\\*]{1,3}(?!\S)|(?<!\S)(?:\^_?\^|<3)(?!\S)")
_INLINE_BULLET: Final = re.compile(rf"(?<!\s)\s[{BULLET}·]\s|{BULLET}")
_TILDE: Final = re.compile(r"(?<=[^\W\d_\"')]) ~ (?=[^\W\d_\"'(])")
_ARROW: Final = re.compile(r"-{2,9}>")
_SPACED_DOTS: Final = re.compile(r"\.(?: \.){2,}+")
_DOTS: Final = re.compile(r"(?<![. ]) ?(?<!\.)\.{2,}(?![/\\.]) ?")
_MARKS: Final = re.compile(r"(?<=[^\W_])[!?]{2,}|(?<=[\"')\]])[!?]{2,}")
_REPEATED: Final = re.compile(r",{2,}|(?<=[^\W_])(?:;{2,})")
_BEFORE_MARK: Final = re.compile(r"(?<=[^\s(\[{.!?:;,]) (?=[,;:.!?%](?:[\s\"')\]]|\Z))|(?<=\S) (?=[)\]}](?!\())")
_AFTER_BRACKET: Final = re.compile(r"(?<=[(\[{]) (?=\S)")
_NO_SPACE_AFTER: Final = re.compile(r"(?<=[^\W_])[,;](?=[^\W\d_]{2}|[aIA] |[ei]\.)|(?<=[^\W\d_]{2}),(?=[0-9])")
_SPACE_ON_THE_WRONG_SIDE: Final = re.compile(r"(?<=[^\W_]) ([,;]|\.(?=[A-Z][a-z]))(?=[^\W\d_])")
_NO_SPACE_AFTER_STOP: Final = re.compile(r"(?<=[^\W\d_A-Z][^\W\d_A-Z])([.!?])(?=[A-Z][a-z])")
_NO_SPACE_BEFORE_BRACKET: Final = re.compile(r"(?<=[^\W\d_]{3})\((?=[^\W\d_]{3,30}[ ,;])|(?<=[^\W_][,;:])\(")
_ADDRESS: Final = re.compile(r"https?://\S{1,999}|www\.\S{1,999}|\S{1,99}@\S{1,99}")

_DASHES: Final = re.compile(r"(?<![ –—-]) ?[–—-][ –—-]*")
_LETTER: Final = re.compile(r"[^\W\d_]")
_OPERAND_BEFORE: Final = re.compile(
    r"(?<![^\s(\[=+*/^<>-])(?:[0-9][0-9.,]{0,15}%?|[^\W\d_](?:_\w{1,9})?|[0-9]{1,9}[^\W\d_])\Z"
)
_OPERAND_AFTER: Final = re.compile(
    r"(?:[$€£]?[0-9][0-9.,]{0,15}|[^\W\d_](?:_\w{1,9})?|[0-9]{1,9}[^\W\d_])(?![^\W_'])"
)
_EQUATION: Final = re.compile(r"[^.;:!?]{0,20}?[=<>+*^]")
_DIGITS_BEFORE: Final = re.compile(r"(?<![0-9.,])[0-9]{1,4}\Z")
_DIGITS_AFTER: Final = re.compile(r"[0-9]{1,4}(?![0-9.,][0-9]|[0-9])")
_WORD_AFTER: Final = re.compile(r"[^\W\d_]{1,30}")
_WORDS_THAT_ARE_NO_OPERANDS: Final = frozenset("aAIoOyYeEuU")
_SUFFIXES: Final = frozenset(
    "able al ation ed en er ers est ful hood ible ic ing ion ish ism isms ist ists ity ive ize less like ly "
    "ment ness oid ology or ous s ship sion tion ward wise".split()
)
_LAST_WORD: Final = re.compile(r"[^\W\d_]{1,30}\Z")
_SUSPENSION: Final = re.compile(
    r"(?:and|or|nor|to|und|oder|bis|et|ou|y|o|e|versus|vs\.?|but|rather than) [^\W_]{1,30}-?"
)
_PREFIXES: Final = frozenset(
    "pre post pro anti mid over under micro meso macro intra inter sub super mono bi multi socio well short "
    "long left right non neo trans ex semi quasi re de up down in out co cross high low upper lower half full "
    "self new old first second third vor nach ein aus".split()
)
_CHINESE_OR_JAPANESE: Final = re.compile("[\u2e80-\u9fff\uf900-\ufaff]")


def in_one_style(paragraph: str) -> str:
    """Return a paragraph, of characters as `as_typed` gives them, in the one style; its words stay."""
    text = _SPACES.sub(" ", paragraph).strip()
    text = _INLINE_BULLET.sub(_without_bullet, _with(":;=^<", _EMOTICON, "", text))
    text = with_double_marks(_with(">", _ARROW, "->", _with("~", _TILDE, " — ", text)))
    text = _SPACES.sub(" ", _without_dashes(text)).strip()
    text = _DOTS.sub(_ellipsis, _SPACED_DOTS.sub("...", text)).strip()
    text = _with("!?", _MARKS, _one_mark, _with(",;", _REPEATED, lambda found: found[0][0], text))
    text = with_one_kind_of_quotation_marks(text)
    text = _AFTER_BRACKET.sub("", _BEFORE_MARK.sub("", text))
    text = _with_spaces_after_marks(text)
    return _SPACES.sub(" ", text).strip()


def _with(signs: str, pattern: re.Pattern[str], by: str | Callable[[re.Match[str]], str], text: str) -> str:
    """The text with `by` for each match of a pattern that matches nothing without one of `signs`.

    To look for a sign takes next to no time, to try a pattern at every place of a long text takes milliseconds.
    """
    return pattern.sub(by, text) if any(sign in text for sign in signs) else text


def _without_bullet(found: re.Match[str]) -> str:
    before, after = found.string[: found.start()], found.string[found.end() :]
    is_between = bool(before.strip()) and bool(after.strip())
    return (", " if before.rstrip()[-1:] not in ".!?:;,(" else " ") if is_between else " "


def _ellipsis(found: re.Match[str]) -> str:
    """Three full stops close to the word before them and, unless something closes there, apart from the next."""
    before, after = found.string[: found.start()], found.string[found.end() : found.end() + 1]
    is_first = not before or before[-1] in "([{\"'" or (found[0].startswith(" ") and before[-1] in ",;:.!?")
    opening = " " if found[0].startswith(" ") and before and before[-1] in ",;:!?" else ""
    closes = not after or after in ".,;:!?)]}" or (after in "\"'" and not found[0].endswith(" "))
    return f"{opening}...{'' if closes or (is_first and not found[0].endswith(' ')) else ' '}"


def _one_mark(found: re.Match[str]) -> str:
    return "?!" if len(set(found[0])) > 1 else found[0][0]


def _with_spaces_after_marks(text: str) -> str:
    """`one,two` and `end.Next` with a space, but for what stands in an address."""
    if not any(sign in text for sign in ("://", "www.", "@")):
        return _spaced(text)
    parts, done = [], 0
    for address in _ADDRESS.finditer(text):
        parts += [_spaced(text[done : address.start()]), address[0]]
        done = address.end()
    return "".join([*parts, _spaced(text[done:])])


def _spaced(text: str) -> str:
    text = _SPACE_ON_THE_WRONG_SIDE.sub(r"\1 ", text)
    text = _NO_SPACE_AFTER_STOP.sub(r"\1 ", _with(",;", _NO_SPACE_AFTER, lambda found: f"{found[0]} ", text))
    return _with("(", _NO_SPACE_BEFORE_BRACKET, " (", text)


def _without_dashes(text: str) -> str:
    """Hyphens, ranges and minus signs are hyphens; for a dash that separates stands a comma, or nothing."""
    return _DASHES.sub(_instead, text)


def _joining(found: re.Match[str]) -> str | None:  # noqa: PLR0911  (a table of cases)
    """What a stretch of dashes and spaces becomes where it joins or counts; None where it separates."""
    stretch, text = found[0], found.string
    before, after = text[max(0, found.start() - 40) : found.start()], text[found.end() : found.end() + 40]
    core = stretch.strip()
    left, right = stretch.startswith(" "), stretch.endswith(" ")
    if not before or not after:
        return "-" if core == "-" and not left and before and not right else None
    if core == "-" and (after[0] == ">" or before[-1] == "<"):
        return stretch
    if (
        _DIGITS_BEFORE.search(before)
        and _DIGITS_AFTER.match(after)
        and core in ("-", "–", "—", "--")
        and left == right
    ):
        first, last = _DIGITS_BEFORE.search(before), _DIGITS_AFTER.match(after)
        if first and last and (not left or len(first[0]) == len(last[0])):
            return "-"
    if core in ("-", "–") and left and right and _is_minus(before, after):
        return " - "
    if core in ("-", "–") and not left and not right:
        return "-"
    if core in ("-", "–") and not right and after[0].isdigit() and before[-1] not in ".!?;:":
        return f"{' ' if left else ''}-"
    if core == "-" and left != right:
        return _of_half_a_word(stretch, before, after)
    if _CHINESE_OR_JAPANESE.match(before[-1]) and _CHINESE_OR_JAPANESE.match(after):
        return "——"
    return None


def _is_minus(before: str, after: str) -> bool:
    first, last = _OPERAND_BEFORE.search(before), _OPERAND_AFTER.match(after)
    if not first or not last:
        return False
    if {first[0], last[0]} & _WORDS_THAT_ARE_NO_OPERANDS:
        return bool(_EQUATION.match(after[last.end() :])) or "=" in before
    return True


def _of_half_a_word(stretch: str, before: str, after: str) -> str | None:
    """A hyphen with a space on one side: of `pre- and post-war`, `the suffix -ism`, or a dash in haste."""
    word = _WORD_AFTER.match(after)
    if stretch.endswith(" "):
        return stretch if not _LETTER.match(before[-1]) or _is_suspended(before, after) else None
    return stretch if (word is None or word[0].casefold() in _SUFFIXES) and before[-1] not in ".!?" else None


def _is_suspended(before: str, after: str) -> bool:
    """Whether a word waits for its second half, as in `pre- and post-war` or `long- and short-term`."""
    prefix = _LAST_WORD.search(before)
    goes_on = _SUSPENSION.match(after)
    return goes_on is not None and ("-" in goes_on[0] or (prefix is not None and prefix[0].casefold() in _PREFIXES))


def _instead(found: re.Match[str]) -> str:
    """What stands for a stretch of dashes and spaces."""
    joined = _joining(found)
    if joined is not None:
        return joined
    before, after = (
        found.string[max(0, found.start() - 1) : found.start()],
        found.string[found.end() : found.end() + 2],
    )
    if not before or not after:
        return ""
    if before in ",;:.!?":
        return " "
    if before in "([{" or after[0] in ",;:.!?)]}" or (after[0] in "\"'" and not _LETTER.match(after[1:])):
        return ""
    return ", "
