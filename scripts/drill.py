"""A drill: backs the demonstration up, restores it into an empty database, checks it, and says how long that took.

    make drill
    make drill FROM=postgres://scrub@127.0.0.1:5433/scrub

With FROM the demonstration is set up on that server, whose user `scrub` may make roles and needs no password: one
of an older major version of PostgreSQL, to see that its backup is restored into the local stack's.

PostgreSQL's programs are those of the local stack; `age` is the one installed, or `scripts.age`.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import psycopg

from scripts.age import path_with_age
from scrub_site.database.roles import ADDRESSES, MAKER, OWNER
from scrub_site.local_stack.postgres import programs_of_the_wheel

PROJECT: Final = Path(__file__).resolve().parent.parent
TOOL: Final = PROJECT / "deploy" / "backup" / "scrub-backup"


def of(role: str, url: str, database: str) -> str:
    """The same server's address for another role and database."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{role}@{host}", path=f"/{database}").geturl()


def roles(url: str, database: str) -> dict[str, str]:
    """What prepares this database is told."""
    return {
        **{name: of(role, url, database) for role, name in ADDRESSES.items()},
        MAKER: of("scrub", url, database),
    }


def run(*command: str, environment: Mapping[str, str], given: str = "") -> str:
    """The command's output, which is shown too; ends the drill where it fails."""
    done = subprocess.run(
        command, env=environment, cwd=PROJECT, input=given, text=True, check=False, stdout=subprocess.PIPE
    )
    print(done.stdout, end="", flush=True)
    if done.returncode:
        sys.exit(f"{command[0]} failed ({done.returncode}).")
    return done.stdout


def manage(*arguments: str, environment: Mapping[str, str]) -> str:
    return run(sys.executable, "manage.py", *arguments, environment=environment)


def version(url: str) -> str:
    with psycopg.connect(url) as database:
        return f"PostgreSQL {database.info.server_version // 10_000}"


def main() -> None:
    server = os.environ["DATABASE_URL"]
    source = os.environ.get("DRILL_FROM") or server
    usual = {
        **os.environ,
        "PATH": path_with_age(f"{programs_of_the_wheel()}:{os.environ['PATH']}"),
        "DEMO_MODE": "1",
        "DEBUG": "1",
    }
    with tempfile.TemporaryDirectory() as made:
        key = Path(made, "key.txt")
        run("age-keygen", "--output", str(key), environment=usual)
        [recipient] = re.findall(r"age1\w+", key.read_text(encoding="utf-8"))
        usual |= {"BACKUP_FOLDER": made, "BACKUP_RECIPIENT": recipient, "STATIC_ROOT": f"{made}/static"}
        site = usual | roles(source, "scrub")
        manage("prepare_demo", environment=site)

        began = time.monotonic()
        run(str(TOOL), "once", environment=site)
        backed_up = time.monotonic()
        [backup] = Path(made).glob("*.age")

        with psycopg.connect(server, autocommit=True) as database:
            database.execute("DROP DATABASE IF EXISTS restored WITH (FORCE)")  # of an earlier drill
            database.execute("CREATE DATABASE restored")
        empty = usual | roles(server, "restored")
        manage("prepare_database", "--roles-only", environment=empty)
        run(str(TOOL), "restore", str(backup), environment=empty, given=key.read_text(encoding="utf-8"))
        restored = time.monotonic()
        manage("prepare_database", environment=empty)
        taken = datetime.strptime(backup.name, "scrub-%Y%m%dT%H%M%SZ.dump.age").replace(tzinfo=UTC)
        manage("after_restore", f"--taken-at={taken.isoformat()}", "--reason=A drill.", environment=empty)
        checked = time.monotonic()
        manage("resume", "--reason=The drill is over.", "--drop-mail", environment=empty)
        with psycopg.connect(of(OWNER, server, "restored")) as database:
            size = database.execute("SELECT pg_size_pretty(pg_database_size('restored'))").fetchone()
        print(
            f"\n{version(source)} backed up, {version(server)} restored."
            f"\nThe drill took {checked - began:.1f} s: the backup {backed_up - began:.1f} s "
            f"({backup.stat().st_size / 1e6:.1f} MB, encrypted), the restore {restored - backed_up:.1f} s "
            f"({size[0] if size else '?'}), rights, lists and verification {checked - restored:.1f} s."
        )


if __name__ == "__main__":
    main()
