"""What scenarios are made of, whatever source they come from: the shape decides the template they are put in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

ShapeName = Literal["scenario", "question", "concept"]


@dataclass(frozen=True)
class ScenarioShape:
    """`fields` are the payload's, in the order in which people read them, with their labels. Those not `required`
    may be empty. `template` is the template that asks for prompts from such a scenario.
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
    )
}
