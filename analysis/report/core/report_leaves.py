"""What stands in a report, piece by piece, each named by its place, such as `agreement.BBQ.summary.w.mean`.

The parts of a list go by what they begin with, where that is a name (a prompt, a judge, a source and a dimension)
or a number, else by their place from 1; the scope of everything is called “all”. As in TOML, a part with a dot in
it stands in quotes, and so does a domain that is itself called “all”: `agreement."all".prompts."a.1".w`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import takewhile
from typing import Any, Final

from analysis.data.core.parameters import WHOLE
from analysis.data.core.results import Estimate
from analysis.report.sections import registered
from analysis.sections.core.report import Report

Leaf = Estimate | str | int | float | None

ALL: Final = "all"
_PARTS: Final = re.compile(r'"([^"]*)"|([^".]+)')


def leaves(report: Report) -> Iterator[tuple[str, Leaf]]:
    """Everything in it, in a fixed order; two reports are equal if all of this is."""
    yield from _leaves(("parameters",), report.parameters)
    yield from _leaves(("data",), report.data)
    for section in registered("file"):
        if section in report:
            yield from _leaves((section.key,), report[section])


def figures(report: Report) -> Iterator[tuple[str, Estimate]]:
    """The report's estimates alone."""
    return ((name, leaf) for name, leaf in leaves(report) if isinstance(leaf, Estimate))


def parts_of(name: str) -> list[str]:
    """The parts of a leaf's name, as they are called."""
    return [quoted or bare for quoted, bare in _PARTS.findall(name)]


def _leaves(path: tuple[str, ...], part: Any) -> Iterator[tuple[str, Leaf]]:
    if isinstance(part, Mapping):
        for name, value in part.items():
            yield from _leaves((*path, ALL if name == WHOLE else _quoted(name)), value)
    elif isinstance(part, tuple):
        for number, value in enumerate(part, start=1):
            yield from _leaves((*path, _name(value) or str(number)), value)
    elif is_dataclass(part) and not isinstance(part, Estimate):
        for each in fields(part):
            yield from _leaves((*path, each.name), getattr(part, each.name))
    else:
        yield ".".join(path), part


def _name(part: Any) -> str:
    """What distinguishes the parts of a list: the names and marks, or the number, that they begin with."""
    if not is_dataclass(part) or isinstance(part, Estimate):
        return ""
    values = [(each.name, getattr(part, each.name)) for each in fields(part)]
    first = values[0][1]
    if is_dataclass(first):
        return _name(first)
    if isinstance(first, int):
        return str(first)
    leading = takewhile(lambda named: isinstance(named[1], str | bool), values)
    return ".".join(name if value is True else _quoted(value) for name, value in leading if value is not False)


def _quoted(name: str) -> str:
    """A word as a part of a leaf's name; quotes within are taken for single ones."""
    name = name.replace('"', "'")
    return f'"{name}"' if "." in name or name == ALL else name
