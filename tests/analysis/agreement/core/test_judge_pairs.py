"""Sums of pairs of judges in very large studies are those of lists of every two ratings."""

import numpy as np
import pandas as pd
import pytest

from analysis.agreement.core import evaluators, judge_pairs, overall_intraclass
from analysis.agreement.core.evaluators import EvaluatorResampler
from analysis.agreement.core.judge_pairs import number_of_pairs
from analysis.agreement.core.overall_intraclass import JudgePairScores
from analysis.data.core.results import FloatArray
from analysis.uncertainty.core.resampling import Weights
from annotation.study.core.rubric import Band
from tests.analysis.agreement.core.rankings import value

BANDS = tuple(Band(str(at), str(at), at, at + 2) for at in (1, 4, 7))


@pytest.fixture
def frame() -> pd.DataFrame:
    """Twelve prompts of three answers, each judged by some of nine judges, with scores missing here and there."""
    rng = np.random.default_rng(7)
    rows = [
        (f"P{prompt}", f"P{prompt}-{answer}", f"j{judge}", float(rng.integers(1, 10)))
        for prompt in range(12)
        for judge in rng.choice(9, 5, replace=False)
        for answer in range(3)
        if rng.random() < 0.9
    ]
    frame = pd.DataFrame(rows, columns=["prompt_id", "true_id", "judge_id", "score"])
    return frame.assign(item_type="standard", rank=1.0, clarity=frame["score"])


def figures(frame: pd.DataFrame) -> dict[str, float]:
    scores: FloatArray = frame["score"].to_numpy(dtype=float)
    found = EvaluatorResampler.of(frame, scores, BANDS).estimates(frame)
    icc = JudgePairScores.of(frame).estimates
    return {name: value(each) for name, each in {**found, **icc}.items()}


@pytest.mark.parametrize("in_memory", [20_000_000, 200])
def test_figures_are_the_same_by_either_way(
    frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch, in_memory: int
) -> None:
    expected = figures(frame)
    for module in (evaluators, overall_intraclass):
        monkeypatch.setattr(module, "MAX_PAIRS", 5)
    # Some judges at a time, or all at once.
    monkeypatch.setattr(judge_pairs, "IN_MEMORY", in_memory)
    assert figures(frame) == pytest.approx(expected, rel=1e-12)


def test_resamples_are_the_same_whether_pairs_of_ratings_are_listed_or_not(
    frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, scores = np.random.default_rng(1), frame["score"].to_numpy(dtype=float)
    weights = Weights(rng.integers(0, 3, (4, 12)).astype(float), rng.integers(0, 3, (4, 9)).astype(float))

    def drawn() -> dict[str, FloatArray]:
        pairs = EvaluatorResampler.of(frame, scores, BANDS), JudgePairScores.of(frame)
        return {name: each for resampler in pairs for name, each in resampler(weights).items()}

    expected = drawn()
    monkeypatch.setattr(judge_pairs, "LISTED", 5)
    for name, values in drawn().items():
        assert values == pytest.approx(expected[name], rel=1e-9, nan_ok=True), name


def test_pairs_are_those_who_rated_an_answer_in_common(frame: pd.DataFrame) -> None:
    by_answer = frame.groupby(["prompt_id", "true_id"])["judge_id"].apply(set)
    pairs = {tuple(sorted((one, other))) for who in by_answer for one in who for other in who if one != other}
    assert number_of_pairs(frame) == len(pairs)
    assert number_of_pairs(frame.head(0)) == 0
