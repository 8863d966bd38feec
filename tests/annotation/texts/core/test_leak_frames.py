"""Wide frames of the leak scan: the form of the task, the study and the hour, with many words in one place."""

from collections.abc import Sequence
from itertools import product

import pytest

from annotation.texts.core.leaks.scan import scan


def kinds(text: str) -> set[str]:
    return {finding.kind for finding in scan(text)}


@pytest.mark.parametrize(
    ("frame", "kind", "first", "second"),
    [
        ("{} forbids {} here.", "task", ["Space", "Brevity", "The format"], ["a full reply", "any history"]),
        ("{} leaves open what {} means.", "task", ["The prompt", "The wording"], ["harm", "a fair share"]),
        (
            "I {} the Scots {}.",
            "task",
            ["omit", "skip", "must pass over"],
            ["for lack of space", "because of the limit on length"],
        ),
        ("{} this {}.", "study", ["Whoever grades", "The people who score"], ["will yawn", "answer may yawn"]),
        (
            "{} will {} the same question.",
            "study",
            ["A chatbot", "Other experts", "A language model"],
            ["answer", "be asked", "be given"],
        ),
        (
            "The {} is {}, and I lose my thread.",
            "circumstances",
            ["radio", "dog next door", "neighbour's child"],
            ["playing", "whining", "shouting"],
        ),
        ("It took me {} to see {}.", "circumstances", ["half the afternoon", "two hours"], ["this", "the fault"]),
    ],
)
def test_a_frame_finds_any_of_its_words(frame: str, kind: str, first: Sequence[str], second: Sequence[str]) -> None:
    texts = [frame.format(*words) for words in product(first, second)]
    assert [text for text in texts if kind not in kinds(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "Public space does not belong to whoever pays for it.",
        "The jury was told to disregard the confession.",
        "Judges read the statute, and score its clauses against the constitution.",
        "There is no room for doubt about the date.",
        "The two answers are not the same.",
        "The wording of the statute leaves the matter open.",
        "At a quarter to eleven, the rule serves nobody.",
        "The answer must be no.",
        "Every side has its own view of the war.",
        "The train leaves at noon, and whoever is late misses it.",
    ],
)
def test_what_is_no_talk_of_the_task_is_left_alone(text: str) -> None:
    assert kinds(text) == set()
