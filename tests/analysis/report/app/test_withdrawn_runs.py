"""Runs of which somebody withdraws afterwards."""

from collections.abc import Callable

import pytest

from analysis.frozen.models import Freeze
from analysis.release.services import withdrawal
from analysis.report.selectors.runs import file_of, report_of
from annotation.people.services import members
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.texts.core.work_kinds import AFTER_WITHDRAWAL
from tests.analysis.report.analyses import a_finished_run, asked_for, files_of
from tests.analysis.report.app.test_analysis_runs import done, verbs
from tests.factories import a_closed_study, an_unblinded_study, members_of
from tests.work import perform

pytestmark = pytest.mark.django_db


class TestWithdrawing:
    """Two judges; the first withdraws after a run was finished."""

    def withdraw(self, study: Study) -> None:
        judge = members_of(study, Role.JUDGE)[0]
        members.withdraw_consent(participation=judge, by=judge.user)
        perform(Task.objects.get(kind=AFTER_WITHDRAWAL))

    @pytest.mark.parametrize("make", [a_closed_study, an_unblinded_study])
    def test_withdrawing_deletes_the_files_of_earlier_runs_and_keeps_their_hashes(
        self, make: Callable[..., Study]
    ) -> None:
        study = make(1, 1, 2, prompts=1)
        run = a_finished_run(study)
        self.withdraw(study)
        run.refresh_from_db()
        assert (files_of(run), len(run.results_sha256)) == ({}, 64)
        assert AuditEvent.objects.get(verb="analysis.files_deleted").subject == "1"
        withdrawal.forget(study.pk)
        assert verbs().count("analysis.files_deleted") == 1

    def test_withdrawing_leaves_other_studies_and_later_runs_alone(self, closed: Study) -> None:
        elsewhere = a_finished_run(a_closed_study(1, 1, 2, prompts=1, slug="elsewhere"))
        self.withdraw(closed)
        later = a_finished_run(closed)
        withdrawal.forget(closed.pk)
        assert files_of(elsewhere)
        assert files_of(later)

    def test_withdrawing_hides_the_files_before_they_are_deleted(self, closed: Study) -> None:
        run = a_finished_run(closed)
        judge = members_of(closed, Role.JUDGE)[0]
        members.withdraw_consent(participation=judge, by=judge.user)
        assert files_of(run)
        assert file_of(run, "results.json") is None

    @pytest.mark.usefixtures("undrawn")
    def test_withdrawing_takes_the_judge_out_of_what_is_computed_from_then_on(self, closed: Study) -> None:
        """Of three prompts both judges ranked four answers: 2 × 3 × 4 rows, of which half are left."""
        before = report_of(done(asked_for(closed)))
        self.withdraw(closed)
        run = done(asked_for(closed))
        after = report_of(run)
        assert before
        assert after
        assert (before.data.judges, before.data.rows) == (2, 24)
        assert (after.data.judges, after.data.rows) == (1, 12)
        assert run.data_sha256 != Freeze.objects.get(study=run.study).sha256
