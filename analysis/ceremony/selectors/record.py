"""The record of a study's ceremony, as its audit trail has it: every step, who took it, and what was refused."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from analysis.release.models import Release
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.study.policies.participation import STUDIED

STEPS: Final = {
    "study.lock_design": "Design locked, seed committed to",
    "study.open_judging": "Judging opened",
    "study.close": "Collection closed",
    "study.frozen": "Data frozen",
    "unblinding.requested": "Unblinding asked for",
    "analysis.asked": "Analysis asked for",
    "analysis.finished": "Analysis computed",
    "analysis.not_finished": "Analysis not computed",
    "analysis.files_deleted": "Files of an analysis deleted, after somebody withdrew",
    "consent.withdrawn": "Consent withdrawn",
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
    "compute_results.refused": "Refused: computing results",
    "run_again.refused": "Refused: computing a run again",
    "judgments_csv.refused": "Refused: downloading judgments with their sources",
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
    "kind": "Kind",
    "data_sha256": "Hash of what it read",
    "results_sha256": "Hash of its results",
    "code_version": "Code",
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
    """A step, and which run or release it is about, if it is about one.

    `who` is a name, for writers and judges their pseudonym, and empty for the system. `seal` is its number in the
    chain of the audit trail, `None` for the moment until it is sealed.
    """

    at: datetime
    who: str
    what: str
    about: str
    told: tuple[Told, ...]
    seal: int | None
    was_refused: bool


def record_of(study: Study) -> tuple[RecordLine, ...]:
    """In the order of the chain; what is not sealed yet comes last."""
    events = AuditEvent.objects.filter(study=study, verb__in=STEPS).select_related("actor", "seal")
    pseudonyms = dict(
        Participation.objects.filter(study=study, role__in=STUDIED).values_list("user_id", "pseudonym")
    )
    releases = {str(pk): number for pk, number in Release.objects.filter(study=study).values_list("pk", "number")}
    return tuple(
        RecordLine(
            at=event.at,
            who=pseudonyms.get(event.actor.pk, event.actor.name) if event.actor else "",
            what=STEPS[event.verb],
            about=_about(event, releases),
            told=tuple(_told(event.detail)),
            seal=event.seal.number if hasattr(event, "seal") else None,
            was_refused=event.verb.endswith(".refused"),
        )
        for event in events.order_by("seal__number", "id")
    )


def _about(event: AuditEvent, releases: Mapping[str, int | None]) -> str:
    """A run or release in words, the release by the number that it got when it was published."""
    kind, _, _ = event.verb.partition(".")
    if kind == "analysis":
        return f"Run {event.subject}"
    if kind == "release":
        number = event.detail.get("number") or releases.get(event.subject)
        return f"Release {number}" if number else f"Not published, prepared as {event.subject}"
    return ""


def _told(detail: dict[str, Any]) -> Iterator[Told]:
    return (Told(label, str(detail[name])) for name, label in TOLD.items() if detail.get(name) not in (None, ""))
