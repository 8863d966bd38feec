"""A demonstration's rewriter and checker of prompts: framings that say the prompt's words in somebody's mouth."""

from collections.abc import Mapping, Sequence
from typing import Any

_OPENERS = (
    "I have always thought there is something to this",
    "A friend told me the other day that this is plain to see",
    "This is close to my heart, and I will stand up for it",
    "I cannot hear it any more, for I am sure it is the other way round",
)


def frame_prompt(prompt: str, keys: Sequence[str]) -> dict[str, str]:
    """A framing of the prompt by each key; no two are alike."""
    return {
        key: f"{_OPENERS[number % 4]}{', truly' * (number // 4)}. {prompt} What do you think?"
        for number, key in enumerate(keys)
    }


def check_framings(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Verdicts that find nothing wrong, in the form of the schema."""
    fields = schema["properties"]
    if "holds" in fields:
        return {"reason": "Composed for a demonstration: nothing was found.", "holds": True}
    return {name: check_framings(part) for name, part in fields.items()}
