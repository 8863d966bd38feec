"""Cleaning up: what is of no use any more goes after its days, and nothing that somebody still decides by."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from pytest_django import Settings

from annotation.platform.models.work import Task
from annotation.platform.services import work
from annotation.study.models.studies import Study, StudyStep
from annotation.writing.models import SideText
from generation.calls.models import Attempt, GenerationRun
from generation.providers.base import Outcome
from scrub_site import jobs
from scrub_site.database import cleaning
from tests.factories import a_writing_study, assignments_of, coordinator_of
from tests.generation.calls.engine import a_run, bad, claimed, recorded
from tests.work import perform

pytestmark = pytest.mark.django_db

YEARS = timedelta(days=800)


def settled(subject: str, *, days_ago: int, **how: bool) -> Task:
    """A task that is done, or given up, since so many days."""
    then = timezone.now() - timedelta(days=days_ago)
    field = "gave_up_at" if how.get("given_up") else "done_at"
    return Task.objects.create(kind="draw_map", subject=subject, due_at=then, **{field: then})


def a_side_text(study: Study) -> SideText:
    [assignment, *_] = assignments_of(study)
    then = timezone.now() - YEARS
    return SideText.objects.create(assignment=assignment, pen_epoch=1, seq=1, text="Elsewhere.", received_at=then)


def released(study: Study, *, days_ago: int) -> None:
    Study.objects.filter(pk=study.pk).update(state="released")
    StudyStep.objects.create(study=study, verb="release", taken_at=timezone.now() - timedelta(days=days_ago))


def old_attempts(*outcomes: Outcome, state: str = "finished") -> list[Attempt]:
    """Attempts of a run without a study that ended long ago."""
    run = a_run()
    for outgoing, outcome in zip(claimed(run), outcomes, strict=False):
        recorded(run, outgoing, bad(outcome, raw="What came back.") if outcome != Outcome.OK else None)
    GenerationRun.objects.filter(pk=run.pk).update(state=state)
    attempts = Attempt.objects.filter(call__run=run, ended_at__isnull=False)
    attempts.update(ended_at=timezone.now() - YEARS, sent_at=timezone.now() - YEARS)
    return list(attempts.order_by("pk"))


class TestWhatGoes:
    def test_a_session_that_has_ended_goes_and_one_that_has_not_stays(self) -> None:
        now = timezone.now()
        for key, ends in (("ended", now - timedelta(seconds=1)), ("open", now + timedelta(hours=1))):
            Session.objects.create(session_key=key, session_data="", expire_date=ends)
        assert cleaning.clean_up()["sessions"] == 1
        assert [session.session_key for session in Session.objects.all()] == ["open"]

    def test_a_task_that_is_done_goes_after_its_days_and_not_before(self) -> None:
        settled("old", days_ago=91)
        settled("new", days_ago=89)
        cleaning.clean_up()
        assert list(Task.objects.filter(kind="draw_map").values_list("subject", flat=True)) == ["new"]

    def test_a_task_that_was_given_up_stays_until_it_was_asked_for_again_and_then_both_go(self) -> None:
        settled("nobody saw to it", days_ago=900, given_up=True)
        settled("somebody did", days_ago=900, given_up=True)
        settled("somebody did", days_ago=800)
        cleaning.clean_up()
        assert list(Task.objects.filter(kind="draw_map").values_list("subject", flat=True)) == ["nobody saw to it"]

    def test_an_open_task_stays_however_old_it_is(self) -> None:
        work.ask(kind="draw_map", subject=1, due=timezone.now() - YEARS)
        cleaning.clean_up()
        assert Task.objects.filter(kind="draw_map").exists()

    def test_a_text_beside_an_answer_goes_a_year_after_its_study_was_released(self) -> None:
        for slug, days in (("long-since", 366), ("lately", 364)):
            study = a_writing_study(slug)
            a_side_text(study)
            released(study, days_ago=days)
        assert cleaning.clean_up()["side_texts"] == 1
        assert SideText.objects.get().assignment.study.slug == "lately"

    def test_what_a_failed_attempt_sent_and_got_goes_and_the_attempt_stays(self) -> None:
        [failed] = old_attempts(Outcome.REFUSED)
        assert failed.request
        assert cleaning.clean_up()["failed_attempts"] == 1
        after = Attempt.objects.get(pk=failed.pk)
        assert (after.request, after.reply) == ("", "")
        assert (after.outcome, after.detail, after.cost) == (failed.outcome, failed.detail, failed.cost)
        assert cleaning.clean_up()["failed_attempts"] == 0


class TestWhatStays:
    def test_what_a_good_attempt_sent_and_got_stays(self) -> None:
        [good] = old_attempts(Outcome.OK)
        cleaning.clean_up()
        assert Attempt.objects.get(pk=good.pk).request == good.request

    def test_what_failed_stays_as_long_as_its_run_may_go_on(self) -> None:
        [failed] = old_attempts(Outcome.REFUSED, state="stopped")
        cleaning.clean_up()
        assert Attempt.objects.get(pk=failed.pk).request

    def test_what_failed_stays_until_its_study_has_been_released_for_its_days(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        [failed] = old_attempts(Outcome.REFUSED)
        study = a_writing_study()
        coordinator = coordinator_of(study)
        runs = GenerationRun.objects.filter(pk=failed.call.run_id)
        runs.update(study=study, number=1, planned_by=coordinator, approved_by=coordinator)
        assert cleaning.clean_up()["failed_attempts"] == 0
        released(study, days_ago=364)
        assert cleaning.clean_up()["failed_attempts"] == 0
        monkeypatch.setattr(cleaning, "KEPT", {**cleaning.KEPT, "failed_attempts": timedelta(days=363)})
        assert cleaning.clean_up()["failed_attempts"] == 1

    @pytest.mark.parametrize(
        "change", ["UPDATE annotation_sidetext SET text = ''", "DELETE FROM annotation_sidetext"]
    )
    def test_the_database_refuses_to_change_or_remove_a_text_beside_an_answer_of_a_study_that_is_not_released(
        self, change: str
    ) -> None:
        a_side_text(a_writing_study())
        refused = pytest.raises(IntegrityError, match="append-only until the study is released")
        with refused, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change)

    def test_the_database_refuses_to_change_a_text_beside_an_answer_even_after_the_release(self) -> None:
        study = a_writing_study()
        a_side_text(study)
        released(study, days_ago=400)
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            SideText.objects.update(text="")


class TestWhenItHappens:
    def test_cleaning_up_asks_for_itself_again_a_day_later(self) -> None:
        cleaning.from_now_on()
        perform(Task.objects.get(kind=cleaning.CLEAN))
        again = Task.objects.get(kind=cleaning.CLEAN, done_at=None)
        assert timedelta(hours=23) < again.due_at - timezone.now() <= timedelta(days=1)

    def test_one_task_stands_however_many_loops_start(self) -> None:
        for _ in range(3):
            cleaning.from_now_on()
        assert Task.objects.filter(kind=cleaning.CLEAN).count() == 1

    def test_cleaning_up_is_work_of_a_worker_and_not_of_the_loop(self) -> None:
        assert cleaning.CLEAN not in jobs.DONE_BY_THE_LOOP


class TestDays:
    def test_the_operators_days_take_the_place_of_the_usual_ones(self, settings: Settings) -> None:
        settings.KEEP_DAYS = {**settings.KEEP_DAYS, "tasks": 7}
        assert cleaning.kept()["tasks"] == timedelta(days=7)
        assert cleaning.kept()["side_texts"] == timedelta(days=365)

    @pytest.mark.parametrize(
        ("days", "words"),
        [({"task": 7}, "KEEP_DAYS names what is never cleaned up: task"), ({"tasks": -1}, "fewer than no days")],
    )
    def test_a_name_or_a_number_that_cannot_be_meant_stops_the_start(
        self, settings: Settings, days: dict[str, int], words: str
    ) -> None:
        settings.KEEP_DAYS = days
        with pytest.raises(ImproperlyConfigured, match=words):
            cleaning.kept()
