"""What a thing counts as that several coders, people or models, put into a category each."""

from collections.abc import Collection
from typing import Final

SETTLED: Final = "settled"  # in the place of a coder
BY_MODEL: Final = "model "  # what a coder that is a model begins with, before its name
NO_CATEGORY: Final = "none of these"
"""What a model says where no category fits: things of which it is said need have nothing in common."""


def coders_differ(codes: Collection[str]) -> bool:
    """Whether there is something to settle."""
    return len(set(codes)) > 1


def counted_as(codes: Collection[str], settled: str = "") -> str:
    """What all coders say, else what was `settled` between them; "" where nobody coded, where coders differ and
    nothing was settled, and where all say NO_CATEGORY.
    """
    said = settled if coders_differ(codes) or not codes else next(iter(codes))
    return "" if said == NO_CATEGORY else said
