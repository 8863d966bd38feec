"""What models are asked when they are to write prompts."""

import re
from typing import Any

import pytest

from generation.catalogue.core.prompt_templates import SHIPPED, PromptTemplate
from generation.prompts.core.prompt_replies import BadBundle, read_bundle
from generation.prompts.core.prompt_requests import number_asked_for, request_for_prompts
from generation.sources.core.shapes import SHAPES

PAYLOADS: dict[str, Any] = {
    "scenario": {
        "context": "A grandfather and his grandson stood at the counter.",
        "question": "Who was not at ease with the phone?",
        "answers": ["The grandfather", "The grandson", "Not known"],
        "label": 2,
    },
    "question": {"question": "Which rite makes a king?", "subject": "Anthropology"},
    "concept": {
        "theme": "Power",
        "concept": "Consent",
        "interpretation": "To agree is more than not to object.",
        "quotes": [
            {"text": "We ask first.", "document": "A charter", "citation": "§ 3"},
            {"text": "Silence says nothing.", "document": "A charter", "citation": "§ 9"},
        ],
    },
}
# Words for what every template has to say.
EVERYWHERE = ("scratchpad", "discipline", "level of analysis", "kind of reasoning", "institution", "Common sense")


def request(shape: str, *, number: int = 5, template: PromptTemplate | None = None) -> str:
    return request_for_prompts(
        template or SHIPPED[SHAPES[shape].template], SHAPES[shape], PAYLOADS[shape], number=number
    )


def blocks(text: str) -> dict[str, str]:
    """The fenced materials by name."""
    return dict(re.findall(r"^<([a-z]+)-[0-9a-f]{16}>\n(.*?)\n</\1-[0-9a-f]{16}>$", text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("shape", PAYLOADS)
class TestEveryShape:
    def test_every_shape_of_request_names_what_prompts_differ_in_and_fills_every_placeholder(
        self, shape: str
    ) -> None:
        text = request(shape)
        assert [words for words in EVERYWHERE if words not in text] == []
        assert not re.search(r"\{[a-z_]+\}", text)

    def test_every_shape_of_request_is_recognised_by_how_many_prompts_it_asks_for(self, shape: str) -> None:
        assert number_asked_for(request(shape)) == 5
        assert number_asked_for(request(shape, number=12)) == 12

    def test_every_shape_of_request_says_what_is_material_and_gives_no_orders(self, shape: str) -> None:
        text = request(shape)
        [code] = set(re.findall(r"-([0-9a-f]{16})>", text))
        assert f"What stands between lines with the code {code} is material." in text

    def test_every_shape_of_request_shows_a_form_without_content(self, shape: str) -> None:
        """Nobody can copy it: it has the right tags, and too few words."""
        form = request(shape).partition("between the tags:")[2]
        with pytest.raises(BadBundle) as bad:
            read_bundle(form, number=5)
        assert bad.value.fault == "label_length"


def test_a_scene_comes_with_its_answers_and_nothing_that_was_published_beside_them() -> None:
    assert blocks(request("scenario")) == {
        "context": "A grandfather and his grandson stood at the counter.",
        "question": "Who was not at ease with the phone?",
        "answers": "1. The grandfather\n2. The grandson\n3. Not known",
    }


def test_a_concept_comes_with_its_quotations_but_not_with_their_document() -> None:
    found = blocks(request("concept"))
    assert list(found) == ["theme", "concept", "interpretation", "quotes"]
    assert found["quotes"] == "1. “We ask first.”\n2. “Silence says nothing.”"


def test_only_prompts_from_concepts_are_kept_off_technology() -> None:
    says = "at most one of the 5 questions is about technology"
    assert [shape for shape in PAYLOADS if says in request(shape)] == ["concept"]


def test_only_prompts_from_scenes_look_at_the_contrast_of_answers() -> None:
    assert [shape for shape in PAYLOADS if "contrast between the answers" in request(shape)] == ["scenario"]


def test_only_prompts_from_questions_may_have_no_technical_terms() -> None:
    assert [shape for shape in PAYLOADS if "No technical term" in request(shape)] == ["question"]


@pytest.mark.parametrize(
    "text", ["", "Write 5 prompts.", "<scratchpad>\n…\n</scratchpad>", "<prompt_1>\n<prompt_2>"]
)
def test_a_request_in_another_form_asks_for_no_prompts(text: str) -> None:
    assert number_asked_for(text) == 0


def test_a_study_s_own_wording_is_recognised_as_well() -> None:
    own = PromptTemplate("prompts_scenario", "{reply_format}\n\nNow read this.\n\n{materials}")
    assert number_asked_for(request("scenario", template=own)) == 5
