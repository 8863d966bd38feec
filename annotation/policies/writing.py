"""When a writer may start an answer."""

from datetime import timedelta

from django.db.models import Count, Max
from django.utils import timezone

from annotation.core.errors import Refused
from annotation.models.writing import WritingAssignment
from annotation.policies.participation import check_ready


def check_may_start(assignment: WritingAssignment) -> None:
    """Raise `Refused` where consent or profile is missing, writing is closed, or a break is due."""
    check_ready(assignment.participation)
    study = assignment.study
    if study.state != "writing":
        raise Refused("Writing is closed in this study.")
    if assignment.state != "assigned":
        raise Refused("This assignment is not open.")
    others = WritingAssignment.objects.filter(participation=assignment.participation)
    if others.filter(state="writing").exists():
        raise Refused("Finish the answer you are writing first.")
    handed_in = others.filter(state="submitted").aggregate(count=Count("id"), last=Max("submitted_at"))
    if handed_in["count"] and handed_in["count"] % study.prompts_per_session == 0:
        again = handed_in["last"] + timedelta(minutes=study.break_minutes)
        if timezone.now() < again:
            local = timezone.localtime(again)
            raise Refused(f"Please take a break: you can go on at {local:%H:%M}, your time.")


def may_start(assignment: WritingAssignment) -> bool:
    try:
        check_may_start(assignment)
    except Refused:
        return False
    return True
