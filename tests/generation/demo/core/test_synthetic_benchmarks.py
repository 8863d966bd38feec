"""The demonstration's models answer questions of benchmarks in the form in which these are scored."""

from generation.benchmarks.core.asking import FREE_TEMPLATE, OPTIONS_TEMPLATE, question_turn
from generation.benchmarks.core.marking import TEMPLATE as MARK
from generation.benchmarks.core.marking import mark_request, read_mark
from generation.benchmarks.core.rephrasing import (
    TEMPLATE,
    Worded,
    read_rephrasings,
    rephrasing_request,
    rephrasing_schema,
)
from generation.catalogue.core.prompt_templates import SHIPPED
from generation.demo.providers import DemoProvider
from generation.providers.base import Request
from generation.providers.catalogue import endpoint

WORDED = Worded(
    "Nora met Paul. The kite is in the trunk.", "Where is the kite of Paul?", ("trunk", "basket", "attic")
)


def said(prompt: str, **more: object) -> str:
    asked = Request(model="demo-1", prompt=prompt, effort="", max_output_tokens=4000, **more)  # type: ignore[arg-type]
    return DemoProvider(endpoint("demo")).reply(asked).text


def test_the_artificial_model_names_an_option_or_one_word_marks_with_a_digit_and_keeps_options_in_other_words() -> (
    None
):
    asked = {"story": WORDED.story, "text": WORDED.text}
    assert said(question_turn(SHIPPED[OPTIONS_TEMPLATE], options=WORDED.options, **asked)) in {"1", "2", "3"}
    assert len(said(question_turn(SHIPPED[FREE_TEMPLATE], options=(), **asked)).split()) == 1
    for words, is_right in (("in the trunk", True), ("basket", False)):
        request = mark_request(SHIPPED[MARK], gold="trunk", words=words, **asked)
        assert read_mark(said(request)) is is_right
    reply = said(rephrasing_request(SHIPPED[TEMPLATE], WORDED, 5), schema=rephrasing_schema(WORDED, 5))
    assert {each.options for each in read_rephrasings(reply, WORDED, 5)} == {WORDED.options}
