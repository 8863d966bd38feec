"""What the panel's replies come to."""

import pytest

from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.study_tables import StudyTables
from analysis.panel.core.panel_analysis import panel_reports
from analysis.panel.core.panel_report import PanelReport, PanelSource
from tests.analysis.panel.core.panel_tables import Answer, Reply, panel_tables


def reports(tables: StudyTables, **parameters: object) -> tuple[PanelReport, ...]:
    return panel_reports(tables, tables.judgments, Parameters(draws=50, **parameters))  # type: ignore[arg-type]


def only(tables: StudyTables, **parameters: object) -> PanelReport:
    (report,) = reports(tables, **parameters)
    return report


def by_source(report: PanelReport, scope: str = WHOLE) -> dict[tuple[str, bool], PanelSource]:
    return {(source.source, source.is_maximum): source for source in report.outcomes[scope].sources}


class TestComposites:
    def test_composites_are_means_of_replies_and_a_sources_score_that_of_its_answers(self) -> None:
        answers = [Answer("P1-a", "claude"), Answer("P2-a", "claude"), Answer("P2-b")]
        replies = [Reply("P1-a", 8), Reply("P1-a", 5, perspective="ethicist"), Reply("P2-a", 9), Reply("P2-b", 4)]
        found = by_source(only(panel_tables(answers, replies, expected=2)))
        # (8 + 5) / 2 = 6.5 and 9: their mean, not that of the three replies.
        claude, people = found["claude", False], found["human", False]
        assert (claude.score.mean.value, claude.score.mean.n) == (7.75, 2)
        assert (claude.given, claude.expected) == (3, 4)
        assert (people.score.mean.value, people.given, people.expected) == (4, 1, 2)

    def test_composites_take_the_mean_of_the_dimensions_that_a_reply_scored(self) -> None:
        replies = [
            Reply("P1-a", {"clarity": 8, "evidence": 5}, mode="per_dimension"),
            Reply("P1-a", {"clarity": 6}, mode="per_dimension", perspective="ethicist"),
        ]
        tables = panel_tables([Answer("P1-a")], replies, dimensions=["clarity", "evidence"])
        # (13 / 2 + 6) / 2
        assert by_source(only(tables))["human", False].score.mean.value == 6.25

    def test_composites_leave_abstentions_out_and_count_them_unless_they_are_to_enter(self) -> None:
        replies = [Reply("P1-a", 8), Reply("P1-a", 1, perspective="ethicist", abstained=True)]
        tables = panel_tables([Answer("P1-a")], replies, expected=3)
        found = {
            counts: by_source(only(tables, counts_abstentions=counts))["human", False] for counts in (False, True)
        }
        assert (found[False].score.mean.value, found[False].given, found[False].abstentions) == (8, 1, 1)
        assert (found[True].score.mean.value, found[True].given, found[True].abstentions) == (4.5, 2, 1)

    def test_composites_are_missing_where_nobody_scored_an_answer_and_it_is_said_how_many(self) -> None:
        tables = panel_tables([Answer("P1-a"), Answer("P1-b")], [Reply("P1-a", 8), Reply("P1-b", None)])
        people = by_source(only(tables))["human", False]
        assert (people.score.mean.value, people.score.mean.n, people.score.mean.left_out) == (8, 1, 1)
        assert (people.given, people.expected) == (1, 2)

    def test_composites_are_of_ordinary_prompts_and_not_of_weak_answers(self) -> None:
        answers = [
            Answer("P1-a"),
            Answer("P2-a", item_type="cal_source_attribution"),
            Answer("P3-w", "claude", arm="weak", item_type="cal_quality_floor"),
            Answer("P1-w", "claude", arm="weak"),
        ]
        found = only(panel_tables(answers, [Reply(answer.id, 5) for answer in answers]))
        assert list(by_source(found)) == [("human", False)]
        assert found.outcomes[WHOLE].sources[0].score.mean.n == 1

    def test_composites_are_told_by_domain_too(self) -> None:
        answers = [Answer("B1-a"), Answer("H1-a")]
        found = only(panel_tables(answers, [Reply("B1-a", 8), Reply("H1-a", 5)]))
        scores = {scope: by_source(found, scope)["human", False].score.mean.value for scope in found.outcomes}
        assert scores == {WHOLE: 6.5, "B": 8, "H": 5}


class TestWaysOfAsking:
    def test_ways_of_asking_stand_in_a_fixed_order_and_apart(self) -> None:
        replies = [Reply("P1-a", 3, mode="no_rubric"), Reply("P1-a", 8)]
        found = reports(panel_tables([Answer("P1-a")], replies))
        assert [report.mode for report in found] == ["holistic", "no_rubric"]
        assert [by_source(report)["human", False].score.mean.value for report in found] == [8, 3]

    def test_without_a_panel_there_are_no_ways_of_asking(self) -> None:
        assert reports(panel_tables([Answer("P1-a")], [])) == ()


def test_the_card_has_a_line_for_each_source_and_dimension() -> None:
    replies = [
        Reply("P1-a", {"clarity": 8, "evidence": 5}, mode="per_dimension"),
        Reply("P1-a", {"clarity": 5, "evidence": 4}, mode="per_dimension", perspective="ethicist"),
        Reply("P2-a", {"clarity": 9.5, "evidence": 1}, mode="per_dimension"),
        Reply("P2-m", {"clarity": 10, "evidence": 10}, mode="per_dimension"),
    ]
    answers = [Answer("P1-a"), Answer("P2-a"), Answer("P2-m", "claude", arm="maximum")]
    found = only(panel_tables(answers, replies, dimensions=["clarity", "evidence"])).outcomes[WHOLE].card
    # Clarity: (8 + 5) / 2 = 6.5 and 9.5; evidence 4.5 and 1. No person was shown the answer at maximum capability.
    assert [(cell.source, cell.dimension, cell.score.mean.value) for cell in found] == [
        ("human", "clarity", 8),
        ("human", "evidence", 2.75),
    ]


def test_without_dimensions_there_is_no_card() -> None:
    tables = panel_tables([Answer("P1-a")], [Reply("P1-a", 8)], dimensions=["clarity"])
    assert only(tables).outcomes[WHOLE].card == ()


class TestValidity:
    ANSWERS = (Answer("P1-a"), Answer("P1-b"), Answer("P1-c", "claude"), Answer("P1-m", "claude", arm="maximum"))

    def test_validity_compares_with_minus_the_mean_rank(self) -> None:
        ranks = {("P1", "J1"): {"P1-a": 1, "P1-b": 2, "P1-c": 3}, ("P1", "J2"): {"P1-a": 1, "P1-b": 3, "P1-c": 2}}
        replies = [Reply("P1-a", 9), Reply("P1-b", 5), Reply("P1-c", 6), Reply("P1-m", 10)]
        found = only(panel_tables(self.ANSWERS, replies, ranks=ranks)).outcomes[WHOLE].validity
        # Mean ranks 1, 2.5, 2.5: a before b and before c, as the panel; b and c tied. 2 / √(3 · 2).
        assert found.pooled.value == pytest.approx(2 / 6**0.5)
        assert (found.pooled.n, found.pooled.left_out) == (3, 0)

    def test_validity_takes_shared_ranks_in_the_middle_or_as_they_stand(self) -> None:
        ranks = {("P1", "J1"): {"P1-a": 1, "P1-b": 1}, ("P1", "J2"): {"P1-c": 1, "P1-d": 2}}
        answers = [Answer(f"P1-{letter}") for letter in "abcd"]
        replies = [Reply("P1-a", 5), Reply("P1-b", 6), Reply("P1-c", 7), Reply("P1-d", 4)]
        tables = panel_tables(answers, replies, ranks=ranks)
        found = {
            mode: only(tables, mode=mode).outcomes[WHOLE].validity.pooled.value for mode in ("default", "paper")
        }
        # In the middle a and b have 1.5, c 1 and d 2: all but the pair of a and b agree, 5 / √(5 · 6). As they
        # stand a, b and c share 1: three pairs, 3 / √(3 · 6).
        assert found == {"default": pytest.approx(5 / 30**0.5), "paper": pytest.approx(3 / 18**0.5)}


class TestFrontier:
    def test_the_frontier_is_the_gain_over_the_models_ordinary_answer_to_the_same_prompt(self) -> None:
        answers = [
            Answer("P1-a", "claude"),
            Answer("P1-m", "claude", arm="maximum"),
            Answer("P2-a", "claude"),
            Answer("P2-m", "claude", arm="maximum"),
            Answer("P3-m", "claude", arm="maximum"),
            Answer("P1-g", "gpt"),
            Answer("P1-h"),
        ]
        scores = {"P1-a": 5, "P1-m": 8, "P2-a": 6, "P2-m": 7, "P3-m": 10, "P1-g": 2, "P1-h": 3}
        (claude,) = only(panel_tables(answers, [Reply(*pair) for pair in scores.items()])).frontier
        # 8 − 5 = 3 and 7 − 6 = 1; nothing ordinary answers P3, and gpt has no answer at maximum capability.
        assert claude.source == "claude"
        assert (claude.gain.mean.value, claude.gain.mean.n, claude.gain.mean.left_out) == (2, 2, 1)

    def test_the_frontier_is_not_told_without_answers_of_maximum_capability(self) -> None:
        assert only(panel_tables([Answer("P1-a", "claude")], [Reply("P1-a", 5)])).frontier == ()


def test_a_judge_favours_by_the_family_whatever_the_study_calls_its_models() -> None:
    answers = [Answer("P1-a", "our model", family="claude"), Answer("P1-b", "another", family="gpt")]
    given = {("P1-a", "claude"): 9, ("P1-a", "gpt"): 7, ("P1-b", "claude"): 6, ("P1-b", "gpt"): 7}
    replies = [Reply(answer, score, judge=judge) for (answer, judge), score in given.items()]
    whole, claude, _gpt = only(panel_tables(answers, replies)).judges
    assert (whole.judge, whole.self_family) == ("", None)
    assert claude.self_family
    assert claude.self_family.mean.value == 3  # (9 − 7) − (6 − 7)


class TestMentions:
    def test_mentions_are_shares_of_what_judges_said_of_a_sources_answers(self) -> None:
        def read(answer: str, judge: str, by: str, *mentioned: str) -> Reply:
            return Reply(
                answer, {"clarity": 5, "evidence": 5}, mode="inferred", read=judge, judge=by, mentioned=mentioned
            )

        replies = [
            read("P1-a", "J1", "gpt", "clarity", "evidence"),
            read("P1-a", "J1", "claude", "clarity"),
            read("P1-a", "J2", "gpt"),
            read("P2-a", "J1", "gpt", "clarity"),
        ]
        tables = panel_tables([Answer("P1-a"), Answer("P2-a")], replies, dimensions=["clarity", "evidence"])
        clarity, evidence = only(tables).mentions
        # J1 on P1-a: clarity by both readers, evidence by one of two; J2 nothing; J1 on P2-a clarity alone.
        assert clarity.share.value == pytest.approx(2 / 3)
        assert clarity.share.n == 3
        assert evidence.share.value == pytest.approx(0.5 / 3)
        assert evidence.share.interval
        assert evidence.share.interval.low is not None
        assert 0 <= evidence.share.interval.low < 0.5 / 3
        assert (evidence.source, evidence.dimension) == ("human", "evidence")

    def test_mentions_of_all_answers_have_an_exact_interval(self) -> None:
        replies = [
            Reply(f"P{n}-a", {"clarity": 5}, mode="inferred", read=judge, judge="gpt", mentioned=("clarity",))
            for n in range(1, 4)
            for judge in ("J1", "J2")
        ]
        tables = panel_tables([Answer(f"P{n}-a") for n in range(1, 4)], replies, dimensions=["clarity"])
        (clarity,) = only(tables).mentions
        # Of 3 of 3 prompts, where p³ = 0.025.
        assert (clarity.share.value, clarity.share.n) == (1, 6)
        assert clarity.share.interval
        assert clarity.share.interval.low == pytest.approx(0.025 ** (1 / 3))
        assert clarity.share.interval.high == 1

    def test_mentions_are_told_only_where_words_were_read(self) -> None:
        reply = Reply("P1-a", {"clarity": 5}, mode="per_dimension")
        assert only(panel_tables([Answer("P1-a")], [reply], dimensions=["clarity"])).mentions == ()


def test_the_same_tables_give_the_same_report() -> None:
    tables = panel_tables([Answer("P1-a"), Answer("P2-a")], [Reply("P1-a", 8), Reply("P2-a", 3)])
    assert reports(tables) == reports(tables)
