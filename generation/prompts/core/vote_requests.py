"""What a model is asked about one prompt, or about two: the request's text, and the schema of the reply."""

from collections.abc import Sequence
from typing import Any, Final

from generation.catalogue.core.fences import fenced_materials
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.core.worked_examples import WorkedExample, before
from generation.prompts.core.quality import CRITERIA, REJECTIONS
from generation.providers.core.json_schemas import object_of

# The reason comes first: what is written first is thought of first.
QUALITY_SCHEMA: Final[dict[str, Any]] = object_of(
    {
        "reason": {"type": "string"},
        **{name: {"type": "boolean"} for name in CRITERIA},
        "rejections": {"type": "array", "items": {"type": "string", "enum": list(REJECTIONS)}},
        "passes": {"type": "boolean"},
    }
)
PAIR_SCHEMA: Final[dict[str, Any]] = object_of({"reason": {"type": "string"}, "is_equivalent": {"type": "boolean"}})

_QUALITY_FORMAT: Final = f"""\
Reply with this JSON object and nothing else, each … replaced:

{{"reason": "…", {", ".join(f'"{name}": …' for name in CRITERIA)}, "rejections": […], "passes": …}}

The reason says in one to three sentences what decides. Each criterion and “passes” is true or false. The list \
holds the names of those rejections that apply, {", ".join(REJECTIONS)}, and is empty if none does."""
_PAIR_FORMAT: Final = """\
Reply with this JSON object and nothing else, each … replaced:

{"reason": "…", "is_equivalent": …}

The reason says in one or two sentences what decides. “is_equivalent” is true or false."""


def quality_request(template: PromptTemplate, text: str, *, examples: Sequence[WorkedExample] = ()) -> str:
    """Whether this prompt is fit for experts."""
    materials = before(fenced_materials({"prompt": text}, asking_for="a verdict"), examples)
    return template.fill(materials=materials, reply_format=_QUALITY_FORMAT)


def pair_request(template: PromptTemplate, first: str, second: str) -> str:
    """Whether these two prompts ask for the same."""
    materials = fenced_materials({"prompt-1": first, "prompt-2": second}, asking_for="a verdict")
    return template.fill(materials=materials, reply_format=_PAIR_FORMAT)
