"""The demonstration's data in a file, so that two inventories show the same.

The file is a ZIP: for each table its columns and rows as PostgreSQL's COPY writes them, where the sequences are,
the mails that were sent, when it was, and how far the database was migrated. A database is taken back to there
before it is filled, and forth again, so that a later version shows the same data.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.test.utils import override_settings
from django.urls import reverse
from django.utils import timezone

_INSTANT: Final = "instant.txt"
_SEQUENCES: Final = "sequences.json"
_MIGRATIONS: Final = "migrations.json"
_COLUMNS = """
    SELECT attname FROM pg_attribute
    WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attname
"""
_WHERE_SEQUENCES_ARE = "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public'"


def make(path: Path) -> None:
    """Load the demonstration into the open, migrated database, let its work be done, and write all to a file."""
    with TemporaryDirectory() as mails, override_settings(EMAIL_FILE_PATH=mails):
        call_command("load_demo")
        _take_steps()
        _do_work()
        call_command("load_demo")  # which seals the audit trail
        _write(path, Path(mails))


def _write(path: Path, mails: Path) -> None:
    unfinished = path.with_name(f"{path.name}.new")
    path.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(unfinished, "w", ZIP_DEFLATED) as archive:
        archive.writestr(_INSTANT, timezone.now().isoformat())
        for table in _tables():
            archive.writestr(f"tables/{table}", b"".join(_rows(table)))
        for mail in sorted(mails.iterdir()):
            archive.write(mail, f"mails/{mail.name}")
        with connection.cursor() as cursor:
            cursor.execute(_WHERE_SEQUENCES_ARE)
            archive.writestr(_SEQUENCES, json.dumps(dict(cursor.fetchall())))
        archive.writestr(_MIGRATIONS, json.dumps(MigrationExecutor(connection).loader.graph.leaf_nodes()))
    unfinished.rename(path)


def _take_steps() -> None:
    """What more of the site's pages have something to show after: an answer is begun, a release is prepared."""
    answers = apps.get_model("annotation", "WritingAssignment").objects.select_related("participation__user")
    answer = answers.filter(study__slug="pilot", state="assigned", position=1).order_by("pk")[0]
    _post(answer.participation.user, reverse("writing_begin", args=[answer.pk]), attested="on")
    members = apps.get_model("annotation", "Participation").objects.select_related("user")
    researcher = members.filter(study__slug="finished", role="researcher").order_by("pk")[0]
    _post(researcher.user, reverse("prepare_release", args=["finished"]), k="5")
    answer.refresh_from_db()
    if answer.state == "assigned" or not apps.get_model("analysis", "Release").objects.exists():
        raise RuntimeError("Nobody has begun to write, or no release is prepared.")


def _post(person: Any, address: str, **fields: str) -> None:
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    client.post(address, fields)


def _do_work() -> None:
    """What workers would do: computing, drawing, mailing."""
    jobs = import_module("scrub_site.jobs")
    for lease in jobs.work.lease_due(kinds=jobs.KINDS_BY_QUEUE["default"]):
        print(f"Doing {lease.kind}", flush=True)
        jobs.perform(lease.task_id, lease.token.hex)


@contextmanager
def restored(path: Path) -> Iterator[datetime]:
    """The open, migrated database holds what the file does, and the mails lie where they are looked for.

    What it gives is the time it is in the data.
    """
    with TemporaryDirectory() as folder, ZipFile(path) as archive:
        for mail in _below("mails/", archive):
            (Path(folder) / mail).write_bytes(archive.read(f"mails/{mail}"))
        _restore(path)
        with override_settings(MAIL_OUTBOX_DIR=Path(folder)):
            yield datetime.fromisoformat(archive.read(_INSTANT).decode())


def _below(folder: str, archive: ZipFile) -> list[str]:
    return sorted(name.removeprefix(folder) for name in archive.namelist() if name.startswith(folder))


def _restore(path: Path) -> None:
    """Fill the database.

    Raises ValueError where the file has tables or content types that the database does not have, or lacks some.
    """
    types = _content_types()
    with ZipFile(path) as archive, _migrated_to(archive), connection.cursor() as cursor:
        tables = _below("tables/", archive)
        if unlike := set(tables) ^ set(_tables()):
            raise ValueError(f"{path} fits another schema: {', '.join(sorted(unlike))}")
        cursor.execute("SET session_replication_role = replica")  # no trigger or foreign key looks at a row
        cursor.execute(f"TRUNCATE {', '.join(connection.ops.quote_name(table) for table in tables)}")
        for table in tables:
            _fill(table, archive.read(f"tables/{table}"))
        for name, value in json.loads(archive.read(_SEQUENCES)).items():
            if value is not None and name != "django_migrations_id_seq":  # a table that is left alone
                cursor.execute("SELECT setval(%s::regclass, %s)", [f'"{name}"', value])
        cursor.execute("RESET session_replication_role")
        cursor.execute("ANALYZE")
    if types != _content_types():
        raise ValueError(f"{path} is of other models: {sorted(types ^ _content_types())}")
    apps.get_model("contenttypes", "ContentType").objects.clear_cache()


@contextmanager
def _migrated_to(archive: ZipFile) -> Iterator[None]:
    """The database is as far as that of the file was; one that does not say had only the first migrations."""
    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    if _MIGRATIONS in archive.namelist():
        then = [(app, name) for app, name in json.loads(archive.read(_MIGRATIONS))]
    else:
        then = [node for node in graph.root_nodes() if node[1].startswith("0001_squashed_")]
    executor.migrate(then)
    yield
    MigrationExecutor(connection).migrate(graph.leaf_nodes())


def _tables() -> list[str]:
    with connection.cursor() as cursor:
        return sorted(set(connection.introspection.table_names(cursor)) - {"django_migrations"})


def _rows(table: str) -> Iterator[bytes]:
    """The columns' names on a line, and then the rows."""
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS, [f'"{table}"'])
        columns = [name for (name,) in cursor.fetchall()]
        yield "\t".join(columns).encode() + b"\n"
        names = ", ".join(f'"{name}"' for name in columns)
        with cursor.copy(f'COPY "{table}" ({names}) TO STDOUT') as copy:
            yield from (bytes(block) for block in copy)


def _fill(table: str, content: bytes) -> None:
    head, _, rows = content.partition(b"\n")
    names = ", ".join(f'"{name}"' for name in head.decode().split("\t"))
    with connection.cursor() as cursor, cursor.copy(f'COPY "{table}" ({names}) FROM STDIN') as copy:
        copy.write(rows)


def _content_types() -> set[tuple[str, str]]:
    return set(apps.get_model("contenttypes", "ContentType").objects.values_list("app_label", "model"))
