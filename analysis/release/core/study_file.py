"""The file that says of a study what its tables do not: `study.json`, beside the rubric's own file."""

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields
from typing import Any, Final, Literal

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from analysis.release.core.facts import ReleaseFacts

STUDY_FILE: Final = "study.json"
RUBRIC_FILE: Final = "rubric.toml"
TEMPLATES: Final = "templates"
Format = Literal["scrub-release/1"]
FORMAT: Final[Format] = "scrub-release/1"

# In files of their own.
_ELSEWHERE: Final = frozenset({"rubric_toml", "template_texts", "sample", "passing"})

Ideology = tuple[str, str, int] | None


@dataclass(frozen=True)
class _Poles:
    low: str
    high: str
    points: int


@dataclass(frozen=True)
class _File:
    format: Format
    study: dict[str, Any]
    ideology: _Poles | None


@dataclass(frozen=True)
class _Holder:
    name: str
    affiliation: str
    by: str
    consent: str


@dataclass(frozen=True)
class _Unblinders:
    """What of those who could unblind is compared; an earlier version's release has none of it."""

    statement: str = ""
    statement_sha256: str = ""
    in_office: tuple[_Holder, ...] = ()
    third_person: dict[str, str | bool] | None = None


_UNBLINDERS: Final = TypeAdapter(_Unblinders)
_FILE: Final = TypeAdapter(_File)
_FACTS: Final = TypeAdapter(ReleaseFacts)


def study_json(facts: ReleaseFacts, *, ideology: Ideology, report: Mapping[str, Any]) -> bytes:
    """The facts, the instrument for political orientation, and what was done for anonymity.

    `ideology` has the instrument's low end, its high end and its number of points.
    """
    study = {field.name: getattr(facts, field.name) for field in fields(facts) if field.name not in _ELSEWHERE}
    poles = dict(zip(("low", "high", "points"), ideology, strict=True)) if ideology else None
    content = {"format": FORMAT, "study": study, "ideology": poles, "anonymity": report}
    return (json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def template_files(facts: ReleaseFacts) -> dict[str, bytes]:
    """The wordings that models were asked with, by file. What stands in braces was filled in by each request."""
    texts = facts.template_texts.items()
    return {f"{TEMPLATES}/{version.replace(':', '-')}.txt": text.encode() for version, text in texts}


def read_study(content: bytes, rubric_toml: bytes) -> tuple[ReleaseFacts, Ideology]:
    """The facts, without the prompts of the pool, and the instrument.

    Raises ValueError, saying where and what, for anything that `study_json` did not write.
    """
    try:
        found = _FILE.validate_json(content)
        facts = _FACTS.validate_python({**found.study, "rubric_toml": rubric_toml.decode()})
        _UNBLINDERS.validate_python(facts.unblinders)
    except ValidationError as error:
        raise ValueError("; ".join(map(_told, error.errors()))) from None
    if not isinstance(facts.design.get("parameters"), dict):
        raise ValueError("design.parameters: there are none")
    return facts, astuple(found.ideology) if found.ideology else None


def _told(error: ErrorDetails) -> str:
    """The message without what stands there, which may be the seed."""
    return f"{'.'.join(map(str, error['loc'])) or 'the file'}: {error['msg']}"
