"""Analyses: asked for, computed in the background, kept with what they rest on, the same when computed again."""

import hashlib
from collections.abc import Iterator
from unittest import mock

import pytest
from django.core.exceptions import PermissionDenied

from analysis.code_version import code_version, environment
from analysis.core.report import WHOLE, Parameters, Progress, Report
from analysis.core.report_files import from_json
from analysis.models.ceremony import Freeze
from analysis.models.runs import AnalysisRun, RunFile
from analysis.selectors.runs import (
    file_of,
    files_of,
    newest_finished,
    origins_of_both,
    parameters_of,
    report_of,
    seconds_taken,
    waited_for,
)
from analysis.services import full_runs, masked_runs, runs
from annotation.core.errors import Refused
from annotation.models.audit import AuditEvent
from annotation.models.judging import Score
from annotation.models.studies import Study
from annotation.models.work import Task
from scrub_site import jobs
from tests.analyses import a_finished_run, asked_for, computed, few_files, masked_report
from tests.core.made_reports import made_report
from tests.factories import (
    a_closed_study,
    a_judged_study,
    an_unblinded_study,
    coordinator_of,
    researchers_of,
)

pytestmark = pytest.mark.django_db

# Every judge gives every dimension of a family-1 answer 8, of a family-2 answer 7, of a human one 5.
LEVELS = {"family-1": 8, "model": 7, "human": 5, "weak": 2}


@pytest.fixture
def closed() -> Study:
    return a_closed_study(2, 2, 2, levels=LEVELS)


@pytest.fixture
def unblinded() -> Study:
    return an_unblinded_study(2, 2, 2, levels=LEVELS)


@pytest.fixture
def undrawn() -> Iterator[None]:
    with mock.patch.object(runs, "files", few_files):
        yield


def verbs() -> list[str]:
    return list(
        AuditEvent.objects.filter(verb__startswith="analysis.").order_by("pk").values_list("verb", flat=True)
    )


def done(run: AnalysisRun) -> AnalysisRun:
    """The run after its task was worked off as the worker does it."""
    jobs.perform(Task.objects.get(kind=runs.WORK[run.kind], subject=str(run.pk)).pk)
    run.refresh_from_db()
    return run


class TestAsking:
    def test_a_closed_study_is_analysed_masked_and_an_unblinded_one_fully(self, closed: Study) -> None:
        assert asked_for(closed).kind == "masked"
        assert asked_for(an_unblinded_study(1, 1, 1, slug="other")).kind == "full"

    def test_is_refused_before_the_study_is_closed(self) -> None:
        with pytest.raises(Refused, match="once the study is closed"):
            asked_for(a_judged_study(1, 1, 1))

    def test_is_for_researchers_alone(self, closed: Study) -> None:
        with pytest.raises(PermissionDenied):
            runs.ask_for_run(study=closed, parameters=Parameters(), by=coordinator_of(closed))
        with pytest.raises(PermissionDenied):
            runs.compute_again(run=a_finished_run(closed), by=coordinator_of(closed))

    def test_makes_one_task_of_its_kind_and_an_audit_row(self, closed: Study) -> None:
        run = asked_for(closed, seed=7)
        assert Task.objects.get(kind="compute_masked").subject == str(run.pk)
        row = AuditEvent.objects.get(verb="analysis.asked")
        assert (row.actor, row.subject) == (researchers_of(closed)[0], "1")
        assert row.detail["parameters"]["seed"] == 7

    def test_again_while_it_waits_is_the_same_run_and_otherwise_the_next(self, closed: Study) -> None:
        first = asked_for(closed)
        assert asked_for(closed) == first
        assert asked_for(closed, seed=1).number == 2
        computed(first)
        assert asked_for(closed).number == 3

    def test_takes_from_the_design_whether_abstentions_count(self, closed: Study) -> None:
        assert not parameters_of(closed, draws=5).counts_abstentions
        closed.panel_sees_abstentions = True
        assert parameters_of(closed, draws=5) == Parameters(draws=5, counts_abstentions=True)


@pytest.mark.usefixtures("undrawn")
class TestMasked:
    def test_finds_agreement_in_the_frozen_data_and_nothing_of_sources(self, closed: Study) -> None:
        run = done(asked_for(closed))
        report = report_of(run)
        assert report
        assert report.sources is None
        # Both judges rank 1, 2 and a tie at 3 in all of three prompts: they agree perfectly on common answers.
        assert report.agreement[WHOLE].summary.w_common.mean.value == pytest.approx(1)
        assert set(report.agreement) == {WHOLE, "BBQ", "HLE", "MSC"}
        assert run.data_sha256 == Freeze.objects.get(study=closed).sha256
        assert not any(b"family-" in content for content in files_of(run).values())

    def test_counts_every_item_since_kinds_are_masked_too(self) -> None:
        study = a_closed_study(1, 2, 2, prompts=4, quality_floor_prompts=1)
        report = report_of(done(asked_for(study)))
        assert report
        assert report.data.item_types == {"standard": 8}

    def test_can_be_computed_again_after_unblinding(self, unblinded: Study) -> None:
        run = asked_for(unblinded)
        AnalysisRun.objects.filter(pk=run.pk).update(kind="masked")
        run.refresh_from_db()
        masked_runs.compute_masked(run.pk)
        assert done(runs.compute_again(run=run, by=researchers_of(unblinded)[0])).kind == "masked"


@pytest.mark.usefixtures("undrawn")
class TestFull:
    def test_finds_how_sources_fared(self, unblinded: Study) -> None:
        report = report_of(done(asked_for(unblinded)))
        assert report
        assert report.sources
        scores = {one.source: one.score.mean.value for one in report.sources.outcomes[WHOLE].sources}
        assert scores == pytest.approx({"family-1": 8, "family-2": 7, "human": 5})

    def test_is_kept_with_what_it_rests_on(self, unblinded: Study) -> None:
        run = done(asked_for(unblinded))
        assert run.finished_at
        assert len(run.data_sha256) == 64
        assert run.code_version == code_version()
        assert run.environment == environment()
        content = file_of(run, "results.json")
        assert content
        assert run.results_sha256 == hashlib.sha256(content).hexdigest()
        assert AuditEvent.objects.get(verb="analysis.finished").detail["results_sha256"] == run.results_sha256

    def test_computed_again_is_identical_to_the_byte(self, unblinded: Study) -> None:
        first = done(asked_for(unblinded))
        again = done(runs.compute_again(run=first, by=researchers_of(unblinded)[1]))
        assert (again.number, again.repeats) == (2, first)
        assert files_of(again) == files_of(first)
        assert all(origin.is_same for origin in origins_of_both(first, again))

    def test_another_seed_gives_other_intervals_from_the_same_data(self, unblinded: Study) -> None:
        first, other = done(asked_for(unblinded)), done(asked_for(unblinded, seed=7))
        differing = {origin.name for origin in origins_of_both(first, other) if not origin.is_same}
        assert differing == {"Seed", "SHA-256 of results.json"}


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("make", [a_closed_study, an_unblinded_study])
def test_nothing_is_computed_once_the_frozen_judgments_were_altered(make: object) -> None:
    study = make(2, 2, 2)  # type: ignore[operator]
    score = Score.objects.order_by("pk")[0]
    Score.objects.filter(pk=score.pk).update(value=score.value - 1)
    run = done(asked_for(study))
    assert run.finished_at is None
    assert "not the judgments that were frozen" in run.problem
    assert not RunFile.objects.exists()


@pytest.mark.usefixtures("undrawn")
def test_a_full_run_computes_nothing_of_a_study_that_is_still_blinded(closed: Study) -> None:
    run = asked_for(closed)
    full_runs.compute_full(run.pk)
    run.refresh_from_db()
    assert run.finished_at is None
    assert "blinded" in run.problem


class TestComputing:
    def test_twice_keeps_the_first(self, closed: Study) -> None:
        run = computed(asked_for(closed))
        before = files_of(run)
        computed(run, made_report(), data="e" * 64)
        assert (run.data_sha256, files_of(run)) == ("d" * 64, before)
        assert verbs() == ["analysis.asked", "analysis.finished"]

    def test_by_two_workers_at_once_keeps_the_one_that_is_done_first(self, closed: Study) -> None:
        run = asked_for(closed)

        def slow(_study: Study, _parameters: Parameters, _progress: Progress) -> tuple[str, Report]:
            computed(AnalysisRun.objects.get(pk=run.pk))
            return "e" * 64, masked_report()

        with mock.patch.object(runs, "files", few_files):
            runs.compute(run.pk, slow)
        run.refresh_from_db()
        assert run.data_sha256 == "d" * 64
        assert verbs().count("analysis.finished") == 1

    def test_tells_how_far_it_is_and_renews_its_lease(self, closed: Study) -> None:
        run = asked_for(closed)
        Task.objects.filter(kind="compute_masked").update(leased_until="2020-01-01T00:00Z")
        seen = []

        def telling(_study: Study, _parameters: Parameters, progress: Progress) -> tuple[str, Report]:
            progress.tell("agreement", 1, 4)
            seen.append(AnalysisRun.objects.get(pk=run.pk).progress)
            return "d" * 64, masked_report()

        with mock.patch.object(runs, "files", few_files):
            runs.compute(run.pk, telling)
        assert seen == [{"what": "agreement", "done": 1, "of": 4}]
        lease = Task.objects.get(kind="compute_masked").leased_until
        assert lease
        assert lease.year > 2020
        run.refresh_from_db()
        assert run.progress == {}

    def test_that_breaks_off_says_so_and_is_tried_again(self, closed: Study) -> None:
        run = asked_for(closed)
        with pytest.raises(MemoryError), mock.patch.object(runs, "files", few_files):
            runs.compute(run.pk, mock.Mock(side_effect=MemoryError))
        run.refresh_from_db()
        assert "tries again by itself" in run.problem
        computed(run)
        assert (run.problem, bool(run.finished_at)) == ("", True)


class TestFinding:
    def test_the_newest_full_run_comes_before_any_masked_one(self, unblinded: Study) -> None:
        masked = a_finished_run(unblinded)
        AnalysisRun.objects.update(kind="masked")
        assert newest_finished(unblinded) == masked
        full = a_finished_run(unblinded)
        a_finished_run(unblinded, seed=1)
        AnalysisRun.objects.filter(number=3).update(kind="masked")
        assert newest_finished(unblinded) == full

    def test_what_is_waited_for_was_asked_for_afterwards(self, closed: Study) -> None:
        first = asked_for(closed)
        second = a_finished_run(closed, seed=1)
        assert waited_for(closed, after=second) is None
        assert waited_for(closed, after=None) == first
        assert seconds_taken(first) == 0

    def test_a_report_of_another_shape_is_none(self, closed: Study) -> None:
        run = a_finished_run(closed)
        RunFile.objects.filter(name="results.json").update(content=b'{"figures": []}')
        assert report_of(run) is None

    def test_what_is_kept_is_read_back_as_it_was(self, closed: Study) -> None:
        run = a_finished_run(closed)
        assert from_json(file_of(run, "results.json") or b"") == masked_report()


def test_the_codes_version_names_the_release_and_the_hash_of_the_code() -> None:
    release, _, digest = code_version().partition("+")
    assert release
    assert len(digest) == 64
    assert len(code_version()) <= 80
