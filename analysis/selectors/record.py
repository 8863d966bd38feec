"""The record of a study's ceremony, as its audit trail has it: every step, who took it, and what was refused."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from annotation.models.audit import AuditEvent
from annotation.models.studies import Study

STEPS: Final = {
    "study.lock_design": "Design locked, seed committed to",
    "study.open_judging": "Judging opened",
    "study.close": "Collection closed",
    "study.frozen": "Data frozen",
    "unblinding.requested": "Unblinding asked for",
    "unblinding.declined": "Unblinding declined",
    "unblinding.approved": "Unblinding approved",
    "study.unblind": "Seed and sources revealed",
    "release.asked": "Release asked for",
    "release.prepared": "Release prepared",
    "release.not_prepared": "Release not prepared",
    "study.release": "Study released",
    "release.published": "Release published",
    "release.files_deleted": "Files of a release deleted, after somebody withdrew",
    "close_study.refused": "Refused: closing",
    "request_unblinding.refused": "Refused: asking for unblinding",
    "decide_unblinding.refused": "Refused: deciding on unblinding",
    "prepare_release.refused": "Refused: preparing a release",
    "publish_release.refused": "Refused: publishing",
}
TOLD: Final = {
    "reason": "Why",
    "problem": "Why",
    "commitment": "Commitment to the seed",
    "design_sha256": "Hash of the design",
    "sha256": "Hash of the judgments",
    "missing_items": "Items not submitted",
    "surplus_items": "Surplus judgments",
    "seed": "Seed",
    "k": "At least in each group of people",
}
_HASH: Final = re.compile("[0-9a-f]{64}")


class Told(NamedTuple):
    """Something that a step of the record says."""

    label: str
    value: str

    @property
    def is_hash(self) -> bool:
        return bool(_HASH.fullmatch(self.value))


@dataclass(frozen=True)
class RecordLine:
    """A step. `seal` is its number in the chain of the audit trail, `None` for the moment until it is sealed."""

    at: datetime
    who: str
    what: str
    told: tuple[Told, ...]
    seal: int | None
    was_refused: bool


def record_of(study: Study) -> tuple[RecordLine, ...]:
    """In the order in which steps were taken or tried."""
    events = AuditEvent.objects.filter(study=study, verb__in=STEPS).select_related("actor", "seal").order_by("id")
    return tuple(
        RecordLine(
            at=event.at,
            who=event.actor.name if event.actor else "",
            what=STEPS[event.verb],
            told=tuple(_told(event.detail)),
            seal=event.seal.number if hasattr(event, "seal") else None,
            was_refused=event.verb.endswith(".refused"),
        )
        for event in events
    )


def _told(detail: dict[str, Any]) -> Iterator[Told]:
    return (Told(label, str(detail[name])) for name, label in TOLD.items() if detail.get(name) not in (None, ""))
