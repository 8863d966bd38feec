"""Words around numbers."""

from datetime import date


def counted(number: int, noun: str) -> str:
    """The number with its noun, "1 answer" or "3,000 answers"; for nouns that take a plain s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def in_words(day: date) -> str:
    return f"{day:%-d %B %Y}"
