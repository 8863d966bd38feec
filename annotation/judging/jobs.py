"""Work on judging items: letting those lapse that are stalled."""

from django.urls import reverse

from annotation.judging.core.work_kinds import LAPSE_ITEM
from annotation.judging.models.judging import JudgingItem
from annotation.judging.services import judging
from annotation.platform.core.work_kinds import WorkKind, WorkRows


def _found(item: JudgingItem) -> tuple[str, str]:
    judge = item.participation.pseudonym
    page = reverse("person", args=[item.study.slug, judge])
    return f"Item {item.position} of {judge}", f"{page}#item-{item.pk}"


JUDGING_WORK = (
    WorkKind(
        LAPSE_ITEM,
        lambda subject: judging.lapse(item_id=int(subject)),
        label="its lease was not looked at",
        rows=WorkRows(JudgingItem, _found, related=("study", "participation")),
        queue=None,
    ),
)
