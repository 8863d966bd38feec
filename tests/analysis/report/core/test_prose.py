"""The text of a report says what its figures are, and why some are not there."""

from dataclasses import replace
from typing import Any

import pytest

from analysis.agreement.sections import AGREEMENT
from analysis.blinding.sections import BLINDING
from analysis.data.core.parameters import WHOLE, Mode
from analysis.data.core.results import Estimate, Interval, Summary
from analysis.outcomes.core.participants import Counted
from analysis.outcomes.sections import CALIBRATION, OUTCOMES, PARTICIPANTS
from analysis.panel.sections import PANEL
from analysis.report.prose import text as prose
from analysis.report.prose.text import chapters
from analysis.report.prose.title_block import Basis
from analysis.sections.core.report import Report
from analysis.sections.prose.passage import by_domain, extremes, in_order, listed, said
from tests.analysis.report.core.made_reports import changed, made_report, masked

NOT_THE_SAME = "the judges did not rank the same objects"
BASIS = Basis("Reasoning in ten voices", "d" * 64, "1.0+c0de")


@pytest.fixture(scope="module")
def report() -> Report:
    return made_report()


def plain(report: Report) -> str:
    return prose.plain(report, BASIS)


def estimate(value: float | None, n: int = 10, *, reason: str | None = None, left_out: int = 0) -> Estimate:
    interval = None if value is None else Interval(value - 0.1, value + 0.1, 0.95, "a method")
    return Estimate("figure", value, n, left_out, reason, interval)


def undefined(reason: str = "nobody knows") -> Estimate:
    return estimate(None, 0, reason=reason)


def summary(mean: Estimate) -> Summary:
    return Summary(mean, estimate(0.25), estimate(0.5), estimate(0.1))


def headings(report: Report) -> list[str]:
    return [passage.heading for chapter in chapters(report) for passage in chapter.passages]


class TestWhole:
    def test_the_reports_text_has_methods_and_results(self, report: Report) -> None:
        assert [chapter.heading for chapter in chapters(report)] == ["Methods", "Results"]
        assert {"Participants", "Agreement between judges", "Models and people", "Blinding"} <= set(
            headings(report)
        )

    def test_the_reports_text_begins_with_what_it_is_of_and_what_it_rests_on(self, report: Report) -> None:
        asked = replace(report.parameters, mode="paper", draws=2000, seed=7, level=0.9)
        assert plain(replace(report, parameters=asked)).startswith(
            "Reasoning in ten voices\n\n"
            f"SHA-256 of the data: {'d' * 64}\n"
            "Code: 1.0+c0de\n"
            "Mode: paper-compatible\n"
            "Resamples: 2,000\n"
            "Seed: 7\n"
            "Level of intervals: 90\N{NO-BREAK SPACE}%\n\n"
            "METHODS\n\n"
        )

    def test_the_reports_text_says_that_a_study_is_synthetic_before_anything_else(self, report: Report) -> None:
        text = prose.plain(report, replace(BASIS, is_synthetic=True))
        assert text.startswith("Reasoning in ten voices\n\nSynthetic: texts and judgments were made up.")
        assert "ynthetic" not in plain(report)

    def test_the_reports_text_of_masked_judgments_tells_of_agreement_alone(self, report: Report) -> None:
        text = plain(masked(report))
        assert "Krippendorff" in text
        for word in ("model’s answer", "Blinding", "panel", "Davidson"):
            assert word not in text

    def test_the_reports_text_of_masked_judgments_says_that_calibration_items_are_among_them(
        self, report: Report
    ) -> None:
        untold = "Sources are masked, so that calibration items cannot be told from ordinary ones"
        assert untold in plain(masked(report))
        assert untold not in plain(report)

    def test_the_reports_text_says_where_the_scale_was_inferred(self, report: Report) -> None:
        inferred = replace(report, data=replace(report.data, is_scale_inferred=True))
        assert "(ends inferred from the scores)" in plain(inferred)
        assert "inferred" not in plain(report)

    def test_the_reports_text_says_of_scores_and_ranks_only_what_there_is(self, report: Report) -> None:
        def text(scored: int, ranked: int, mode: Mode = "default") -> str:
            data = replace(report.data, judgments=24, scored=scored, ranked=ranked, reranked=2)
            return plain(replace(report, data=data, parameters=replace(report.parameters, mode=mode)))

        both, unscored, unranked = text(24, 24), text(0, 24), text(24, 0)
        assert "Every answer was scored from" in both
        assert "Where answers were scored, it was from" in text(23, 24)
        assert "In 2 judgments the ranks given put the answers in another order" in both
        for sentence in ("scored from", "ranked by their scores", "than the scores do"):
            assert sentence not in unscored
        assert "Answers are ranked in the order that was given" in unscored
        assert "Answers are ranked by their scores" in unranked
        for text_of_it in (unranked, text(24, 0, "paper")):
            assert "another order" not in text_of_it
            assert "No ranks were given." in text_of_it

    def test_the_reports_text_tells_of_nobody_whose_profile_is_not_known(self, report: Report) -> None:
        assert "Participants" not in headings(report.having(PARTICIPANTS, ()))

    def test_the_reports_text_as_plain_text_has_a_paragraph_on_each_line(self, report: Report) -> None:
        text = plain(report)
        for chapter in chapters(report):
            for passage in chapter.passages:
                assert f"\n\n{passage.heading}\n\n" in text
                for paragraph in passage.paragraphs:
                    assert f"\n{paragraph}\n" in text
        assert "  " not in text

    def test_the_reports_text_has_no_unfinished_sentence(self, report: Report) -> None:
        for chapter in chapters(report):
            for passage in chapter.passages:
                assert all(text.endswith(".") and "None" not in text for text in passage.paragraphs), (
                    passage.heading
                )


class TestAgreement:
    def text(self, report: Report, w: Summary, reasons: tuple[str | None, ...]) -> str:
        """The text where W over prompts is so, and undefined on prompts for these reasons."""
        whole = report[AGREEMENT][WHOLE]
        prompts = tuple(
            replace(prompt, w=estimate(0.4) if reason is None else undefined(reason))
            for prompt, reason in zip(whole.prompts, reasons, strict=True)
        )
        changed = replace(whole, summary=replace(whole.summary, w=w), prompts=prompts)
        return plain(report.having(AGREEMENT, {**report[AGREEMENT], WHOLE: changed}))

    def test_the_text_on_agreement_says_on_how_many_prompts_a_figure_is_undefined_and_why(
        self, report: Report
    ) -> None:
        found = self.text(report, summary(estimate(0.4, 3, left_out=1)), (None, None, NOT_THE_SAME, None))
        assert (
            "Kendall’s W, plain, is 0.40 [0.30, 0.50] in the mean over 3 prompts (median 0.25, SD 0.50); on 1 "
            f"prompt it is undefined ({NOT_THE_SAME})."
        ) in found

    def test_the_text_on_agreement_says_why_where_it_is_undefined_everywhere(self, report: Report) -> None:
        found = self.text(report, summary(undefined("needs at least 1 value, has 0")), (NOT_THE_SAME,) * 4)
        assert f"Kendall’s W, plain, is undefined on every prompt ({NOT_THE_SAME})." in found
        assert "needs at least" not in found

    def test_the_text_on_agreement_of_paper_compatible_ranks_tells_how_the_default_differs(
        self, report: Report
    ) -> None:
        asked = replace(report.parameters, mode="paper")
        assert "The default analysis differs in these ways." in plain(replace(report, parameters=asked))
        assert "The default analysis" not in plain(report)


class TestPeople:
    def test_every_question_about_people_stands_with_its_number_of_answers(self, report: Report) -> None:
        group = replace(
            report[PARTICIPANTS][0],
            people=12,
            countries=Counted(9, {"Chile": 5, "Kenya": 4}),
            degrees=Counted(10, {"doctorate": 5, "master": 5}),
            disciplines=Counted(0, {}),
            ideology=summary(estimate(3.3, 8)),
            ideology_low="progressive",
            ideology_high="conservative",
            ideology_points=5,
        )
        text = plain(report.having(PARTICIPANTS, (group,)))
        assert "12 writers took part." in text
        assert "Highest degree (10 answered): doctorate 5, master 5." in text
        assert "(8 answered), from 1, progressive, to 5, conservative: mean 3.30 [3.20, 3.40]." in text
        assert "Discipline" not in text

    def test_what_fewer_than_five_people_said_is_not_told(self, report: Report) -> None:
        group = replace(
            report[PARTICIPANTS][0],
            degrees=Counted(6, {"doctorate": 6}),
            countries=Counted(9, {"Chile": 5, "Kenya": 3, "Canada": 1}),
            disciplines=Counted(1, {"history": 1}),
            r1_doctorates=estimate(0.987, 4),
            years=summary(estimate(57.3, 4)),
            ideology=summary(estimate(8.76, 1)),
        )
        text = plain(report.having(PARTICIPANTS, (group,)))
        assert "Country (9 answered): Chile 5, unnamed 4." in text
        assert "Discipline (1 answered): unnamed 1." in text
        assert "Unnamed are answers that fewer than 5 people gave" in text
        assert "Institutions of those with a doctorate (4 answered): not told of fewer than 5 people." in text
        assert "Years of experience (4 answered): not told of fewer than 5 people." in text
        assert "Where they place themselves (1 answered): not told of fewer than 5 people." in text
        for told in ("Kenya", "Canada", "98.7\N{NO-BREAK SPACE}%", "57.3", "8.76"):
            assert told not in text
        alike = replace(group, countries=group.degrees, disciplines=group.degrees)
        assert "unnamed" not in plain(report.having(PARTICIPANTS, (alike,))).lower()

    def test_research_intensive_institutions_are_counted_of_those_who_named_theirs(self, report: Report) -> None:
        """Of eight with a doctorate, five."""
        group = replace(
            report[PARTICIPANTS][0],
            degrees=Counted(9, {"doctorate": 8, "master": 1}),
            r1_doctorates=estimate(0.4, 5, left_out=3),
        )
        text = plain(report.having(PARTICIPANTS, (group,)))
        assert (
            "Of 5 with a doctorate who said where, 40.0\N{NO-BREAK SPACE}% [30.0, 50.0] are at research-intensive"
            in text
        )


class TestOutcomes:
    def test_sources_stand_in_the_order_of_their_figures(self, report: Report) -> None:
        whole = report[OUTCOMES].outcomes[WHOLE]
        ranks = {"claude": 2.03, "gemini": 2.73, "gpt": 2.52, "human": 3.88}
        sources = tuple(
            replace(each, competition_rank=summary(estimate(ranks[each.source]))) for each in whole.sources
        )
        outcomes = {**report[OUTCOMES].outcomes, WHOLE: replace(whole, sources=sources)}
        text = plain(changed(report, OUTCOMES, outcomes=outcomes))
        assert (
            "Mean ranks, ties sharing the best place, the best first: claude 2.03 "
            "[1.93, 2.13]; gpt 2.52 [2.42, 2.62]; gemini 2.73 [2.63, "
            "2.83]; people 3.88 [3.78, 3.98]."
        ) in text

    def test_without_scores_the_lead_of_models_has_its_reason_once(self, report: Report) -> None:
        whole = report[OUTCOMES].outcomes[WHOLE]
        unscored = replace(whole, lead=undefined("no scores"), led_by_models=undefined("no scores at all"))
        outcomes = {**report[OUTCOMES].outcomes, WHOLE: unscored}
        text = plain(changed(report, OUTCOMES, outcomes=outcomes))
        assert "By how many points models’ answers were scored above people’s is undefined: no scores." in text
        assert "no scores at all" not in text
        assert "mean score was the higher one" not in text
        assert "models’ mean score was the higher one" in plain(report)

    def test_strengths_that_do_not_exist_say_why(self, report: Report) -> None:
        whole = report[OUTCOMES].outcomes[WHOLE]
        items = tuple(replace(item, log_strength=undefined("too even")) for item in whole.strengths.items)
        outcomes = {
            **report[OUTCOMES].outcomes,
            WHOLE: replace(whole, strengths=replace(whole.strengths, items=items)),
        }
        text = plain(changed(report, OUTCOMES, outcomes=outcomes))
        assert "Davidson’s log-strengths, from pairs of answers, with sum 0, are undefined: too even." in text


class TestChecks:
    def test_judges_who_never_put_the_weak_answer_last_are_named(self, report: Report) -> None:
        floor = report[CALIBRATION].floor
        judges = tuple(replace(each, is_flagged=number in (1, 2)) for number, each in enumerate(floor.judges))
        flagged = changed(report, CALIBRATION, floor=replace(floor, judges=judges))
        assert "Never last with J-002 and J-003." in plain(flagged)
        number = len(floor.judges)
        assert f"Of the {number} judges who had such an item, each put it last at least once." in plain(report)

    def test_a_look_that_gives_sources_away_is_said_to_do_so(self, report: Report) -> None:
        by_length = replace(report[BLINDING].leaks[0], features="length", auc=Estimate("auc", 0.95, 60))
        text = plain(changed(report, BLINDING, leaks=(by_length,)))
        assert "What alone tells sources apart nearly always: length. Judges may have seen it too." in text
        both = replace(by_length, features="length and format")
        text = plain(changed(report, BLINDING, leaks=(by_length, both)))
        assert "nearly always: length; length and format." in text
        by_length = replace(by_length, auc=Estimate("auc", 0.6, 60))
        text = plain(changed(report, BLINDING, leaks=(by_length,)))
        assert "nearly always" not in text

    def test_without_guesses_nothing_is_claimed_about_blinding(self, report: Report) -> None:
        text = plain(changed(report, BLINDING, guesses=((0, 0, 0), (0, 0, 0))))
        assert "nothing is known of how well the blinding held" in text
        assert "Bang’s" not in text


class TestPanel:
    def text(self, report: Report, **changes: Any) -> str:
        panel = replace(report[PANEL].panel[0], mode="holistic", **changes)
        return plain(changed(report, PANEL, panel=(panel,)))

    def test_every_way_of_asking_a_panel_has_a_passage_of_its_own(self, report: Report) -> None:
        assert "\nThe panel. One score, the rubric as framework\n" in self.text(report, presentation="alone")
        assert "framework, all of an item’s answers at once\n" in self.text(report, presentation="as_judged")

    def test_a_panel_stands_beside_people(self, report: Report) -> None:
        whole = report[AGREEMENT][WHOLE]
        people = replace(whole, summary=replace(whole.summary, tau_b_pooled=estimate(0.27)))
        text = self.text(report.having(AGREEMENT, {**report[AGREEMENT], WHOLE: people}))
        assert "Two people who judged the same prompt agree by 0.27 [0.17, 0.37]." in text

    def test_replies_of_a_panel_that_are_not_there_are_not_all_called_failed(self, report: Report) -> None:
        """Of 12 wanted, 4 count and 3 abstained, which may be among these 4."""
        panel = report[PANEL].panel[0]
        source = replace(panel.outcomes[WHOLE].sources[0], given=4, expected=12, abstentions=3)

        def text(*, counts: bool = False, **counted: Any) -> str:
            whole = replace(panel.outcomes[WHOLE], sources=(replace(source, **counted),))
            asked = replace(report.parameters, counts_abstentions=counts)
            return self.text(replace(report, parameters=asked), outcomes={WHOLE: whole})

        takes_up = "3 found that the answer does not take up the question."
        others = "failed, gave no score or were not asked for; nothing takes their place."
        assert f"Of 12 replies wanted, 4 count; beside them, {takes_up} The other 5 {others}" in text()
        assert f"4 count; among them, {takes_up} The other 8 {others}" in text(counts=True)
        assert "not asked for" not in text(given=9)

    def test_nothing_is_said_of_a_judge_model_of_which_nothing_is_known(self, report: Report) -> None:
        judge = report[PANEL].panel[0].judges[0]
        length = replace(judge.length, slope=undefined())
        assert "own family" not in self.text(report, judges=(replace(judge, self_family=None, length=length),))
        assert "points for answers of its own family" in self.text(report, judges=(judge,))


class TestPhrases:
    def test_lists_are_joined_as_people_do(self) -> None:
        assert listed(["a"]) == "a"
        assert listed(["a", "b", "c"]) == "a, b and c"

    def test_an_undefined_figure_says_why(self) -> None:
        assert said(undefined("fewer than two judges")) == "undefined (fewer than two judges)"

    def test_one_domain_alone_is_not_compared_with_others(self) -> None:
        scopes = {WHOLE: estimate(0.5), "BBQ": estimate(0.4)}
        assert by_domain(scopes, lambda part: part) == ""
        both = by_domain({**scopes, "HLE": undefined("no prompt")}, lambda part: part)
        assert both == "BBQ 0.40 [0.30, 0.50]; HLE undefined (no prompt)"

    def test_what_is_undefined_in_every_domain_says_why_once(self) -> None:
        scopes = {WHOLE: estimate(0.5), "BBQ": undefined("no prompt"), "HLE": undefined("no prompt")}
        assert by_domain(scopes, lambda part: part) == "undefined in each (no prompt)"

    def test_the_text_puts_undefined_figures_in_no_order(self) -> None:
        figures = [estimate(2.0), undefined(), estimate(1.0)]
        assert [each.value for each in in_order(figures, lambda each: each)] == [1, 2]
        assert extremes([undefined()], lambda each: each) == []
        assert len(extremes(figures[:1], lambda each: each)) == 1
