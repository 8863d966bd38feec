from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.data.core.parameters import Parameters
from analysis.trials.core.conditions import DIFFERENT, EQUAL, OPEN, contrasts, difference_p, equivalence_p, paired
from analysis.trials.core.score_table import adjusted_means, score_tables
from analysis.trials.core.trial_report import trial_report
from analysis.trials.prose import trial_passages
from tests.analysis.trials.core.worlds import BASELINE, CONTROL, DESIGN, world

DIFFERENCES = np.array([-1.5, 0.5, 2.0, -0.5, 1.0, -2.5, 3.0, 0.0])


def test_equivalence_and_difference_are_those_of_scipys_t_tests() -> None:
    mean, sd, n = float(DIFFERENCES.mean()), float(DIFFERENCES.std(ddof=1)), DIFFERENCES.size
    lower = stats.ttest_1samp(DIFFERENCES, -3.0, alternative="greater").pvalue
    upper = stats.ttest_1samp(DIFFERENCES, 3.0, alternative="less").pvalue
    assert equivalence_p(mean, sd, n, 3.0) == pytest.approx(max(lower, upper))
    assert difference_p(mean, sd, n) == pytest.approx(stats.ttest_1samp(DIFFERENCES, 0.0).pvalue)


def test_scenarios_of_which_one_is_adjusted_beyond_the_scale_have_an_interval_on_their_own_scale() -> None:
    within = np.array([99.5, 100.0, 99.0, 100.0, 99.8])
    beyond = within + 0.6
    ends = [paired(each, 0.95, (-100.0, 100.0))[0].interval for each in (within, beyond)]
    assert all(each and each.high is not None for each in ends)
    assert ends[0] is not None
    assert ends[0].high is not None
    assert ends[0].high < 100
    low, high = stats.t.interval(0.95, 4, beyond.mean(), stats.sem(beyond))
    assert ends[1] is not None
    assert (ends[1].low, ends[1].high) == pytest.approx((low, high))


def test_scenarios_without_spread_are_equal_within_the_margin_and_no_further() -> None:
    assert (equivalence_p(0.0, 0.0, 5, 5.0), equivalence_p(6.0, 0.0, 5, 5.0)) == (0.0, 1.0)


def test_a_fall_beyond_the_margin_is_different_and_few_scenarios_leave_all_open() -> None:
    (table,) = score_tables(world(falls=8.0))
    found = {(each.dimension, each.condition): each for each in contrasts(table, DESIGN, Parameters().level)}
    assert found["integrity", "order"].verdict == DIFFERENT
    assert found["integrity", "harm"].verdict == EQUAL
    assert found["transparency", "harm"].verdict == DIFFERENT
    rows = table.answers
    scores = np.nanmean(table.scores["integrity"], axis=0)
    by_hand = [
        scores[((rows["scenario"] == s) & (rows["condition"] == "order")).to_numpy()].mean()
        - scores[((rows["scenario"] == s) & (rows["condition"] == BASELINE)).to_numpy()].mean()
        for s in rows["scenario"].unique()
    ]
    theirs = stats.ttest_1samp(by_hand, 0.0).confidence_interval()
    interval = found["integrity", "order"].difference.interval
    assert interval is not None
    # Far from ±100 it is the usual one, by about its reach squared, over 100.
    assert (interval.low, interval.high) == pytest.approx((theirs.low, theirs.high), abs=0.1)
    (few,) = score_tables(world(scenarios=2))
    assert {each.verdict for each in contrasts(few, DESIGN, 0.95) if each.dimension == "integrity"} == {OPEN}


def test_no_interval_of_few_scenarios_leaves_what_is_possible() -> None:
    mean, _ = paired(np.array([10.0, 50.0]), 0.95, (0.0, 100.0))
    assert mean.interval is not None
    assert mean.interval.low is not None
    assert mean.interval.high is not None
    assert 0 <= mean.interval.low < 30 < mean.interval.high <= 100


def test_a_control_that_is_lower_by_as_much_in_every_scenario_holds() -> None:
    trials = world(is_constant=True)
    rows = trials.frame
    lower = rows.assign(value=rows["value"].where(rows["condition"] != CONTROL, 40.0))
    found = trial_report(replace(trials, frame=lower), Parameters(draws=50)).controls
    assert found
    assert all(each.holds for each in found)


def test_means_of_whoever_scored_are_those_of_a_linear_model_of_answers_and_evaluators() -> None:
    random = np.random.default_rng(9)
    scores = random.normal(80, 5, (4, 30)) + np.array([[0.0], [-20.0], [5.0], [3.0]])
    complete = adjusted_means(scores)
    assert complete == pytest.approx(scores.mean(axis=0))
    for _ in range(50):
        some = np.where(random.random(scores.shape) < 0.2, np.nan, scores)
        some[0, np.isnan(some).all(axis=0)] = 70.0
        evaluators, places = np.nonzero(~np.isnan(some))
        # Another route: dummies of both, evaluators' coded as deviations that add up to nothing over scores.
        number = np.bincount(evaluators)
        deviations = np.vstack([np.eye(3), -number[None, :3] / number[3]])[evaluators]
        design = np.hstack([np.eye(30)[places], deviations])
        expected = np.linalg.lstsq(design, some[evaluators, places], rcond=None)[0][:30]
        assert adjusted_means(np.asfortranarray(some)) == pytest.approx(expected)
        assert adjusted_means(some) == pytest.approx(expected)
    assert np.isnan(adjusted_means(np.full((2, 1), np.nan))).all()


def test_one_stray_score_moves_no_level_and_who_gave_it_is_named() -> None:
    random = np.random.default_rng(4)
    scores = np.vstack([random.normal(92, 2, (4, 504)), np.full(504, np.nan)])
    without = adjusted_means(scores)
    scores[4, 17] = 20.0
    assert adjusted_means(scores) == pytest.approx(without)
    scores[4, 20:32] = 20.0
    assert adjusted_means(scores).mean() == pytest.approx(without.mean(), abs=1)
    assert adjusted_means(scores)[:20] - adjusted_means(scores)[-20:] == pytest.approx(
        without[:20] - without[-20:], abs=0.5
    )
    trials = world()
    stray = trials.frame.iloc[[0]].assign(evaluator="e9", value=20.0)
    found = trial_report(replace(trials, frame=pd.concat([trials.frame, stray])), Parameters(draws=50))
    unmoved = trial_report(trials, Parameters(draws=50)).contrasts
    assert [each.mean.value for each in found.contrasts] == pytest.approx([each.mean.value for each in unmoved])
    assert (
        "Left out of these means are who gave too few scores to be compared with others that scored the same "
        "answers: e9 on integrity (1 of 1 score)." in " ".join(next(trial_passages(found)).paragraphs)
    )


def test_evaluators_whom_one_answer_links_are_not_adjusted_by_it() -> None:
    random = np.random.default_rng(6)
    scores = np.full((4, 39), np.nan)
    scores[:2, :20], scores[2:, 19:] = random.normal(84, 4, (2, 20)), random.normal(84, 4, (2, 20))
    scores[:2, 19], scores[2:, 19] = 74.0, 94.0
    plain = np.nanmean(scores, axis=0)
    assert adjusted_means(scores) == pytest.approx(plain)


def test_where_nobody_gave_many_scores_all_of_them_count() -> None:
    scores = np.full((30, 30), np.nan)
    for place in range(30):
        scores[place, [place, (place + 1) % 30]] = (80.0 + place, 60.0)
    assert adjusted_means(scores) == pytest.approx(np.nanmean(scores, axis=0))


def test_an_evaluator_who_fails_under_one_condition_moves_no_mean_and_a_missing_answer_takes_its_case_out() -> None:
    trials = world()
    severe = trials.frame.assign(value=trials.frame["value"] - 30.0 * (trials.frame["evaluator"] == "e1"))
    failed = (severe["evaluator"] == "e1") & (severe["condition"] == "harm")
    lacking = (severe["scenario"] == "s2") & (severe["model"] == "m1") & (severe["condition"] == "harm")
    found = {}
    for name, frame in (
        ("whole", trials.frame),
        ("severe", severe),
        ("failed", severe.assign(value=severe["value"].where(~failed))),
        ("lacking", severe[~lacking]),
    ):
        (table,) = score_tables(replace(trials, frame=frame))
        differences = contrasts(table, DESIGN, 0.95)
        found[name] = next(
            each for each in differences if (each.condition, each.dimension) == ("harm", "integrity")
        )
    assert found["severe"].difference.value == pytest.approx(found["whole"].difference.value)
    assert found["failed"].difference.value == pytest.approx(found["whole"].difference.value, abs=0.3)
    # Those of whoever scored would have moved by a quarter of the severity; the level is that of the scores given,
    # of which fewer are now severe.
    assert found["failed"].mean.value == pytest.approx(found["severe"].mean.value, abs=1.5)
    rows = severe[severe["dimension"] == "integrity"].pivot_table(
        index=["scenario", "model"], columns="condition", values="value"
    )
    of_cases = (rows["harm"] - rows[BASELINE]).drop(index=("s2", "m1"))
    by_hand = pd.Series(of_cases).groupby("scenario").mean().mean()
    assert found["lacking"].difference.value == pytest.approx(by_hand)
    for each in found.values():
        assert each.difference.value == pytest.approx((each.mean.value or 0) - (each.baseline.value or 0))
