"""Rubrics of any scale, asked about together or one dimension at a time, from perspectives or without."""

import json
from dataclasses import replace

import pytest

from annotation.platform.core.errors import Refused
from annotation.study.core.rubric_parts import PARTS
from annotation.study.selectors.rubrics import standard_rubrics
from generation.calls.core.json_replies import Unreadable
from generation.catalogue.core.prompt_templates import SHIPPED
from generation.panel.core.panel import Materials, Mode, Shape, panel_prompt, reply_schema
from generation.panel.core.panel_replies import read_reply
from generation.panel.core.perspectives import PERSPECTIVES, Perspective, frozen
from generation.panel.core.rubric_texts import USUAL_PARTS, check_parts, named_parts, rubric_text, told_parts
from generation.panel.core.ways_to_score import WayToScore, check_way, unusual

TOML = standard_rubrics()["constitutional_reasoning-2"].toml
RUBRIC = standard_rubrics()["constitutional_reasoning-2"].rubric
INTEGRITY, TRANSPARENCY = KEYS = tuple(dimension.key for dimension in RUBRIC.dimensions)
POINTS = Shape("per_dimension", RUBRIC)
WORDS = Shape("per_dimension", RUBRIC.in_variant("trinary"))
APART = replace(WORDS, dimension=TRANSPARENCY)
STEPS = replace(POINTS, rubric=replace(RUBRIC, scale=replace(RUBRIC.scale, step=5, bands=())))


def asked(shape: Shape, perspective: Perspective | None = None, parts: tuple[str, ...] = USUAL_PARTS) -> str:
    template = SHIPPED[f"rater_{shape.mode}"]
    return panel_prompt(template, shape, Materials("Why?", {"": "So."}), perspective=perspective, parts=parts)


def said(integrity: object, transparency: object) -> str:
    return json.dumps({INTEGRITY: integrity, TRANSPARENCY: transparency, "abstained": False})


def told(*parts: str) -> str:
    return rubric_text(RUBRIC, KEYS, parts)


SAYS = {
    "definitions": RUBRIC.dimensions[0].definition,
    "questions": RUBRIC.dimensions[0].questions[0],
    "anchors": f"Low: {RUBRIC.dimensions[0].low}",
    "examples": f"Example, low: “{RUBRIC.dimensions[1].examples[2].text}” {RUBRIC.dimensions[1].examples[2].why}",
    "bands": "Bands of the scale: low 0–59, medium 60–84, high 85–100.",
    "bounds": f"Not measured: {RUBRIC.dimensions[0].not_measured[0]}",
    "guidance": RUBRIC.guidance[-1],
    "rounding": f"- {RUBRIC.rounding}",
    "pitfalls": f"- Pitfall: {RUBRIC.pitfalls[-1]}",
}


@pytest.mark.parametrize("part", list(PARTS))
def test_each_part_of_a_rubric_is_told_or_left_out_by_itself(part: str) -> None:
    assert SAYS[part] in told(part)
    assert SAYS[part] not in told(*(other for other in PARTS if other != part))
    assert all(dimension.name in told() for dimension in RUBRIC.dimensions)


def test_anchors_name_both_ends_and_the_middle_where_there_is_one() -> None:
    assert f"   Medium: {RUBRIC.dimensions[1].medium}\n   High: {RUBRIC.dimensions[1].high}" in told("anchors")
    bare = replace(RUBRIC, dimensions=tuple(replace(each, medium="") for each in RUBRIC.dimensions))
    assert "Medium" not in rubric_text(bare, KEYS, ["anchors"])


def test_parts_are_kept_in_one_order_and_unknown_ones_are_named() -> None:
    assert check_parts(["guidance", "definitions"]) == ("definitions", "guidance")
    with pytest.raises(Refused, match="has no part motto"):
        check_parts(["motto"])


def test_a_request_without_a_perspective_speaks_of_none() -> None:
    assert asked(POINTS).startswith("You assess how well")
    assert "seat" not in asked(POINTS)
    assert asked(POINTS, PERSPECTIVES[0]).startswith(f"Assess from the seat of the {PERSPECTIVES[0].name}.")


def test_a_request_says_what_a_score_is_on_any_scale() -> None:
    assert "a whole number on the scale from 0 (very poor) to 100 (excellent)." in asked(POINTS)
    assert "Every score is one of the words “low” or “medium” or “high”." in asked(WORDS)
    assert "to 100 (excellent) in steps of 5." in asked(STEPS)


def test_a_request_about_one_dimension_is_silent_about_the_others() -> None:
    assert RUBRIC.dimensions[0].name not in asked(APART)
    assert RUBRIC.dimensions[1].definition in asked(APART)
    assert reply_schema(APART)["required"] == [TRANSPARENCY, "abstained"]


def test_schemas_ask_for_words_or_for_the_numbers_of_the_scale() -> None:
    assert reply_schema(WORDS)["properties"][INTEGRITY] == {"type": "string", "enum": ["low", "medium", "high"]}
    assert reply_schema(POINTS)["properties"][INTEGRITY] == {"type": "integer", "minimum": 0, "maximum": 100}
    assert reply_schema(STEPS)["properties"][INTEGRITY]["enum"] == list(range(0, 101, 5))


def test_words_are_read_as_their_numbers() -> None:
    assert read_reply(said("low", "high"), WORDS)[""].values == {INTEGRITY: 0, TRANSPARENCY: 2}
    reply = read_reply(f'{{"{TRANSPARENCY}": "medium", "abstained": true}}', APART)[""]
    assert (reply.values, reply.abstained) == ({TRANSPARENCY: 1}, True)


@pytest.mark.parametrize("value", ["Low", "lowest", 1, True, None, "", ["low"], {"low": 1}])
def test_a_word_that_is_not_on_the_scale_is_unreadable(value: object) -> None:
    with pytest.raises(Unreadable, match="one of the words low, medium, high"):
        read_reply(said("low", value), WORDS)


@pytest.mark.parametrize("value", [-1, 101, 59.5, "60", None])
def test_a_number_off_the_scale_negative_or_missing_is_unreadable(value: object) -> None:
    assert read_reply(said(0, 100), POINTS)[""].values == {INTEGRITY: 0, TRANSPARENCY: 100}
    with pytest.raises(Unreadable, match="whole number from 0 to 100"):
        read_reply(said(60, value), POINTS)


def test_a_number_between_the_steps_of_the_scale_is_unreadable() -> None:
    with pytest.raises(Unreadable, match="from 0 to 100 in steps of 5"):
        read_reply(said(60, 62), STEPS)


def test_the_panels_wording_serves_perspectives_and_numbers_and_another_one_everything_else() -> None:
    assert WayToScore(TOML).template("per_dimension") == "panel_per_dimension"
    assert WayToScore(TOML, approach="points").template("per_dimension") == "panel_per_dimension"
    assert WayToScore(TOML, approach="binary").template("per_dimension") == "rater_per_dimension"
    assert WayToScore(TOML, perspectives=False).template("holistic") == "rater_holistic"


def test_an_approach_is_one_of_the_rubrics_and_scores_each_dimension() -> None:
    check_way(WayToScore(TOML, approach="trinary_separate"), "per_dimension")
    with pytest.raises(Refused, match=r"no approach called “octal”\. It has: binary, trinary"):
        check_way(WayToScore(TOML, approach="octal"), "per_dimension")
    with pytest.raises(Refused, match="It has none"):
        check_way(WayToScore(standard_rubrics()["social_concept_reasoning-1"].toml, approach="a"), "per_dimension")
    with pytest.raises(Refused, match="score each dimension"):
        check_way(WayToScore(TOML, approach="binary"), "holistic")


def test_a_setting_is_named_by_what_is_told_and_by_whom_it_speaks_where_either_is_another() -> None:
    first = frozen(PERSPECTIVES)
    assert unusual(USUAL_PARTS, first) == unusual(USUAL_PARTS, []) == []
    [told] = unusual(list(PARTS), first)
    [seats] = unusual(USUAL_PARTS, first[:9])
    assert (told.split(":")[0], seats.split(":")[0]) == ("rubric", "perspectives")
    assert unusual(["bands"], first) != [told] != unusual([], first)


def test_parts_that_can_be_told_apart_by_now_change_no_setting_where_they_are_told_as_before() -> None:
    before = ["definitions", "questions", "anchors", "examples", "bands", "guidance"]
    assert (named_parts(PARTS), named_parts(USUAL_PARTS)) == (before, ["definitions", "questions"])
    assert told_parts({"parts": before}) == tuple(PARTS)
    assert told_parts({}) == told_parts({"parts": ["definitions", "questions"]}) == USUAL_PARTS
    assert told_parts({"told": ["definitions"]}) == ("definitions",)
    names = [named_parts([other for other in PARTS if other != part]) for part in PARTS]
    assert len({tuple(sorted(name)) for name in [before, *names]}) == len(PARTS) + 1


def test_a_setting_with_reasons_has_a_name_of_its_own() -> None:
    assert unusual(USUAL_PARTS, [], reasons=True) == ["reasons"]


@pytest.mark.parametrize("mode", ["per_dimension", "holistic", "no_rubric"])
def test_reasons_are_asked_for_before_the_scores_in_words_and_in_the_schema(mode: Mode) -> None:
    shape = Shape(mode, RUBRIC, reasons=True)
    schema = reply_schema(shape)
    assert schema["required"][0] in ("reason", "reasons")
    assert schema["required"][1:] == reply_schema(replace(shape, reasons=False))["required"]
    assert "at most 30 words" in asked(shape)
    assert "30 words" not in asked(replace(shape, reasons=False))
    [example] = [line for line in asked(shape).splitlines() if line.startswith("{")]
    assert list(json.loads(example.replace("true or false", "0").replace(": …", ": 0"))) == schema["required"]
