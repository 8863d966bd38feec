"""Words around numbers."""

from collections.abc import Sequence
from datetime import date
from math import floor


def counted(number: int, noun: str) -> str:
    """The number with its noun, "1 answer" or "3,000 answers"; for nouns that take a plain s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def with_article(noun: str) -> str:
    """The noun with its indefinite article by its first letter: "a judge", "an annotator"."""
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def listed(names: Sequence[str]) -> str:
    """Names as they stand in a sentence: "one, two and three"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def percent(share: float) -> str:
    """A share (0 to 1) in whole percent, rounded down, so that no threshold seems reached that is not: "74 %"."""
    return f"{floor(round(100 * share, 6))}\N{NO-BREAK SPACE}%"


def in_words(day: date) -> str:
    return f"{day:%-d %B %Y}"
