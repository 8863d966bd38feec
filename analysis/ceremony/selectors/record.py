"""The record of a study's ceremony, as its audit trail has it: every step, who took it, and what was refused."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from analysis.release.models import Release
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.audit_verbs import AuditVerb, label_of
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.study.policies.participation import STUDIED

STEPS: Final = (
    AuditVerb.UNBLINDER_PROPOSED,
    AuditVerb.UNBLINDER_ACCEPTED,
    AuditVerb.UNBLINDER_ENDED,
    AuditVerb.UNBLINDER_FOUND,
    AuditVerb.UNBLINDER_LEAVE_PROPOSED,
    AuditVerb.UNBLINDER_CONSENTED,
    AuditVerb.UNBLINDER_WITHDRAWN,
    AuditVerb.UNBLINDER_SUSPENDED,
    AuditVerb.RECOVERY_NAMED,
    AuditVerb.RECOVERY_ASKED,
    AuditVerb.RECOVERY_CONSENTED,
    AuditVerb.RECOVERY_DECLINED,
    AuditVerb.STUDY_LOCK_DESIGN,
    AuditVerb.STUDY_OPEN_JUDGING,
    AuditVerb.STUDY_CLOSE,
    AuditVerb.STUDY_FROZEN,
    AuditVerb.UNBLINDING_REQUESTED,
    AuditVerb.ANALYSIS_ASKED,
    AuditVerb.ANALYSIS_FINISHED,
    AuditVerb.ANALYSIS_NOT_FINISHED,
    AuditVerb.ANALYSIS_FILES_DELETED,
    AuditVerb.CONSENT_WITHDRAWN,
    AuditVerb.UNBLINDING_DECLINED,
    AuditVerb.UNBLINDING_APPROVED,
    AuditVerb.STUDY_UNBLIND,
    AuditVerb.RELEASE_ASKED,
    AuditVerb.RELEASE_PREPARED,
    AuditVerb.RELEASE_NOT_PREPARED,
    AuditVerb.STUDY_RELEASE,
    AuditVerb.RELEASE_PUBLISHED,
    AuditVerb.RELEASE_FILES_DELETED,
    AuditVerb.CLOSE_STUDY_REFUSED,
    AuditVerb.REQUEST_UNBLINDING_REFUSED,
    AuditVerb.DECIDE_UNBLINDING_REFUSED,
    AuditVerb.PREPARE_RELEASE_REFUSED,
    AuditVerb.PUBLISH_RELEASE_REFUSED,
    AuditVerb.COMPUTE_RESULTS_REFUSED,
    AuditVerb.RUN_AGAIN_REFUSED,
    AuditVerb.JUDGMENTS_CSV_REFUSED,
)
TOLD: Final = {
    "reason": "Why",
    "problem": "Why",
    "warnings": "In spite of",
    "name": "Whom",
    "affiliation": "Affiliation",
    "third_person": "Third person",
    "unblinders_sha256": "Commitment to the unblinders",
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
    "licence": "Licence",
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
    """The record in the order of the chain; what is not sealed yet comes last."""
    events = AuditEvent.objects.filter(study=study, verb__in=STEPS).select_related("actor", "seal")
    pseudonyms = dict(
        Participation.objects.filter(study=study, role__in=STUDIED).values_list("user_id", "pseudonym")
    )
    releases = {str(pk): number for pk, number in Release.objects.filter(study=study).values_list("pk", "number")}
    return tuple(
        RecordLine(
            at=event.at,
            who=pseudonyms.get(event.actor.pk, event.actor.name) if event.actor else "",
            what=label_of(event.verb),
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
    return (Told(label, _words(detail[name])) for name, label in TOLD.items() if detail.get(name) not in (None, ""))


def _words(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else str(value)
