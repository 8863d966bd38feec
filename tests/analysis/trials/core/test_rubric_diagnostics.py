"""How evaluators use the rubric, against routes of their own."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.data.core.parameters import Parameters
from analysis.trials.core.rubric_diagnostics import CONSENSUS, RATINGS, severities
from analysis.trials.core.score_table import MEAN, score_tables
from analysis.trials.core.trial_report import trial_report
from tests.analysis.trials.core.worlds import BASELINE, CONTROL, world

TRIALS = world()
FRAME = TRIALS.frame[TRIALS.frame["condition"] != CONTROL]
WIDE = FRAME.pivot_table(index=["answer", "evaluator"], columns="dimension", values="value")
MEANS = WIDE.groupby("answer").mean()
REPORT = trial_report(
    replace(TRIALS, words={answer: float(len(answer)) for answer in MEANS.index}), Parameters(draws=50)
)


@pytest.mark.parametrize(("over", "scores"), [(RATINGS, WIDE), (CONSENSUS, MEANS)])
def test_dimensions_correlate_and_share_variance_over_ratings_and_over_consensus(
    over: str, scores: pd.DataFrame
) -> None:
    r = float(np.corrcoef(scores["integrity"], scores["transparency"])[0, 1])
    [link] = [each for each in REPORT.links if each.over == over]
    assert link.r.value == pytest.approx(r)
    assert link.r.interval is not None
    # Of two dimensions the components of the correlation matrix have (1 ± r) / 2.
    shares = [each.share.value for each in REPORT.components if each.over == over]
    assert shares == [pytest.approx((1 + r) / 2), pytest.approx((1 - r) / 2)]


def test_shares_of_bands_are_counted_and_add_up() -> None:
    found = {each.band: each.share.value for each in REPORT.bands if each.dimension == "integrity"}
    given = FRAME[FRAME["dimension"] == "integrity"]["value"]
    assert found["high"] == pytest.approx((given >= 85).mean())
    assert sum(value or 0.0 for value in found.values()) == pytest.approx(1)


def test_severity_is_the_distance_from_the_mean_of_the_others() -> None:
    overall = WIDE.mean(axis=1).unstack("evaluator")
    for each in REPORT.severities:
        others = overall.drop(columns=each.evaluator).mean(axis=1)
        assert each.above.value == pytest.approx((overall[each.evaluator] - others).mean())


def test_severity_has_no_interval_where_all_that_everybody_scored_is_of_one_scenario() -> None:
    (table,) = score_tables(world(scenarios=3, evaluators=2))
    scores = table.scores[MEAN].copy()
    scores[0, table.clusters > 0] = np.nan
    [first, _] = severities(replace(table, scores={**table.scores, MEAN: scores}), 0.95)
    assert first.above.value == pytest.approx(float(np.nanmean(scores[0] - scores[1])))
    assert first.above.interval is not None
    assert first.above.interval.reason == "undefined without one of the scenarios"


def test_length_is_correlated_with_scores_where_texts_are_known() -> None:
    [found] = [each for each in REPORT.lengths if each.measure == "integrity"]
    lengths = [len(answer) for answer in MEANS.index]
    assert found.r.value == pytest.approx(stats.spearmanr(lengths, MEANS["integrity"]).statistic)
    unknown = trial_report(TRIALS, Parameters(draws=50)).lengths
    assert {each.r.reason for each in unknown} == {"the texts’ lengths are not known"}


def test_predicted_ranges_stand_beside_the_means_of_conditions() -> None:
    ranges = {(each.dimension, each.condition == BASELINE): (each.low, each.high) for each in REPORT.predictions}
    assert ranges == {
        ("integrity", True): (85, 95),
        ("integrity", False): (85, 95),
        ("transparency", True): (60, 80),
        ("transparency", False): (85, 95),
    }
    [baseline] = [
        each for each in REPORT.predictions if (each.dimension, each.condition) == ("integrity", BASELINE)
    ]
    [contrast] = [each for each in REPORT.contrasts if (each.dimension, each.condition) == ("integrity", "harm")]
    assert baseline.mean.value == pytest.approx(contrast.baseline.value)
