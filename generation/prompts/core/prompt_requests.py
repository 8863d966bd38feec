"""How a model is asked to write prompts from a scenario, whatever the scenario's shape."""

import re
from collections.abc import Mapping
from typing import Any, Final

from annotation.platform.core.phrases import counted
from generation.catalogue.core.fences import fenced_materials
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.prompts.core.prompt_replies import (
    LABEL_WORDS,
    QUESTION_SENTENCES,
    WrittenBundle,
    WrittenPrompt,
    between,
    tagged,
)
from generation.sources.core.shapes import ScenarioShape

_NUMBERED: Final = re.compile(r"^<prompt_(\d+)>$", re.MULTILINE)


def request_for_prompts(
    template: PromptTemplate, shape: ScenarioShape, payload: Mapping[str, Any], *, number: int
) -> str:
    """The text that asks for `number` prompts from a scenario of this shape."""
    return template.fill(
        number=number,
        materials=fenced_materials(scenario_texts(shape, payload), asking_for="another task"),
        reply_format=_reply_format(number),
    )


def scenario_texts(shape: ScenarioShape, payload: Mapping[str, Any]) -> dict[str, str]:
    """The scenario's fields as text, in their order, without those that are empty."""
    texts = {name: _in_text(payload.get(name, "")) for name in shape.fields}
    return {name: text for name, text in texts.items() if text}


def number_asked_for(request: str) -> int:
    """How many prompts a request's text asks for; 0 where it asks for something else."""
    number = len(_NUMBERED.findall(request))
    return number if number and _form(number) in request else 0


def _in_text(value: Any) -> str:
    """A text as it is, a list item by item, a quotation without its document, of which no prompt is to speak."""
    if isinstance(value, Mapping):
        return f"“{value['text']}”"
    if isinstance(value, list):
        return "\n".join(f"{place}. {_in_text(item)}" for place, item in enumerate(value, start=1))
    return str(value).strip()


def _reply_format(number: int) -> str:
    """The form in words, and an example of it without content."""
    return (
        f"Think in the scratchpad first. Each underlying issue takes {between(LABEL_WORDS)} words, each question "
        f"{between(QUESTION_SENTENCES)} sentences. Reply in exactly this form, with {counted(number, 'prompt')}, "
        f"each … replaced, and with nothing before it, after it or between the tags:\n\n{_form(number)}"
    )


def _form(number: int) -> str:
    return tagged(WrittenBundle("…", (WrittenPrompt("…", "…", "…"),) * number))
