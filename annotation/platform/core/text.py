"""What a text is: one cleaning rule, one word counter and one fingerprint for every text that enters."""

import hashlib
import re
import unicodedata
from typing import Final

_CONTROLS_AND_INVISIBLES = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff]")
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_SURROGATES = re.compile("[\ud800-\udfff]")

MAX_STACKED: Final = 30  # combining marks on one letter; no script comes near


def _begins_with_mark(character: str) -> bool:
    return unicodedata.combining(unicodedata.normalize("NFD", character)[0]) > 0


# All combining marks are below U+20000, and so are the letters that are nothing but marks once taken apart.
_COMBINING = "".join(filter(_begins_with_mark, map(chr, range(0x300, 0xD800)))) + "".join(
    filter(_begins_with_mark, map(chr, range(0xE000, 0x20000)))
)
_LONG_STACK = re.compile(rf"[{_COMBINING}]{{{MAX_STACKED + 1},}}")
_JOINER = "\u034f"

# Unicode's White_Space property, spelt out because \s differs between Python and JavaScript.
_WHITE_SPACE = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"

WORD: Final = rf"[^\W_](?:(?![-\u2010-\u2013\u2212]{{2}}|\.\.)[^{_WHITE_SPACE}\u2014\u2015\u2026])*"
r"""One word, as a pattern: a letter or digit and all that follows it up to the next break.

Breaks are white space, the em dash and the horizontal bar, the ellipsis character, two or more full stops,
and two or more hyphens (of any sort, the en dash and the minus sign included). So hyphens, apostrophes,
slashes and a single en dash join: "well-being", "don't", "and/or" and "1990–1995" are one word each;
"state—which", "wait...what" and "this--that" are two; a run with neither letter nor digit, such as "–" or
"***", is not one.

In JavaScript write `[\p{L}\p{N}]` for `[^\W_]` and use the flags `gu`; the rest is the same text.
"""

_WORD = re.compile(WORD)


def clean(text: str) -> str:
    """Return `text` as it is stored, whoever wrote it. Cleaning twice changes nothing more.

    Every line end (CRLF, CR, vertical tab, form feed, NEL, U+2028, U+2029) becomes LF. Other control
    characters go, tab excepted, and so do characters that nobody can see (zero-width space, word joiner, byte
    order mark, soft hyphen); the zero-width joiner and non-joiner stay, because scripts and emoji need them.
    Lone surrogates become U+FFFD. The result is in Unicode normal form C. Where more than `MAX_STACKED` combining
    marks follow each other, a combining grapheme joiner stands after each so many, as in Unicode's Stream-Safe Text
    Format: to bring marks into order takes the square of their number.
    """
    text = _CONTROLS_AND_INVISIBLES.sub("", text)
    text = _LINE_ENDS.sub("\n", text)
    if text.isascii():
        return text
    text = _SURROGATES.sub("\ufffd", text)
    text = _LONG_STACK.sub(_in_parts, text)
    return unicodedata.normalize("NFC", text)


def _in_parts(stack: re.Match[str]) -> str:
    marks = stack[0]
    return _JOINER.join(marks[start : start + MAX_STACKED] for start in range(0, len(marks), MAX_STACKED))


def count_words(text: str) -> int:
    """Return the number of words in a cleaned `text`; `WORD` says what a word is."""
    return len(_WORD.findall(text))


def sha256_hex(text: str) -> str:
    """Return the SHA-256 of `text` in UTF-8, as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
