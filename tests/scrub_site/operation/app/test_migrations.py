"""From the migrations that each app had to the one that stands in their place."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from scrub_site.database.migration_check import (
    Name,
    half_way,
    replaced_migrations,
    require_database,
)
from scrub_site.management.commands import run_loop

OURS = ("annotation", "generation", "analysis")
REPLACED = {series[0][0]: series for series in replaced_migrations()}
ALL = {name for series in REPLACED.values() for name in series}
BETWEEN = [(app, count) for app in OURS for count in range(1, len(REPLACED[app]))]
WHAT_TO_DO = "Go back to version 0.1.0, .* run `python manage.py migrate` there, and then update again"


def with_first(count: int, app: str) -> set[Name]:
    """What is applied when one app has only the first of its migrations, and the others have all of theirs."""
    return ALL - set(REPLACED[app][count:])


class TestWhereADatabaseIs:
    def test_every_app_has_one_migration_in_place_of_several(self) -> None:
        assert REPLACED.keys() == set(OURS)
        assert all(len(series) > 1 for series in REPLACED.values())

    @pytest.mark.parametrize(("app", "count"), BETWEEN)
    def test_a_database_with_some_and_not_all_migrations_of_an_app_is_half_way(self, app: str, count: int) -> None:
        assert half_way(with_first(count, app), list(REPLACED.values())) == [REPLACED[app][count - 1]]

    @pytest.mark.parametrize("app", OURS)
    def test_a_database_with_none_of_the_migrations_is_not_half_way_and_neither_is_one_with_all(
        self, app: str
    ) -> None:
        assert half_way(with_first(0, app), list(REPLACED.values())) == []
        assert half_way(set(), list(REPLACED.values())) == half_way(ALL, list(REPLACED.values())) == []

    @pytest.mark.parametrize("app", OURS)
    def test_a_database_with_one_migration_missing_among_others_is_half_way_too(self, app: str) -> None:
        assert half_way(ALL - {REPLACED[app][0]}, list(REPLACED.values())) == [REPLACED[app][-1]]

    def test_every_app_that_is_half_way_is_named(self) -> None:
        first = {series[0] for series in REPLACED.values()}
        assert set(half_way(first, list(REPLACED.values()))) == first

    def test_other_migrations_do_not_matter_to_where_a_database_is(self) -> None:
        others = {("auth", "0001_initial"), ("annotation", "0010_next")}
        assert half_way(others, list(REPLACED.values())) == []


def set_applied(names: set[Name]) -> None:
    """The record says that these are applied, and not the one in their place, as an earlier version left it.

    Migrations that came later stay applied.
    """
    recorder = MigrationRecorder(connection)
    for app, series in REPLACED.items():
        recorder.migration_qs.filter(app=app, name__lte=series[-1][1]).delete()
    for app, name in sorted(names):
        recorder.record_applied(app, name)


def schema() -> list[str]:
    """Columns, constraints, indexes, functions and triggers, each in a line."""
    with connection.cursor() as cursor:
        cursor.execute("""
            SELECT concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attnum)
            FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
            WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0
            UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
            FROM pg_constraint WHERE connamespace = 'public'::regnamespace
            UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
            UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname LIKE 'annotation%'
            UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
            ORDER BY 1""")
        return [line for (line,) in cursor.fetchall()]


def told(command: str, *arguments: str) -> str:
    out = StringIO()
    call_command(command, *arguments, stdout=out, no_color=True)
    return out.getvalue()


@pytest.mark.django_db
class TestADatabaseWithAllOfThem:
    def test_a_database_with_all_migrations_is_migrated_by_writing_that_down(self) -> None:
        set_applied(ALL)
        before = schema()
        assert len(before) > 1000
        assert "No migrations to apply." in told("migrate", "--no-input")
        assert schema() == before
        assert told("migrate", "--check") == ""
        listed = {app: told("showmigrations", app) for app in OURS}
        assert all(
            re.fullmatch(rf"{app}\n \[X\] 0001_squashed_\w+ \(\d+ squashed migrations\)\n( \[X\] \w+\n)*", text)
            for app, text in listed.items()
        )

    def test_a_database_with_all_migrations_may_start(self) -> None:
        set_applied(ALL)
        require_database()
        assert run_checks(tags=["database"], databases=["default"]) == []


@pytest.mark.django_db
@pytest.mark.parametrize(("app", "count"), [BETWEEN[0], BETWEEN[-1]])
class TestADatabaseBetween:
    @pytest.fixture(autouse=True)
    def between(self, app: str, count: int) -> str:
        set_applied(with_first(count, app))
        return f"{app} is at {REPLACED[app][count - 1][1]}"

    def test_a_database_half_way_is_not_migrated(self, between: str) -> None:
        before = schema()
        with pytest.raises(SystemCheckError, match=rf"(?s)scrub_site.E001.*{between}\..*HINT: {WHAT_TO_DO}"):
            call_command("migrate", skip_checks=False)
        assert schema() == before

    @pytest.mark.parametrize(
        "command", [("run_loop",), ("rqworker", "default", "--burst"), ("prepare_demo",)], ids=" ".join
    )
    def test_a_database_half_way_starts_nothing(
        self, command: tuple[str, ...], between: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delattr(run_loop, "tick")  # what starts anyway does not go on for ever
        with pytest.raises(CommandError, match=rf"{between}\. {WHAT_TO_DO}"):
            call_command(*command)


@pytest.fixture
def new_database() -> Iterator[str]:
    """The name of a database of its own, in which there is nothing."""
    name = f"new_{os.getpid()}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        yield name
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.django_db
class TestADatabaseThatSaysNothing:
    def test_a_database_that_says_nothing_may_be_new(self, new_database: str) -> None:
        with closing(connection.copy()) as database:
            database.settings_dict["NAME"] = new_database
            require_database(database)
            assert database.introspection.table_names() == []

    def test_a_database_that_says_nothing_may_be_away(self) -> None:
        with closing(connection.copy()) as database:
            database.settings_dict["HOST"] = "/nowhere"
            require_database(database)


@pytest.mark.parametrize(
    "command",
    ["manage.py migrate", "manage.py rqworker default"],
)
def test_a_process_ends_at_once_and_says_why(command: str, new_database: str) -> None:
    """As it is started, with nothing in its database but the record of migrations."""
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{new_database}").geturl()
    with psycopg.connect(url) as database:
        database.execute(
            "CREATE TABLE django_migrations (app text, name text, applied timestamptz DEFAULT now(),"
            " id bigint GENERATED ALWAYS AS IDENTITY)"
        )
        record = "INSERT INTO django_migrations (app, name) VALUES (%s, %s)"
        database.cursor().executemany(record, REPLACED["annotation"][:5])
    ended = subprocess.run(
        [sys.executable, *command.split()],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": url, "DATABASE_KEEP_SECONDS": "600"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == 1
    assert re.search(rf"(?s)annotation is at 0005_judging_room\..*{WHAT_TO_DO}", ended.stderr)
    assert "Traceback" not in ended.stderr
