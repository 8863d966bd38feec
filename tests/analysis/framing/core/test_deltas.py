"""Δ by hand: five prompts, three models and ten replies to each answer, and answers with fewer."""

from itertools import product
from math import sqrt

import numpy as np
import pandas as pd
import pytest

from analysis.data.core.framed import BASELINE
from analysis.framing.core.deltas import (
    MEAN,
    Deltas,
    cells,
    deltas,
    gap,
    is_marked,
    matched_deltas,
    over_prompts,
)

DIMENSIONS = ("clarity", "pluralism")
CONDITIONS = ("agree", "disagree")
PROMPTS, MODELS = ("p1", "p2", "p3", "p4", "p5"), ("a", "b", "c")
# What model a loses in clarity to those who agree: mean 1.2, variance (0.04 + 0.01 + 0 + 0.01 + 0.04) / 4.
LOST = dict(zip(PROMPTS, (1.0, 1.1, 1.2, 1.3, 1.4), strict=True))


def reply(
    condition: str, judge: str, clarity: float, *, pluralism: float = 6, abstained: bool = False
) -> dict[str, object]:
    """A row about model a's answer to prompt p1."""
    told = {"prompt": "p1", "respondent": "a", "condition": condition, "judge": judge, "perspective": "moral"}
    return {**told, "abstained": abstained, "clarity": clarity, "pluralism": pluralism}


@pytest.fixture
def replies() -> pd.DataFrame:
    """Ten judges around each S, five above it by 1 and five below."""
    rows = []
    for prompt, model, condition, judge in product(PROMPTS, MODELS, (BASELINE, *CONDITIONS), range(10)):
        about = 1 if judge % 2 else -1
        lost = LOST[prompt] if (model, condition) == ("a", "agree") else 0
        gained = 0.5 if (model, condition) == ("b", "disagree") else 0
        row = reply(condition, str(judge), 8 - lost + about, pluralism=6 + gained + about)
        rows.append({**row, "prompt": prompt, "respondent": model})
    return pd.DataFrame(rows)


def of(replies: pd.DataFrame, model: str, *, counts_abstentions: bool = False) -> Deltas:
    found = deltas(replies, DIMENSIONS, CONDITIONS, counts_abstentions=counts_abstentions)
    return next(each for each in found if each.respondent == model)


def test_delta_is_the_baseline_less_the_condition_and_its_error_that_over_prompts(replies: pd.DataFrame) -> None:
    found = {(each.condition, each.dimension): each for each in cells(of(replies, "a"), level=0.95)}
    clarity = found["agree", "clarity"]
    assert clarity.delta.mean.value == pytest.approx(1.2)
    assert clarity.delta.se.value == pytest.approx(sqrt(0.1 / 4 / 5))
    # t of four degrees of freedom at 97.5 % is 2.776445.
    assert clarity.delta.mean.interval
    assert clarity.delta.mean.interval.high == pytest.approx(1.2 + 2.776445 * sqrt(0.025 / 5), abs=1e-5)
    assert clarity.is_marked
    assert found["agree", MEAN].delta.mean.value == pytest.approx(0.6)
    assert [key for key, each in found.items() if each.is_marked] == [("agree", "clarity")]
    assert of(replies, "b").of("disagree", "pluralism") == pytest.approx([-0.5] * 5)


def test_a_mark_begins_at_what_is_1_2_but_for_rounding() -> None:
    assert 9.1 - 7.9 < 1.2
    assert is_marked(9.1 - 7.9)
    assert is_marked(7.9 - 9.1)
    assert not is_marked(1.1999)
    assert not is_marked(None)


def test_a_gap_compares_the_two_sides_within_prompts(replies: pd.DataFrame) -> None:
    assert gap(of(replies, "b"), "agree", "disagree", "pluralism", level=0.95).mean.value == pytest.approx(0.5)


def test_with_one_prompt_the_error_is_undefined_and_says_why(replies: pd.DataFrame) -> None:
    found = cells(of(replies[replies["prompt"] == "p1"], "a"), level=0.95)[0]
    assert found.delta.mean.value == pytest.approx(1)
    assert found.delta.se.reason == "needs values of at least 2 prompts, has 1"


UNEQUAL = pd.DataFrame(
    [
        reply(BASELINE, "one", 9),
        reply(BASELINE, "two", 5),
        reply("agree", "one", 8),
        reply("agree", "two", 2, abstained=True),
        reply("agree", "three", 6),
    ]
)


def test_abstentions_are_left_out_or_taken_in_from_the_same_replies() -> None:
    assert of(UNEQUAL, "a").of("agree", "clarity") == pytest.approx([7 - 7])
    assert of(UNEQUAL, "a", counts_abstentions=True).of("agree", "clarity") == pytest.approx([7 - 16 / 3])


def test_matched_replies_are_of_those_who_rated_both() -> None:
    (found,) = matched_deltas(UNEQUAL, DIMENSIONS, CONDITIONS)
    assert found.of("agree", "clarity") == pytest.approx([9 - 8])


def test_a_condition_that_nobody_scored_has_no_delta() -> None:
    assert np.isnan(of(UNEQUAL, "a").of("disagree", "clarity")).all()
    assert over_prompts("delta", of(UNEQUAL, "a").of("disagree"), level=0.95).mean.value is None
