"""Runs of earlier versions: shown as they were kept, and what they did not compute is said where it would stand."""

import json
import re
from dataclasses import replace

import pytest

from analysis.outcomes.sections import OUTCOMES
from analysis.panel.sections import PANEL
from analysis.report.core.page_file import page, page_to_json
from analysis.report.core.results_file import to_json
from analysis.report.models import AnalysisRun, RunFile
from annotation.study.models.studies import Study
from tests.analysis.report.analyses import a_finished_run, get
from tests.analysis.report.core.made_reports import made_report
from tests.factories import an_unblinded_study
from tests.pages import in_words

pytestmark = pytest.mark.django_db

THEN = "As it was worded then."
REDRAWN = "This page is drawn by the present version."
UNREADABLE = "The figures behind this page cannot be read any more."
NOT_KNOWN = "Not computed by this version The version that computed this run did not know"


@pytest.fixture
def unblinded() -> Study:
    return an_unblinded_study(1, 1, 1, prompts=1)


@pytest.fixture
def kept(unblinded: Study) -> AnalysisRun:
    """A run with its page, some of which was worded otherwise."""
    run, shown = a_finished_run(unblinded), page(made_report())
    first, *others = shown.exhibits
    earlier = replace(shown, exhibits=(replace(first, describes=THEN), *others))
    RunFile.objects.create(run=run, name="page.json", content=page_to_json(earlier))
    return run


class TestThePageOfARun:
    @pytest.mark.usefixtures("kept")
    def test_the_page_of_a_run_is_as_it_was_kept_with_it(self, unblinded: Study) -> None:
        assert THEN in in_words(get(unblinded))

    def test_the_page_of_a_run_is_the_same_kept_or_made_anew_by_the_same_code(self, unblinded: Study) -> None:
        def shown() -> str:
            page: str = get(unblinded, run=1).content.decode()
            return page[page.index('class="contents') : page.index("section-origin")]

        run = a_finished_run(unblinded)
        anew = shown()
        RunFile.objects.create(run=run, name="page.json", content=page_to_json(page(made_report())))
        assert shown() == anew

    def test_the_page_of_a_run_that_kept_none_is_shown_as_now(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        found = in_words(get(unblinded))
        assert "Those who took part, by what they said of themselves." in found
        assert REDRAWN in found
        assert "Not computed" not in found

    def test_the_page_of_a_run_without_headlines_gets_none_later(self, unblinded: Study, kept: AnalysisRun) -> None:
        assert "What was found" in in_words(get(unblinded))
        of_page = RunFile.objects.filter(run=kept, name="page.json")
        members = json.loads(bytes(of_page.get().content)) | {"headlines": []}
        of_page.update(content=json.dumps(members).encode())
        assert "What was found" not in in_words(get(unblinded))
        of_page.update(content=json.dumps(members | {"schema_version": 1}).encode())
        assert "What was found" in in_words(get(unblinded))

    @pytest.mark.parametrize("content", [b"", b"{}", b'{"schema_version": 2, "exhibits": [{}]}'])
    def test_the_page_of_a_run_that_cannot_be_read_is_drawn_anew_and_says_so(
        self, content: bytes, unblinded: Study, kept: AnalysisRun
    ) -> None:
        assert REDRAWN not in in_words(get(unblinded))
        RunFile.objects.filter(run=kept, name="page.json").update(content=content)
        found = in_words(get(unblinded))
        assert THEN not in found
        assert REDRAWN in found
        assert "Rank and score by source" in found

    @pytest.mark.parametrize("content", [b"", b"{}", b"[]"])
    def test_the_page_of_a_run_is_shown_without_the_figures_behind_it_and_says_so(
        self, content: bytes, unblinded: Study, kept: AnalysisRun
    ) -> None:
        assert UNREADABLE not in in_words(get(unblinded))
        RunFile.objects.filter(run=kept, name="results.json").update(content=content)
        found = in_words(get(unblinded))
        assert THEN in found
        assert UNREADABLE in found
        assert kept.data_sha256 in found
        assert "resamples from seed" not in found
        assert "Not computed" not in found

    def test_the_page_of_a_run_keeps_a_section_that_can_no_longer_be_read(
        self, unblinded: Study, kept: AnalysisRun
    ) -> None:
        without = to_json(made_report().without(OUTCOMES))
        RunFile.objects.filter(run=kept, name="results.json").update(content=without)
        found = in_words(get(unblinded))
        assert "Rank and score by source" in found
        assert f"Outcomes {NOT_KNOWN} all of these figures" in found


class TestASectionThatTheVersionDidNotCompute:
    def test_a_section_that_the_version_did_not_compute_says_so_alone_and_everything_else_is_shown(
        self, unblinded: Study
    ) -> None:
        a_finished_run(unblinded, made_report().without(PANEL))
        found = in_words(get(unblinded))
        assert f"Panel {NOT_KNOWN} this part" in found
        assert found.count("Not computed") == 1
        assert "Agreement between judges" in found
        assert "computed by earlier code" not in found

    def test_a_section_that_the_version_did_not_compute_says_so_in_its_place(self, unblinded: Study) -> None:
        def contents() -> list[str]:
            return re.findall(r'href="#section-(\w+)"', get(unblinded).content.decode())

        a_finished_run(unblinded)
        whole = contents()
        a_finished_run(unblinded, made_report().without(OUTCOMES, PANEL), seed=2)
        assert contents() == whole
        assert whole[:3] == ["participants", "agreement", "outcomes"]

    def test_a_section_that_the_version_did_not_compute_is_not_spoken_of_on_the_page_of_a_domain(
        self, unblinded: Study
    ) -> None:
        a_finished_run(unblinded, made_report().without(PANEL))
        assert "Not computed" not in in_words(get(unblinded, domain="BBQ"))

    def test_a_section_that_the_version_did_not_compute_is_not_compared_and_is_named(
        self, unblinded: Study
    ) -> None:
        a_finished_run(unblinded, made_report().without(PANEL))
        a_finished_run(unblinded, seed=2)
        found = in_words(get(unblinded, "compare_runs", one=1, other=2))
        assert "What both runs have is the same to the last digit." in found
        assert "did not know it: Panel." in found
