"""What judges point out is scanned as answers are, and shown without what could tell whose an answer is."""

from typing import Final

from django.db import transaction

from annotation.platform.services.clock import database_now
from annotation.study.core.flags import without
from annotation.study.models.flags import Flag
from annotation.study.models.participation import Participation, Role
from annotation.texts.providers.reader import READER, Reader

# Of who writes about an answer: that they do, and where their words end.
HARMLESS: Final = frozenset({"task", "study", "truncated"})


def scan_flag(*, flag_id: int, reader: Reader = READER) -> None:
    """Scan a flag's words, and show what may be shown. Idempotent. Raises `Unreadable`, for another try."""
    flag = Flag.objects.filter(pk=flag_id, scanned_at=None).first()
    if flag is None:
        return
    writers = Participation.objects.filter(study=flag.study_id, role=Role.WRITER)
    names = list(writers.order_by("pk").values_list("user__name", flat=True))
    reading = reader.read(flag.words, names=names)
    found = [finding for finding in reading.findings if finding.kind not in HARMLESS]
    with transaction.atomic():
        shown = without(reading.text, [(finding.start, finding.end) for finding in found])
        Flag.objects.filter(pk=flag_id, scanned_at=None).update(shown=shown, scanned_at=database_now())
