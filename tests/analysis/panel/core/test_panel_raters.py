"""How far judge models agree, without each of them, and how strict they and perspectives are."""

import krippendorff
import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from analysis.data.core.parameters import Parameters
from analysis.data.core.results import Estimate
from analysis.panel.core.panel_analysis import raters_of_panel
from analysis.panel.core.panel_raters import PanelRaters
from tests.analysis.agreement.core.rankings import ends, value
from tests.analysis.panel.core.panel_tables import Answer, Reply, panel_tables

JUDGES, PERSPECTIVES, PROMPTS = ("claude", "gemini", "gpt"), ("historian", "sociologist"), range(1, 7)


@pytest.fixture(scope="module")
def given() -> pd.DataFrame:
    """Three judge models from two perspectives, each with a severity of its own; one reply is missing."""
    rng = np.random.default_rng(5)
    rows = []
    for prompt in PROMPTS:
        for answer in "abcd":
            level = rng.normal(6, 1.5)
            for judge, harsh in zip(JUDGES, (0, 1, -1), strict=True):
                for perspective, kind in zip(PERSPECTIVES, (0.5, -0.5), strict=True):
                    score = np.clip(round(level + harsh + kind + rng.normal(0, 1)), 1, 10)
                    rows.append((f"P{prompt}", f"P{prompt}-{answer}", judge, perspective, float(score)))
    frame = pd.DataFrame(rows, columns=["prompt", "answer", "judge", "perspective", "score"])
    return frame.drop(index=3)


@pytest.fixture(scope="module")
def report(given: pd.DataFrame) -> PanelRaters:
    answers = [Answer(name, "human" if name.endswith("a") else "gpt") for name in given["answer"].unique()]
    columns = ["answer", "score", "judge", "perspective"]
    replies = [Reply(*row) for row in given[columns].itertuples(index=False, name=None)]
    replies.append(Reply("P1-a", None, judge="gpt", perspective="historian", abstained=True))
    ranks = {(f"P{p}", "J"): {f"P{p}-{a}": place for place, a in enumerate("abcd", 1)} for p in PROMPTS}
    tables = panel_tables(answers, replies, ranks=ranks)
    (found,) = raters_of_panel(tables, tables.judgments, Parameters(draws=200, scale=(1, 10)))
    return found


def wide(given: pd.DataFrame, *without: str) -> pd.DataFrame:
    means = given.groupby(["prompt", "answer", "judge"])["score"].mean().unstack()
    return means.drop(columns=list(without))


@pytest.mark.parametrize("without", ["", *JUDGES])
def test_agreement_of_judge_models_and_without_each_is_that_of_other_packages(
    given: pd.DataFrame, report: PanelRaters, without: str
) -> None:
    (found,) = (each for each in report.agreement if each.without == without)
    table = wide(given, *filter(None, [without]))
    names = list(table.columns)
    pairs = [(one, other) for place, one in enumerate(names) for other in names[:place]]
    assert value(found.r) == pytest.approx(np.mean([table[one].corr(table[other]) for one, other in pairs]))
    taus = [
        kendalltau(part[one], part[other]).statistic
        for _, part in table.groupby(level="prompt")
        for one, other in pairs
    ]
    assert value(found.tau_b) == pytest.approx(np.nanmean(taus))
    oracle = krippendorff.alpha(table.to_numpy().T, level_of_measurement="interval")
    assert value(found.alpha) == pytest.approx(oracle)
    for figure in (found.r, found.tau_b, found.alpha):
        low, high = ends(figure)
        assert low < value(figure) < high


def test_severity_is_what_each_scores_above_the_mean_of_the_others(
    given: pd.DataFrame, report: PanelRaters
) -> None:
    table = wide(given)
    for judge in JUDGES:
        (rater,) = (each for each in report.raters if each.name == judge)
        others = table.drop(columns=judge).mean(axis=1)
        assert value(rater.lead.mean) == pytest.approx((table[judge] - others).mean())
    means = given.groupby(["answer", "perspective"])["score"].mean().unstack()
    (historian,) = (each for each in report.raters if each.name == "historian")
    assert historian.kind == "perspective"
    assert value(historian.lead.mean) == pytest.approx((means["historian"] - means["sociologist"]).mean())


def test_replies_and_abstentions_are_counted_for_each(given: pd.DataFrame, report: PanelRaters) -> None:
    counts = {each.name: (each.given, each.abstentions) for each in report.raters}
    assert counts["gpt"] == (int((given["judge"] == "gpt").sum()), 1)
    assert counts["claude"] == (int((given["judge"] == "claude").sum()), 0)
    assert counts["historian"] == (int((given["perspective"] == "historian").sum()), 1)


def test_every_answer_that_people_ranked_too_stands_with_both_figures(
    given: pd.DataFrame, report: PanelRaters
) -> None:
    composites = given.groupby("answer")["score"].mean()
    assert {each.response_id: each.panel for each in report.answers} == pytest.approx(composites.to_dict())
    assert {each.rank for each in report.answers} == {1, 2, 3, 4}


def test_a_single_judge_model_agrees_with_nobody_and_says_so() -> None:
    tables = panel_tables([Answer("P1-a"), Answer("P1-b")], [Reply("P1-a", 3), Reply("P1-b", 5)])
    (found,) = raters_of_panel(tables, tables.judgments, Parameters(draws=20))
    (line,) = found.agreement
    assert isinstance(line.alpha, Estimate)
    assert {each.reason for each in (line.r, line.tau_b, line.alpha)} == {"fewer than two judge models"}


@pytest.mark.parametrize(
    ("scores", "reasons"),
    [
        (
            {"x": {"P1-a": 3, "P2-a": 4}, "y": {"P1-b": 3, "P2-b": 5}},
            dict.fromkeys(("r", "tau_b", "alpha"), "no answer was scored by two judge models"),
        ),
        (
            {"x": {"P1-a": 3, "P1-b": 4}, "y": {"P1-a": 3, "P1-b": 5}},
            {"r": "no two judge models scored three answers that they have in common"},
        ),
        (
            {"x": {"P1-a": 3, "P1-b": 3, "P2-a": 3}, "y": {"P1-a": 3, "P1-b": 5, "P2-a": 4}},
            {
                "r": "of any two judge models one gave all answers in common the same score",
                "tau_b": "of any two judge models one gave all answers to a prompt the same score",
            },
        ),
        (
            {judge: {"P1-a": 3, "P1-b": 3, "P2-a": 3} for judge in "xy"},
            {
                "r": "of any two judge models one gave all answers in common the same score",
                "tau_b": "of any two judge models one gave all answers to a prompt the same score",
                "alpha": "all scores of answers that two judge models scored are alike",
            },
        ),
    ],
    ids=["nothing shared", "two shared", "one flat", "all alike"],
)
def test_judge_models_who_agree_in_nothing_that_can_be_told_say_why(
    scores: dict[str, dict[str, int]], reasons: dict[str, str]
) -> None:
    answers = [Answer(name) for name in ("P1-a", "P1-b", "P2-a", "P2-b")]
    replies = [Reply(name, score, judge=judge) for judge, of in scores.items() for name, score in of.items()]
    tables = panel_tables(answers, replies)
    (found,) = raters_of_panel(tables, tables.judgments, Parameters(draws=20))
    line = found.agreement[0]
    figures = {"r": line.r, "tau_b": line.tau_b, "alpha": line.alpha}
    assert {name: each.reason for name, each in figures.items() if each.reason} == reasons


def test_judge_models_that_saw_no_two_answers_to_one_prompt_have_no_order_to_agree_on() -> None:
    replies = [Reply(f"P{n}-a", score, judge=judge) for n in (1, 2, 3) for judge, score in (("x", n), ("y", n + 1))]
    tables = panel_tables([Answer(f"P{n}-a") for n in (1, 2, 3)], replies)
    (found,) = raters_of_panel(tables, tables.judgments, Parameters(draws=20))
    line = found.agreement[0]
    assert line.alpha.value is not None
    assert line.tau_b.reason == "no two judge models scored the same two answers to one prompt"
