import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.platform.core.errors import Refused
from generation.catalogue.core.prompt_templates import KINDS, MAX_CHARACTERS, SHIPPED, PromptTemplate, check_wording

WHOLE = "{perspective} {description} {materials} {reply_format}"


def test_text_put_into_a_template_is_never_read_for_placeholders() -> None:
    template = PromptTemplate("answer", "{prompt} Aim for {target_words}.")
    filled = template.fill(prompt="{target_words} {word_limit}", target_words=400, word_limit=440)
    assert filled == "{target_words} {word_limit} Aim for 400."


@given(st.text(alphabet="{}abprompt_ \n", max_size=60))
def test_any_prompt_stands_in_the_request_as_it_is(prompt: str) -> None:
    assert PromptTemplate("answer", "<{prompt}>").fill(prompt=prompt) == f"<{prompt}>"


def test_braces_that_are_no_placeholder_stay_as_they_are() -> None:
    template = PromptTemplate("answer", '{prompt} Reply like {"a": {b}} or {rubric} or {}.')
    assert template.fill(prompt="Why?") == 'Why? Reply like {"a": {b}} or {rubric} or {}.'


def test_a_placeholder_without_a_value_is_a_fault() -> None:
    with pytest.raises(KeyError):
        PromptTemplate("answer", "{prompt} {word_limit}").fill(prompt="Why?")


def test_a_template_is_known_by_its_name_and_the_hash_of_its_text() -> None:
    # printf 'a' | sha256sum: ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb
    assert PromptTemplate("answer", "a").version == "answer:ca978112ca1b"


@pytest.mark.parametrize("name", KINDS)
def test_every_shipped_wording_can_serve_and_knows_its_placeholders(name: str) -> None:
    check_wording(name, SHIPPED[name].text)
    values = {placeholder: f"«{placeholder}»" for placeholder in KINDS[name].placeholders}
    filled = SHIPPED[name].fill(**values)
    assert "{" not in filled
    assert all(values[placeholder] in filled for placeholder in KINDS[name].required)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (" \n ", "is empty"),
        ("{perspective} {description} {reply_format}", "lacks {materials}"),
        ("{materials} {reply_format}", "lacks {description} and {perspective}"),
        (WHOLE.ljust(MAX_CHARACTERS + 1, "."), "20,000 are the most"),
        (WHOLE + " Weigh {essay} by { Rubrik }.", r"put in for { Rubrik } and {essay}.*{rubric}"),
    ],
)
def test_a_wording_that_cannot_serve_is_refused_with_what_it_lacks(text: str, complaint: str) -> None:
    with pytest.raises(Refused, match=complaint):
        check_wording("panel_holistic", text)


@pytest.mark.parametrize("own", ["", 'Reply {"score": 7} or {"a": {"b": 1}}, not {}.', "By {rubric} on {scale}."])
def test_a_whole_wording_may_hold_braces_of_its_own(own: str) -> None:
    check_wording("panel_holistic", f"{WHOLE} {own}")


def test_who_only_reads_a_justification_needs_no_perspective() -> None:
    check_wording("panel_inferred", "{materials} {reply_format}")
