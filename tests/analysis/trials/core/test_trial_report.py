"""Three worlds whose truth is known each get their own sentence."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.data.core.parameters import Parameters
from analysis.data.core.results import FloatArray
from analysis.data.core.trials import AskedScale, TrialDesign
from analysis.trials.core.approach_agreement import measure_agreement
from analysis.trials.core.evaluator_pairs import mean_correlation, pairs
from analysis.trials.core.score_table import METHOD, ScoreTable, score_tables
from analysis.trials.core.trial_report import trial_report
from tests.analysis.trials.core.worlds import world

QUICK = Parameters(draws=200)


def test_where_everything_scores_92_nothing_can_be_said() -> None:
    found = trial_report(world(is_constant=True), QUICK).verdict
    assert found.sentence.startswith("Whether different conclusions come with equal integrity cannot be said")
    assert "both gave one value to all" in found.sentence
    assert (found.best, found.validated) == ("", False)


def test_where_integrity_falls_under_one_condition_that_condition_is_named() -> None:
    trials = replace(world(falls=8.0), names={"order": "Community order"})
    found = trial_report(trials, QUICK).verdict
    assert found.sentence.startswith(
        "Different conclusions, but not equal integrity: 80.0\N{NO-BREAK SPACE}% of pairs"
    )
    assert (
        "integrity differs from the baseline’s under Community order (−7.0 points) and is not shown"
        in found.sentence
    )
    assert "harm" not in found.sentence


def test_where_all_conclude_alike_the_sentence_says_what_is_compatible_with_that() -> None:
    found = trial_report(world(concludes_alike=True), QUICK).verdict
    assert found.sentence.startswith(
        "No different conclusions were found: none of 240 pairs of conditions in a case concluded differently, and "
        "up to 36.9\N{NO-BREAK SPACE}% is compatible with that; integrity"
    )


def test_of_one_scenario_no_share_of_different_conclusions_is_claimed() -> None:
    trials = world(concludes_alike=True)
    coded = {answer: code for answer, code in trials.conclusions.items() if answer.startswith("s0/")}
    sentence = trial_report(replace(trials, conclusions=coded), QUICK).verdict.sentence
    assert "none of 30 pairs of conditions in a case concluded differently, but how many would in other" in sentence
    assert "0.0\N{NO-BREAK SPACE}%" not in sentence


def test_where_conclusions_differ_and_integrity_holds_the_rubric_is_validated() -> None:
    found = trial_report(world(), QUICK)
    assert found.verdict.sentence.startswith(
        "Different conclusions, equal integrity: 80.0\N{NO-BREAK SPACE}% of pairs"
    )
    assert (found.verdict.best, found.verdict.validated, found.verdict.steps) == ("D", True, ())


def test_equal_scores_prove_nothing_without_positive_controls() -> None:
    trials = world()
    rows = trials.frame[~trials.frame["condition"].isin(trials.design.controls)]
    found = trial_report(replace(trials, frame=rows, design=replace(trials.design, controls=())), QUICK)
    assert "cannot be said: there are no positive controls" in found.verdict.sentence


def test_equal_scores_of_points_that_nobody_agrees_in_prove_nothing_however_well_another_approach_does() -> None:
    trials, clear = world(noise=25.0), world(noise=0.5).frame
    bands = np.searchsorted([60.0, 85.0], clear["value"], side="right")
    found = trial_report(
        replace(trials, frame=pd.concat([trials.frame, clear.assign(approach="B", value=bands + 1.0)])), QUICK
    ).verdict
    assert found.best == "B"
    assert found.r.value is not None
    assert found.r.value >= 0.7
    assert (
        "cannot be said: in approach D, whose points are compared, evaluators agree by no more than"
        in found.sentence
    )


def test_a_control_that_does_not_score_lower_is_a_step_to_take_though_another_one_does() -> None:
    trials = world()
    design = replace(trials.design, controls=(*trials.design.controls, "justice"))
    found = trial_report(replace(trials, design=design), QUICK).verdict
    assert "cannot be said: positive controls did not score lower (justice)" in found.sentence
    assert found.steps == ("Add examples of answers that fail: justice did not score lower.",)
    assert not found.validated


def test_evaluators_who_disagree_reach_no_target_and_are_told_to_iterate() -> None:
    found = trial_report(world(noise=25.0), QUICK).verdict
    assert "below 0.70" in found.sentence
    assert "no approach reaches 0.70" in found.steps[0]


def a_table(scores: FloatArray) -> ScoreTable:
    (table,) = score_tables(world(evaluators=3, scenarios=2))
    width = table.clusters.size
    return replace(table, scores={"integrity": np.resize(scores, (3, width))})


def test_with_integrity_alone_the_step_is_to_score_something_beside_it() -> None:
    trials = world()
    rows = trials.frame[trials.frame["dimension"] == "integrity"]
    steps = trial_report(replace(trials, frame=rows), QUICK).verdict.steps
    assert [step.partition(",")[0] for step in steps] == ["Score another dimension beside integrity"]


def test_every_step_is_a_whole_sentence() -> None:
    trials = world(noise=40.0)
    bare = replace(trials, design=TrialDesign(integrity="integrity"))
    for each in (trials, bare, world(is_constant=True)):
        steps = trial_report(each, Parameters(draws=50)).verdict.steps
        assert steps
        assert all(step.endswith(".") and step[0].isupper() for step in steps), steps


def test_one_constant_evaluator_makes_an_approach_not_assessable_and_is_named() -> None:
    scores = np.vstack([np.arange(28.0) % 7, np.arange(28.0) % 5, np.full(28, 3.0)])
    found = measure_agreement(a_table(scores), "integrity", 0.95)
    assert found.pearson.value is None
    assert found.pearson.reason == (
        "not assessable: 2 of 3 pairs of evaluators are undefined, because e2 gave one value to all"
    )
    assert (found.pearson.n, found.pearson.left_out) == (1, 2)
    assert found.without[2].pearson.value is not None


def test_correlations_and_intraclass_are_those_of_other_routes() -> None:
    random = np.random.default_rng(3)
    scores = random.normal(80, 8, 28) + random.normal(0, 4, (3, 28)) + np.array([[0.0], [2.0], [-3.0]])
    found = measure_agreement(a_table(scores), "integrity", 0.95)
    couples = [(0, 1), (0, 2), (1, 2)]
    assert found.pearson.value == pytest.approx(
        np.mean([stats.pearsonr(scores[i], scores[j]).statistic for i, j in couples])
    )
    assert found.spearman.value == pytest.approx(
        np.mean([stats.spearmanr(scores[i], scores[j]).statistic for i, j in couples])
    )
    # Mean squares of the analysis of variance, as Shrout and Fleiss have them.
    grand, n, k = scores.mean(), 28, 3
    between = k * ((scores.mean(axis=0) - grand) ** 2).sum() / (n - 1)
    raters = n * ((scores.mean(axis=1) - grand) ** 2).sum() / (k - 1)
    rest = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + grand
    error = (rest**2).sum() / ((n - 1) * (k - 1))
    assert found.icc_random.value == pytest.approx(
        (between - error) / (between + (k - 1) * error + k * (raters - error) / n)
    )
    assert found.icc_fixed.value == pytest.approx((between - error) / (between + (k - 1) * error))


def test_intraclass_and_agreement_in_bands_have_intervals_by_leaving_out_scenarios() -> None:
    (table,) = score_tables(world())
    found = measure_agreement(table, "integrity", 0.95)
    for each in (found.share, found.ac1, found.ac2, found.icc_random, found.icc_fixed):
        assert each.value is not None
        assert each.interval is not None
        assert each.interval.holds(each.value)
        assert each.interval.method == METHOD


def test_every_number_of_a_scale_that_was_told_is_a_category_also_one_to_ten_but_points_are_in_bands() -> None:
    frame = world().frame
    told = {"D": AskedScale.between(1, 10)}
    (table,) = score_tables(replace(world(), frame=frame.assign(value=frame["value"] // 50 + 7), scales=told))
    assert list(table.categories.values()) == [str(number) for number in range(1, 11)]
    (unsaid,) = score_tables(replace(world(), frame=frame.assign(value=frame["value"] // 50 + 1)))
    both = [measure_agreement(each, "integrity", 0.95) for each in (table, unsaid)]
    assert both[0].share.value == both[1].share.value
    assert (both[0].ac1.value or 0) > (both[1].ac1.value or 0)
    assert AskedScale.between(0, 100).categories == AskedScale.between(0, 1000).categories == {}


def test_pairs_with_fewer_than_three_common_answers_are_undefined() -> None:
    scores = np.array([[1.0, 2.0, np.nan, 4.0], [1.0, 3.0, 5.0, np.nan]])
    assert pairs(scores, ["a", "b"])[0].reason == "fewer than three answers scored by both"


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
def test_the_mean_over_pairs_is_the_same_from_one_table_and_pair_by_pair(kind: str) -> None:
    scores = np.random.default_rng(5).integers(60, 90, (4, 20)).astype(float)
    by_pair = np.mean([getattr(each, kind) for each in pairs(scores, list("abcd"))])
    assert mean_correlation(scores, kind) == pytest.approx(by_pair)
