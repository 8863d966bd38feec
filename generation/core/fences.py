"""Marks around texts that people or models wrote, so that a request's reader can tell them from its orders."""

from collections.abc import Sequence

from annotation.core.text import sha256_hex

_DIGITS = 16


def fence_code(texts: Sequence[str]) -> str:
    """16 hex digits, drawn from all of `texts`, that stand in none of them.

    Nobody can write a text that closes a fence with this code: the code depends on every letter of the text, and is
    drawn again should a text ever hold it.
    """
    digest = sha256_hex("\x1f".join(texts))
    while any(digest[:_DIGITS] in text.lower() for text in texts):
        digest = sha256_hex(digest)
    return digest[:_DIGITS]


def fenced(name: str, text: str, *, code: str) -> str:
    """The text between an opening and a closing line of its own."""
    return f"<{name}-{code}>\n{text}\n</{name}-{code}>"
