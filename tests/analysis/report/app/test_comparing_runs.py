"""The runs of a study, listed and compared."""

import re
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from analysis.agreement.sections import AGREEMENT
from analysis.data.core.parameters import WHOLE
from analysis.report.models import RunFile
from analysis.sections.core.report import Report
from annotation.study.models.studies import Study
from tests.analysis.report.analyses import a_finished_run, asked_for, get
from tests.analysis.report.core.made_reports import made_report, masked
from tests.factories import an_unblinded_study
from tests.pages import in_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def unblinded() -> Study:
    return an_unblinded_study(1, 1, 1, prompts=1)


class TestRuns:
    def test_runs_are_listed_with_what_they_rest_on(self, unblinded: Study) -> None:
        run = a_finished_run(unblinded)
        asked_for(unblinded, seed=7, mode="paper", level=0.9)
        found = in_words(get(unblinded, "run_list"))
        assert re.search(
            r"Run 2 .* Waiting as given, 100, 7, 90 % .* Run 1 .* Finished from scores, 100, 42, 95 %", found
        )
        assert run.data_sha256[:12] in found

    def test_the_list_of_runs_of_a_study_in_which_nothing_was_computed_leads_on(self, unblinded: Study) -> None:
        assert "Nothing has been computed yet" in in_words(get(unblinded, "run_list"))


class TestComparison:
    def compared(self, study: Study, one: Report, other: Report, **parameters: object) -> str:
        a_finished_run(study, one)
        a_finished_run(study, other, **parameters)
        return in_words(get(study, "compare_runs", one=1, other=2))

    def test_a_comparison_where_fewer_than_two_runs_are_finished_says_that_it_takes_two_and_leads_on(
        self, unblinded: Study
    ) -> None:
        assert "No run is finished yet" in in_words(get(unblinded, "compare_runs"))
        a_finished_run(unblinded)
        page = get(unblinded, "compare_runs")
        assert "One run is finished; a comparison takes two" in in_words(page)
        assert f'href="{reverse("results", args=[unblinded.slug])}">Go to the results' in page.content.decode()
        a_finished_run(unblinded, seed=7)
        assert "a comparison takes two" not in in_words(get(unblinded, "compare_runs"))

    def test_a_comparison_of_equal_reports_says_that_they_are(self, unblinded: Study) -> None:
        found = self.compared(unblinded, made_report(), made_report())
        assert "The same to the last digit." in found
        assert "What differs" not in found

    def test_a_comparison_shows_every_entry_that_differs_with_both_values(self, unblinded: Study) -> None:
        report = made_report()
        other = replace(report, data=replace(report.data, reranked=report.data.reranked + 1))
        found = self.compared(unblinded, report, other, seed=7, mode="paper", level=0.9)
        assert "1 of" in found
        assert "Data 1" in found
        assert f"reranked {report.data.reranked} {other.data.reranked} 1" in found
        assert "Seed 42 7 differs" in found
        assert "Ranks from the scores, ties sharing their places as they were given" in found
        assert "Level of intervals 95 % 90 % differs" in found
        assert "Scale that of the rubric that of the rubric same" in found
        assert re.search(r"SHA-256 of the data d{64} d{64} same", found)

    @pytest.mark.parametrize(("factor", "is_said"), [(1 + 1e-12, True), (1.01, False)])
    def test_a_comparison_says_whether_nothing_but_rounding_differs(
        self, unblinded: Study, factor: float, is_said: bool
    ) -> None:
        report = made_report()
        whole = report[AGREEMENT][WHOLE]
        p = replace(whole.permutation_p, value=(whole.permutation_p.value or 0) * factor)
        other = report.having(AGREEMENT, {**report[AGREEMENT], WHOLE: replace(whole, permutation_p=p)})
        found = self.compared(unblinded, report, other)
        assert "1 of" in found
        assert ("billionth" in found) is is_said

    def test_a_comparison_of_a_report_of_another_shape_says_so(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        a_finished_run(unblinded)
        RunFile.objects.filter(run__number=1, name="results.json").update(content=b"{}")
        assert "cannot be compared here" in in_words(get(unblinded, "compare_runs", one=1, other=2))

    @pytest.mark.parametrize("query", [{}, {"one": 1}, {"one": 1, "other": 9}, {"one": "x", "other": 1}])
    def test_a_comparison_without_two_finished_runs_asks_for_them(
        self, unblinded: Study, query: dict[str, Any]
    ) -> None:
        a_finished_run(unblinded)
        a_finished_run(unblinded, seed=1)
        answer = get(unblinded, "compare_runs", **query)
        assert answer.status_code == 200
        assert "What they rest on" not in in_words(answer)
        assert get(unblinded, "comparison_csv", **query).status_code == 404

    def test_a_comparison_of_many_differences_shows_the_first_of_each_section_and_gives_all_as_a_file(
        self, unblinded: Study
    ) -> None:
        report = made_report()
        other = masked(report).having(AGREEMENT, {WHOLE: report[AGREEMENT][WHOLE]})
        found = self.compared(unblinded, report, other)
        assert re.search(r"Outcomes \d+ Calibration \d+ .* By domain \d+ By prompt \d+ What they rest on", found)
        assert re.search(r"The first 40 of \d+\.", found)
        answer = get(unblinded, "comparison_csv", one=1, other=2)
        lines = answer.content.decode().splitlines()
        assert f"{len(lines) - 1:,} of" in found
        assert answer["Content-Disposition"] == f'attachment; filename="{unblinded.slug}-run-1-and-2.csv"'
        assert "no-store" in answer["Cache-Control"]

    def test_a_comparison_begins_with_the_newest_two_and_takes_no_run_with_itself(self, unblinded: Study) -> None:
        for seed in (1, 2, 3):
            a_finished_run(unblinded, seed=seed)
        page = get(unblinded, "run_list").content.decode()
        assert re.findall(r'<option value="\d" selected>(Run \d)</option>', page) == ["Run 2", "Run 3"]
        assert "Choose another run than the first." in in_words(get(unblinded, "compare_runs", one=3, other=3))
