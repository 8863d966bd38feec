"""Work on answers: handing in what was written when its time is up, and mailing receipts."""

from django.urls import reverse

from annotation.platform.core.work_kinds import WorkKind, WorkRows, mail_kind
from annotation.writing.core.work_kinds import FINALISE_WRITING, MAIL_RECEIPT
from annotation.writing.models import WritingAssignment
from annotation.writing.services import receipts, writing


def _found(answer: WritingAssignment) -> tuple[str, str]:
    return f"{answer.prompt.code} by {answer.participation.pseudonym}", reverse("writing_answer", args=[answer.pk])


ANSWERS = WorkRows(WritingAssignment, _found, related=("prompt", "participation"))
WRITING_WORK = (
    WorkKind(
        FINALISE_WRITING,
        lambda subject: writing.finalise(assignment_id=int(subject)),
        label="was not handed in when its time was up",
        rows=ANSWERS,
        queue=None,
    ),
    mail_kind(
        MAIL_RECEIPT,
        lambda subject: receipts.mail(assignment_id=int(subject)),
        label="its receipt was not mailed",
        rows=ANSWERS,
    ),
)
