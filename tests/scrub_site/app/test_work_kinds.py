"""Kinds of background work: each declared once, done within its time, and told of where it was given up."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from datetime import timedelta

import django_rq
import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings
from rq import SimpleWorker

from annotation.platform.core.work_kinds import WorkKind
from annotation.platform.models.work import Task
from annotation.platform.services import work
from scrub_site import jobs
from scrub_site.database import cleaning
from scrub_site.management.commands import run_loop
from tests.folders import PROJECT

ALL = [pytest.param(kind, id=name) for name, kind in jobs.KINDS.items()]


@pytest.mark.parametrize("kind", ALL)
def test_every_kind_is_done_by_the_loop_or_from_a_queue_that_there_is(kind: WorkKind, settings: Settings) -> None:
    done_by = [queue for queue, kinds in jobs.KINDS_BY_QUEUE.items() if kind.name in kinds]
    done_by += ["the loop"] * (kind.name in jobs.DONE_BY_THE_LOOP)
    assert len(done_by) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ALL)
def test_every_kind_but_those_that_belong_to_no_study_leads_to_the_study_that_it_is_done_for(
    kind: WorkKind,
) -> None:
    if kind.rows is None:
        assert kind.name in ("mail_account", "analyse_file", "clean_up")
    else:
        rows = kind.rows.model._default_manager.filter(**{kind.rows.study: 1})
        assert list(rows.select_related(*kind.rows.related)) == []


def test_every_kind_of_a_package_is_named_in_its_core() -> None:
    modules = [module for name, module in list(sys.modules.items()) if name.endswith(".core.work_kinds")]
    named = {value for module in modules for value in vars(module).values() if isinstance(value, str)}
    assert set(jobs.KINDS) - named == {cleaning.CLEAN}, "those of the site itself have no package"


def test_no_name_is_declared_twice() -> None:
    projects = ("analysis.", "annotation.", "generation.", "scrub_site.")
    tuples = {
        id(value): value
        for name, module in list(sys.modules.items())
        if name.startswith(projects)
        for value in vars(module).values()
        if isinstance(value, tuple)
    }
    declared = [kind.name for kinds in tuples.values() for kind in kinds if isinstance(kind, WorkKind)]
    assert sorted(declared) == sorted(jobs.KINDS)


class TestTimeLimits:
    def test_time_limits_are_fifteen_minutes_where_nobody_says_otherwise(self) -> None:
        assert {jobs.TIME_LIMITS[name] for name, kind in jobs.KINDS.items() if kind.time_limit is None} == {900}

    def test_time_limits_are_the_operators_then_the_kinds_own_then_that_of_all(
        self, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slow = {
            name: WorkKind(name, print, label="", rows=kind.rows, time_limit=timedelta(hours=1))
            for name, kind in jobs.KINDS.items()
            if name in ("compute_full", "draw_map")
        }
        monkeypatch.setattr(jobs, "KINDS", {**jobs.KINDS, **slow})
        settings.WORK_TIME_LIMIT = 600
        settings.WORK_TIME_LIMITS = {"compute_full": 7200}
        limits = jobs.time_limits()
        assert [limits[kind] for kind in ("compute_full", "draw_map", "work_run")] == [7200, 3600, 600]

    def test_time_limits_for_a_kind_that_there_is_not_are_refused_by_name(self, settings: Settings) -> None:
        settings.WORK_TIME_LIMITS = {"compute_ful": 7200}
        with pytest.raises(ImproperlyConfigured, match="WORK_TIME_LIMITS names no kind of work: compute_ful"):
            jobs.time_limits()

    @pytest.mark.django_db
    def test_time_limits_go_with_the_message(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "TIME_LIMITS", {**jobs.TIME_LIMITS, "draw_map": 1234})
        for kind in ("draw_map", "prepare_release"):
            work.ask(kind=kind, subject=1)
        queue = django_rq.get_queue("default")
        queue.empty()
        assert run_loop.dispatch() == 2
        assert {job.timeout for job in queue.jobs} == {900, 1234}
        queue.empty()

    @pytest.mark.django_db
    def test_an_attempt_that_takes_longer_than_its_time_limit_is_broken_off_and_stays_to_be_done(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slow = replace(jobs.KINDS["draw_map"], handler=lambda _: time.sleep(60))
        monkeypatch.setattr(jobs, "KINDS", {**jobs.KINDS, "draw_map": slow})
        monkeypatch.setattr(jobs, "TIME_LIMITS", {**jobs.TIME_LIMITS, "draw_map": 1})
        work.ask(kind="draw_map", subject=1)
        queue = django_rq.get_queue("default")
        queue.empty()
        run_loop.dispatch()
        SimpleWorker([queue], connection=queue.connection).work(burst=True)
        task = Task.objects.get()
        assert (task.attempts, task.done_at, task.gave_up_at, task.lease_token) == (1, None, None, None)
        assert "exceeded maximum timeout value (1 seconds)" in task.last_error

    def test_time_limits_come_from_the_environment(self) -> None:
        asked = "from scrub_site import settings; print(settings.WORK_TIME_LIMIT, settings.WORK_TIME_LIMITS)"
        limits = {"WORK_TIME_LIMIT": "60", "WORK_TIME_LIMITS": "compute_full=3600,draw_map=1800"}
        command, environment = [sys.executable, "-c", asked], {**os.environ, **limits}
        printed = subprocess.run(command, env=environment, cwd=PROJECT, capture_output=True, text=True, check=False)
        assert printed.stdout == "60 {'compute_full': 3600, 'draw_map': 1800}\n", printed.stderr
