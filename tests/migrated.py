"""Test databases are migrated once for each state of the migrations, and copied from then on.

Migrating takes seventeen seconds of processor, which each run of a few tests would pay anew. Where several
processes test side by side, `python -m tests.migrated` migrates for all of them while they load what they test.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import django
import psycopg
from django.apps import apps
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test.utils import setup_databases, teardown_databases
from psycopg import sql

from scrub_site.local_stack.postgres import MAJOR_VERSION, programs_of_the_wheel

ROOT = Path(__file__).parent.parent
KEPT = ROOT / ".local" / "migrated"
STATES_KEPT = 8
UNFINISHED = "migrated_unfinished"


@contextmanager
def migrated_once() -> Iterator[None]:
    """While a test database is made it is copied, if this server or the folder has one that is migrated so far.

    Of the processes of one run the first migrates, or restores what an earlier run has kept; the others copy that.
    """
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute("SELECT pg_advisory_lock(hashtext('migrated'))")
        major = server.info.server_version // 10_000
        state = f"{major}_{_state_of_migrations()}"
        template, kept = sql.Identifier(f"migrated_{state}"), KEPT / f"{state}.dump"
        is_there = server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [f"migrated_{state}"]).fetchone()
        if not is_there and kept.exists():
            # Under another name until it is whole: a template that was broken off would be taken for one.
            server.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(UNFINISHED)))
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(UNFINISHED)))
            _run("pg_restore", UNFINISHED, "--no-owner", str(kept))
            server.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(UNFINISHED), template))
            is_there = (1,)
        if is_there:
            connection.settings_dict["TEST"]["TEMPLATE"] = f"migrated_{state}"
        yield
        if is_there:
            return
        made = connection.settings_dict["NAME"]
        connection.close()
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(template, sql.Identifier(made)))
        if str(major) == MAJOR_VERSION:  # another server, which is somebody's own, keeps the template itself
            _keep(made, kept)


def begin_migrating() -> subprocess.Popen[bytes]:
    """A process that migrates, so that whoever asks by `migrated_once` from now on waits for it and copies."""
    return subprocess.Popen([sys.executable, "-m", "tests.migrated"], cwd=ROOT)


def make_database() -> list[tuple[BaseDatabaseWrapper, str, bool]]:
    """This process's test database, migrated; what is given is what `teardown_databases` takes."""
    with migrated_once():
        return setup_databases(verbosity=0, interactive=False, serialized_aliases=())


def _state_of_migrations() -> str:
    """What a migrated database depends on: the migrations of our apps, and the versions of those of others."""
    folders = [Path(app.path) / "migrations" for app in apps.get_app_configs() if Path(app.path).parent == ROOT]
    files = sorted(file for folder in folders for file in folder.glob("*.py"))
    locked = ROOT / "requirements" / "development.txt"
    told = (str(file.relative_to(ROOT)).encode() + file.read_bytes() for file in [*files, locked])
    return sha256(b"".join(told)).hexdigest()[:16]


def _keep(database: str, kept: Path) -> None:
    """For the next run; what is kept of all but the newest states goes."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    unfinished = kept.with_suffix(f".{os.getpid()}")
    _run("pg_dump", database, "--format=custom", "--compress=0", "--no-owner", "--file", str(unfinished))
    unfinished.rename(kept)
    for earlier in sorted(KEPT.glob("*.dump"), key=lambda file: file.stat().st_mtime)[:-STATES_KEPT]:
        earlier.unlink(missing_ok=True)


def _run(program: str, database: str, *arguments: str) -> None:
    """One of the server's programs, at the server of the tests."""
    address = psycopg.conninfo.make_conninfo(os.environ["DATABASE_URL"], dbname=database)
    command = [str(programs_of_the_wheel() / program), "--dbname", address, *arguments]
    subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    django.setup()
    teardown_databases(make_database(), verbosity=0)
