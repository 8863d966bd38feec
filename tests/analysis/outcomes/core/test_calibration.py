from collections.abc import Mapping, Sequence

import pandas as pd
import pytest

from analysis.outcomes.core.calibration import quality_floor, source_attribution
from tests.analysis.agreement.core.rankings import ends, value
from tests.analysis.data.core.judgments import judgments

DIMENSIONS = ("clarity",)


def floor(
    ranks: Mapping[tuple[str, str], Mapping[str, int]], scores: Mapping[str, Sequence[float]]
) -> tuple[pd.DataFrame, "pd.Series[bool]"]:
    """Items of one weak answer, gpt-1, beside two others; and which rows are weak."""
    frame = judgments(ranks, scores=scores, dimensions=DIMENSIONS, item_type="cal_quality_floor")
    return frame, frame["true_id"] == "gpt-1"


class TestQualityFloor:
    SCORES = {"gpt-1": (2,), "human-1": (6,), "claude-1": (8,)}

    def test_the_quality_floor_asks_for_the_weak_answer_strictly_last(self) -> None:
        # j1 puts it last, j2 shares the last place, j3 puts it before another.
        ranks = {
            ("P_1", "j1"): {"gpt-1": 3, "human-1": 2, "claude-1": 1},
            ("P_1", "j2"): {"gpt-1": 2, "human-1": 2, "claude-1": 1},
            ("P_1", "j3"): {"gpt-1": 2, "human-1": 3, "claude-1": 1},
        }
        found = quality_floor(*floor(ranks, self.SCORES))
        assert value(found.last) == pytest.approx(1 / 3)
        assert found.last.n == 3
        assert [judge.judge for judge in found.judges if judge.is_flagged] == ["j2", "j3"]
        # (6 + 8)/2 − 2.
        assert value(found.gap) == 5
        assert found.gap_se.reason == "fewer than two prompts"

    def test_the_quality_floor_of_all_judgments_has_an_exact_interval(self) -> None:
        ranks = {
            (f"P_{prompt}", f"j{judge}"): {"gpt-1": 3, "human-1": 2, "claude-1": 1}
            for prompt in range(4)
            for judge in range(5)
        }
        last = quality_floor(*floor(ranks, self.SCORES)).last
        # Of 4 prompts by 5 judges 4 are surely independent: 4 of 4, where p⁴ = 0.025.
        assert (value(last), last.n) == (1, 20)
        low, high = ends(last)
        assert low == pytest.approx(0.025 ** (1 / 4))
        assert high == 1

    def test_a_judge_who_was_right_once_is_not_flagged(self) -> None:
        ranks = {
            ("P_1", "j1"): {"gpt-1": 3, "human-1": 2, "claude-1": 1},
            ("P_2", "j1"): {"gpt-1": 1, "human-1": 2, "claude-1": 3},
        }
        [judge] = quality_floor(*floor(ranks, self.SCORES)).judges
        assert (value(judge.last), judge.is_flagged) == (0.5, False)

    def test_an_undefined_quality_floor_says_why(self) -> None:
        frame, weak = floor({("P_1", "j1"): {"gpt-1": 2, "human-1": 1}}, self.SCORES)
        assert quality_floor(frame, None).last.reason == "the data do not say which answers are deliberately weak"
        ordinary = frame.assign(item_type="standard")
        assert quality_floor(ordinary, weak).gap.reason == "no judgment of a quality-floor item"


class TestSourceAttribution:
    def test_source_attribution_compares_a_models_answers_among_models_and_beside_people(self) -> None:
        alone = judgments(
            {("P_1", "j1"): {"gpt-1": 1, "claude-1": 2}},
            scores={"gpt-1": (8,), "claude-1": (6,)},
            dimensions=DIMENSIONS,
            item_type="cal_source_attribution",
        )
        beside = judgments(
            {("P_2", "j1"): {"gpt-2": 1, "human-1": 2}, ("P_2", "j2"): {"gpt-2": 1, "human-1": 2}},
            scores={"gpt-2": (7,), "human-1": (5,)},
            dimensions=DIMENSIONS,
        )
        [found] = source_attribution(pd.concat([alone, beside], ignore_index=True))
        assert (found.source, value(found.difference), found.difference.n) == ("gpt", 1, 3)
        assert found.se.reason == "fewer than two prompts"

    def test_source_attribution_has_an_error_of_both_means(self) -> None:
        def items(prompts: Sequence[str], item_type: str, scores: Sequence[float]) -> pd.DataFrame:
            ranks = {(prompt, judge): {"gpt-1": 1, "claude-1": 2} for prompt in prompts for judge in ("j1", "j2")}
            frame = judgments(
                ranks, scores={"gpt-1": (1,), "claude-1": (1,)}, dimensions=DIMENSIONS, item_type=item_type
            )
            return frame.assign(clarity=[score for score in scores for _ in range(2)])

        frame = pd.concat(
            [
                items(("P_1", "P_2"), "cal_source_attribution", [1.0, 2, 5, 8]),
                items(("P_3", "P_4"), "standard", [1.0, 2, 5, 8]),
            ],
            ignore_index=True,
        )
        found = {each.source: each for each in source_attribution(frame)}
        # The complete table of 1 2 | 5 8 has Var(mean) = 7; two of them 14.
        assert value(found["gpt"].difference) == 0
        assert value(found["gpt"].se) == pytest.approx(14**0.5)


def test_a_judges_share_has_an_exact_interval() -> None:
    # Last in 1 of 2 items: p² = 0.025 above and (1 − p)² = 0.025 below.
    ranks = {
        ("P_1", "j1"): {"gpt-1": 3, "human-1": 2, "claude-1": 1},
        ("P_2", "j1"): {"gpt-1": 1, "human-1": 2, "claude-1": 3},
    }
    [judge] = quality_floor(*floor(ranks, TestQualityFloor.SCORES)).judges
    assert ends(judge.last) == pytest.approx((1 - 0.975**0.5, 0.975**0.5))
