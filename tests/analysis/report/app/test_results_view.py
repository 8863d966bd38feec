"""The pages of results: what was computed is shown, with reasons, and nothing about sources before its time."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.results import Estimate, Interval
from analysis.report.core import page_file
from analysis.report.models import AnalysisRun, RunFile
from analysis.report.selectors import runs as selector
from analysis.report.services import runs
from analysis.sections.exhibits.exhibit import Column, Exhibit, Table
from annotation.people.services import members
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from tests.analysis.report.analyses import (
    PICTURE,
    a_finished_run,
    analysed,
    asked_for,
    computed,
    get,
    post,
    researcher,
)
from tests.analysis.report.core.made_reports import made_report
from tests.factories import a_closed_study, a_judged_study, an_unblinded_study, members_of
from tests.pages import in_words

pytestmark = pytest.mark.django_db

FOUND = Interval(0.5, 0.75, 0.95, "two-way bootstrap")
ENDLESS = Interval(None, None, 0.95, "two-way bootstrap", reason="all resamples are alike")
TABLE = Table(
    (Column("Source"), Column("Ratings"), Column("Place", digits=1), Column("First", is_share=True)),
    (
        ("people <b>", 1200, Estimate("place", -0.02, 5), Estimate("first", 0.6251, 9, interval=FOUND)),
        (
            "models",
            None,
            Estimate("place", None, 0, reason="nobody ranked"),
            Estimate("f", 1.0, 9, interval=ENDLESS),
        ),
    ),
)
PLACES = Exhibit("places", "Outcomes", WHOLE, "Places", "Who came where.", "Means of ranks.", TABLE)
OF_BBQ = replace(PLACES, name="places-bbq", scope="BBQ", title="Places in BBQ")


@pytest.fixture(autouse=True)
def exhibits() -> Iterator[None]:
    """The same two exhibits of every report."""
    with mock.patch.object(page_file, "exhibits", return_value=(PLACES, OF_BBQ)):
        yield


@pytest.fixture
def unblinded() -> Study:
    return an_unblinded_study(1, 1, 1, prompts=1)


@pytest.fixture
def closed() -> Study:
    return a_closed_study(1, 1, 1, prompts=1)


def asked_by_htmx(study: Study, **query: str | int) -> HttpResponse:
    return researcher(study).get(  # type: ignore[return-value]
        reverse("results", args=[study.slug]), query, headers={"HX-Request": "true"}
    )


CHOSEN = {"mode": "default", "draws": 200, "level": "0.9", "seed": 3}


class TestBeforeAnythingIsComputed:
    def test_asking_for_results_too_early_leads_back_and_says_when(self) -> None:
        study = a_judged_study(1, 1, 1)
        answer = researcher(study).get(reverse("results", args=[study.slug]), follow=True)
        assert answer.redirect_chain[-1][0] == reverse("study", args=[study.slug])
        assert "once the study is closed" in in_words(answer)

    def test_before_anything_is_computed_the_page_says_what_to_do(self, closed: Study) -> None:
        found = in_words(get(closed))
        assert "Nothing has been computed yet" in found
        assert "Resamples for intervals" in found

    def test_asking_for_results_computes_nothing_at_once_and_leads_to_the_run(self, closed: Study) -> None:
        answer = post(closed, "compute_results", **CHOSEN)
        run = AnalysisRun.objects.get()
        assert answer["Location"] == f"{reverse('results', args=[closed.slug])}?run=1"
        assert run.finished_at is None
        assert (run.parameters["draws"], run.parameters["level"], run.parameters["seed"]) == (200, 0.9, 3)

    @pytest.mark.parametrize("wrong", [{"draws": 5}, {"mode": "other"}, {"level": "2"}, {"seed": -1}])
    def test_a_request_for_results_that_cannot_be_taken_is_shown_again(
        self, closed: Study, wrong: dict[str, Any]
    ) -> None:
        answer = post(closed, "compute_results", **{**CHOSEN, **wrong})
        assert answer.status_code == 400
        assert "errorlist" in answer.content.decode()
        assert not AnalysisRun.objects.exists()

    def test_a_request_that_cannot_be_taken_is_shown_below_the_results_there_are(self, closed: Study) -> None:
        a_finished_run(closed)
        answer = post(closed, "compute_results", **{**CHOSEN, "seed": "abc"})
        found = in_words(answer)
        assert (answer.status_code, "Who came where." in found) == (400, True)
        assert "Nothing has been computed yet" not in found
        assert re.search(r"<details[^>]*\bopen\b", answer.content.decode())

    def test_the_address_of_a_form_that_was_shown_again_leads_to_the_results(self, closed: Study) -> None:
        address = reverse("results", args=[closed.slug])
        assert get(closed, "compute_results")["Location"] == address
        assert get(closed, "compute_results", run=1, domain="BBQ")["Location"] == f"{address}?run=1&domain=BBQ"

    @pytest.mark.parametrize("sent", [CHOSEN, {}])
    def test_asking_for_results_too_early_is_refused_and_leaves_a_row(self, sent: dict[str, Any]) -> None:
        study = a_judged_study(1, 1, 1)
        answer = post(study, "compute_results", **sent)
        assert answer["Location"] == reverse("study", args=[study.slug])
        assert "once the study is closed" in AuditEvent.objects.get(verb="compute_results.refused").detail["reason"]
        assert not AnalysisRun.objects.exists()


class TestWaiting:
    def test_the_page_says_that_a_worker_is_waited_for_and_then_how_far_the_run_is(self, closed: Study) -> None:
        run = asked_for(closed)
        found = in_words(get(closed))
        assert "Run 1 waits for a worker." in found
        assert "is being computed" not in found
        progress = {"what": "agreement", "done": 2, "of": 9}
        AnalysisRun.objects.filter(pk=run.pk).update(progress=progress)
        # Agreement takes 15 parts of a masked run's 79, of which 2/9 are done.
        assert "Agreement between judges 4 %" in in_words(get(closed))

    def test_one_bar_goes_through_every_stage_of_a_run(self, unblinded: Study) -> None:
        run, seen, passed = asked_for(unblinded), [], []

        def look(_: AnalysisRun, what: str, done: int, of: int) -> None:
            run.progress = {"what": what, "done": done, "of": of}
            seen.append(what)
            passed.append(selector.stage_of(run).percent)  # type: ignore[union-attr]

        with mock.patch.object(runs, "_tell", look):
            analysed(run)
        assert list(dict.fromkeys(seen)) == [stage.name for stage in selector.stages_of(run)]
        assert passed == sorted(passed)
        assert (passed[0], passed[-1]) == (0, 36)  # nothing before, and one exhibit is left to draw

    @pytest.mark.parametrize(
        ("seconds", "words"),
        [(0, "10 seconds"), (38, "40 seconds"), (94, "90 seconds"), (96, "2 minutes"), (7300, "2 hours")],
    )
    def test_the_page_says_how_long_the_last_run_of_its_kind_took(
        self, closed: Study, seconds: int, words: str
    ) -> None:
        run = a_finished_run(closed)
        took = timedelta(seconds=seconds)
        AnalysisRun.objects.filter(pk=run.pk).update(finished_at=run.asked_at + took)
        asked_for(closed, seed=1)
        found = in_words(get(closed))
        assert f"Run 1, with 100 resamples, was there about {words} after it was asked for." in found

    def test_the_page_does_not_guess_how_long_the_first_run_will_take(self, closed: Study) -> None:
        asked_for(closed)
        assert "after it was asked for" not in in_words(get(closed))

    def test_a_page_that_waits_asks_again_and_gets_what_has_changed_alone(self, closed: Study) -> None:
        run = asked_for(closed)
        assert asked_by_htmx(closed, run=1, seen="  ").status_code == 204
        AnalysisRun.objects.filter(pk=run.pk).update(progress={"what": "agreement", "done": 2, "of": 9})
        changed = asked_by_htmx(closed, run=1, seen="  ")
        assert changed.status_code == 200
        assert "<main" not in changed.content.decode()
        assert "seen=agreement%202%20" in changed.content.decode()
        assert asked_by_htmx(closed, run=1, seen="agreement 2 ").status_code == 204

    def test_a_page_that_waits_gets_the_whole_page_when_the_run_is_done(self, closed: Study) -> None:
        run = asked_for(closed)
        computed(run)
        assert asked_by_htmx(closed, run=1, seen="  ")["HX-Refresh"] == "true"

    def test_a_finished_run_stays_in_view_while_the_next_is_computed(self, closed: Study) -> None:
        a_finished_run(closed)
        asked_for(closed, seed=1)
        found = in_words(get(closed))
        assert "Run 2 waits for a worker." in found
        assert "Who came where." in found

    def test_the_page_of_one_run_is_called_after_the_run_and_whether_it_has_results(self, closed: Study) -> None:
        a_finished_run(closed)
        asked_for(closed, seed=1)
        called: dict[str, dict[str, Any]] = {
            "Results": {},
            "Results of run 1": {"run": 1},
            "Run 2": {"run": 2},
        }
        for name, query in called.items():
            page = get(closed, **query).content.decode()
            assert f"<h1>{name}</h1>" in page
            assert re.search(rf"<title>\s*{name} · ", page)

    def test_a_page_offers_no_other_run_while_one_is_computed_and_does_once_that_is_given_up(
        self, closed: Study
    ) -> None:
        asked_for(closed)
        queries: list[dict[str, Any]] = [{}, {"run": 1}]
        for query in queries:
            found = in_words(get(closed, **query))
            assert "Compute the results" not in found
            assert "Resamples for intervals" not in found
        Task.objects.filter(kind="compute_masked").update(last_error="MemoryError", gave_up_at=timezone.now())
        found = in_words(get(closed, run=1))
        assert "Compute another run" in found
        assert "Resamples for intervals" in found

    def test_a_page_that_waits_says_what_stood_in_the_way(self, closed: Study) -> None:
        run = asked_for(closed)
        AnalysisRun.objects.filter(pk=run.pk).update(problem="Judgments were altered.")
        assert "Judgments were altered." in in_words(get(closed))
        assert asked_by_htmx(closed, run=1, seen="  ")["HX-Refresh"] == "true"

    def test_a_page_that_waits_says_that_the_run_broke_off_and_goes_on_asking(self, closed: Study) -> None:
        asked_for(closed)
        Task.objects.filter(kind="compute_masked").update(last_error="MemoryError")
        answer = asked_by_htmx(closed, run=1, seen="  ")
        assert "Run 1 broke off. Nothing is lost: it is tried again by itself in a moment." in in_words(answer)
        assert "hx-get" in answer.content.decode()

    def test_a_page_that_waits_says_that_the_run_is_given_up_and_stops_asking(self, closed: Study) -> None:
        asked_for(closed)
        Task.objects.filter(kind="compute_masked").update(last_error="MemoryError", gave_up_at=timezone.now())
        assert asked_by_htmx(closed, run=1, seen="  ")["HX-Refresh"] == "true"
        answer = get(closed)
        assert "Run 1 was given up." in in_words(answer)
        assert "hx-get" not in answer.content.decode()

    def test_asking_for_another_run_while_one_is_computed_is_refused(self, closed: Study) -> None:
        a_finished_run(closed)
        asked_for(closed, seed=1)
        assert "Run 2 is being computed." in in_words(post(closed, "compute_results", **CHOSEN))
        again = researcher(closed).post(reverse("run_again", args=[closed.slug, 1]), follow=True)
        assert "Run 2 is being computed." in in_words(again)


class TestFinished:
    def test_an_exhibit_is_shown_with_its_table_method_and_files(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        answer = get(unblinded)
        found, page = in_words(answer), answer.content.decode()
        assert "Outcomes Places Who came where." in found
        assert "Means of ranks." in found
        address = reverse("run_file", args=[unblinded.slug, 1, PICTURE])
        assert f'src="{address}"' in page
        assert f'src="{address}?dark"' in page
        downloads = re.findall(r'<a href="([^"]*places[^"]*)"\s+download>(\w+)<', page)
        assert [kind for _, kind in downloads] == ["SVG", "CSV"]
        assert all(researcher(unblinded).get(path).status_code == 200 for path, _ in downloads)

    def test_the_page_of_results_shows_the_newest_run_or_the_one_that_is_asked_for(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        a_finished_run(unblinded, seed=7)
        assert "Run 2," in in_words(get(unblinded))
        assert "Run 1," in in_words(get(unblinded, run=1))
        assert [get(unblinded, run=number).status_code for number in ("3", "x", "-1", "9" * 5_000)] == [404] * 4

    def test_the_page_of_results_shows_one_domain_by_a_link(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        assert "Places in BBQ" not in in_words(get(unblinded))
        assert "?run=1&amp;domain=BBQ" in get(unblinded).content.decode()
        assert "Places in BBQ" in in_words(get(unblinded, domain="BBQ"))
        assert get(unblinded, domain="nowhere").status_code == 404

    def test_the_page_of_results_says_what_it_rests_on(self, unblinded: Study) -> None:
        run = a_finished_run(unblinded, replace(made_report(), parameters=Parameters(seed=7, level=0.9)))
        found = in_words(get(unblinded))
        assert run.data_sha256 in found
        assert run.code_version in found
        assert f"asked for by {run.asked_by}" in found
        assert "ranks from the scores;" in found
        assert "resamples from seed 7; intervals at 90 %" in found
        places = made_report()
        a_finished_run(unblinded, replace(places, data=replace(places.data, scored=0)))
        assert "ranks as they were given;" in in_words(get(unblinded))

    def test_the_page_of_results_has_the_text_to_copy(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        assert "Methods and results in words" in in_words(get(unblinded))
        assert 'data-copy="#sentences"' in get(unblinded).content.decode()

    def test_the_page_of_results_of_few_prompts_says_so(self, unblinded: Study) -> None:
        report = made_report()
        a_finished_run(unblinded, replace(report, data=replace(report.data, prompts=2)))
        assert "rest on 2 prompts only" in in_words(get(unblinded))
        a_finished_run(unblinded, replace(report, data=replace(report.data, prompts=3)), seed=2)
        assert "prompts only" not in in_words(get(unblinded))

    def test_a_report_of_another_shape_can_still_be_downloaded(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        RunFile.objects.filter(name="results.json").update(content=b"{}")
        found = in_words(get(unblinded))
        assert "This run was computed by earlier code." in found
        assert "Download all files (ZIP)" in found

    def test_a_long_table_is_opened_by_hand(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        many = replace(PLACES, table=replace(TABLE, rows=TABLE.rows * 9))
        with mock.patch.object(page_file, "exhibits", return_value=(many,)):
            assert "The table, 18 rows" in in_words(get(unblinded))

    def test_the_page_of_results_has_no_id_twice(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        same_name = replace(PLACES, name="outcomes")
        with mock.patch.object(page_file, "exhibits", return_value=(same_name,)):
            ids = re.findall(r'\sid="([^"]+)"', get(unblinded).content.decode())
        assert len(ids) == len(set(ids))

    def test_the_page_of_results_needs_no_style_attribute(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        assert not re.search(r"<[^>]*\sstyle=", get(unblinded).content.decode())

    def test_finished_results_can_be_computed_again(self, unblinded: Study) -> None:
        run = a_finished_run(unblinded)
        answer = post(unblinded, "run_again", 1)
        assert answer["Location"].endswith("?run=2")
        assert AnalysisRun.objects.get(number=2).repeats == run
        assert post(unblinded, "run_again", 9).status_code == 404


class TestWithdrawn:
    @pytest.fixture(autouse=True)
    def withdrawn(self, unblinded: Study) -> None:
        """The writer withdraws after the first of two runs was finished."""
        a_finished_run(unblinded)
        [writer, *_] = members_of(unblinded, Role.WRITER)
        members.withdraw_consent(participation=writer, by=writer.user)

    def test_after_a_withdrawal_the_page_says_why_no_results_are_shown_and_what_to_do(
        self, unblinded: Study
    ) -> None:
        found = in_words(get(unblinded))
        assert "Data were withdrawn since." in found
        assert "Compute run 1 again" in found
        assert "Places" not in found
        assert "Data withdrawn since" in in_words(get(unblinded, "run_list"))

    def test_after_a_withdrawal_no_file_of_the_run_is_given_out(self, unblinded: Study) -> None:
        assert get(unblinded, "run_file", 1, PICTURE).status_code == 404
        assert get(unblinded, "run_archive", 1).status_code == 404

    def test_after_a_withdrawal_nothing_is_compared_with_the_run(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        assert "its files were deleted" in in_words(get(unblinded, "compare_runs", one=1, other=2))


class TestMasked:
    def test_the_page_of_masked_results_says_why_there_is_nothing_about_sources(self, closed: Study) -> None:
        a_finished_run(closed)
        found = in_words(get(closed))
        assert "Sources are masked." in found
        assert "As they were frozen when collection was closed" in found
        assert reverse("judgments_csv", args=[closed.slug]) not in get(closed).content.decode()

    def test_the_page_of_masked_results_stays_to_be_read_once_the_study_is_unblinded(
        self, unblinded: Study
    ) -> None:
        a_finished_run(unblinded)
        AnalysisRun.objects.update(kind="masked")
        a_finished_run(unblinded)
        assert "Sources are masked." not in in_words(get(unblinded))
        assert "Sources are masked." in in_words(get(unblinded, run=1))
