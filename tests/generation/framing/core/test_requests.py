"""What rewriters and checking models are asked, and that replies are read strictly."""

import json
from typing import Any

import pytest

from generation.calls.core.json_replies import Unreadable
from generation.catalogue.core.prompt_templates import SHIPPED
from generation.framing.core.conditions import SHIPPED_CONDITIONS, Conditions
from generation.framing.core.requests import (
    QUESTIONS,
    check_request,
    check_schema,
    framing_request,
    framing_schema,
    questions_of,
    read_check,
    read_framings,
)

KEYS = SHIPPED_CONDITIONS.keys
FRAMINGS = {key: f"What about {key}?" for key in KEYS}
HOLDS = {"reason": "It does.", "holds": True}
CHECK: dict[str, Any] = {
    **{key: {"self_contained": HOLDS, "reads_like_a_person": HOLDS} for key in KEYS},
    "opposed": {"emotion_agree_against_emotion_disagree": {"reason": "Both can be right.", "holds": False}},
}


def test_a_rewriter_is_told_every_condition_and_which_oppose_each_other() -> None:
    text = framing_request(SHIPPED["framing"], SHIPPED_CONDITIONS, "Why do people queue?")
    assert all(text.count(key) >= 2 for key in KEYS)
    assert "emotion_agree and emotion_disagree take opposite sides" in text
    assert "{" not in text.replace(text[text.rindex("{") :], "")
    assert "Why do people queue?" in text


def test_a_checker_is_shown_prompt_and_framings_and_not_who_wrote_them() -> None:
    text = check_request(SHIPPED["framing_check"], SHIPPED_CONDITIONS, "Why do people queue?", FRAMINGS)
    assert all(framing in text for framing in FRAMINGS.values())
    assert "emotion_agree_against_emotion_disagree: emotion_agree and emotion_disagree" in text


def test_a_reply_with_exactly_the_conditions_keys_is_read() -> None:
    assert read_framings(f"\n{json.dumps(FRAMINGS)}\n", SHIPPED_CONDITIONS) == FRAMINGS
    assert list(framing_schema(SHIPPED_CONDITIONS)["properties"]) == list(KEYS)


def reply(**changes: Any) -> str:
    return json.dumps({**FRAMINGS, **changes})


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"```json\n{reply()}\n```",
        f"Here it is: {reply()}",
        f"{reply()} {reply()}",
        f"[{reply()}]",
        reply(other="What?"),
        reply(empirical_i=" \u200b\n"),
        reply(empirical_i=None),
        reply(empirical_i=["What?"]),
        reply(empirical_i="x" * 30_001),
        reply()[:-1] + ', "empirical_i": "Again?"}',
        json.dumps({key: FRAMINGS[key] for key in KEYS[1:]}),
    ],
    ids=range(12),
)
def test_a_reply_without_one_text_for_each_framing_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        read_framings(text, SHIPPED_CONDITIONS)


def test_a_check_answers_two_questions_of_every_framing_and_one_of_every_pair() -> None:
    verdicts = read_check(json.dumps(CHECK), SHIPPED_CONDITIONS)
    assert tuple((verdict.about, verdict.question) for verdict in verdicts) == questions_of(SHIPPED_CONDITIONS)
    assert [verdict.about for verdict in verdicts if not verdict.holds] == [
        "emotion_agree_against_emotion_disagree"
    ]
    assert {verdict.question for verdict in verdicts} == set(QUESTIONS)
    assert list(check_schema(SHIPPED_CONDITIONS)["properties"]) == [*KEYS, "opposed"]


@pytest.mark.parametrize(
    "changed",
    [
        {"opposed": {}},
        {"empirical_i": {"self_contained": HOLDS}},
        {"empirical_i": "fine"},
        {"empirical_i": {"self_contained": {"reason": "", "holds": True}, "reads_like_a_person": HOLDS}},
        {"empirical_i": {"self_contained": {"reason": "So.", "holds": "yes"}, "reads_like_a_person": HOLDS}},
        {"more": HOLDS},
    ],
    ids=range(6),
)
def test_a_check_without_a_verdict_or_a_reason_is_unreadable(changed: dict[str, Any]) -> None:
    with pytest.raises(Unreadable):
        read_check(json.dumps({**CHECK, **changed}), SHIPPED_CONDITIONS)


def test_without_opposed_pairs_none_is_asked_about() -> None:
    alone = Conditions(**{**vars(SHIPPED_CONDITIONS), "opposed": ()})
    assert "There is no such pair" in check_request(SHIPPED["framing_check"], alone, "Why?", FRAMINGS)
    assert len(read_check(json.dumps({**CHECK, "opposed": {}}), alone)) == 8
