"""When writers may say what they think: of a prompt, of the record of their writing, of the study as a whole."""

from collections.abc import Callable
from typing import TypeVar

from annotation.platform.core.errors import Refused
from annotation.study.core.phases import WRITING_PHASE, check_open
from annotation.study.models.participation import Participation, Role
from annotation.study.models.prompts import PromptVersion
from annotation.study.models.studies import Study
from annotation.writing.models import RewordingDecision, WritingAssignment

Subject = TypeVar("Subject", Participation, WritingAssignment)


def _check_open(study: Study) -> None:
    """Raise `Refused` where nothing that was said can be changed any more."""
    check_open(WRITING_PHASE, study.state, " in this study, so this can no longer be changed.")


def check_may_remark(assignment: WritingAssignment) -> None:
    """Raise `Refused` where the writer may not comment on how they wrote this answer."""
    _check_open(assignment.study)
    if assignment.state != "submitted":
        raise Refused("Hand in your answer first.")


def can_remark(assignment: WritingAssignment) -> bool:
    return _passes(check_may_remark, assignment)


def check_may_give_feedback(assignment: WritingAssignment) -> None:
    """Raise `Refused` where the writer may not give feedback on this answer's prompt."""
    if assignment.study.feedback != Study.Feedback.EACH:
        raise Refused("This study does not ask for feedback on single prompts.")
    check_may_remark(assignment)
    if RewordingDecision.objects.filter(assignment=assignment).exists():
        raise Refused("The coordinator has decided about your feedback, so it can no longer be changed.")


def can_give_feedback(assignment: WritingAssignment) -> bool:
    return _passes(check_may_give_feedback, assignment)


def check_may_decide_rewording(assignment: WritingAssignment) -> None:
    """Raise `Refused` where there is nothing to decide about, or a next round goes by what was decided."""
    if not (assignment.feedback or assignment.proposed_rewrite):
        raise Refused("The writer said nothing about this prompt.")
    later = PromptVersion.objects.filter(carried_from=assignment.prompt_version_id)
    if later.exclude(sha256=assignment.prompt_version.sha256).exists():
        raise Refused("The next round has another wording of this prompt already.")


def can_decide_rewording(assignment: WritingAssignment) -> bool:
    return _passes(check_may_decide_rewording, assignment)


def check_may_give_general_feedback(participation: Participation) -> None:
    """Raise `Refused` where the person may not give feedback on the study as a whole, or not yet."""
    study = participation.study
    if participation.role != Role.WRITER or study.feedback != Study.Feedback.END:
        raise Refused("You are not asked for feedback on this study.")
    _check_open(study)
    answers = WritingAssignment.objects.filter(participation=participation).exclude(state="cancelled")
    if not answers.exists() or answers.filter(state__in=("assigned", "writing")).exists():
        raise Refused("Feedback is asked for once all your answers are done.")


def can_give_general_feedback(participation: Participation) -> bool:
    return _passes(check_may_give_general_feedback, participation)


def _passes(check: Callable[[Subject], None], subject: Subject) -> bool:
    try:
        check(subject)
    except Refused:
        return False
    return True
