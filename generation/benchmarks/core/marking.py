"""What a model that marks answers is asked, and the strict reading of its reply."""

from collections.abc import Sequence
from typing import Final

from generation.calls.core.json_replies import Unreadable
from generation.catalogue.core.fences import fenced_materials
from generation.catalogue.core.prompt_templates import PromptTemplate

TEMPLATE: Final = "benchmark_mark"
EXPECTED_TOKENS: Final = 2


def mark_request(
    template: PromptTemplate, *, story: str, text: str, gold: str, words: str, options: Sequence[str] = ()
) -> str:
    """The request's text; nothing in it says who answered. An answer may name an option by its number."""
    numbered = "\n".join(f"{number}. {option}" for number, option in enumerate(options, start=1))
    told = {"text": story.strip(), "question": text, "options": numbered}
    parts = {**{name: part for name, part in told.items() if part}, "reference": gold, "answer": words}
    return template.fill(materials=fenced_materials(parts, asking_for="a mark"))


def read_mark(reply: str) -> bool:
    """Whether the answer counts as right. Raises `Unreadable` for anything but 1 or 0."""
    said = reply.strip()
    if said not in ("0", "1"):
        raise Unreadable("The reply is neither 1 nor 0.")
    return said == "1"
