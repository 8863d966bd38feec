"""What does not go together is said by the names of all parameters that it is about, with where they are found."""

from typing import Any

import pytest

from annotation.study.core.contradictions import contradictions
from annotation.study.core.parameters import LABELS, SECTIONS
from annotation.study.models.studies import Study


def test_the_usual_parameters_go_together() -> None:
    assert list(contradictions(Study())) == []


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        ({"answers_per_prompt": 0}, ["answers_per_prompt", "human_answers_per_item"]),
        ({"target_words": 379}, ["target_words_low", "target_words"]),
        ({"target_words": 421}, ["target_words_high", "target_words"]),
        ({"human_answers_per_item": 8}, ["human_answers_per_item", "model_answers_per_item"]),
        ({"model_answers_per_item": 0}, ["quality_floor_prompts", "model_answers_per_item"]),
        (
            {"every_writer_answers_every_prompt": True, "answers_per_prompt": 0, "human_answers_per_item": 0},
            ["every_writer_answers_every_prompt", "answers_per_prompt"],
        ),
        (
            {"judging_mode": "ranking", "human_answers_per_item": 0, "model_answers_per_item": 1},
            ["judging_mode", "human_answers_per_item", "model_answers_per_item"],
        ),
        ({"profile_questions": ["ideology"]}, ["ideology_instrument", "profile_questions"]),
        ({"profile_questions": ["r1_institution"]}, ["profile_questions"]),
    ],
)
def test_a_contradiction_names_its_parameters_and_their_sections(changed: dict[str, Any], names: list[str]) -> None:
    [found] = contradictions(Study(**changed))
    assert list(found.names) == names
    for name in names:
        section = next(section for section in SECTIONS if name in section.labels)
        assert f"“{LABELS[name]}” (section “{section.title}”)" in found.says
