"""A report as files: every figure at full precision, as JSON and as one long table."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from pydantic import TypeAdapter

from analysis.core.report import WHOLE, Report
from analysis.core.results import Estimate
from annotation.core.csv_cells import inert

_REPORT: Final = TypeAdapter(Report)
COLUMNS: Final = ("figure", "value", "low", "high", "level", "n", "left_out", "reason", "interval")


def to_json(report: Report) -> bytes:
    """The report as JSON; `from_json` gives an equal one back."""
    return _REPORT.dump_json(report, indent=1) + b"\n"


def from_json(content: bytes | str) -> Report:
    return _REPORT.validate_json(content)


def figures(report: Report) -> Iterator[tuple[str, Estimate]]:
    """Every figure with its place in the report, such as `agreement.BBQ.summary.w.mean`.

    The parts of a list go by their name where they have one, else by their number from 1; the scope of everything
    is called “all”.
    """
    yield from _figures((), report)


def figures_csv(report: Report) -> bytes:
    """Every figure a line: UTF-8, the shortest digits that read back exactly, blank where there is nothing."""
    buffer = io.StringIO(newline="")
    lines = csv.writer(buffer, lineterminator="\n")
    lines.writerow(COLUMNS)
    for name, figure in figures(report):
        interval = figure.interval
        lines.writerow(
            [
                inert(name),
                *(
                    "" if cell is None else cell
                    for cell in (
                        figure.value,
                        interval and interval.low,
                        interval and interval.high,
                        interval and interval.level,
                        figure.n,
                        figure.left_out,
                        figure.reason,
                        interval and (interval.reason or interval.method),
                    )
                ),
            ]
        )
    return buffer.getvalue().encode("utf-8")


def _figures(path: tuple[str, ...], part: Any) -> Iterator[tuple[str, Estimate]]:
    if isinstance(part, Estimate):
        yield ".".join(path), part
    elif isinstance(part, Mapping):
        for name, value in part.items():
            yield from _figures((*path, "all" if name == WHOLE else str(name)), value)
    elif isinstance(part, tuple):
        for number, value in enumerate(part, start=1):
            yield from _figures((*path, _name(value) or str(number)), value)
    elif is_dataclass(part):
        for each in fields(part):
            yield from _figures((*path, each.name), getattr(part, each.name))


def _name(part: Any) -> str:
    """What the parts of a list are told apart by."""
    if hasattr(part, "severity"):
        return _name(part.severity)
    if hasattr(part, "dimension"):
        return f"{part.source}.{part.dimension}"
    if hasattr(part, "other"):
        return f"{part.one}.{part.other}"
    names = ("prompt_id", "source", "item", "judge", "more")
    return next((str(getattr(part, name)) for name in names if hasattr(part, name)), "")
