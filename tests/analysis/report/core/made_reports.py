"""A report with something in every place that its shapes have, made from these shapes alone.

Whoever adds a figure to a report finds it here at once.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from itertools import count
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from analysis.agreement.core.intraclass import COEFFICIENTS
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.results import Estimate, Interval
from analysis.report.sections import registered
from analysis.sections.core.report import Data, Report
from analysis.sections.core.section import Section

SOURCES: Final = ("claude", "gemini", "gpt", "human")
DIMENSIONS: Final = ("clarity", "evidence", "relevance", "soundness")
NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "source": SOURCES,
    "item": SOURCES,
    "one": SOURCES,
    "other": SOURCES[::-1],
    "dimension": DIMENSIONS,
    "dimensions": DIMENSIONS,
    "judge": ("J-001", "J-002", "J-003", "J-004"),
    "prompt_id": ("BBQ_01", "BBQ_02", "HLE_01", "HLE_02"),
    "role": ("writer", "judge"),
    "key": ("level", "level", "level", "level"),  # of a contrast
    "sentence": ("This is what was found.",),
    "steps": tuple(f"Step {number} is this." for number in "1234"),
}
KEYS: Final = {
    "icc": COEFFICIENTS,
    "counts": ("one answer", "another"),
    "item_types": ("standard",),
}
SCOPES: Final = (WHOLE, "BBQ", "Theory of Mind")
# Of lists; others have as many as there are sources.
PARTS: Final = {"guesses": 2, "bang": 2, "bang_by_confidence": 2, "participants": 2}
VALUES: Final = {int: 3, float: 1.0, bool: False}


def made_report() -> Report:
    """No two of its estimates have the same value, and each has an interval."""
    numbers = count(1)

    def made(kind: Any, name: str, place: int = 0) -> Any:
        if kind is Estimate:
            value = next(numbers) / 10_000
            return Estimate(name, value, 10, interval=Interval(value - 0.1, value + 0.1, 0.95, "a method"))
        if is_dataclass(kind) and isinstance(kind, type):
            hints = get_type_hints(kind)
            return kind(**{each.name: made(hints[each.name], each.name, place) for each in fields(kind)})
        if arguments := get_args(kind):
            return made_of(get_origin(kind), arguments, name, place)
        return NAMES.get(name, (name,) * len(SOURCES))[place] if kind is str else VALUES[kind]

    def made_of(origin: Any, arguments: tuple[Any, ...], name: str, place: int) -> Any:
        if origin is Mapping:
            return {key: made(arguments[1], name, number) for number, key in enumerate(KEYS.get(name, SCOPES))}
        if origin is tuple and arguments[-1] is Ellipsis:
            return tuple(made(arguments[0], name, number) for number in range(PARTS.get(name, len(SOURCES))))
        if origin is tuple:
            return tuple(made(argument, name, place) for argument in arguments)
        # One of the values that may be meant, or something beside None.
        return arguments[0] if origin is Literal else made(arguments[0], name, place)

    return Report(
        parameters=made(Parameters, ""),
        data=made(Data, ""),
        found={section.name: made(section.kind, section.name) for section in registered("file")},
    )


def masked(report: Report) -> Report:
    """What of it is computed from masked judgments."""
    hidden = [section for section in registered("file") if section.from_masked is None]
    return replace(report.without(*hidden), is_masked=True)


def changed(report: Report, section: Section[Any], **changes: object) -> Report:
    """The report where some of what the section found is this."""
    return report.having(section, replace(report[section], **changes))
