"""Work on prompts: drawing maps of them."""

from django.urls import reverse

from annotation.platform.core.work_kinds import WorkKind, WorkRows
from generation.prompts.core.work_kinds import DRAW_MAP
from generation.prompts.models import PromptMap
from generation.prompts.services import prompt_maps


def _found(asked: PromptMap) -> tuple[str, str]:
    return f"The map of {asked.source}", f"{reverse('prompt_map', args=[asked.study.slug])}?map={asked.pk}"


PROMPTS_WORK = (
    WorkKind(
        DRAW_MAP,
        lambda subject: prompt_maps.draw_map(int(subject)),
        label="was not drawn",
        rows=WorkRows(PromptMap, _found, related=("study", "source")),
    ),
)
