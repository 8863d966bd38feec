"""Receipts by mail: that an answer was handed in, when, and which text it was, without the text or its prompt."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotation.platform.core.phrases import counted
from annotation.platform.core.text import count_words
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.services import audit, work
from annotation.writing.core.work_kinds import MAIL_RECEIPT
from annotation.writing.models import WritingAssignment, WritingReceipt


def ask_for(assignment: WritingAssignment) -> None:
    """Want the receipt of an answer mailed; belongs in the transaction that hands it in."""
    work.ask(kind=MAIL_RECEIPT, subject=assignment.pk)


def mail(*, assignment_id: int) -> None:
    """Mail the receipt of an answer, once for each time it was handed in and for a late text that took its place.

    Where the mail server cannot be reached, its error is passed on and nothing is noted.
    """
    assignment = WritingAssignment.objects.select_related("participation__user", "study", "draft").get(
        pk=assignment_id
    )
    if assignment.submitted_at is None:
        return  # given back meanwhile
    submitted_at, sha256 = assignment.submitted_at, assignment.draft.sha256
    if WritingReceipt.objects.filter(assignment=assignment, submitted_at=submitted_at, sha256=sha256).exists():
        return
    send_mail(
        subject=f"Receipt for prompt {assignment.position} of “{assignment.study.title}”",
        message=_in_words(assignment),
        from_email=None,
        recipient_list=[assignment.participation.user.email],
    )
    _note_mailed(assignment, submitted_at, sha256)


@transaction.atomic
def _note_mailed(assignment: WritingAssignment, submitted_at: datetime, sha256: str) -> None:
    WritingReceipt.objects.create(assignment=assignment, submitted_at=submitted_at, sha256=sha256)
    audit.record(
        verb=AuditVerb.WRITING_RECEIPT_MAILED,
        by=None,
        study=assignment.study,
        subject=assignment.pk,
        submitted_at=submitted_at.isoformat(),
        sha256=sha256,
    )


def _in_words(assignment: WritingAssignment) -> str:
    writer, study, draft = assignment.participation.user, assignment.study, assignment.draft
    handed_in = timezone.localtime(assignment.submitted_at, ZoneInfo(writer.time_zone))
    by_whom = "by the clock, as time ran out" if assignment.submitted_by_clock else "by you"
    return (
        f"Dear {writer.name},\n\n"
        f"your answer to prompt {assignment.position} of the study “{study.title}” has been handed in.\n\n"
        f"Handed in: {handed_in:%-d %B %Y, %H:%M:%S} ({writer.time_zone}), {by_whom}\n"
        f"Length: {counted(count_words(draft.text), 'word')}\n"
        f"SHA-256 of the text: {draft.sha256}\n"
        f"Head of the site’s audit trail: {audit.head() or 'none yet'}\n\n"
        "Keep this mail: the SHA-256 shows which text you handed in, and the head that nothing which was recorded "
        "until now has been taken away since. The text itself is on your receipt, once you "
        "are signed in:\n\n"
        f"{settings.SITE_URL}{reverse('writing_receipt', args=[assignment.pk])}"
    )
