"""The file that says of a study what its tables do not: `study.json`, beside the rubric's own file."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from analysis.core.release.facts import ReleaseFacts

STUDY_FILE: Final = "study.json"
RUBRIC_FILE: Final = "rubric.toml"
TEMPLATES: Final = "templates"
FORMAT: Final = "scrub-release/1"

# In files of their own.
_ELSEWHERE: Final = frozenset({"rubric_toml", "template_texts", "sample", "passing"})

Ideology = tuple[str, str, int] | None


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

    Raises ValueError, KeyError or TypeError for anything that `study_json` did not write.
    """
    found = json.loads(content)
    if found["format"] != FORMAT:
        raise ValueError(f"the format is {found['format']!r}, not {FORMAT!r}")
    poles = found["ideology"]
    facts = ReleaseFacts(**found["study"], rubric_toml=rubric_toml.decode())
    return facts, (poles["low"], poles["high"], poles["points"]) if poles else None
