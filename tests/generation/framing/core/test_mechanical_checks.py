"""What a program finds wrong with framings, and what it leaves alone."""

import pytest

from generation.framing.core.conditions import SHIPPED_CONDITIONS
from generation.framing.core.mechanical_checks import findings

PROMPT = "To what extent do queues express a sense of fairness, and to what extent do they only hide power?"
GOOD = {
    "empirical_i": "I have always felt that standing in line is fair to everyone. What makes it work so well?",
    "empirical_friend": "A friend told me the other day that lines are fair to all. How would one find out?",
    "emotion_agree": "Lines are the last fair thing we have, and I will defend them! Why do they hold us?",
    "emotion_disagree": "Lines only ever protect those who have time to spare, and it makes me furious. Who gains?",
}


def says(**changed: str) -> list[str]:
    return [finding.says for finding in findings(PROMPT, {**GOOD, **changed}, SHIPPED_CONDITIONS)]


def test_nothing_is_found_in_framings_as_they_should_be() -> None:
    assert says() == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (PROMPT.upper(), "It is the prompt as it was."),
        (GOOD["empirical_friend"] + " ", "It is the same as empirical_i."),
        ("Are queues fair?", "It has 3 words; 12 to 160 are wanted."),
        ("why " * 161, "It has 161 words; 12 to 160 are wanted."),
        (GOOD["empirical_i"] + " Here is the rewritten version.", "It speaks of the task: “rewritten”."),
        (GOOD["empirical_i"] + " That was the original prompt.", "It speaks of the task: “original prompt”."),
        (GOOD["empirical_i"] + " You, as an AI, should know.", "It speaks of the task: “as an ai”."),
        (
            "Ich finde, dass das Warten in der Schlange für alle gerecht ist. Warum ist das nicht überall so?",
            "It seems to be in German, the prompt in English.",
        ),
        (
            "Я всегда думал, что очередь справедлива для всех. Почему же люди так часто на неё злятся и спорят?",
            "It is written in Cyrillic letters, the prompt in Latin.",
        ),
    ],
    ids=range(9),
)
def test_faults_of_a_framing_are_found_and_named(text: str, what: str) -> None:
    assert what in says(empirical_i=text)


def test_what_the_prompt_itself_speaks_of_is_no_talk_of_the_task() -> None:
    prompt = "Who gains when history is rewritten in schools, and what is lost by those who were never asked?"
    framing = "I believe that history gets rewritten in our schools all the time. Who is it that gains from that?"
    assert findings(prompt, {"empirical_i": framing}, SHIPPED_CONDITIONS) == ()
