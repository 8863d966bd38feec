"""The whole analysis: what it ranks by, its scopes, its intervals, and that it is the same every time."""

import re
from dataclasses import replace
from itertools import combinations
from math import log

import numpy as np
import pandas as pd
import pytest

from analysis.agreement.core.agreement import agreement_summary
from analysis.agreement.sections import AGREEMENT, EVALUATORS, JUDGES, RUBRIC
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.ranks import ranked
from analysis.data.core.study_tables import StudyTables
from analysis.masked.core.masked_report import analyse_masked, draws_for
from analysis.outcomes.sections import CALIBRATION, OUTCOMES
from analysis.report.core.results_file import from_json, to_json
from analysis.report.prose.headlines import MAX_HEADLINES, headlines
from analysis.sections.core.report import Progress, Report
from analysis.unblinded.core.full_report import analyse
from annotation.study.core.rubric import Scale
from tests.analysis.agreement.core.rankings import ends, value
from tests.analysis.data.core.judgments import judgments

DIMENSIONS = ("clarity", "evidence")
QUICK = Parameters(draws=60)


@pytest.fixture(scope="module")
def study() -> pd.DataFrame:
    """Six prompts in two domains by four judges of six, two human and two model answers each; models are better."""
    rng = np.random.default_rng(5)
    parts = []
    for number in range(6):
        prompt = f"{'BBQ' if number < 3 else 'HLE'}_0{number}"
        for judge in rng.choice(6, 4, replace=False):
            marks = {
                answer: tuple(rng.integers(low, low + 4, size=2) + 0.0)
                for answer, low in (("claude-1", 6), ("gpt-1", 5), ("human-1", 3), ("human-2", 3))
            }
            order = sorted(marks, key=lambda answer: -sum(marks[answer]))
            ranks = {answer: 1 + sum(sum(marks[other]) > sum(marks[answer]) for other in marks) for answer in order}
            parts.append(judgments({(prompt, f"j{judge}"): ranks}, scores=marks, dimensions=DIMENSIONS))
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="module")
def report(study: pd.DataFrame) -> Report:
    return analyse(StudyTables(study), parameters=QUICK)


def test_a_report_has_the_whole_and_every_domain(report: Report) -> None:
    assert list(report[AGREEMENT]) == [WHOLE, "BBQ", "HLE"]
    assert list(report[OUTCOMES].outcomes) == [WHOLE, "BBQ", "HLE"]
    assert (report.data.prompts, report.data.judgments, report.data.rows) == (6, 24, 96)
    assert len(report[AGREEMENT]["BBQ"].prompts) == 3


def test_a_reports_figures_are_the_estimators_own(study: pd.DataFrame, report: Report) -> None:
    whole = agreement_summary(ranked(study, QUICK)[0])
    for name in ("w", "w_common", "tau_b"):
        assert getattr(report[AGREEMENT][WHOLE].summary, name).mean.value == getattr(whole, name).mean.value
    assert report[AGREEMENT][WHOLE].summary.alpha_ordinal.value == whole.alpha_ordinal.value


def test_intervals_hold_their_figures(report: Report) -> None:
    summary, outcomes = report[AGREEMENT][WHOLE].summary, report[OUTCOMES].outcomes[WHOLE]
    for estimate in (
        summary.w_common.mean,
        summary.tau_b_pooled,
        summary.alpha_ordinal,
        outcomes.pairs.preference,
        outcomes.lead,
        *(head.preference for head in outcomes.heads[:1]),
        *(strength.log_strength for strength in outcomes.plackett_luce.items),
        *report[AGREEMENT][WHOLE].icc.values(),
        *(pair.r for pair in report[RUBRIC].correlations),
        *(evaluators.r for evaluators in report[EVALUATORS].evaluators),
        report[JUDGES].judges[0].severity.lead.mean,
        *(prompt.tau_b for prompt in report[AGREEMENT][WHOLE].prompts[:1]),
        *(source.score.mean for source in outcomes.sources),
        *(cell.score.mean for cell in outcomes.card),
    ):
        low, high = ends(estimate)
        assert low <= value(estimate) <= high


def test_intervals_of_agreement_stay_within_what_the_figures_can_be(report: Report) -> None:
    for agreement in report[AGREEMENT].values():
        summary = agreement.summary
        for bounds, estimates in (
            ((0, 1), [summary.w.mean, summary.w_tie_corrected.mean, summary.w_common.mean]),
            ((0, 1), [prompt.w_common for prompt in agreement.prompts]),
            ((-1, 1), [summary.tau_b.mean, summary.tau_b_pooled, *(prompt.tau_b for prompt in agreement.prompts)]),
            ((-np.inf, 1), [summary.alpha_ordinal, summary.alpha_interval, *agreement.icc.values()]),
        ):
            for estimate in estimates:
                if estimate.interval is not None and estimate.interval.low is not None:
                    low, high = ends(estimate)
                    assert bounds[0] <= low <= high <= bounds[1]


def test_the_error_of_a_mean_over_prompts_is_that_of_its_interval(report: Report) -> None:
    # On Fisher's z of so many judges as far as t of a few degrees of freedom to both sides: 1.96 at least.
    tau = report[AGREEMENT][WHOLE].summary.tau_b
    least = tau.mean.interval.least if tau.mean.interval else None
    assert least is not None
    low, middle, high = (log((each - least) / (1 - each)) for each in sorted((*ends(tau.mean), value(tau.mean))))
    assert middle - low == pytest.approx(high - middle)
    slope = 1 / (value(tau.mean) - least) + 1 / (1 - value(tau.mean))
    assert 1.96 < (high - low) / 2 / slope / value(tau.se) < 5


def test_a_report_refuses_an_answer_that_a_judge_has_twice_in_one_prompt(study: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match=r"BBQ_00: judge j\d has answer .* twice"):
        analyse(StudyTables(pd.concat([study, study.iloc[:1]])), parameters=QUICK)


def test_the_same_data_and_seed_give_the_same_report_to_the_last_digit(study: pd.DataFrame, report: Report) -> None:
    assert analyse(StudyTables(study), parameters=QUICK) == report
    assert (
        analyse(StudyTables(study.sample(frac=1, random_state=1)), parameters=QUICK)[AGREEMENT] == report[AGREEMENT]
    )
    assert analyse(StudyTables(study), parameters=replace(QUICK, seed=7)) != report


def test_a_report_is_read_back_from_json_as_it_was(report: Report) -> None:
    assert from_json(to_json(report)) == report


def test_masked_judgments_give_agreement_alone(study: pd.DataFrame, report: Report) -> None:
    masked = study.assign(true_source="masked", model="")
    found = analyse_masked(masked, parameters=QUICK)
    assert found.is_masked
    assert OUTCOMES not in found
    assert found[AGREEMENT] == report[AGREEMENT]
    assert {name: report.found[name] for name in found.found} == found.found


class TestRanks:
    """One judge gave ranks that do not follow from the scores."""

    @pytest.fixture
    def frame(self) -> pd.DataFrame:
        ranks = {
            ("P_1", "j1"): {"gpt-1": 1, "claude-1": 2, "human-1": 3},
            ("P_1", "j2"): {"gpt-1": 3, "claude-1": 2, "human-1": 1},
        }
        marks = {"gpt-1": (9.0, 9.0), "claude-1": (7.0, 7.0), "human-1": (5.0, 5.0)}
        return judgments(ranks, scores=marks, dimensions=DIMENSIONS)

    def test_ranks_are_taken_from_the_scores_by_default(self, frame: pd.DataFrame) -> None:
        found = analyse(StudyTables(frame), parameters=QUICK)
        assert value(found[AGREEMENT][WHOLE].summary.w.mean) == 1
        assert found.data.reranked == 1

    def test_ranks_stay_as_they_were_given_in_the_papers_mode(self, frame: pd.DataFrame) -> None:
        found = analyse(StudyTables(frame), parameters=replace(QUICK, mode="paper"))
        assert value(found[AGREEMENT][WHOLE].summary.w.mean) == 0
        assert found.data.reranked == 1

    def test_ranks_stay_as_they_were_given_where_a_score_is_missing(self, frame: pd.DataFrame) -> None:
        frame["score"] = frame["score"].astype(float).where(frame.index != 4)
        assert value(analyse(StudyTables(frame), parameters=QUICK)[AGREEMENT][WHOLE].summary.w.mean) == 0

    def test_ranks_that_were_not_given_are_not_counted_as_changed_by_the_scores(self, frame: pd.DataFrame) -> None:
        assert analyse(StudyTables(frame.assign(rank=float("nan"))), parameters=QUICK).data.reranked == 0


class TestData:
    def test_the_report_counts_judgments_with_scores_and_with_ranks(self, study: pd.DataFrame) -> None:
        """Of 24 judgments one lacks a score, two have no rank, and of another one answer was not ranked."""
        numbers = study.groupby(["prompt_id", "judge_id"]).ngroup()
        first = ~study.duplicated(["prompt_id", "judge_id"])
        frame = study.assign(
            score=study["score"].astype(float).mask(first & (numbers == 0)),
            rank=study["rank"].astype(float).mask(numbers.isin([1, 2]) | (first & (numbers == 3))),
        )
        data = analyse_masked(frame, parameters=QUICK).data
        assert (data.judgments, data.scored, data.ranked) == (24, 23, 22)

    def test_ids_without_domains_leave_the_whole_alone(self, study: pd.DataFrame) -> None:
        frame = study.assign(prompt_id=study["prompt_id"].str.replace("_", ""))
        assert list(analyse_masked(frame, parameters=QUICK)[AGREEMENT]) == [WHOLE]


def test_calibration_items_enter_neither_agreement_nor_outcomes(study: pd.DataFrame, report: Report) -> None:
    calibration = judgments(
        {("CAL_1", "j0"): {"gpt-1": 1, "claude-1": 2}},
        scores={"gpt-1": (9.0, 9.0), "claude-1": (7.0, 7.0)},
        dimensions=DIMENSIONS,
        item_type="cal_source_attribution",
    )
    found = analyse(StudyTables(pd.concat([study, calibration], ignore_index=True)), parameters=QUICK)
    assert found[AGREEMENT] == report[AGREEMENT]
    assert found[OUTCOMES].outcomes == report[OUTCOMES].outcomes
    assert found.data.item_types == {"standard": 24, "cal_source_attribution": 1}
    assert [each.source for each in found[CALIBRATION].attribution] == ["claude", "gpt"]


def test_everything_is_of_as_many_resamples_as_the_report_says(
    study: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.masked.core.masked_report.ROWS_RESAMPLED", 1)
    drawn: list[int] = []

    def leaks(_answers: pd.DataFrame, *, draws: int, **_options: object) -> tuple[()]:
        drawn.append(draws)
        return ()

    def panel(_tables: StudyTables, _frame: pd.DataFrame, parameters: Parameters) -> tuple[()]:
        drawn.append(parameters.draws)
        return ()

    monkeypatch.setattr("analysis.blinding.core.blinding.source_leaks", leaks)
    monkeypatch.setattr("analysis.panel.sections.panel_reports", panel)
    found = analyse(StudyTables(study), parameters=Parameters(draws=101))
    assert drawn == [found.data.draws] * 2 == [100, 100]


def test_of_nothing_no_section_about_judges_is_there_and_its_reason_is_told(study: pd.DataFrame) -> None:
    found = analyse(StudyTables(study.iloc[:0]), parameters=QUICK)
    assert AGREEMENT not in found
    assert JUDGES not in found
    assert found.not_applicable[AGREEMENT.name] == found.not_applicable[JUDGES.name] == "nobody judged"
    assert headlines(found) == ()


def test_the_main_figures_are_said_with_their_intervals_models_against_people_first(study: pd.DataFrame) -> None:
    first, *others = headlines(analyse(StudyTables(study), parameters=QUICK))
    assert first.startswith("A model’s answer was preferred to a person’s in ")
    assert len(others) < MAX_HEADLINES
    assert all(re.search(r" \[[^]]+, [^]]+\]", sentence) for sentence in (first, *others))
    assert any("Kendall’s W" in sentence for sentence in others)


def test_main_figures_are_said_with_their_unit_and_how_many_they_are_of(study: pd.DataFrame) -> None:
    said = headlines(analyse(StudyTables(study), parameters=replace(QUICK, scale=(1.0, 10.0))))
    [lead] = [sentence for sentence in said if "points above" in sentence]
    assert re.search(r"on a scale from 1 to 10, in the mean over \d+ judgments\.$", lead)
    [ranks] = [sentence for sentence in said if "best mean rank" in sentence]
    assert len(re.findall(r" over \d+ ratings", ranks)) == 2


def test_a_headline_says_of_a_scale_that_nobody_gave_that_it_was_not_given(study: pd.DataFrame) -> None:
    said = headlines(analyse(StudyTables(study), parameters=QUICK))
    [lead] = [sentence for sentence in said if "points above" in sentence]
    assert "on a scale not given and taken to be 1 to 10" in lead


def test_of_masked_judgments_and_of_scores_alone_more_than_one_figure_is_said(study: pd.DataFrame) -> None:
    masked = headlines(analyse_masked(study, parameters=QUICK))
    begins = ("Kendall’s W", "Over all answers", "Krippendorff’s", "All judges", "Of the variance", "Pearson’s r")
    assert len(masked) == len(begins)
    assert all(sentence.startswith(words) for sentence, words in zip(masked, begins, strict=True))
    assert all(re.search(r" \[[^]]+, [^]]+\]", sentence) for sentence in masked)
    assert re.search(
        r" over \d+ ratings; of dimensions that have nothing in common it would hold 50\N{NO-BREAK SPACE}%\.$",
        masked[4],
    )
    judges = study.groupby("prompt_id")["judge_id"].unique()
    met = {pair for of_prompt in judges for pair in combinations(sorted(of_prompt), 2)}
    assert masked[1].endswith(f" over {len(met)} pairs of judges.")
    alone = study.assign(rank=np.nan, prompt_id=study["prompt_id"] + study["true_id"])
    said = headlines(analyse(StudyTables(alone), parameters=QUICK))
    assert sum("mean score" in sentence or "ICC(2,1)" in sentence or "α" in sentence for sentence in said) >= 2


def test_two_answers_to_each_prompt_that_were_scored_are_no_comparisons(study: pd.DataFrame) -> None:
    two = study[study["true_id"].isin(("claude-1", "human-1"))]
    said = headlines(analyse(StudyTables(two), parameters=QUICK))
    assert any(sentence.startswith("The best mean rank") for sentence in said)
    assert any("ICC(2,1)" in sentence for sentence in said)
    compared = two.drop(columns=list(DIMENSIONS))
    alone = headlines(analyse(StudyTables(compared), parameters=QUICK))
    assert not any("ICC" in sentence or "mean rank" in sentence for sentence in alone)


def test_of_masked_judgments_of_one_dimension_nothing_is_said_of_how_dimensions_hang_together(
    study: pd.DataFrame,
) -> None:
    said = headlines(analyse_masked(study.drop(columns="evidence"), parameters=QUICK))
    assert not [sentence for sentence in said if "component" in sentence]
    assert len(said) == 5


def test_where_figures_are_undefined_no_sentence_is_made_of_them(study: pd.DataFrame) -> None:
    alone = study[study["true_source"] == "model"]
    assert not any("person" in sentence for sentence in headlines(analyse(StudyTables(alone), parameters=QUICK)))


def test_very_many_judgments_are_resampled_less_often() -> None:
    few, many = pd.DataFrame(index=range(1_800)), pd.DataFrame(index=range(600_000))
    assert draws_for(few, Parameters()) == 2000
    assert draws_for(many, Parameters()) == 100
    assert draws_for(many, Parameters(draws=20)) == 20


def test_a_report_tells_how_far_it_is(study: pd.DataFrame) -> None:
    told: list[tuple[str, int, int]] = []
    analyse(StudyTables(study), parameters=QUICK, progress=Progress(lambda *how_far: told.append(how_far)))
    assert told == [(what, number, 3) for what in ("agreement", "outcomes") for number in range(3)] + [
        ("panel", 0, 1)
    ]


def test_an_interval_keeps_to_a_scale_that_was_given_and_not_to_one_that_was_inferred(study: pd.DataFrame) -> None:
    def bounds(asked: Parameters, scale: Scale | None = None) -> list[tuple[float | None, float | None]]:
        found = analyse(StudyTables(study, scale=scale), parameters=asked)
        whole = found[OUTCOMES].outcomes[WHOLE]
        figures = (whole.sources[0].score.mean, whole.lead, found[JUDGES].judges[0].severity.lead.mean)
        return [(each.interval.least, each.interval.most) for each in figures if each.interval]

    assert bounds(QUICK) == [(None, None)] * 3
    given = [(0, 12), (-12, 12), (-12, 12)]
    assert bounds(replace(QUICK, scale=(0, 12))) == bounds(QUICK, Scale(0, 12, 1, ())) == given
