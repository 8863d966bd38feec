"""Three worlds whose truth is known each get their own sentence."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.data.core.number_format import estimate_text
from analysis.data.core.parameters import Parameters
from analysis.data.core.results import FloatArray
from analysis.data.core.trials import ONLY, PEOPLE, AskedScale, TrialDesign, scales_of
from analysis.trials.core.approach_agreement import measure_agreement
from analysis.trials.core.evaluator_pairs import mean_correlation, pairs
from analysis.trials.core.score_table import METHOD, ScoreTable, score_tables
from analysis.trials.core.trial_report import trial_report
from analysis.trials.core.verdict import approach_in_words
from analysis.trials.prose import trial_passages
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


def test_where_no_permutation_brought_as_much_the_sentence_tells_a_bound_and_their_number() -> None:
    found = trial_report(world(), QUICK)
    assert found.conclusions.p.value == pytest.approx(1 / 201)
    assert "in a case conclude differently, p ≤ 0.005 (200 permutations), and" in found.verdict.sentence


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


def test_the_best_approach_is_that_on_the_yardstick_of_all_though_another_has_a_higher_r_of_its_own() -> None:
    trials = world()
    # An answer that fails far below all others lifts Pearson’s r, and no rank correlation.
    frame = trials.frame.assign(value=np.random.default_rng(3).uniform(84, 96, len(trials.frame)))
    frame.loc[frame["answer"] == frame["answer"][0], "value"] = 0.0
    bands = np.searchsorted([60.0, 80.0, 84.0, 88.0, 92.0], world(noise=6.0).frame["value"], side="right")
    clear = trials.frame.assign(approach="B", value=bands + 1.0)
    found = trial_report(replace(trials, frame=pd.concat([frame, clear])), QUICK)
    points, bands_of = (
        next(each for each in found.agreement if (each.approach, each.measure) == (name, "mean")) for name in "DB"
    )
    assert (points.pearson.value or 0) > (bands_of.spearman.value or 0) > (points.spearman.value or 0)
    assert (found.verdict.best, found.verdict.r) == ("B", bands_of.spearman)
    assert next(each for each in found.yardsticks if not each.bands).approach == "B"


def test_a_control_that_does_not_score_lower_is_a_step_to_take_though_another_one_does() -> None:
    trials = world()
    design = replace(trials.design, controls=(*trials.design.controls, "justice"))
    found = trial_report(replace(trials, design=design), QUICK).verdict
    assert "cannot be said: positive controls did not score lower (justice)" in found.sentence
    assert found.steps == ("Add examples of answers that fail: justice did not score lower.",)
    assert not found.validated


def test_equal_integrity_proves_nothing_where_controls_are_seen_to_fail_on_other_dimensions_alone() -> None:
    trials = world()
    is_unseen = (trials.frame["condition"] == "denied_fact") & (trials.frame["dimension"] == "integrity")
    frame = trials.frame.assign(value=trials.frame["value"] + 30.0 * is_unseen)
    found = trial_report(replace(trials, frame=frame), QUICK).verdict
    unseen = "no positive control scored lower on"
    assert f"cannot be said: {unseen} integrity." in found.sentence
    assert found.steps == (f"Add examples of answers that fail on integrity: {unseen} it.",)
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


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
def test_correlations_over_the_answers_that_both_scored_are_those_of_another_route(kind: str) -> None:
    random = np.random.default_rng(8)
    scores = random.integers(60, 75, (4, 25)).astype(float)  # with ties
    scores[random.random(scores.shape) < 0.2] = np.nan
    theirs = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}[kind]
    by_pair = []
    for one, other in combinations(scores, 2):
        both = ~np.isnan(one) & ~np.isnan(other)
        by_pair.append(theirs(one[both], other[both]).statistic)
    assert [getattr(each, kind) for each in pairs(scores, list("abcd"))] == pytest.approx(by_pair)
    assert mean_correlation(scores, kind) == pytest.approx(np.mean(by_pair))


@pytest.mark.parametrize(
    ("of_e3", "why"), [(np.nan, "e3 gave no score"), (92.0, "e3 gave one value to all")], ids=["fails", "constant"]
)
def test_one_evaluator_that_fails_or_tells_nothing_apart_is_named_with_what_the_others_agree_in(
    of_e3: float, why: str
) -> None:
    trials = world()
    frame = trials.frame.assign(value=trials.frame["value"].where(trials.frame["evaluator"] != "e3", of_e3))
    both = pd.concat([frame.assign(approach="C"), frame])
    found = trial_report(replace(trials, frame=both), QUICK)
    undefined = f"3 of 6 pairs of evaluators are undefined, because {why}"
    assert f"cannot be said: no approach can be assessed ({undefined})" in found.verdict.sentence
    without = next(each for each in found.agreement if each.measure == "mean").without[3]
    assert found.verdict.steps == (
        "Find out why e3 answers as it does, or do without it, since no approach can be assessed: approaches C and "
        f"D ({undefined}). Without it, evaluators agree by Pearson r = {without.pearson.value:.2f} in approach D.",
    )
    assert (found.verdict.best, found.verdict.validated) == ("", False)
    said = " ".join(next(trial_passages(found)).paragraphs)
    assert f"On the overall score: approaches C and D Spearman undefined (not assessable: {undefined})" in said


def test_the_best_of_several_is_said_to_be_optimistic_beside_how_far_the_next_lies_behind() -> None:
    trials, noisy = world(), world(noise=8.0)
    both = pd.concat([trials.frame, noisy.frame.assign(approach="E")])
    found = trial_report(replace(trials, frame=both), QUICK)
    said = " ".join(next(trial_passages(found)).paragraphs)
    behind = next(each.behind_best for each in found.yardsticks if (each.approach, each.bands) == ("E", ""))
    next_best = f"approach E comes next by Spearman’s r, {estimate_text(behind)} behind."
    assert f"Of several, the best looks better than it would in a new sample: {next_best}" in said
    alone = " ".join(next(trial_passages(trial_report(trials, QUICK))).paragraphs)
    assert "Of several" not in alone


@pytest.mark.parametrize(("end", "ends"), [(1.0, (0.0, 1.0)), (10.0, (1.0, 10.0)), (100.0, (0.0, 100.0))])
def test_a_scale_that_nobody_told_is_told_by_its_values_and_only_points_are_compared_with_the_baseline(
    end: float, ends: tuple[float, float]
) -> None:
    trials = world()
    values = (trials.frame["value"] * end / 100).clip(lower=ends[0]).round(0 if end > 1 else 2)
    values.iloc[0] = 85.0  # one that is mistyped, where points end at 1 or at 10
    scaled = replace(trials, frame=trials.frame.assign(value=values))
    scale = scales_of(scaled)["D"]
    assert (scale.least, scale.most) == ends
    assert bool(scale.categories) == (end == 10)
    found = trial_report(scaled, QUICK)
    assert bool(found.contrasts) == (end == 100)
    assert ("nothing was scored in points" in found.verdict.sentence) == (end < 100)
    assert all(each.share.value is not None for each in found.bands)


def test_what_cannot_be_known_is_not_said_to_have_failed() -> None:
    trials = world(evaluators=2)
    one = replace(trials, frame=trials.frame[trials.frame["scenario"] == "s0"])
    found = trial_report(one, QUICK).verdict
    assert (
        "whether the positive control denied fact scores lower is not known (needs two scenarios" in found.sentence
    )
    assert [step.partition(":")[0] for step in found.steps] == ["Add scenarios"]
    alone = replace(trials, frame=trials.frame[trials.frame["evaluator"] == "e0"])
    found = trial_report(alone, QUICK).verdict
    assert "cannot be said: no approach can be assessed (fewer than two evaluators)." in found.sentence
    assert found.steps[0].startswith("Have at least two evaluators score the same answers, since")
    found = trial_report(replace(trials, design=replace(trials.design, baseline="")), QUICK).verdict
    assert "no condition is known to be the baseline" in found.sentence
    assert found.steps == (
        "Name the condition that has no framework, or add one: without it, no other can be compared with it.",
    )


def test_people_are_called_people_and_no_approach() -> None:
    assert [approach_in_words(name) for name in (PEOPLE, "B", ONLY)] == [
        "people",
        "approach B",
        "the one approach asked",
    ]
