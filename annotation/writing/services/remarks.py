"""What writers say afterwards: about a prompt, about the record of their writing, about the study as a whole.

Each remark can be changed, or taken back by emptying it, until writing closes. What was said stays out of the audit
trail.
"""

from django.core.exceptions import PermissionDenied
from django.db import transaction

from annotation.platform.core.text import clean, count_words
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Participation
from annotation.study.services import studies
from annotation.writing.models import WritingAssignment
from annotation.writing.policies.remarks import (
    check_may_give_feedback,
    check_may_give_general_feedback,
    check_may_remark,
)
from annotation.writing.services import drafts


@transaction.atomic
def give_feedback(*, assignment: WritingAssignment, feedback: str, by: User, proposed_rewrite: str = "") -> None:
    """Keep what the writer thinks of the prompt and, where the study takes any, their own wording of it."""
    studies.lock_shared(assignment.study)
    assignment = drafts.locked(assignment.pk, by)
    check_may_give_feedback(assignment)
    feedback = clean(feedback).strip()
    rewrite = clean(proposed_rewrite).strip() if assignment.study.allow_prompt_rewrites else ""
    if (feedback, rewrite) == (assignment.feedback, assignment.proposed_rewrite):
        return
    assignment.feedback, assignment.proposed_rewrite = feedback, rewrite
    assignment.save(update_fields=["feedback", "proposed_rewrite"])
    audit.record(
        verb=AuditVerb.WRITING_FEEDBACK_GIVEN,
        by=by,
        study=assignment.study,
        subject=assignment.pk,
        words=count_words(feedback),
        rewrite_words=count_words(rewrite),
    )


@transaction.atomic
def comment_on_process(*, assignment: WritingAssignment, comment: str, by: User) -> None:
    """Keep what the writer says about the record of how they wrote."""
    studies.lock_shared(assignment.study)
    assignment = drafts.locked(assignment.pk, by)
    check_may_remark(assignment)
    comment = clean(comment).strip()
    if comment == assignment.process_comment:
        return
    assignment.process_comment = comment
    assignment.save(update_fields=["process_comment"])
    audit.record(
        verb=AuditVerb.WRITING_PROCESS_COMMENTED,
        by=by,
        study=assignment.study,
        subject=assignment.pk,
        words=count_words(comment),
    )


@transaction.atomic
def give_general_feedback(*, participation: Participation, feedback: str, by: User) -> None:
    """Keep what the writer thinks of the study, once their answers are done."""
    if participation.user_id != by.pk:
        raise PermissionDenied("Only the person themselves can do this.")
    studies.lock_shared(participation.study)
    check_may_give_general_feedback(participation)
    feedback = clean(feedback).strip()
    if feedback == participation.feedback:
        return
    participation.feedback = feedback
    participation.feedback_at = database_now() if feedback else None
    participation.save(update_fields=["feedback", "feedback_at"])
    audit.record(
        verb=AuditVerb.STUDY_FEEDBACK_GIVEN,
        by=by,
        study=participation.study,
        subject=participation.pseudonym,
        words=count_words(feedback),
    )
