"""Runs of votes on a study's prompts, and what models reply in them."""

import json
from typing import Any

from annotation.study.models.studies import Study
from generation.calls.models import Call, GenerationRun
from generation.calls.services.claiming import Outgoing
from generation.prompts.models import Candidate
from generation.providers.base import Reply
from tests.generation.calls.model_runs import good, started

SOUND: dict[str, Any] = {
    "reason": "It weighs two goods.",
    "depth": True,
    "open_endedness": True,
    "generalisation": True,
    "rejections": [],
    "passes": True,
}
SHALLOW = {**SOUND, "reason": "Anybody knows.", "depth": False, "passes": False}


def asked(study: Study, purpose: str, **only: Any) -> GenerationRun:
    """A started run of this purpose, narrowed down to `only`."""
    return started(study, purpose=purpose, track="", only=only)


def sound(_outgoing: Outgoing) -> Reply:
    return good(json.dumps(SOUND))


def shallow(_outgoing: Outgoing) -> Reply:
    return good(json.dumps(SHALLOW))


def alike(_outgoing: Outgoing) -> Reply:
    return compared_as(True)


def compared_as(is_equivalent: bool) -> Reply:
    return good(json.dumps({"reason": "As it seems.", "is_equivalent": is_equivalent}))


def call_of(outgoing: Outgoing) -> Call:
    return Call.objects.select_related("target", "candidate__bundle__target").get(pk=outgoing.call_id)


def generator_of(candidate: Candidate | None) -> str:
    """The family of the model that wrote the prompt."""
    assert candidate
    return candidate.bundle.target.family
