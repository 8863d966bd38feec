"""A study's offices of unblinder with their audit rows, for checking."""

from collections import defaultdict
from collections.abc import Mapping

from analysis.blinding.core.office_check import Appointment, Holder, Offices, Unblinding
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.study.models.studies import Study
from annotation.unblinders.core.commitment import Named, address_sha256
from annotation.unblinders.core.offices import APPOINT
from annotation.unblinders.models import OfficeCommitment, RecoveryPerson
from annotation.unblinders.selectors.offices import Office, offices_of

CONSENTS = (AuditVerb.UNBLINDER_CONSENTED, AuditVerb.RECOVERY_CONSENTED)
UNBLINDING = (AuditVerb.UNBLINDING_REQUESTED, AuditVerb.UNBLINDING_APPROVED)
VERBS = (AuditVerb.STUDY_LOCK_DESIGN, AuditVerb.UNBLINDER_ACCEPTED, *CONSENTS, *UNBLINDING)


def office_record(study: Study) -> Offices:
    """All who are or were in office, whoever was only proposed left out; and who unblinded, where that was done."""
    published = OfficeCommitment.objects.filter(study=study).first()
    accepted: dict[str, int | None] = {}
    consents, locks = defaultdict[str, set[int | None]](set), []
    asked: dict[str, int | None] = {}
    unblinding: Unblinding | None = None
    events = AuditEvent.objects.filter(study=study, verb__in=VERBS).order_by("seal__number", "id")
    for verb, subject, actor, detail in events.values_list("verb", "subject", "actor_id", "detail"):
        if verb == AuditVerb.STUDY_LOCK_DESIGN:
            locks.append(detail.get("unblinders_sha256"))
        elif verb == AuditVerb.UNBLINDER_ACCEPTED:
            accepted.setdefault(subject, actor)
        elif verb == AuditVerb.UNBLINDING_REQUESTED:
            asked.setdefault(subject, actor)
        elif verb == AuditVerb.UNBLINDING_APPROVED:
            unblinding = unblinding or Unblinding(asked.get(subject), actor)
        elif detail.get("about") == APPOINT:
            consents[subject].add(actor if verb == AuditVerb.UNBLINDER_CONSENTED else None)
    return Offices(
        statement=published.statement if published else None,
        kept_sha256=published.sha256 if published else None,
        recorded_sha256=locks[0] if locks else None,
        holders=[_holder(office, accepted, consents) for office in offices_of(study) if office.came_into_office],
        third=_third(study),
        unblinding=unblinding,
    )


def _third(study: Study) -> dict[str, str]:
    third = RecoveryPerson.objects.filter(study=study).first()
    if third is None:
        return {}
    address = address_sha256(third.email)
    return {"name": third.name, "affiliation": third.affiliation, "email_sha256": address}


def _holder(office: Office, accepted: Mapping[str, int | None], consents: Mapping[str, set[int | None]]) -> Holder:
    row, pk = office.row, str(office.row.pk)
    later = next((change for change in office.changes if change.kind == APPOINT), None)
    return Holder(
        named=Named(row.name, row.affiliation),
        person=row.user_id,
        is_found=row.is_found,
        accepted_by=accepted.get(pk),
        appointment=Appointment(
            later.proposed_by_id, later.consented_by_id, later.by_recovery, frozenset(consents.get(pk, ()))
        )
        if later
        else None,
    )
