"""The names that exhibits give to what a report is about, and how they tell of its intervals."""

from collections.abc import Iterable

from analysis.data.core.judgment_frame import HUMAN
from analysis.data.core.parameters import WHOLE
from analysis.data.core.results import Estimate
from analysis.sections.exhibits.exhibit import Cell
from analysis.sections.exhibits.theme import PEOPLE


def source_name(source: str) -> str:
    """A model's family as it is called, or people."""
    return PEOPLE.name if source == HUMAN else source


def dimension_name(key: str) -> str:
    """“Conceptual clarity” of `conceptual_clarity`."""
    return capitalised(key.replace("_", " ").strip())


def capitalised(text: str) -> str:
    """The rest of it stays as it is."""
    return text[:1].upper() + text[1:]


def scope_name(scope: str) -> str:
    return "All prompts" if scope == WHOLE else scope


def level_name(level: float) -> str:
    """“95 %” of 0.95."""
    return f"{100 * level:g}\N{NO-BREAK SPACE}%"


def intervals_sentence(cells: Iterable[Cell]) -> str:
    """How the intervals of these cells were found, as they say themselves; blank where there are none."""
    methods: dict[float, dict[str, None]] = {}
    for cell in cells:
        if isinstance(cell, Estimate) and cell.interval and not cell.interval.reason:
            methods.setdefault(cell.interval.level, {})[cell.interval.method] = None
    return " ".join(f"{level_name(level)} intervals: {'; '.join(names)}." for level, names in methods.items())
