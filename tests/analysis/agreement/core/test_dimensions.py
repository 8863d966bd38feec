import math

import numpy as np
import pandas as pd
import pytest

from analysis.agreement.core.dimensions import (
    components,
    consensus,
    correlations,
    correlations_and_components,
    of_consensus,
)
from analysis.data.core.results import FloatArray
from tests.analysis.agreement.core.rankings import ends, value
from tests.analysis.data.core.judgments import judgments


def frame(*rows: tuple[float, float]) -> pd.DataFrame:
    """One rating by a judge for each row of two dimensions."""
    ranks = {("P_1", f"j{number}"): {"gpt-1": 1} for number in range(len(rows))}
    made = judgments(ranks, scores={"gpt-1": (0.0, 0.0)}, dimensions=("clarity", "evidence"))
    return made.assign(clarity=[row[0] for row in rows], evidence=[row[1] for row in rows])


def test_correlation_of_two_dimensions_is_that_worked_out_by_hand() -> None:
    # Deviations −1 0 1 and −1 1 0: r = (1 + 0 + 0)/√(2·2).
    [found] = correlations(frame((1, 2), (2, 4), (3, 3)))
    assert (found.one, found.other, found.r.n) == ("clarity", "evidence", 3)
    assert found.r.value == pytest.approx(0.5)


def test_components_of_two_dimensions_are_those_worked_out_by_hand() -> None:
    # Of [[1, r], [r, 1]] the eigenvalues are 1 + r and 1 − r: shares 0.75 and 0.25 at r = 0.5.
    first, second = components(frame((1, 2), (2, 4), (3, 3)))
    assert (value(first.share), value(second.share)) == pytest.approx((0.75, 0.25))
    assert first.loadings == pytest.approx((math.sqrt(0.75), math.sqrt(0.75)))


def test_ratings_that_lack_a_dimension_are_left_out_and_counted() -> None:
    rows = frame((1, 2), (2, 4), (3, 3), (5, math.nan))
    [found] = correlations(rows)
    assert value(found.r) == pytest.approx(0.5)
    assert found.r.left_out == 1
    assert components(rows)[0].share.left_out == 1


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (((1, 2),), "fewer than two ratings have both"),
        (((1, 2), (1, 3)), "one of the two is the same in every rating"),
    ],
)
def test_undefined_correlations_say_why(rows: tuple[tuple[float, float], ...], reason: str) -> None:
    [found] = correlations(frame(*rows))
    assert found.r.reason == reason
    assert components(frame(*rows)) == []


def test_consensus_scores_are_answers_means_over_the_ratings_that_have_all_dimensions() -> None:
    rows = pd.concat(
        [frame((1, 2), (3, 6), (9, math.nan)), frame((5, 5), (6, 9)).assign(true_id="gpt-2")], ignore_index=True
    )
    means = consensus(rows)
    assert means["true_id"].tolist() == ["gpt-1", "gpt-2"]
    assert means[["clarity", "evidence"]].to_numpy().tolist() == [[2, 4], [5.5, 7]]


def test_correlations_and_components_of_consensus_are_those_of_the_answers_means() -> None:
    rng = np.random.default_rng(8)
    made = made_frame(rng.normal(size=(6, 4)), rng)
    means = made.groupby(["prompt_id", "true_id"])[["clarity", "evidence"]].mean()
    r = float(np.corrcoef(means.to_numpy(), rowvar=False)[0, 1])
    [found], (first, _) = of_consensus(made, draws=200, seed=1, level=0.95)
    assert (value(found.r), value(first.share)) == pytest.approx((r, (1 + abs(r)) / 2))
    low, high = ends(found.r)
    assert -1 < low < r < high < 1


def made_frame(answers: FloatArray, rng: np.random.Generator) -> pd.DataFrame:
    """Three judges' ratings of every answer, prompts × answers, on two dimensions."""
    return pd.DataFrame(
        [
            {
                "prompt_id": f"P_{prompt}",
                "true_id": f"a{prompt}-{answer}",
                "judge_id": f"J{judge}",
                "item_type": "standard",
                "clarity": level + rng.normal(),
                "evidence": level + rng.normal(),
            }
            for prompt, levels in enumerate(answers)
            for answer, level in enumerate(levels)
            for judge in range(3)
        ]
    )


def of_others(rated: pd.DataFrame, kind: str, which: str) -> tuple[float, int]:
    """The mean of a figure without each prompt or judge, and how many there are."""
    without = [rated[rated[kind] != one] for one in rated[kind].unique()]
    others = [correlations_and_components(rows, draws=0, seed=1, level=0.95) for rows in without]
    values = [found[0].r.value if which == "r" else shares[0].share.value for found, shares in others]
    return float(np.mean([value for value in values if value is not None])), len(values)


def test_intervals_of_correlations_lie_about_them_less_their_bias_and_end_at_1() -> None:
    rng = np.random.default_rng(4)
    rows = [
        {"prompt_id": f"P{p}", "judge_id": f"J{j}", "true_id": f"a{p}{a}", "item_type": "standard", "rank": 1.0}
        for p in range(6)
        for j in range(8)
        for a in range(3)
    ]
    frame = pd.DataFrame(rows)
    for noise in (1.0, 0.02):
        one = rng.normal(size=len(frame))
        rated = frame.assign(x=one, y=one + noise * rng.normal(size=len(frame)))
        found, shares = correlations_and_components(rated, draws=100, seed=1, level=0.95)

        for figure, which, most in ((found[0].r, "r", 1.0), (shares[0].share, "share", 1.0)):
            interval, value = figure.interval, figure.value
            assert interval is not None
            assert interval.low is not None
            assert interval.high is not None
            assert value is not None
            assert interval.low < value < interval.high <= most
            left_out = [of_others(rated, kind, which) for kind in ("prompt_id", "judge_id")]
            middle = value - sum((number - 1) * (mean - value) for mean, number in left_out)
            assert interval.high == pytest.approx(min(2 * middle - interval.low, most))
