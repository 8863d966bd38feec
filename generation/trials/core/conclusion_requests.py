"""What a model that codes conclusions is asked, and the strict reading of its reply."""

from collections.abc import Sequence
from typing import Any, Final

from annotation.platform.core.coding import NO_CATEGORY
from generation.calls.core.json_replies import Unreadable, check_keys, read_json
from generation.catalogue.core.fences import fenced_materials
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.providers.core.json_schemas import object_of

TEMPLATE: Final = "trial_conclusion"
EXPECTED_TOKENS: Final = 30


def conclusion_request(
    template: PromptTemplate, *, scenario: str, recommendation: str, text: str, categories: Sequence[str]
) -> str:
    """The request's text: the recommendation stands before all that may argue for it, and nothing tells condition,
    model or tensions. Where none fits, people would find another category; a model says NO_CATEGORY.
    """
    named = [*categories, NO_CATEGORY]
    return template.fill(
        materials=fenced_materials(
            {"scenario": scenario, "recommendation": recommendation, "answer": text}, asking_for="a category"
        ),
        categories="\n".join(f"- {name}" for name in named),
        reply_format='Reply with this JSON object and nothing else: {"category": "…"}, with one of the categories '
        "as it is written.",
    )


def conclusion_schema(categories: Sequence[str]) -> dict[str, Any]:
    return object_of({"category": {"type": "string", "enum": [*categories, NO_CATEGORY]}})


def read_conclusion(reply: str, categories: Sequence[str]) -> str:
    """One of the categories, or NO_CATEGORY. Raises `Unreadable` for anything else."""
    said = read_json(reply)
    check_keys(said, ("category",))
    if said["category"] not in [*categories, NO_CATEGORY]:
        raise Unreadable("The reply names no category of the scenario.")
    return str(said["category"])
