"""What scenarios are made of, whatever source they come from: the shape decides the template they are put in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

ShapeName = Literal["scenario", "question", "concept", "prompts"]
FINISHED: Final[ShapeName] = "prompts"


@dataclass(frozen=True)
class ScenarioShape:
    """`fields` are the payload's, in the order in which people read them, with their labels. Those not `required`
    may be empty. `template` is the template that asks for prompts from such a scenario, empty where they are
    there already.
    """

    name: ShapeName
    title: str
    template: str
    fields: Mapping[str, str]
    required: frozenset[str]


SHAPES: Final[Mapping[str, ScenarioShape]] = {
    shape.name: shape
    for shape in (
        ScenarioShape(
            "scenario",
            "A scene with a question and possible answers",
            "prompts_scenario",
            {"context": "Context", "question": "Question", "answers": "Possible answers"},
            frozenset({"context", "question", "answers"}),
        ),
        ScenarioShape(
            "question",
            "A question of a subject",
            "prompts_question",
            {"question": "Question", "subject": "Subject"},
            frozenset({"question"}),
        ),
        ScenarioShape(
            "concept",
            "A concept with an interpretation and quotations",
            "prompts_concept",
            {
                "theme": "Theme",
                "concept": "Concept",
                "interpretation": "Interpretation",
                "quotes": "Quotations",
            },
            frozenset({"concept", "interpretation", "quotes"}),
        ),
        ScenarioShape(
            "prompts",
            "A finished prompt, as in a published pool",
            "",
            {"prompts": "Prompts"},
            frozenset({"prompts"}),
        ),
    )
}


def scenario_texts(shape: ScenarioShape, payload: Mapping[str, Any]) -> dict[str, str]:
    """The scenario's fields as text, in their order, without those that are empty."""
    texts = {name: _in_text(payload.get(name, "")) for name in shape.fields}
    return {name: text for name, text in texts.items() if text}


def _in_text(value: Any) -> str:
    """A text as it is, a list item by item, a quotation without its document, of which no prompt is to speak."""
    if isinstance(value, Mapping):
        return f"“{value['text']}”"
    if isinstance(value, list):
        return "\n".join(f"{place}. {_in_text(item)}" for place, item in enumerate(value, start=1))
    return str(value).strip()
