"""Categories of what answers to a scenario recommend."""

from collections.abc import Sequence
from typing import Final

MAX_CATEGORY: Final = 80  # characters
MAX_CATEGORIES: Final = 20  # of a scenario


def known_category(name: str, known: Sequence[str]) -> str:
    """The category among those `known` that is written like this one but for case and spaces; else the name."""
    name = " ".join(name.split())
    return next((each for each in known if each.casefold() == name.casefold()), name)
