"""What a model that marks answers is asked, and the strict reading of its reply."""

from typing import Final

from generation.calls.core.json_replies import Unreadable
from generation.catalogue.core.fences import fenced_materials
from generation.catalogue.core.prompt_templates import PromptTemplate

TEMPLATE: Final = "benchmark_mark"
EXPECTED_TOKENS: Final = 2


def mark_request(template: PromptTemplate, *, story: str, text: str, gold: str, words: str) -> str:
    """The request's text; nothing in it says who answered."""
    parts = {**({"text": story} if story.strip() else {}), "question": text, "reference": gold, "answer": words}
    return template.fill(materials=fenced_materials(parts, asking_for="a mark"))


def read_mark(reply: str) -> bool:
    """Whether the answer counts as right. Raises `Unreadable` for anything but 1 or 0."""
    said = reply.strip()
    if said not in ("0", "1"):
        raise Unreadable("The reply is neither 1 nor 0.")
    return said == "1"
