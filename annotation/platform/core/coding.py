"""What a thing counts as that several people put into a category each."""

from collections.abc import Collection
from typing import Final

SETTLED: Final = "settled"  # in the place of a coder
BY_MODEL: Final = "model "  # what a coder that is a model begins with, before its name


def counted_as(codes: Collection[str], settled: str = "") -> str:
    """What was `settled`, else what all coders say; "" where nobody coded, or coders differ."""
    said = set(codes)
    return settled or (said.pop() if len(said) == 1 else "")
