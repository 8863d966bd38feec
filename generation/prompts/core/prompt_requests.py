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
from generation.sources.core.shapes import ScenarioShape, scenario_texts

_NUMBERED: Final = re.compile(r"^<prompt_(\d{1,3})>$", re.MULTILINE)


def request_for_prompts(
    template: PromptTemplate, shape: ScenarioShape, payload: Mapping[str, Any], *, number: int
) -> str:
    """The text that asks for `number` prompts from a scenario of this shape."""
    return template.fill(
        number=number,
        materials=fenced_materials(scenario_texts(shape, payload), asking_for="another task"),
        reply_format=_reply_format(number),
    )


def number_asked_for(request: str) -> int:
    """How many prompts a request's text asks for; 0 where it asks for something else."""
    number = len(_NUMBERED.findall(request))
    return number if number and _form(number) in request else 0


def _reply_format(number: int) -> str:
    """The form in words, and an example of it without content."""
    return (
        f"Think in the scratchpad first. Each underlying issue takes {between(LABEL_WORDS)} words, each question "
        f"{between(QUESTION_SENTENCES)} sentences. Reply in exactly this form, with {counted(number, 'prompt')}, "
        f"each … replaced, and with nothing before it, after it or between the tags:\n\n{_form(number)}"
    )


def _form(number: int) -> str:
    return tagged(WrittenBundle("…", (WrittenPrompt("…", "…", "…"),) * number))
