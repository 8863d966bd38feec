"""Analyses: asked for, computed in the background, kept with what they rest on, the same when computed again."""

import hashlib
from pathlib import Path
from shutil import copytree
from unittest import mock

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from analysis.agreement.sections import AGREEMENT
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.frozen.models import Freeze
from analysis.masked.services import masked_runs
from analysis.outcomes.sections import OUTCOMES
from analysis.report.code_version import PACKAGES, ROOT, code_version, environment, sha256_of_code
from analysis.report.core.results_file import from_json
from analysis.report.models import AnalysisRun, RunFile
from analysis.report.selectors.attempts import Trouble
from analysis.report.selectors.runs import (
    WORK,
    file_of,
    newest_finished,
    origins_of_both,
    parameters_of,
    report_of,
    trouble_of,
    waited_for,
)
from analysis.report.services import runs
from analysis.sections.core.report import Progress, Report
from annotation.people.services import members
from annotation.platform.core.errors import Refused
from annotation.platform.core.work_kinds import MAX_ATTEMPTS
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.platform.services import work
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from tests.analysis.report.analyses import (
    LEVELS,
    a_finished_run,
    analysed,
    asked_for,
    computed,
    few_files,
    files_of,
    masked_report,
)
from tests.analysis.report.core.made_reports import made_report
from tests.factories import (
    a_closed_study,
    a_judged_study,
    an_unblinded_study,
    coordinator_of,
    members_of,
    researchers_of,
)
from tests.remembered import remembered
from tests.work import begun, perform

pytestmark = pytest.mark.django_db

# Every judge gives every dimension of a family-1 answer 8, of a family-2 answer 7, of a human one 5.


@remembered
def a_masked_run() -> AnalysisRun:
    """Of the closed study, computed."""
    return analysed(asked_for(a_closed_study(2, 2, 2, levels=LEVELS)))


@remembered
def a_full_run() -> AnalysisRun:
    """Of the unblinded study, computed."""
    return analysed(asked_for(an_unblinded_study(2, 2, 2, levels=LEVELS)))


def verbs() -> list[str]:
    return list(
        AuditEvent.objects.filter(verb__startswith="analysis.").order_by("pk").values_list("verb", flat=True)
    )


def done(run: AnalysisRun) -> AnalysisRun:
    """The run after its task was worked off as the worker does it."""
    perform(Task.objects.get(kind=WORK[run.kind], subject=str(run.pk)))
    run.refresh_from_db()
    return run


class TestAsking:
    def test_a_closed_study_is_analysed_masked_and_an_unblinded_one_fully(self, closed: Study) -> None:
        assert asked_for(closed).kind == "masked"
        assert asked_for(an_unblinded_study(1, 1, 1, slug="other")).kind == "full"

    def test_asking_for_an_analysis_is_refused_before_the_study_is_closed(self) -> None:
        with pytest.raises(Refused, match="once the study is closed"):
            asked_for(a_judged_study(1, 1, 1))

    def test_asking_for_an_analysis_is_for_researchers_alone(self, closed: Study) -> None:
        with pytest.raises(PermissionDenied):
            runs.ask_for_run(study=closed, parameters=Parameters(), by=coordinator_of(closed))
        with pytest.raises(PermissionDenied):
            runs.compute_again(run=a_finished_run(closed), by=coordinator_of(closed))

    def test_asking_for_an_analysis_makes_one_task_of_its_kind_and_an_audit_row(self, closed: Study) -> None:
        run = asked_for(closed, seed=7)
        assert Task.objects.get(kind="compute_masked").subject == str(run.pk)
        row = AuditEvent.objects.get(verb="analysis.asked")
        assert (row.actor, row.subject) == (researchers_of(closed)[0], "1")
        assert row.detail["parameters"]["seed"] == 7

    def test_asking_again_while_an_analysis_waits_is_the_same_run_and_afterwards_the_next(
        self, closed: Study
    ) -> None:
        first = asked_for(closed)
        assert asked_for(closed) == first
        computed(first)
        assert asked_for(closed).number == 2

    def test_asking_for_another_analysis_is_refused_while_one_is_computed(self, closed: Study) -> None:
        finished = a_finished_run(closed)
        asked_for(closed, seed=1)
        with pytest.raises(Refused, match="Run 2 is being computed"):
            asked_for(closed, seed=2)
        with pytest.raises(Refused, match="Run 2 is being computed"):
            runs.compute_again(run=finished, by=researchers_of(closed)[0])
        assert AnalysisRun.objects.count() == 2

    def test_asking_again_after_an_analysis_was_given_up_starts_it_anew(self, closed: Study) -> None:
        run = asked_for(closed)
        Task.objects.filter(kind="compute_masked").update(gave_up_at=timezone.now(), last_error="MemoryError")
        assert trouble_of(run) is Trouble.GIVEN_UP
        assert asked_for(closed) == run
        assert trouble_of(run) is Trouble.NONE
        Task.objects.filter(done_at=None).update(gave_up_at=timezone.now(), last_error="MemoryError")
        assert asked_for(closed, seed=1).number == 2

    def test_asking_for_another_analysis_is_possible_once_one_has_taken_every_worker_with_it(
        self, closed: Study
    ) -> None:
        run = asked_for(closed)
        task = Task.objects.get(kind="compute_masked")
        Task.objects.update(attempts=MAX_ATTEMPTS)
        perform(task)
        assert trouble_of(run) is Trouble.GIVEN_UP
        assert asked_for(closed, seed=1).number == 2

    def test_an_analysis_takes_from_the_design_whether_abstentions_count(self, closed: Study) -> None:
        assert not parameters_of(closed, draws=5).counts_abstentions
        closed.panel_sees_abstentions = True
        assert parameters_of(closed, draws=5) == Parameters(draws=5, counts_abstentions=True)


@pytest.mark.usefixtures("undrawn")
class TestMasked:
    def test_a_masked_run_finds_agreement_in_the_frozen_data_and_nothing_of_sources(self) -> None:
        run = a_masked_run()
        report = report_of(run)
        assert report
        assert report.is_masked
        assert OUTCOMES not in report
        # Both judges rank 1, 2 and a tie at 3 in all of three prompts: they agree perfectly on common answers.
        assert report[AGREEMENT][WHOLE].summary.w_common.mean.value == pytest.approx(1)
        assert set(report[AGREEMENT]) == {WHOLE, "BBQ", "HLE", "MSC"}
        assert run.data_sha256 == Freeze.objects.get(study=run.study).sha256
        assert not any(b"family-" in content for content in files_of(run).values())

    def test_a_masked_run_counts_every_item_since_kinds_are_masked_too(self) -> None:
        study = a_closed_study(1, 2, 2, prompts=4, quality_floor_prompts=1)
        report = report_of(done(asked_for(study)))
        assert report
        assert report.data.item_types == {"standard": 8}

    def test_a_masked_run_can_be_computed_again_after_unblinding(self, unblinded: Study) -> None:
        run = asked_for(unblinded)
        AnalysisRun.objects.filter(pk=run.pk).update(kind="masked")
        run.refresh_from_db()
        masked_runs.compute_masked(run.pk)
        assert done(runs.compute_again(run=run, by=researchers_of(unblinded)[0])).kind == "masked"


@pytest.mark.usefixtures("undrawn")
class TestFull:
    def test_a_full_run_finds_how_sources_fared(self) -> None:
        report = report_of(a_full_run())
        assert report
        scores = {one.source: one.score.mean.value for one in report[OUTCOMES].outcomes[WHOLE].sources}
        assert scores == pytest.approx({"family-1": 8, "family-2": 7, "human": 5})

    def test_a_full_run_is_kept_with_what_it_rests_on(self) -> None:
        run = a_full_run()
        assert run.finished_at
        assert len(run.data_sha256) == 64
        assert run.code_version == code_version()
        assert run.environment == environment()
        content = file_of(run, "results.json")
        assert content
        assert run.results_sha256 == hashlib.sha256(content).hexdigest()
        assert AuditEvent.objects.get(verb="analysis.finished").detail["results_sha256"] == run.results_sha256

    def test_a_full_runs_text_says_what_it_is_of(self, unblinded: Study) -> None:
        Study.objects.filter(pk=unblinded.pk).update(is_synthetic=True)
        run = done(asked_for(unblinded))
        text = files_of(run)["report.txt"].decode()
        assert text.startswith(f"{unblinded.title}\n\nSynthetic: texts and judgments were made up.")
        assert f"\nSHA-256 of the data: {run.data_sha256}\nCode: {run.code_version}\n" in text

    def test_a_full_run_computed_again_is_identical_to_the_byte(self) -> None:
        first = a_full_run()
        again = done(runs.compute_again(run=first, by=researchers_of(first.study)[1]))
        assert (again.number, again.repeats) == (2, first)
        assert files_of(again) == files_of(first)
        assert all(origin.is_same for origin in origins_of_both(first, again))

    def test_another_seed_gives_other_intervals_from_the_same_data(self) -> None:
        first = a_full_run()
        other = done(asked_for(first.study, seed=7))
        differing = {origin.name for origin in origins_of_both(first, other) if not origin.is_same}
        assert differing == {"Seed", "SHA-256 of results.json"}


class TestComputing:
    def test_computing_a_run_twice_keeps_the_first(self, closed: Study) -> None:
        run = computed(asked_for(closed))
        before = files_of(run)
        computed(run, made_report(), data="e" * 64)
        assert (run.data_sha256, files_of(run)) == ("d" * 64, before)
        assert verbs() == ["analysis.asked", "analysis.finished"]

    def test_computing_by_two_workers_at_once_keeps_the_run_that_is_done_first(self, closed: Study) -> None:
        run = asked_for(closed)

        def slow(_study: Study, _parameters: Parameters, _progress: Progress) -> tuple[str, Report]:
            computed(AnalysisRun.objects.get(pk=run.pk))
            return "e" * 64, masked_report()

        with mock.patch.object(runs, "files", few_files):
            runs.compute(run.pk, slow)
        run.refresh_from_db()
        assert run.data_sha256 == "d" * 64
        assert verbs().count("analysis.finished") == 1

    def test_a_run_that_is_computed_tells_how_far_it_is_and_renews_its_lease(self, closed: Study) -> None:
        run = asked_for(closed)
        attempt = begun(Task.objects.get(kind="compute_masked"))
        Task.objects.filter(kind="compute_masked").update(leased_until="2020-01-01T00:00Z")
        seen = []

        def telling(_study: Study, _parameters: Parameters, progress: Progress) -> tuple[str, Report]:
            progress.tell("agreement", 1, 4)
            seen.append(AnalysisRun.objects.get(pk=run.pk).progress)
            return "d" * 64, masked_report()

        with mock.patch.object(runs, "files", few_files), work.doing(attempt):
            runs.compute(run.pk, telling)
        assert seen == [{"what": "agreement", "done": 1, "of": 4}]
        lease = Task.objects.get(kind="compute_masked").leased_until
        assert lease
        assert lease.year > 2020
        run.refresh_from_db()
        assert run.progress == {}

    def test_a_run_that_breaks_off_is_tried_again_and_leaves_no_row_for_each_attempt(self, closed: Study) -> None:
        run = asked_for(closed)
        with mock.patch.object(masked_runs, "analyse_masked", side_effect=MemoryError):
            done(run)
        assert (run.problem, run.finished_at, trouble_of(run)) == ("", None, Trouble.TRIED_AGAIN)
        assert verbs() == ["analysis.asked"]
        assert computed(run).finished_at

    def test_a_run_that_cannot_be_finished_says_why_and_leaves_a_row(self, closed: Study) -> None:
        run = asked_for(closed)
        runs.compute(run.pk, mock.Mock(side_effect=Refused("Nothing is there.")))
        run.refresh_from_db()
        assert run.problem == "Nothing is there."
        runs.compute(run.pk, mock.Mock(side_effect=Refused("Nothing is there.")))
        assert AuditEvent.objects.get(verb="analysis.not_finished").detail == {"problem": "Nothing is there."}

    def test_a_run_tried_again_once_nothing_is_in_the_way_is_finished_without_a_problem(
        self, closed: Study
    ) -> None:
        run = asked_for(closed)
        runs.compute(run.pk, mock.Mock(side_effect=Refused("Nothing is there.")))
        assert computed(run).finished_at
        assert run.problem == ""

    def test_computing_a_run_begins_again_where_somebody_withdrew_meanwhile(self, closed: Study) -> None:
        run = asked_for(closed)
        judge = members_of(closed, Role.JUDGE)[0]
        data = iter(["d" * 64, "e" * 64])

        def withdrawn(_study: Study, _parameters: Parameters, _progress: Progress) -> tuple[str, Report]:
            members.withdraw_consent(participation=judge, by=judge.user)
            return next(data), masked_report()

        with mock.patch.object(runs, "files", few_files):
            runs.compute(run.pk, withdrawn)
        run.refresh_from_db()
        assert run.data_sha256 == "e" * 64


class TestFinding:
    def test_the_newest_full_run_comes_before_any_masked_one(self, unblinded: Study) -> None:
        masked = a_finished_run(unblinded)
        AnalysisRun.objects.update(kind="masked")
        assert newest_finished(unblinded) == masked
        full = a_finished_run(unblinded)
        a_finished_run(unblinded, seed=1)
        AnalysisRun.objects.filter(number=3).update(kind="masked")
        assert newest_finished(unblinded) == full

    def test_the_run_waited_for_is_one_asked_for_after_the_one_that_is_shown(self, closed: Study) -> None:
        first = a_finished_run(closed)
        assert waited_for(closed, after=None) is None
        second = asked_for(closed)
        assert waited_for(closed, after=first) == second
        assert waited_for(closed, after=second) is None

    def test_a_report_of_another_shape_is_not_found(self, closed: Study) -> None:
        run = a_finished_run(closed)
        RunFile.objects.filter(name="results.json").update(content=b'{"figures": []}')
        assert report_of(run) is None

    def test_a_report_that_is_kept_is_read_back_as_it_was(self, closed: Study) -> None:
        run = a_finished_run(closed)
        assert from_json(file_of(run, "results.json") or b"") == masked_report()


def test_the_codes_version_names_the_release_and_the_hash_of_the_code() -> None:
    release, _, digest = code_version().partition("+")
    assert release
    assert len(digest) == 64
    assert len(code_version()) <= 80


def test_the_codes_version_changes_with_what_decides_which_judgments_count(tmp_path: Path) -> None:
    for package in PACKAGES:
        copytree(ROOT / package, tmp_path / package, ignore=lambda _, names: {n for n in names if "pycache" in n})
    before = sha256_of_code(tmp_path)
    (decides,) = tmp_path.glob("annotation/**/core/requested_ratings.py")
    decides.write_text(decides.read_text() + "\n")
    assert sha256_of_code(tmp_path) != before
