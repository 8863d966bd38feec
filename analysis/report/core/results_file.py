"""results.json: what was asked and analysed, and what every section found, at full precision.

A file of an earlier version stays readable: a section that it does not have, or has in a form that nobody knows any
more, is not in the report, and all others are. What no section of ours is called is passed over.
"""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json as parsed
from pydantic_core import to_json as written

from analysis.data.core.parameters import Parameters
from analysis.data.core.results import ROUNDING
from analysis.report.sections import registered
from analysis.sections.core.report import Data, Report
from analysis.sections.core.section import Section

# Of the file's layout, not of what sections have in it. 1 had no number, and null instead of sources if masked; in
# 1 and 2 an interval could be crossed, or lie beside its figure.
SCHEMA_VERSION: Final = 3
CROSSED: Final = "its ends were crossed, as an earlier version could have it"
_PARAMETERS: Final = TypeAdapter(Parameters)
_DATA: Final = TypeAdapter(Data)
_REASONS: Final = TypeAdapter(dict[str, str])


def to_json(report: Report) -> bytes:
    """The report as JSON; `from_json` gives an equal one back."""
    content: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "is_masked": report.is_masked,
        "not_applicable": report.not_applicable,
        "parameters": report.parameters,
        "data": report.data,
    }
    for section in registered("file"):
        if section not in report:
            continue
        found = report[section]
        if section.beside:
            content.setdefault(section.key, {}).update({name: getattr(found, name) for name in section.fields})
        else:
            content[section.key] = found
    return written(content, indent=1) + b"\n"


def from_json(content: bytes | str) -> Report:
    """Raises ValueError where not even what was asked and analysed can be read."""
    members = parsed(content)
    if not isinstance(members, dict):
        raise ValueError("no results of an analysis")
    if members.get("schema_version", 1) < SCHEMA_VERSION:
        _mend(members)
    is_masked = bool(members.get("is_masked", members.get("sources") is None))
    found: dict[str, Any] = {}
    for section in registered("file"):
        if is_masked and section.from_masked is None:
            continue
        try:
            found[section.name] = _found(section, members)
        except (KeyError, ValidationError):
            continue
    return Report(
        parameters=_PARAMETERS.validate_python(members.get("parameters")),
        data=_DATA.validate_python(members.get("data")),
        found=found,
        is_masked=is_masked,
        not_applicable=_REASONS.validate_python(members.get("not_applicable", {})),
    )


def lacks(report: Report, section: Section[Any]) -> bool:
    """Whether the code that computed the report did not compute the section, though the study could have it."""
    is_untold = report.is_masked and section.from_masked is None
    return section not in report and section.name not in report.not_applicable and not is_untold


def _mend(part: Any) -> None:
    """Take the ends from intervals that cannot be made any more, wherever they are."""
    if isinstance(part, list):
        for each in part:
            _mend(each)
    elif isinstance(part, dict):
        for each in part.values():
            _mend(each)
        if interval := part.get("interval"):
            low, value, high = interval["low"], part["value"], interval["high"]
            slack = ROUNDING * (1 + abs(value or 0))
            if None not in (low, value, high) and not (low <= high and low - slack <= value <= high + slack):
                interval |= {"low": None, "high": None, "reason": CROSSED}


def _found(section: Section[Any], members: Mapping[str, Any]) -> Any:
    """Raises KeyError or ValidationError where the section is not there as it should be."""
    found = members[section.key]
    if not section.beside:
        return section.adapter.validate_python(found)
    if not isinstance(found, dict):
        raise KeyError(section.key)
    return section.adapter.validate_python({name: found[name] for name in section.fields if name in found})
