"""What is shown of the panel."""

import pytest

from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.study_tables import StudyTables
from analysis.panel.sections import JUDGE_MODELS, PANEL
from analysis.sections.core.report import Report
from analysis.sections.exhibits.exhibit import Exhibit
from analysis.sections.exhibits.rendering import render
from analysis.unblinded.core.full_report import analyse
from tests.analysis.panel.core.panel_tables import Answer, Reply, panel_tables

CARD = "panel-card-per-dimension-alone"


def a_panel() -> StudyTables:
    """Two prompts with answers by a person and a model, judged by two people and two judge models in two modes."""
    answers = [
        answer
        for prompt in ("P1", "P2")
        for answer in (
            Answer(f"{prompt}-human"),
            Answer(f"{prompt}-claude", "claude"),
            Answer(f"{prompt}-top", "claude", arm="maximum", words=500),
        )
    ]
    given = {"P1-human": 5, "P1-claude": 8, "P1-top": 9, "P2-human": 6, "P2-claude": 7, "P2-top": 7}
    replies = [Reply(answer, score, judge=judge) for answer, score in given.items() for judge in ("claude", "gpt")]
    replies += [Reply(answer, {"clarity": score}, mode="per_dimension") for answer, score in given.items()]
    replies += [
        Reply("P1-human", {"clarity": 4}, mode="inferred", read="J1", mentioned=["clarity"]),
        Reply("P1-claude", {"clarity": 6}, mode="inferred", read="J1"),
    ]
    ranks = {
        (prompt, judge): {f"{prompt}-human": 2, f"{prompt}-claude": 1}
        for prompt in ("P1", "P2")
        for judge in ("J1", "J2")
    }
    return panel_tables(answers, replies, dimensions=["clarity"], ranks=ranks)


def shown_of(report: Report, scope: str) -> list[Exhibit]:
    return [
        exhibit for section in (PANEL, JUDGE_MODELS) for exhibit in section.exhibits(report[section], report, scope)
    ]


@pytest.fixture(scope="module")
def shown() -> dict[str, Exhibit]:
    """By name, of all prompts and of the one domain."""
    report = analyse(a_panel(), parameters=Parameters(draws=20))
    return {each.name: each for scope in (WHOLE, "P") for each in shown_of(report, scope)}


def rows(exhibit: Exhibit) -> list[tuple[object, ...]]:
    """With the values of estimates."""
    return [tuple(getattr(cell, "value", cell) for cell in row) for row in exhibit.table.rows]


def test_the_validity_of_every_mode_stands_beside_peoples_own_agreement(shown: dict[str, Exhibit]) -> None:
    found = {row[0]: (row[1], row[4]) for row in rows(shown["panel-validity"])}
    replies = {row[0]: row[2:4] for row in rows(shown["panel-validity"])}
    # Of the answers that people judged too, which this panel was wanted to score once each.
    assert replies["One score for each dimension"] == (4, 4)
    assert replies["Read out of judges’ words"] == (2, 4)
    assert "2 of 4 (read out of judges’ words)" in shown["panel-validity"].describes
    # Mean ranks 2, 1, 2, 1; composites 5, 8, 6, 7: the four pairs that people tell apart all agree, 4 / √(4 · 6).
    assert found["One score, the rubric as framework"][:2] == (4, pytest.approx(4 / 24**0.5))
    assert found["Read out of judges’ words"][:2] == (2, pytest.approx(1))
    assert found["Two people"][1] == pytest.approx(1)
    assert "Between two people" in render(shown["panel-validity"], "svg").decode()


def test_scores_are_shown_with_their_coverage_and_beside_peoples(shown: dict[str, Exhibit]) -> None:
    found = {(row[0], row[1]): row[2:] for row in rows(shown["panel-scores"])}
    holistic = "One score, the rubric as framework"
    # One reply is wanted of each answer, and two came.
    assert found[holistic, "People"] == (5.5, 5.5, pytest.approx(0.5**0.5), 0.5, 4, 2, 0)
    assert found[holistic, "claude, maximum"][0] == 8
    assert found["People’s judgments", "People"][4:] == (None, None, None)


def test_a_card_is_shown_only_of_modes_with_dimensions(shown: dict[str, Exhibit]) -> None:
    assert [row[:3] for row in rows(shown[CARD])] == [("claude", "Clarity", 7.5), ("People", "Clarity", 5.5)]
    assert rows(shown["panel-card-holistic-alone"]) == []


def test_effects_frontier_and_mentions_of_a_panel_are_shown(
    shown: dict[str, Exhibit],
) -> None:
    assert ("One score, the rubric as framework", "Whole panel") in {
        row[:2] for row in rows(shown["panel-effects"])
    }
    # 9 − 8 and 7 − 7.
    assert rows(shown["panel-frontier"])[0][1:3] == ("claude", 0.5)
    assert rows(shown["panel-mentions"]) == [("Clarity", "claude", 0), ("Clarity", "People", 1)]


def test_every_answer_stands_in_a_picture_of_the_panels_scores_against_peoples_ranks(
    shown: dict[str, Exhibit],
) -> None:
    exhibit = shown["panel-against-people-holistic-alone"]
    assert {row[1:5] for row in rows(exhibit)} == {
        ("P1-human", "People", 2, 5),
        ("P1-claude", "claude", 1, 8),
        ("P2-human", "People", 2, 6),
        ("P2-claude", "claude", 1, 7),
    }
    # Two prompts' answers, of which two replies each came though one was wanted.
    assert "It rests on 8 of 4 replies wanted." in exhibit.describes
    picture = render(exhibit, "svg").decode()
    assert "Trend" in picture
    assert "People’s mean rank (1 = best)" in picture


def test_judge_models_agreement_and_severity_are_shown(shown: dict[str, Exhibit]) -> None:
    holistic = "One score, the rubric as framework"
    # Both gave every answer the same score.
    assert rows(shown["panel-agreement"])[0][:6] == (holistic, "All", 6, 1, 1, 1)
    assert (holistic, "Judge model", "gpt", 0) in {row[:4] for row in rows(shown["panel-severity"])}


def test_a_domain_has_its_own_scores_of_a_panel_and_nothing_that_is_of_all_prompts(
    shown: dict[str, Exhibit],
) -> None:
    of_domain = {name for name, exhibit in shown.items() if exhibit.scope == "P"}
    cards = {f"panel-card-{mode}-p" for mode in ("holistic-alone", "per-dimension-alone", "inferred-alone")}
    assert of_domain == {"panel-validity-p", "panel-scores-p", *cards}


def test_every_exhibit_of_a_panel_with_a_defined_figure_can_be_drawn(shown: dict[str, Exhibit]) -> None:
    with_rows = {name: exhibit for name, exhibit in shown.items() if exhibit.table.rows}
    drawn = {name: render(exhibit, "svg") for name, exhibit in with_rows.items() if exhibit.draw}
    assert (len(with_rows), len(drawn)) == (16, 15)
    assert all(svg.startswith(b"<?xml") for svg in drawn.values())


def test_an_undefined_figure_is_written_where_its_bar_would_be() -> None:
    """The panel tells prompts' answers apart, and no two answers to one prompt."""
    scores = {"P1-a": 5, "P1-b": 5, "P2-a": 7, "P2-b": 7}
    tables = panel_tables(
        [Answer(answer) for answer in scores],
        [Reply(answer, score) for answer, score in scores.items()],
        ranks={(prompt, "J1"): {f"{prompt}-a": 1, f"{prompt}-b": 2} for prompt in ("P1", "P2")},
    )
    validity, *_ = shown_of(analyse(tables, parameters=Parameters(draws=2)), WHOLE)
    assert "undefined" in render(validity, "svg").decode()


def test_without_a_panel_nothing_is_shown() -> None:
    tables = panel_tables([Answer("P1-a")], [], ranks={("P1", "J1"): {"P1-a": 1}})
    assert list(shown_of(analyse(tables, parameters=Parameters(draws=2)), WHOLE)) == []
