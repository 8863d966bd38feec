"""What a coordinator makes of writers' feedback on a prompt: other words in the next round, or none."""

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean, sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.policies.roles import check_coordinator
from annotation.study.selectors.prompts import present_texts
from annotation.study.services import studies
from annotation.writing.models import RewordingDecision, WritingAssignment
from annotation.writing.policies.remarks import check_may_decide_rewording


@transaction.atomic
def decide(*, assignment: WritingAssignment, wording: str, reason: str, by: User) -> RewordingDecision:
    """Take `wording` into the next round in place of the prompt's, or decline where it is empty.

    Until a next round has taken it, the decision can be changed. Raises `Refused` where it has, where the writer
    said nothing about the prompt, where another wording of the prompt is accepted, and where a prompt is worded so
    already.
    """
    reason, wording = audit.stated(reason), clean(wording).strip()
    check_coordinator(by, assignment.study)
    studies.lock_for_update(assignment.study)
    assignment.refresh_from_db()
    check_may_decide_rewording(assignment)
    if wording:
        _check_free(assignment, wording)
    decision = _decision(assignment, wording)
    kept, _ = RewordingDecision.objects.update_or_create(
        assignment=assignment,
        defaults={
            "prompt_version_id": assignment.prompt_version_id,
            "decision": decision,
            "wording": wording,
            "reason": reason,
            "decided_at": database_now(),
            "decided_by": by,
        },
    )
    audit.record(
        verb=AuditVerb.WRITING_REWORDING_DECIDED,
        by=by,
        study=assignment.study,
        subject=assignment.pk,
        decision=str(decision),
        reason=reason,
    )
    return kept


def _decision(assignment: WritingAssignment, wording: str) -> RewordingDecision.Decision:
    if not wording:
        return RewordingDecision.Decision.DECLINED
    is_as_proposed = wording == assignment.proposed_rewrite
    return RewordingDecision.Decision.ACCEPTED if is_as_proposed else RewordingDecision.Decision.EDITED


def _check_free(assignment: WritingAssignment, wording: str) -> None:
    """Raise `Refused` unless the wording can be the prompt's in the next round."""
    accepted = RewordingDecision.objects.exclude(assignment=assignment).exclude(wording="")
    rival = accepted.filter(prompt_version=assignment.prompt_version_id).first()
    if rival is not None:
        who = rival.assignment.participation.pseudonym
        raise Refused(f"What {who} said led to a wording for this prompt already. Decline that first.")
    if code := present_texts(assignment.study).get(sha256_hex(wording)):
        raise Refused(f"Prompt {code} is worded so already.")
    if accepted.filter(assignment__study=assignment.study, wording=wording).exists():
        raise Refused("Another prompt is worded so in the next round.")
