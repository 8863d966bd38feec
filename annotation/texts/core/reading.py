"""What becomes of a text before anybody judges it: one look for all, its words counted, its source looked for."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.platform.core.text import count_words
from annotation.texts.core.leaks.scan import Finding, scan
from annotation.texts.core.normalisation import normalise


@dataclass(frozen=True)
class Reading:
    """A text as judges may be shown it, how many words it has, and what in it may give its source away."""

    text: str
    words: int
    findings: tuple[Finding, ...]


def read_text(text: str, *, names: Sequence[str] = ()) -> Reading:
    """Normalise and scan a text as it was sent, with `names` as `scan` takes them."""
    shown = normalise(text)
    return Reading(shown, count_words(shown), scan(shown, names=names))
