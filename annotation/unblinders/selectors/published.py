"""What a release says of those who could unblind: by name, as they agreed to on accepting."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from annotation.study.models.studies import Study
from annotation.unblinders.core.commitment import BY_CONSENT, BY_RECOVERY, FOUND, FOUNDER
from annotation.unblinders.core.offices import APPOINT, RESTORE
from annotation.unblinders.models import OfficeChange, OfficeCommitment
from annotation.unblinders.selectors.offices import Office, offices_of, recovery_of


def unblinders_of(study: Study) -> dict[str, Any]:
    """The published statement and its hash, all who were ever in office, and what the third person decided.

    Times are ISO 8601 in UTC, to the second; texts are empty where there is nothing to say.
    """
    made = OfficeCommitment.objects.filter(study=study).first()
    third = recovery_of(study)
    offices = offices_of(study)
    names = {office.row.user_id: office.row.name for office in offices if office.came_into_office}
    return {
        "statement": made.statement if made else "",
        "statement_sha256": made.sha256 if made else "",
        "in_office": [_office(office, names) for office in offices if office.came_into_office],
        "third_person": third
        and {
            "name": third.name,
            "affiliation": third.affiliation,
            "named_at": _at(third.named_at),
            "named_before_the_lock": made is not None,
        },
    }


def _office(office: Office, names: Mapping[int, str]) -> dict[str, Any]:
    appointed = next((change for change in office.changes if change.kind == APPOINT), None)
    return {
        "name": office.row.name,
        "affiliation": office.row.affiliation,
        "by": _by(office, appointed),
        "consent": _consent(appointed, names) if appointed else "",
        "since": _at(office.since),
        "until": _at(office.until),
        "suspended": [
            {"at": _at(change.proposed_at), "consent": _consent(change, names)}
            for change in office.changes
            if change.kind == RESTORE
        ],
    }


def _by(office: Office, appointed: OfficeChange | None) -> str:
    if office.row.is_found:
        return FOUND
    if appointed is None:
        return FOUNDER
    return BY_RECOVERY if appointed.by_recovery else BY_CONSENT


def _consent(change: OfficeChange, names: Mapping[int, str]) -> str:
    """Who consented, by the name that they agreed to have published; nobody, where that is empty."""
    if change.by_recovery:
        return "the third person"
    return names.get(change.consented_by_id, "") if change.consented_by_id else ""


def _at(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds") if moment else ""
