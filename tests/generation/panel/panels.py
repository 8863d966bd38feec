"""Studies with a panel, and what it is asked and replies."""

import re
from typing import Any

from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.study.models.studies import Study
from generation.calls.models import Call, GenerationRun
from generation.calls.services.claiming import Outgoing
from generation.panel.core.perspectives import PERSPECTIVES
from generation.providers.base import Reply
from tests.generation.calls.model_runs import a_target, good, started

JUDGES = ("family-1", "gpt", "gemini")
SEATS = len(PERSPECTIVES)
HOLISTIC: dict[str, Any] = {"purpose": "panel", "track": "", "mode": "holistic", "presentation": "alone"}
INFERRED: dict[str, Any] = {**HOLISTIC, "mode": "inferred", "presentation": "as_judged"}
ONE_JUDGE: dict[str, Any] = {"prompts": 1, "panel_judge_models": 1}


def with_judges(study: Study, *families: str) -> Study:
    """The study with judge models of these names, which no catalogue knows."""
    for family in families or JUDGES:
        a_target(study, family, role="panel", weak_temperature=None)
    return study


def asked(study: Study, **parameters: Any) -> GenerationRun:
    return started(study, **{**HOLISTIC, **parameters})


def seven(_outgoing: Outgoing) -> Reply:
    return good('{"score": 7}')


def texts_of(outgoing: Outgoing) -> dict[str, str]:
    """What stands behind fences in a request, by name."""
    found = re.findall(r"<([\w-]+?)-([0-9a-f]{16})>\n(.*?)\n</\1-\2>", outgoing.request.prompt, re.DOTALL)
    return {name: text for name, _, text in found}


def justified(study: Study) -> Study:
    """The study after every judge wrote a few words about every item."""
    JudgingItem.objects.filter(study=study).update(justification="A is clear. B rests on nothing.")
    return study


def item_of(outgoing: Outgoing) -> JudgingItem:
    item = Call.objects.get(pk=outgoing.call_id).item
    assert item
    return item


def labels_of(item: JudgingItem) -> list[str]:
    return list(BlindedSlot.objects.filter(item=item).order_by("label").values_list("label", flat=True))
