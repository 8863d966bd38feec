"""Strict reading of votes on prompts: what was asked for, or nothing. No verdict is ever guessed."""

from dataclasses import dataclass
from typing import Any

from generation.calls.core.json_replies import Unreadable, check_keys, read_flag, read_json, read_reason
from generation.prompts.core.quality import CRITERIA, REJECTIONS, Assessment


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two prompts ask for the same analytical work, and why."""

    is_equivalent: bool
    reason: str


def read_quality(text: str) -> Assessment:
    """A vote on one prompt. Raises `Unreadable`, also where its verdict does not follow from what it says."""
    reply = read_json(text)
    check_keys(reply, ("reason", *CRITERIA, "rejections", "passes"))
    assessment = Assessment(
        **{name: read_flag(reply, name) for name in CRITERIA},
        rejections=_rejections(reply["rejections"]),
        reason=read_reason(reply),
    )
    if read_flag(reply, "passes") != assessment.passes:
        raise Unreadable("The reply contradicts itself: its verdict is not what its criteria and rejections make.")
    return assessment


def read_comparison(text: str) -> Comparison:
    """A vote on two prompts. Raises `Unreadable`."""
    reply = read_json(text)
    check_keys(reply, ("reason", "is_equivalent"))
    return Comparison(read_flag(reply, "is_equivalent"), read_reason(reply))


def _rejections(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or any(each not in list(REJECTIONS) for each in value):
        raise Unreadable("The reply lists something else than the rejections asked about.")
    return tuple(name for name in REJECTIONS if name in value)
