from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.agreement.core.overall_intraclass import NOT_OF_A_MEAN, JudgePairScores, of_mean, overall_intraclass
from analysis.data.core.results import Estimate, FloatArray, Interval
from tests.analysis.agreement.core.rankings import ends, value
from tests.libraries import library

# Six answers by four judges: Shrout and Fleiss (1979), table 2, as answers to two prompts.
SHROUT_FLEISS = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7.0]])


def rated(scores: FloatArray, *, answers_of_a_prompt: int = 3) -> pd.DataFrame:
    """A row for each score that is there, of answers × judges."""
    answers, judges = np.nonzero(~np.isnan(scores))
    return pd.DataFrame(
        {
            "prompt_id": [f"P_{answer // answers_of_a_prompt:03d}" for answer in answers],
            "true_id": [f"a{answer:03d}" for answer in answers],
            "judge_id": [f"J{judge:02d}" for judge in judges],
            "score": scores[answers, judges],
        }
    )


def drawn(prompts: int, judges: int) -> FloatArray:
    rng = np.random.default_rng(5)
    of_prompts = np.repeat(rng.normal(size=prompts), 3)[:, None]
    return (
        of_prompts
        + rng.normal(size=(3 * prompts, 1))
        + rng.normal(size=judges)
        + rng.normal(size=(3 * prompts, judges))
    )


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pingouin
@pytest.mark.parametrize("scores", [SHROUT_FLEISS, drawn(8, 5)], ids=["textbook", "drawn"])
def test_coefficients_over_all_answers_are_those_of_pingouin_where_everybody_scored_everything(
    scores: FloatArray,
) -> None:
    frame = rated(scores)
    table = library("pingouin").intraclass_corr(frame, targets="true_id", raters="judge_id", ratings="score")
    oracle = table["ICC"].to_list()
    found = JudgePairScores.of(frame).estimates
    assert [value(found[name]) for name in ("random", "fixed", "random_mean", "fixed_mean")] == pytest.approx(
        [oracle[place] for place in (1, 2, 4, 5)], abs=1e-9
    )


def test_with_ratings_missing_at_random_a_mixed_model_finds_nearly_the_same() -> None:
    scores = drawn(60, 8)
    scores[np.random.default_rng(1).random(scores.shape) < 0.4] = np.nan
    frame = rated(scores).assign(everything=1)
    parts = {"answers": "0 + C(true_id)", "judges": "0 + C(judge_id)"}
    mixed = library("statsmodels.regression.mixed_linear_model").MixedLM
    fitted = mixed.from_formula("score ~ 1", frame, groups="everything", vc_formula=parts).fit()
    of_answers, of_judges = fitted.vcomp
    oracle = of_answers / (of_answers + of_judges + fitted.scale)
    assert value(JudgePairScores.of(frame).estimates["random"]) == pytest.approx(oracle, abs=0.02)


def test_what_differs_between_prompts_raises_the_coefficient_over_all_answers() -> None:
    alike = drawn(20, 6)
    apart = alike + np.repeat(np.arange(20) * 3.0, 3)[:, None]
    one, other = (value(JudgePairScores.of(rated(scores)).estimates["random"]) for scores in (alike, apart))
    assert other > one + 0.3


def test_intervals_of_single_and_mean_ratings_lie_about_their_figures() -> None:
    found = overall_intraclass(rated(drawn(12, 7)), draws=200, seed=1, level=0.95)
    for figure in found.values():
        low, high = ends(figure)
        assert low < value(figure) < high


def test_a_mean_of_judges_who_cancel_each_other_out_has_no_coefficient() -> None:
    # Every answer has the mean 2: between pairs of three judges the correlation is −1/2.
    found = JudgePairScores.of(rated(np.array([[1, 2, 3], [2, 3, 1], [3, 1, 2.0]]))).estimates
    assert value(found["fixed"]) == pytest.approx(-1 / 2)
    assert found["fixed_mean"].reason == "the answers’ means over judges do not vary"


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (np.array([[1, np.nan], [np.nan, 2]]), "no two judges scored two answers that they have in common"),
        (np.ones((3, 2)), "every judge scored all answers alike"),
    ],
    ids=["apart", "constant"],
)
def test_undefined_coefficients_say_why(scores: FloatArray, reason: str) -> None:
    found = overall_intraclass(rated(scores), draws=20, seed=1, level=0.95)
    assert {figure.reason for figure in found.values()} == {reason}


def test_no_interval_of_a_mean_of_ratings_goes_below_what_a_reliability_can_be() -> None:
    figure, single = Estimate("icc", 0.9, 8), Interval(-0.3, 0.93, 0.95, "t")
    found = of_mean(figure, single, 4).interval
    assert found is not None
    assert found.low == -1.0
    assert found.high == pytest.approx(4 * 0.93 / (1 + 3 * 0.93))
    below = of_mean(replace(figure, value=-2.0), single, 4).interval
    assert below is not None
    assert below.low == -2.0


def test_the_interval_of_a_mean_is_cut_where_its_raters_cannot_disagree_more_and_is_none_below_alone() -> None:
    figure = Estimate("icc", 0.1, 8)
    cut = of_mean(figure, Interval(-0.5, 0.3, 0.95, "t"), 4).interval
    assert cut is not None
    assert cut.low == -1.0
    assert cut.high == pytest.approx(4 * 0.3 / (1 + 3 * 0.3))
    none = of_mean(replace(figure, value=-0.9), Interval(-0.9, -0.4, 0.95, "t"), 4).interval
    assert none is not None
    assert (none.low, none.reason) == (None, NOT_OF_A_MEAN)
