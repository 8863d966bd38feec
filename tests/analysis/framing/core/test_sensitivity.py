"""What Δ rests on besides the model: judges, their families, and who rewrote the prompts."""

from itertools import product

import pandas as pd
import pytest

from analysis.data.core.framed import BASELINE
from analysis.data.core.results import Summary
from analysis.framing.core.deltas import deltas
from analysis.framing.core.sensitivity import abstentions, by_rewriter, own_family, without_each_judge

PROMPTS = ("p1", "p2", "p3", "p4")
# Model a loses to each judge's eyes: 1 on the first two prompts and 2 on the others, and 1 more to judge “x”.
LOST = dict(zip(PROMPTS, (1, 1, 2, 2), strict=True))


@pytest.fixture
def replies() -> pd.DataFrame:
    rows = []
    for prompt, judge, condition in product(PROMPTS, ("x", "y", "z"), (BASELINE, "agree")):
        lost = (LOST[prompt] + (judge == "x")) if condition == "agree" else 0
        rows.append((prompt, "a", condition, judge, "moral", False, 9.0 - lost))
    columns = ["prompt", "respondent", "condition", "judge", "perspective", "abstained", "clarity"]
    return pd.DataFrame(rows, columns=columns)


def test_a_judge_that_is_left_out_takes_its_view_along(replies: pd.DataFrame) -> None:
    found = without_each_judge(replies, ["clarity"], ["agree"], level=0.95)
    assert {judge: of["a"].mean.value for judge, of in found.items()} == {"x": 1.5, "y": 2, "z": 2}


def test_an_own_family_is_compared_with_the_other_judges_within_prompts(replies: pd.DataFrame) -> None:
    def found(judges: dict[str, str]) -> dict[str, Summary]:
        families = {"a": "gpt"}
        return own_family(replies, ["clarity"], ["agree"], families=families, judge_families=judges, level=0.95)

    assert found({"x": "gpt", "y": "claude", "z": "gemini"})["a"].mean.value == pytest.approx(1)
    assert found({"y": "claude"}) == {}


def test_prompts_of_each_rewriter_are_summed_up_by_themselves(replies: pd.DataFrame) -> None:
    (of,) = deltas(replies, ["clarity"], ["agree"])
    found = by_rewriter(of, {"p1": "one", "p2": "one", "p3": "two", "p4": "two"}, level=0.95)
    assert [each.mean.value for each in found.values()] == pytest.approx([4 / 3, 7 / 3])
    assert found["one"].mean.n == 2


def test_abstentions_are_counted_by_condition(replies: pd.DataFrame) -> None:
    replies.loc[(replies["condition"] == "agree") & (replies["judge"] == "x"), "abstained"] = True
    found = abstentions(replies, level=0.95)
    assert {key: (each.value, each.n) for key, each in found.items()} == {
        ("a", "agree"): (pytest.approx(1 / 3), 12),
        ("a", BASELINE): (0, 12),
    }
