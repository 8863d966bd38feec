"""Each character as people type it: one for all that look like it, none for those that nobody sees.

Categories and decompositions are Unicode's (UAX #44); invisible are format characters (Cf), private ones (Co) and
those of the property Default_Ignorable_Code_Point.
"""

import re
import unicodedata
from html import unescape
from typing import Final

from annotation.platform.core.text import clean

BULLET: Final = "•"
"""What stands for every picture and bullet until lines are distinguished."""

MAX_MARKS_ON_LETTER: Final = 8  # Hebrew and Tibetan, which pile most of all, come to five or six

_PICTURE: Final = "\ufffc"

_TYPED: Final[dict[str, str]] = {
    **dict.fromkeys("“”„‟«»″‶❝❞〝〞〟＂⹂🙶🙷🙸", '"'),
    **dict.fromkeys("‴", "'''"),
    **dict.fromkeys("‘’‚‛‹›′‵´❛❜❟＇", "'"),
    **dict.fromkeys("‐‑﹣－−˗➖⁻₋", "-"),
    **dict.fromkeys("‒–﹘", "–"),
    **dict.fromkeys("—―⸺⸻﹘〜〰⹃︱︲", "—"),
    **dict.fromkeys("…⋯᠁︙", "..."),
    **dict.fromkeys("‣◦∙▪▫●○■□▲△▶▷▸▹►▻◆◇◉◌◍◎◘◙⁃⁌⁍⦾⦿⬤⬥⬦⬧⬩⯀⯁➢➣➤➔➙➛➜➝➞➟➠➡⚫⚪", BULLET),
    **dict.fromkeys(
        "\uf0b7\uf0a7\uf0d8\uf0fc\uf076\uf0a8\uf06e\uf02d", BULLET
    ),  # the Symbol fonts of word processors
    **dict.fromkeys("·⋅‧\u0387", "·"),
    **dict.fromkeys("→⟶⇾↦", "->"),
    **dict.fromkeys("←⟵⇽", "<-"),
    **dict.fromkeys("↔⟷⇿", "<->"),
    **dict.fromkeys("⇒⟹", "=>"),
    **dict.fromkeys("⇔⟺", "<=>"),
    **dict.fromkeys("≤⩽≦", "<="),
    **dict.fromkeys("≥⩾≧", ">="),
    **dict.fromkeys("⁄∕⧸", "/"),
    "≠": "!=",
    "±": "+/-",
    "∗": "*",
    "∖": "\\",
    "∼": "~",
    "∣": "|",
    "№": "No.",
    "ℓ": "l",
    "\u2800": " ",  # a blank in Braille
    "\u3164": " ",  # fillers that are letters by category and blank to the eye
    "\uffa0": " ",
    "\u115f": "",
    "\u1160": "",
    "\u17b4": "",
    "\u17b5": "",
    "\u034f": "",
    "™": "",
    "℠": "",
}
_KEPT_SYMBOLS: Final = frozenset("©®°♀♂⚥⚧♭♮♯☉☽☿")
_PICTURES: Final = (
    (0x231A, 0x231B),
    (0x23CF, 0x23FA),
    (0x2580, 0x2BFF),  # blocks, shapes, miscellaneous symbols, dingbats; arrows of mathematics are among _TYPED
    (0x1F000, 0x1FBFF),
    (0xFFFC, 0xFFFC),
)
_MATHEMATICS_AMONG_PICTURES: Final = ((0x27C0, 0x2AFF),)
_IGNORABLE: Final = (
    (0x180B, 0x180F),
    (0x2060, 0x206F),
    (0xFE00, 0xFE0F),
    (0xFFF0, 0xFFF8),
    (0xFDD0, 0xFDEF),
    (0xE0000, 0xE0FFF),
)
_SIGNS_OF_SCRIPTS: Final = (  # format characters that are seen, or that put signs of a script together
    (0x0600, 0x0605),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
    (0x13430, 0x1343F),
)
_SAME_LETTER: Final = frozenset(
    f"<{tag}>"
    for tag in "compat wide narrow font small square fraction initial medial final isolated vertical".split()
)
_ORDINARY_THOUGH_COMPATIBLE: Final = (
    (0x0500, 0x0FFF),  # letters of Armenian, Kazakh, Thai, Lao and Tibetan as everybody writes them
    (0x3131, 0x318E),  # Korean letters as they are typed alone
)
_MAX_EXPANSION: Final = 8  # characters; what stands for more is a word or a whole phrase of its own
_ENCLOSED_FROM_ONE: Final = (0x2776, 0x277F), (0x2780, 0x2789), (0x278A, 0x2793), (0x24F5, 0x24FE), (0x24EB, 0x24F4)

# Scripts whose letters join or stack, so that a joiner between two of them changes what is read.
_JOINING: Final = (
    "\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1700-\u18af\u1900-\u1aaf\u1b00-\u1c4f\ua800-\ua8ff\ua980-\uaadf"
    "\uabc0-\uabff\U00010a00-\U00011fff\U0001e900-\U0001e95f"
)
_JOINERS: Final = re.compile(rf"(?<=[{_JOINING}])([\u200c\u200d])(?=[{_JOINING}])|[\u200c\u200d]")
_MONGOLIAN_VOWEL: Final = re.compile("(?<=[\u1820-\u18aa])(\u180e)(?=[\u1820-\u18aa])|\u180e")
_LONG_PILE: Final = re.compile(
    r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]{9,}"
)
_REPLACED_APOSTROPHE: Final = re.compile(r"(?<=[^\W\d_])\ufffd(?=[^\W\d_])")
_KEYCAP: Final = re.compile("([0-9#*])\ufe0f?\u20e3")
_ENCLOSING: Final = re.compile("[\u20dd-\u20e4\u0488\u0489]")
_PICTURES_AT_LINE_START: Final = re.compile(rf"^([ \t]*){_PICTURE}[{_PICTURE} \t]*", re.MULTILINE)
_SOFT_HYPHEN_AT_LINE_END: Final = re.compile("\u00ad[ \t]{0,9}(?:\r\n|\r|\n)[ \t]{0,9}")

_RAISED: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_LOWERED: Final = "₀₁₂₃₄₅₆₇₈₉"
_PLAIN_DIGITS: Final = str.maketrans(_RAISED + _LOWERED + "⁺⁻₊₋ⁿ", "01234567890123456789" + "+-+-n")
_EXPONENT: Final = re.compile(
    rf"(?:(?<=[0-9)\]])|(?<=(?<![^\W\d_])[^\W\d_])|(?<=[ckmdµμn]m)|(?<=ft)|(?<=sin)|(?<=cos)|(?<=tan)|(?<=log))"
    rf"([⁺⁻]?[{_RAISED}]{{1,9}}|ⁿ)|([⁺⁻][{_RAISED}]{{1,9}}|ⁿ)"
)
_NOTE_NUMBER: Final = re.compile(rf"[{_RAISED}]{{1,9}}")
_INDEX: Final = re.compile(rf"(?<=(?<![^\W\d_])[^\W\d_])([{_LOWERED}]{{1,9}})(?![^\W_])")
_LOWERED_DIGITS: Final = re.compile(rf"[₊₋{_LOWERED}]{{1,9}}")
_MIXED_FRACTION: Final = re.compile("(?<=[0-9])(?=[¼½¾⅐-⅞])")
_ORDINAL: Final = re.compile("(?<=[0-9])(?:ˢᵗ|ⁿᵈ|ʳᵈ|ᵗʰ)")
_APOSTROPHE_AMONG_LETTERS: Final = re.compile("(?<=[A-Za-z\u00c0-\u024f])[\u02b9\u02bb\u02bc\u02c8]")
_SPACED_GUILLEMETS: Final = re.compile(
    r"(?<![^\s(\[])([«‹])[\s\u00a0\u202f]([^«»‹›\n]{1,400}?)[\s\u00a0\u202f]([»›])"
)

_AMPERSANDS: Final = re.compile(r"&(?:amp;|#0{0,6}38;|#[xX]0{0,6}26;)++")
_ENTITY: Final = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_MAX_PEELS: Final = 3  # of entities made of entities by other ways than &amp;amp;


def as_typed(text: str) -> str:
    """Return `text` cleaned, with its entities read and each character as one that people type.

    Letters keep their order, and every script what it needs: joiners between letters that join, marks up to
    `MAX_MARKS_ON_LETTER` on one letter. Ligatures, full-width and mathematical letters become the plain ones,
    exponents `^2`, indices `_1` or the digit, fractions `1/2`, numbers of notes `[1]`, circled ones `(1)`.
    Pictures and bullets of all kinds are `BULLET` where they open a line; elsewhere pictures are a space.
    """
    text = clean(_entities(_SOFT_HYPHEN_AT_LINE_END.sub("", text)))
    if text.isascii():
        return text
    text = _KEYCAP.sub(r"(\1) ", text)
    text = _ENCLOSING.sub("", text)
    text = _MIXED_FRACTION.sub(" ", text)
    text = _ORDINAL.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    text = _EXPONENT.sub(lambda found: "^" + found[0].translate(_PLAIN_DIGITS), text)
    text = _NOTE_NUMBER.sub(lambda found: f"[{found[0].translate(_PLAIN_DIGITS)}]", text)
    text = _INDEX.sub(lambda found: "_" + found[1].translate(_PLAIN_DIGITS), text)
    text = _LOWERED_DIGITS.sub(lambda found: found[0].translate(_PLAIN_DIGITS), text)
    text = _SPACED_GUILLEMETS.sub(r"\1\2\3", text)
    text = _REPLACED_APOSTROPHE.sub("'", _APOSTROPHE_AMONG_LETTERS.sub("'", text))
    text = _MONGOLIAN_VOWEL.sub(lambda found: found[1] or "", text)
    text = text.translate(_TABLE)
    text = _JOINERS.sub(lambda found: found[1] or "", text)
    text = _LONG_PILE.sub(lambda found: found[0][:MAX_MARKS_ON_LETTER], text)
    text = _PICTURES_AT_LINE_START.sub(rf"\1{BULLET} ", text).replace(_PICTURE, " ")
    return unicodedata.normalize("NFC", text)


def _entities(text: str) -> str:
    """Read what is written as `&mdash;` or `&#8212;`, also where it was written so twice."""
    for _ in range(_MAX_PEELS):
        text = _AMPERSANDS.sub("&", text)
        read = _ENTITY.sub(lambda found: unescape(found[0]), text)
        if read == text:
            return text
        text = read
    return _ENTITY.sub(lambda found: found[0].replace("&", "& "), text)


class _Table(dict[int, str]):
    """What becomes of each character, found out when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = _typed(chr(code))
        return self[code]


def _typed(character: str) -> str:  # noqa: PLR0911  (a table of cases)
    code, category = ord(character), unicodedata.category(character)
    if character in _TYPED:
        return _TYPED[character]
    if category == "Zs":
        return " "
    if character in "\u200c\u200d\u180e" or _within(code, _SIGNS_OF_SCRIPTS):
        return character
    if category in ("Cf", "Co") or _within(code, _IGNORABLE) or code & 0xFFFE == 0xFFFE:
        return ""
    if character == "\ufffd":
        return ""
    for first, last in _ENCLOSED_FROM_ONE:
        if first <= code <= last:
            return f"({unicodedata.numeric(character):.0f}) "
    if _is_picture(code) and character not in _KEPT_SYMBOLS:
        return _PICTURE
    return _without_compatibility(character)


def _is_picture(code: int) -> bool:
    return _within(code, _PICTURES) and not _within(code, _MATHEMATICS_AMONG_PICTURES)


def _without_compatibility(character: str) -> str:
    tag, _, rest = unicodedata.decomposition(character).partition(" ")
    plain = unicodedata.normalize("NFKC", character)
    if tag == "<circle>" and plain.isascii():
        return f"({plain}) "
    if tag not in _SAME_LETTER or rest.startswith("0020 ") or not 0 < len(plain) <= _MAX_EXPANSION:
        return character
    if _within(ord(character), _ORDINARY_THOUGH_COMPATIBLE):
        return character
    return plain.replace("\u2044", "/")


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)


_TABLE: Final = _Table()
