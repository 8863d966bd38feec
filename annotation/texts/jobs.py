"""Work on texts: reading those that were received."""

from uuid import UUID

from django.urls import reverse

from annotation.platform.core.work_kinds import WorkKind, WorkRows
from annotation.texts.models.provenance import Stimulus
from annotation.texts.services import intake


def _found(text: Stimulus) -> tuple[str, str]:
    return f"A text on {text.prompt.code}", reverse("texts", args=[text.study.slug])


TEXTS_WORK = (
    WorkKind(
        intake.READ,
        lambda subject: intake.read(response_id=UUID(subject)),
        label="was not read",
        rows=WorkRows(Stimulus, _found, related=("prompt", "study")),
    ),
)
