"""Whether the panel puts answers in people's order."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.panel.core import panel_validity
from analysis.panel.core.panel_report import Validity
from analysis.panel.core.panel_validity import NOT_WITHIN, PANEL_ALIKE, PEOPLE_ALIKE, TOO_FEW
from analysis.uncertainty.core.resampling import pigeonhole

NAN = float("nan")


def answers(*rows: tuple[str, float, float]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["prompt_id", "panel", "people"])


def validity(frame: pd.DataFrame, *, draws: int = 200, seed: int = 1) -> Validity:
    return panel_validity.validity(frame, draws=draws, level=0.95, seed=seed)


def simulated(prompts: int, answers_each: int, *, agreement: float, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    number = prompts * answers_each
    people = rng.normal(size=number)
    panel = agreement * people + rng.normal(size=number)
    names = [f"P{place % prompts:03}" for place in range(number)]
    return pd.DataFrame({"prompt_id": names, "panel": panel.round(1), "people": people.round(1)})


def test_validity_is_pooled_over_answers_and_within_prompts() -> None:
    found = validity(answers(("P1", 1, 1), ("P1", 2, 3), ("P1", 3, 2), ("P2", 4, 0), ("P2", 5, -1)))
    # P1: the pairs 12 and 13 agree, 23 does not: 1/3. P2: −1. Between the two all six pairs disagree: pooled
    # (2 − 1 − 1 − 6) / 10.
    assert found.within.mean.value == pytest.approx((1 / 3 - 1) / 2)
    assert found.pooled.value == pytest.approx(-0.6)
    assert (found.pooled.n, found.within.mean.n) == (5, 2)


def test_ties_and_p_are_those_of_kendall() -> None:
    frame = simulated(8, 5, agreement=1, seed=3)
    found = validity(frame)
    oracle = stats.kendalltau(frame["panel"], frame["people"])
    assert found.pooled.value == pytest.approx(oracle.statistic, abs=1e-12)
    assert found.pooled_p.value == pytest.approx(oracle.pvalue, rel=1e-9)


def test_rounding_does_not_break_a_tie() -> None:
    third = answers(("P1", 0.1 + 0.2, 1), ("P1", 0.3, 2), ("P2", 1, 1), ("P2", 2, 2))
    assert validity(third).pooled.value == pytest.approx(
        validity(third.assign(panel=[0.3, 0.3, 1, 2])).pooled.value
    )


def test_what_the_panel_has_not_scored_is_left_out_and_what_no_person_saw_is_not_in_question() -> None:
    frame = answers(("P1", 1, 1), ("P1", 2, 2), ("P1", NAN, 3), ("P2", 3, NAN), ("P2", 4, NAN))
    found = validity(frame)
    assert (found.pooled.value, found.pooled.n, found.pooled.left_out) == (1, 2, 1)


def test_a_resample_is_of_whole_prompts() -> None:
    frame = simulated(6, 4, agreement=0.5, seed=7).sort_values("prompt_id", kind="stable")
    found = validity(frame, draws=500, seed=11)
    codes = np.repeat(np.arange(6), 4)
    panel, people = frame["panel"].to_numpy(), frame["people"].to_numpy()
    taus = []
    (weights,) = pigeonhole(prompts=6, judges=0, draws=500, seed=11)
    for drawn in weights.prompts.astype(int):
        rows = np.repeat(np.arange(24), drawn[codes])
        taus.append(stats.kendalltau(panel[rows], people[rows]).statistic)
    interval = found.pooled.interval
    assert interval
    assert found.pooled.value is not None
    # t of the draws' standard deviation, which is √(5/6) of the figure's, on Fisher's z. Of six prompts a
    # correlation has half of the degrees of freedom.
    reach = stats.t.ppf(0.975, 5 / 2) * np.std(taus) * (6 / 5) ** 0.5 / (1 - found.pooled.value**2)
    ends = np.tanh(np.arctanh(found.pooled.value) + np.array([-reach, reach]))
    assert (interval.low, interval.high) == pytest.approx(tuple(ends), abs=1e-12)


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (answers(), TOO_FEW),
        (answers(("P1", 1, 1)), TOO_FEW),
        (answers(("P1", 7, 1), ("P1", 7, 2)), PANEL_ALIKE),
        (answers(("P1", 7, 2), ("P1", 6, 2)), PEOPLE_ALIKE),
    ],
    ids=["none", "one", "the panel’s alike", "people’s alike"],
)
def test_without_an_order_there_is_no_validity_but_the_reason(frame: pd.DataFrame, reason: str) -> None:
    found = validity(frame)
    assert (found.pooled.value, found.pooled.reason, found.pooled_p.reason) == (None, reason, reason)
    assert (found.pooled_p.value, found.within.mean.value, found.within.mean.reason) == (None, None, NOT_WITHIN)


def test_answers_to_prompts_of_their_own_are_told_apart_over_prompts_and_within_none() -> None:
    found = validity(answers(("P1", 7, 1), ("P2", 6, 2)))
    assert found.pooled.value is not None
    assert (found.within.mean.value, found.within.mean.reason) == (None, NOT_WITHIN)


def test_one_prompt_gives_a_figure_without_an_interval() -> None:
    interval = validity(answers(("P1", 1, 1), ("P1", 2, 2))).pooled.interval
    assert interval
    assert interval.reason == "needs answers to at least 2 prompts"


def test_too_many_answers_are_not_resampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel_validity, "MAX_ANSWERS", 23)
    found = validity(simulated(6, 4, agreement=1, seed=2))
    assert found.pooled.value is not None
    assert found.within.mean.interval
    assert found.within.mean.interval.reason == "not computed for more than 23 answers"


def test_intervals_cover_the_truth_at_about_their_rate() -> None:
    # Two normal variables with correlation ρ = 1/√2 have τ = (2/π) arcsin ρ = 1/2.
    covered = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        people = rng.normal(size=150)
        frame = pd.DataFrame(
            {
                "prompt_id": [f"P{place % 30}" for place in range(150)],
                "panel": people + rng.normal(size=150),
                "people": people,
            }
        )
        interval = validity(frame, seed=seed).pooled.interval
        assert interval
        assert interval.low is not None
        assert interval.high is not None
        covered += interval.low <= 0.5 <= interval.high
    assert covered / 200 == pytest.approx(0.95, abs=0.05)
