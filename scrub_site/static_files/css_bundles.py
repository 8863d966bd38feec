"""Stylesheets that a page always has together, put together: its first paint waits for one file, not for several.

While developing, and in tests, they are fetched one by one.
"""

from collections.abc import Callable, Mapping
from typing import Final

BUNDLES: Final[Mapping[str, tuple[str, ...]]] = {
    "platform/site": ("platform/base.css", "platform/components.css"),
    "judging/room": ("judging/judging.css", "judging/scores-and-tiers.css", "judging/room.css"),
}


def bundled(name: str) -> str:
    """The file that stands for the stylesheets of a bundle."""
    return f"{name}.bundle.css"


def bundle(name: str, read: Callable[[str], str]) -> str:
    """The stylesheets of a bundle, in their order; `read` gives the text of each by its name."""
    return "\n".join(map(read, BUNDLES[name]))
