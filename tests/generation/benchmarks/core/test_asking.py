"""What a model is asked of a benchmark."""

from generation.benchmarks.core.asking import FREE_TEMPLATE, OPTIONS_TEMPLATE, question_turn
from generation.catalogue.core.prompt_templates import SHIPPED


def test_a_turn_has_the_story_the_question_and_the_options_by_number() -> None:
    turn = question_turn(
        SHIPPED[OPTIONS_TEMPLATE], story="Nora left.\n", text="Where is Nora?", options=["inside", "outside"]
    )
    assert turn.startswith("Nora left.\n\nQuestion: Where is Nora?\n")
    assert "\n1. inside\n2. outside\n" in turn


def test_a_question_without_story_begins_with_itself() -> None:
    assert question_turn(SHIPPED[FREE_TEMPLATE], story=" ", text="Why?", options=()) == "Question: Why?\n\nAnswer:"
