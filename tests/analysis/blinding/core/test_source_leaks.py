"""Whether length and format tell who wrote an answer."""

import itertools
import tracemalloc
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from analysis.blinding.core.leak_report import SourceLeak
from analysis.blinding.core.source_leaks import _Told, source_leaks
from analysis.data.core.study_tables import ANSWERS, table
from tests.analysis.agreement.core.rankings import ends, value, why_no_interval

Write = Callable[[str, np.random.Generator], str]  # what makes a text of an arm


def answers(write: Write, seed: int = 4) -> pd.DataFrame:
    """Two people's and two models' answers to twelve prompts; `write` makes texts from arm and a generator."""
    rng = np.random.default_rng(seed)
    rows = []
    for prompt in range(12):
        for number, arm in enumerate(("human", "human", "model", "model")):
            text = write(arm, rng)
            rows.append((f"{prompt}-{number}", f"P_{prompt:02}", arm, arm, "", "", len(text.split()), "", text))
    return table(rows, ANSWERS)


def by_length(arm: str, rng: np.random.Generator) -> str:
    return "word " * int(rng.integers(100, 130) + 60 * (arm == "model"))


def by_format(arm: str, rng: np.random.Generator) -> str:
    mark = ";" if arm == "model" else ","
    return " ".join(f"word{mark if rng.random() < 0.3 else ''}" for _ in range(100))


def at_random(_arm: str, rng: np.random.Generator) -> str:
    return "word " * int(rng.integers(100, 200))


def found(write: Write) -> dict[str, SourceLeak]:
    return {leak.features: leak for leak in source_leaks(answers(write), draws=200, seed=1)}


def test_answers_that_differ_in_length_are_told_by_length() -> None:
    leaks = found(by_length)
    assert value(leaks["length"].auc) == value(leaks["length"].accuracy) == 1
    assert leaks["length"].auc.n == 48


def test_answers_that_differ_in_their_marks_are_told_by_format_alone() -> None:
    leaks = found(by_format)
    assert value(leaks["format"].auc) > 0.95
    assert value(leaks["length and format"].auc) > 0.95
    assert value(leaks["length"].auc) == 0.5
    assert why_no_interval(leaks["length"].auc) == "the same in every resample"


def test_answers_that_do_not_differ_are_told_no_better_than_by_chance() -> None:
    # Of 24 answers of either kind: standard error √(49/(12·24²)) = 0.084 of one study, 0.034 of the mean of six.
    low, high = ends(found(at_random)["length and format"].auc)
    assert low < high
    areas = [value(source_leaks(answers(at_random, seed))[0].auc) for seed in range(6)]
    assert abs(np.mean(areas) - 0.5) < 0.1


def test_what_is_told_is_never_learnt_from_the_same_prompt() -> None:
    # Texts are told apart within each prompt by a length that says the opposite in the next one.
    places = itertools.count()

    def write(arm: str, _rng: np.random.Generator) -> str:
        is_odd = next(places) // 4 % 2 == 1
        return "word " * (150 if (arm == "model") == is_odd else 100)

    assert value(found(write)["length"].auc) <= 0.55


def test_the_words_do_not_count() -> None:
    def write(word: str) -> Write:
        return lambda _arm, rng: f"{word} " * int(rng.integers(100, 200))

    assert source_leaks(answers(write("word"))) == source_leaks(answers(write("terminology")))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"text": ""}, "the texts of the answers are not known"),
        ({"arm": "model"}, "all answers are by people, or all by models"),
        ({"prompt_id": "P_1"}, "fewer than 4 prompts have an answer of the kind"),
    ],
)
def test_an_undefined_leak_says_why(change: dict[str, str], reason: str) -> None:
    for leak in source_leaks(answers(by_length).assign(**change)):
        assert leak.auc.reason == leak.accuracy.reason == reason


def test_leaks_are_undefined_where_prompts_told_together_have_all_answers_of_a_kind() -> None:
    # Four prompts have one answer each, by a person, and four others five by models: parts of even size would put
    # all people's into one.
    rows = [
        (f"{arm}-{prompt}-{number}", f"{arm}_{prompt}", arm, arm, "", "", 2, "", "one two")
        for arm, size in (("human", 1), ("model", 5))
        for prompt in range(4)
        for number in range(size)
    ]
    for leak in source_leaks(table(rows, ANSWERS), draws=20, seed=1):
        assert leak.auc.reason == leak.accuracy.reason
        assert leak.auc.reason is not None
        assert leak.auc.reason.startswith("all answers of one kind are to prompts that are told together")


def test_area_and_accuracy_are_those_worked_out_by_hand() -> None:
    # People 0.1 and −0.2, models 0.1 and 0.3: pairs ½, 1, 1, 1 of four; one of two people and both models rightly.
    predictions, is_model = np.array([0.1, -0.2, 0.1, 0.3]), np.array([False, False, True, True])
    prompts = np.array([0, 1, 0, 1])
    told = _Told.of(predictions, np.zeros(4, dtype=int), is_model, prompts)
    assert told.estimate("auc", 0, 0, 0.95).value == pytest.approx(3.5 / 4)
    assert told.estimate("accuracy", 0, 0, 0.95).value == pytest.approx(0.75)
    # Told by a learner for each prompt, only the pairs within prompts are compared: ½ and 1 of two.
    by_prompt = _Told.of(predictions, prompts, is_model, prompts)
    assert by_prompt.estimate("auc", 0, 0, 0.95).value == pytest.approx(1.5 / 2)
    assert by_prompt.estimate("accuracy", 0, 0, 0.95).value == pytest.approx(0.75)


def test_the_area_of_many_answers_takes_room_for_answers_and_not_for_pairs() -> None:
    rng, size = np.random.default_rng(5), 20_000
    learners, prompts = np.arange(size) % 2, np.arange(size) % 1000
    tracemalloc.start()
    told = _Told.of(rng.normal(size=size), learners, np.arange(size) < size / 2, prompts)
    area = value(told.estimate("auc", 0, 0, 0.95))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert area == pytest.approx(0.5, abs=0.02)
    assert most < 1000 * size  # bytes


def test_the_area_is_undefined_where_no_learner_told_both_kinds() -> None:
    told = _Told.of(np.array([1.0, 2.0]), np.array([0, 1]), np.array([False, True]), np.array([0, 1]))
    reason = "no learner told answers of both kinds, which are to different prompts"
    assert told.estimate("auc", 0, 0, 0.95).reason == reason
