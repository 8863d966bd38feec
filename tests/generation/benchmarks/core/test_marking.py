"""What a model that marks answers is asked, and what of its replies is taken."""

import pytest

from generation.benchmarks.core.marking import TEMPLATE, mark_request, read_mark
from generation.calls.core.json_replies import Unreadable
from generation.catalogue.core.prompt_templates import SHIPPED


def test_a_mark_is_1_or_0_and_nothing_else() -> None:
    assert (read_mark("1"), read_mark(" 0\n")) == (True, False)
    for reply in ("1.", "yes", "01", "1 0", "", "１"):
        with pytest.raises(Unreadable):
            read_mark(reply)


def test_who_marks_is_told_text_question_reference_and_answer() -> None:
    asked = mark_request(SHIPPED[TEMPLATE], story="Kim left.", text="Who?", gold="Kim", words="kim, I think")
    assert all(words in asked for words in ("Kim left.", "Who?", "\nKim\n", "kim, I think"))
    assert "<options" not in asked
    numbered = mark_request(SHIPPED[TEMPLATE], story="", text="Who?", options=["Bo", "Kim"], gold="Kim", words="2")
    assert "\n1. Bo\n2. Kim\n" in numbered
    assert "<text" not in numbered
