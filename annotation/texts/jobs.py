"""Work on texts: reading those that were received."""

from uuid import UUID

from django.urls import reverse

from annotation.platform.core.work_kinds import WorkKind, WorkRows
from annotation.study.core.work_kinds import SCAN_FLAG
from annotation.study.models.flags import Flag
from annotation.texts.core.work_kinds import READ_TEXT
from annotation.texts.models.provenance import Stimulus
from annotation.texts.services import flags, intake


def _found(text: Stimulus) -> tuple[str, str]:
    return f"A text on {text.prompt.code}", reverse("texts", args=[text.study.slug])


def _found_flag(flag: Flag) -> tuple[str, str]:
    return (
        f"A flag on {flag.prompt_version.prompt.code}",
        f"{reverse('flags', args=[flag.study.slug])}#flag-{flag.pk}",
    )


TEXTS_WORK = (
    WorkKind(
        READ_TEXT,
        lambda subject: intake.read(response_id=UUID(subject)),
        label="was not read",
        rows=WorkRows(Stimulus, _found, related=("prompt", "study")),
    ),
    WorkKind(
        SCAN_FLAG,
        lambda subject: flags.scan_flag(flag_id=int(subject)),
        label="was not checked, so its words are not shown",
        rows=WorkRows(Flag, _found_flag, related=("prompt_version__prompt", "study")),
    ),
)
