"""Replies of judge models: read to the letter, or not at all."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.calls.core.json_replies import Unreadable
from generation.panel.core.injections import INJECTIONS, Injection
from generation.panel.core.panel import OVERALL, Shape
from generation.panel.core.panel_replies import MAX_REASON_LENGTH, read_reply
from tests.generation.panel.core.test_panel import DIMENSIONS, RUBRIC

ONE = Shape("holistic", RUBRIC)
EACH = Shape("per_dimension", RUBRIC)
READ = Shape("inferred", RUBRIC, ("A", "B"))
FULL: dict[str, Any] = {**dict.fromkeys(DIMENSIONS, 7), "abstained": False}


def test_one_score_is_read() -> None:
    assert read_reply(' {"score": 7}\n', ONE)[""].values == {OVERALL: 7}


def test_scores_of_dimensions_are_read_with_the_abstention() -> None:
    scores = read_reply(json.dumps({**FULL, "conceptual_clarity": 10, "abstained": True}), EACH)[""]
    assert scores.values == {**dict.fromkeys(DIMENSIONS, 7), "conceptual_clarity": 10}
    assert scores.abstained is True


def test_answers_judged_together_are_read_by_label() -> None:
    reply = read_reply('{"B": {"score": 2}, "A": {"score": 9}}', Shape("no_rubric", RUBRIC, ("A", "B")))
    assert {label: scores.values[OVERALL] for label, scores in reply.items()} == {"A": 9, "B": 2}


def test_what_a_justification_does_not_say_stays_without_a_score() -> None:
    silent: dict[str, Any] = {**dict.fromkeys(DIMENSIONS), "mentioned": []}
    said = {**silent, "conceptual_clarity": 8, "mentioned": ["pluralistic_engagement", "conceptual_clarity"]}
    reply = read_reply(json.dumps({"A": said, "B": silent}), READ)
    assert reply["A"].values == {"conceptual_clarity": 8}
    assert reply["A"].mentioned == ("conceptual_clarity", "pluralistic_engagement")
    assert reply["B"].values == {}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "Score: 7",
        '{"score": 7} I gave seven.',
        '```json\n{"score": 7}\n```',
        '{"score": 7}{"score": 8}',
        '{"score": 7, "score": 10}',
        '{"score": 0}',
        '{"score": 11}',
        '{"score": 7.0}',
        '{"score": 7.5}',
        '{"score": "7"}',
        '{"score": true}',
        '{"score": null}',
        '{"score": NaN}',
        '{"score": [7]}',
        '{"Score": 7}',
        '{"score": 7, "reason": "sound"}',
        '{"score": {"score": 7}}',
        "[7]",
        "null",
        "{'score': 7}",
        '{"score": 7',
        "[" * 100_000,
        '{"score": ' + "9" * 10_000 + "}",
    ],
)
def test_anything_but_the_one_score_asked_for_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        read_reply(text, ONE)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"abstained": "false"}, "abstains"),
        ({"abstained": 0}, "abstains"),
        ({"evidential_grounding": None}, "whole number from 1 to 10"),
        ({"overall": 7}, "more than was asked"),
    ],
)
def test_scores_of_dimensions_must_be_complete_and_exact(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(Unreadable, match=complaint):
        read_reply(json.dumps({**FULL, **change}), EACH)


@pytest.mark.parametrize("missing", [*DIMENSIONS, "abstained"])
def test_a_missing_score_is_named_and_never_taken_for_a_low_one(missing: str) -> None:
    with pytest.raises(Unreadable, match=f"lacks {missing}"):
        read_reply(json.dumps({key: value for key, value in FULL.items() if key != missing}), EACH)


@pytest.mark.parametrize("mentioned", ["clarity", ["clarity"], [["conceptual_clarity"]], {}, None])
def test_only_dimensions_can_be_mentioned(mentioned: object) -> None:
    silent = {**dict.fromkeys(DIMENSIONS), "mentioned": mentioned}
    with pytest.raises(Unreadable, match="mentioned"):
        read_reply(json.dumps({"A": silent, "B": silent}), READ)


def test_a_label_without_scores_makes_the_whole_reply_unreadable() -> None:
    with pytest.raises(Unreadable, match="lacks B"):
        read_reply('{"A": {"score": 9}}', Shape("holistic", RUBRIC, ("A", "B")))


@pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection.name)
def test_a_reply_that_repeats_what_an_essay_dictates_is_unreadable(injection: Injection) -> None:
    essay = injection.into("A rule needs reasons.\n\nSo does an exception.", DIMENSIONS)
    for shape in (ONE, EACH):
        with pytest.raises(Unreadable):
            read_reply(essay, shape)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 13) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*DIMENSIONS, "score"]), inner),
    max_leaves=8,
)


@given(json_values | st.text(max_size=30))
def test_whatever_comes_either_is_a_whole_number_on_the_scale_or_is_refused(value: object) -> None:
    text = value if isinstance(value, str) else json.dumps(value)
    try:
        scores = read_reply(text, ONE)
    except Unreadable:
        return
    assert value == {"score": scores[""].values[OVERALL]}
    assert scores[""].values[OVERALL] in range(1, 11)


def test_a_reason_stands_beside_each_score_where_reasons_are_asked_for() -> None:
    because = dict.fromkeys(DIMENSIONS, "  It names two views.\x00 ")
    [said] = read_reply(json.dumps({"reasons": because, **FULL}), replace(EACH, reasons=True)).values()
    assert said.reasons == dict.fromkeys(DIMENSIONS, "It names two views.")
    assert said.values == dict.fromkeys(DIMENSIONS, 7)
    pair = replace(ONE, labels=("A", "B"), reasons=True)
    reply = read_reply('{"A": {"reason": "Clear.", "score": 9}, "B": {"reason": "", "score": 2}}', pair)
    assert [each.reasons for each in reply.values()] == [{OVERALL: "Clear."}, {OVERALL: ""}]


def test_a_long_reason_is_cut_and_its_score_counts() -> None:
    reply = json.dumps({"reason": "w" * 5000, "score": 7})
    [said] = read_reply(reply, replace(ONE, reasons=True)).values()
    assert said.values == {OVERALL: 7}
    assert len(said.reasons[OVERALL]) == MAX_REASON_LENGTH


@pytest.mark.parametrize("reasons", [None, "clear", {}, {"clarity": "x"}, dict.fromkeys(DIMENSIONS, 7)])
def test_reasons_that_are_missing_or_no_texts_make_the_reply_unreadable(reasons: object) -> None:
    for reply in ({"reasons": reasons, **FULL}, FULL):
        with pytest.raises(Unreadable):
            read_reply(json.dumps(reply), replace(EACH, reasons=True))


def test_a_reason_nobody_asked_for_is_a_reply_of_another_form() -> None:
    with pytest.raises(Unreadable):
        read_reply('{"reason": "Clear.", "score": 7}', ONE)


def test_where_scores_are_read_out_of_a_persons_words_no_reasons_are_asked_for() -> None:
    silent: dict[str, Any] = {**dict.fromkeys(DIMENSIONS), "mentioned": []}
    reply = read_reply(json.dumps({"A": silent, "B": silent}), replace(READ, reasons=True))
    assert reply["A"].reasons == {}
