"""How alike judges score: correlations between them, and the bands that they choose."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from analysis.agreement.core.evaluators import OVERALL, EvaluatorAgreement, EvaluatorResampler, evaluator_agreement
from analysis.agreement.core.judges import without_each
from analysis.uncertainty.core.resampling import Weights
from annotation.study.core.rubric import Band
from tests.analysis.agreement.core.rankings import NAN, ends, ranking, value, why_no_interval
from tests.analysis.data.core.judgments import judgments

BANDS = (Band("low", "Low", 0, 59), Band("medium", "Medium", 60, 84), Band("high", "High", 85, 100))
ANSWERS = ("claude-1", "gpt-1", "human-1")


def scored(*by_judge: Sequence[float], prompts: Sequence[str] = ("P_1",)) -> pd.DataFrame:
    """One dimension's scores of three answers to every prompt, by judge."""
    frame = pd.concat(
        [
            judgments({(prompt, f"j{number}"): dict.fromkeys(ANSWERS, 1)})
            for prompt in prompts
            for number in range(len(by_judge))
        ],
        ignore_index=True,
    )
    return frame.assign(integrity=list(np.ravel(by_judge)) * len(prompts))


def overall(frame: pd.DataFrame, bands: Sequence[Band] = (), **drawn: int) -> EvaluatorAgreement:
    found = evaluator_agreement(frame, bands, **drawn)
    assert [each.dimension for each in found] == [OVERALL, "integrity"]
    return found[0]


def test_the_mean_over_pairs_of_judges_is_that_worked_out_by_hand() -> None:
    # Of 1 2 3 with 2 4 6 r is 1, with 3 2 1 it is −1, and of 2 4 6 with 3 2 1 too: mean −1/3.
    r = overall(scored((1, 2, 3), (2, 4, 6), (3, 2, 1))).r
    assert value(r) == pytest.approx(-1 / 3)
    assert r.n == 3


def test_a_pair_is_correlated_over_all_that_both_scored() -> None:
    rng = np.random.default_rng(1)
    frame = scored((0, 0, 0), (0, 0, 0), prompts=("P_1", "P_2", "P_3"))
    frame["integrity"] = rng.normal(60, 15, len(frame))
    one, other = (frame.loc[frame["judge_id"] == judge, "integrity"].to_numpy() for judge in ("j0", "j1"))
    assert value(overall(frame).r) == pytest.approx(np.corrcoef(one, other)[0, 1])


def test_pairs_without_three_scores_in_common_or_that_score_all_alike_are_left_out() -> None:
    r = overall(scored((1, 2, 3), (1, 2, NAN), (5, 5, 5), (2, 4, 6))).r
    assert value(r) == pytest.approx(1)
    assert (r.n, r.left_out) == (1, 5)
    nothing = overall(scored((1, 2, 3), (5, 5, 5))).r
    assert nothing.reason == "no two judges scored three answers that they have in common, and both told them apart"


def test_within_prompts_what_differs_between_them_does_not_count() -> None:
    # By prompt the deviations are −1 0 1 and 0 −1 1, then −1 0 1 and 0 1 −1: Σxy = 1 − 1 and Σx² = 4 of either.
    # Over all six answers 10 is added to the second prompt's: 0 of the spread is left where 5 of it is.
    frame = scored((1, 2, 3), (2, 1, 3), prompts=("P_1", "P_2"))
    frame["integrity"] = [1, 2, 3, 2, 1, 3, 11, 12, 13, 12, 13, 11]
    found = overall(frame)
    assert value(found.r_within) == pytest.approx(0)
    # Σxy = 6 · 5² and Σx² = 6 · 5² + 4.
    assert value(found.r) == pytest.approx(150 / 154)
    assert found.r_within.n == 1


def test_correlation_within_prompts_is_undefined_where_each_has_one_answer_in_common() -> None:
    frame = scored((1, 2, 3), (1, 2, 3), prompts=("P_1", "P_2", "P_3"))
    alone = frame[frame["true_id"] == "gpt-1"].assign(integrity=[1, 2, 3, 4, 5, 6])
    found = overall(alone)
    assert value(found.r) == pytest.approx(1)
    assert found.r_within.reason == "no two judges both told apart answers to one prompt, and have three in common"


def test_very_many_pairs_of_judges_have_no_interval_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.agreement.core.evaluators.MAX_PAIRS", 2)
    found = overall(scored((1, 2, 3), (2, 4, 6), (3, 2, 1)), BANDS, draws=20)
    for estimate in (found.r, found.r_within, found.same_band):
        assert why_no_interval(estimate) == "not computed for more than 2 pairs of judges"


def test_bands_agree_where_scores_lie_between_the_same_ends() -> None:
    # 59.5 has not reached the middle band: low, medium, high by one judge; low, medium, medium by the other.
    found = overall(scored((10, 60, 85), (59.5, 84, 70)), BANDS)
    assert value(found.same_band) == pytest.approx(2 / 3)
    assert found.same_band.n == 3
    assert 0 < value(found.band_alpha) < 1


def test_the_same_band_of_all_has_an_exact_interval() -> None:
    # Of 5 judges' pairs on 4 prompts 2 are surely independent, of judges and prompts of their own: p² = 0.025.
    frame = scored(*[(10, 60, 85)] * 5, prompts=[f"P_{number}" for number in range(4)])
    found = overall(frame, BANDS, draws=20).same_band
    assert (value(found), found.n) == (1, 120)
    low, high = ends(found)
    assert low == pytest.approx(0.025**0.5)
    assert high == 1


def test_a_scale_without_bands_says_so() -> None:
    found = overall(scored((1, 2, 3), (2, 4, 6)))
    assert found.same_band.reason == found.band_alpha.reason == "the scale has no bands, or they are not known"


def test_a_judge_drawn_twice_counts_twice() -> None:
    # Judges 0 and 1 agree (r = 1), 2 with neither (−1); judge 1 three times: (3·1 − 1 − 3)/(3 + 1 + 3).
    frame = scored((1, 2, 3), (2, 4, 6), (3, 2, 1))
    resampler = EvaluatorResampler.of(frame, frame["integrity"].to_numpy(dtype=float))
    drawn = resampler(Weights(ranking([2]), ranking([1, 3, 1])))
    assert drawn["r"][0] == pytest.approx((3 - 1 - 3) / 7)


def test_the_correlation_without_each_judge_is_that_of_the_others() -> None:
    frame = scored((1, 2, 3), (2, 4, 7), (3, 2, 1))
    resampler = EvaluatorResampler.of(frame, frame["integrity"].to_numpy(dtype=float))
    found = without_each(resampler, prompts=1, judges=3)["r"]
    for place, judge in enumerate(("j0", "j1", "j2")):
        assert found[place] == pytest.approx(value(overall(frame[frame["judge_id"] != judge]).r))


def test_intervals_hold_the_figures() -> None:
    rng = np.random.default_rng(2)
    frame = scored(*[(0, 0, 0)] * 6, prompts=[f"P_{number}" for number in range(8)])
    answers = list(zip(frame["prompt_id"], frame["true_id"], strict=True))
    quality = dict(zip(dict.fromkeys(answers), rng.normal(0, 15, 24), strict=True))
    frame["integrity"] = [70 + quality[answer] + rng.normal(0, 10) for answer in answers]
    found = overall(frame, BANDS, draws=200, seed=1)
    for estimate in (found.r, found.r_within, found.same_band, found.band_alpha):
        low, high = ends(estimate)
        assert low < value(estimate) < high


def test_agreement_in_bands_without_each_prompt_and_judge_is_that_of_the_others() -> None:
    rng = np.random.default_rng(3)
    frame = scored(*[(0, 0, 0)] * 5, prompts=[f"P_{number}" for number in range(4)])
    frame["integrity"] = rng.choice([30.0, 70.0, 90.0], len(frame))

    def without(column: str) -> list[EvaluatorAgreement]:
        return [overall(frame[frame[column] != one], BANDS) for one in sorted(set(frame[column]))]

    resampler = EvaluatorResampler.of(frame, frame["integrity"].to_numpy(dtype=float), BANDS)
    assert resampler.banded
    alphas = resampler.banded.without_each("ordinal")
    shares = resampler.pairs.same_band_without_each(len(resampler.judges))
    for column, alpha, share in zip(("prompt_id", "judge_id"), alphas, shares, strict=True):
        assert alpha == pytest.approx([value(each.band_alpha) for each in without(column)])
        assert share == pytest.approx([value(each.same_band) for each in without(column)])


def test_correlations_of_fewer_than_six_judges_have_no_interval() -> None:
    rng = np.random.default_rng(2)
    frame = scored(*[(0, 0, 0)] * 5, prompts=[f"P_{number}" for number in range(8)])
    frame["integrity"] = rng.uniform(0, 100, len(frame))
    found = overall(frame, BANDS, draws=100, seed=1)
    few = {why_no_interval(each) for each in (found.r, found.r_within, found.same_band, found.band_alpha)}
    assert few == {"too few judges for an interval"}
