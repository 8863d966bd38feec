"""What a model is asked about a case, and the strict reading of its answer."""

from collections.abc import Mapping
from typing import Any, Final

from annotation.platform.core.text import clean
from generation.calls.core.json_replies import Unreadable, check_keys, read_json
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.providers.core.json_schemas import object_of

PARTS: Final[Mapping[str, str]] = {
    "reasoning": "Reasoning",
    "recommendation": "Recommendation",
    "values": "Values",
    "trade_offs": "Trade-offs",
}
"""Of an answer, with the words that each begins with where the answer is read."""

_EXAMPLE: Final = "{" + ", ".join(f'"{name}": "…"' for name in PARTS) + "}"
_FORMAT: Final = f"Reply with this JSON object and nothing else, each … replaced:\n\n{_EXAMPLE}"


def framework_turn(template: PromptTemplate, text: str, *, is_control: bool) -> str:
    """What a model is told of a framework; of a control what makes it fail, as it stands; of none, nothing."""
    return text if is_control or not text else template.fill(framework=text)


def answer_turn(template: PromptTemplate, scenario: str, *, framework: str, words: int, limit: int) -> str:
    """The user turn. `framework` is what stands at its head, "" where that is the system turn or there is none."""
    return template.fill(
        framework=f"{framework}\n\n" if framework else "",
        scenario=scenario,
        target_words=words,
        word_limit=limit,
        reply_format=_FORMAT,
    )


def answer_schema() -> dict[str, Any]:
    return object_of({name: {"type": "string"} for name in PARTS})


def read_answer(reply: str) -> dict[str, str]:
    """The parts of an answer by name. Raises `Unreadable` for anything but one object with exactly these, none
    empty.
    """
    said = read_json(reply)
    check_keys(said, PARTS)
    parts = {name: clean(said[name]).strip() if isinstance(said[name], str) else "" for name in PARTS}
    if missing := [name for name, text in parts.items() if not text]:
        raise Unreadable(f"The answer has no {missing[0].replace('_', '-')}.")
    return parts


def answer_text(parts: Mapping[str, str]) -> str:
    """The answer as evaluators and judges read it: first the reasoning, then each other part, named at its head."""
    named = [f"{title}: {parts[name]}" for name, title in PARTS.items() if name != "reasoning"]
    return "\n\n".join([parts["reasoning"], *named])
