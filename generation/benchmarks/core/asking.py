"""What a model is asked: a question with its story, alone or in a conversation about the story."""

from collections.abc import Mapping, Sequence
from typing import Final

from generation.catalogue.core.prompt_templates import PromptTemplate

SINGLY: Final = "singly"
HISTORY: Final = "history"
MODES: Final[Mapping[str, str]] = {
    SINGLY: "each question by itself",
    HISTORY: "with the conversation about its story so far",
}
PUBLISHED: Final = "published"
CORRECTED: Final = "corrected"
REPHRASED: Final = "rephrased"
WORDINGS: Final[Mapping[str, str]] = {
    PUBLISHED: "as published",
    CORRECTED: "as corrected",
    REPHRASED: "rephrased",
}
OPTIONS_TEMPLATE: Final = "benchmark_options"
FREE_TEMPLATE: Final = "benchmark_free"
ONE_WORD_TEMPLATE: Final = "benchmark_one_word"
# A reply names an option or says a few words; some models reason a little all the same.
EXPECTED_TOKENS: Final = 12


def question_turn(template: PromptTemplate, *, story: str, text: str, options: Sequence[str]) -> str:
    """A user turn that can be answered by itself: the story, the question and, where it has any, its options by
    number, from 1.
    """
    numbered = "\n".join(f"{number}. {option}" for number, option in enumerate(options, start=1))
    return template.fill(context=f"{story.strip()}\n\n" if story.strip() else "", question=text, options=numbered)
