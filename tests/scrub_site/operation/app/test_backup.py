"""Backups: what is kept of them, and which are refused when they are to be restored."""

import os
import re
import resource
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from scripts.age import path_with_age
from scrub_site.local_stack.postgres import programs_of_the_wheel
from tests.folders import PROJECT

TOOL = PROJECT / "deploy" / "backup" / "scrub-backup"
PATH = path_with_age(f"{programs_of_the_wheel()}:{os.environ['PATH']}")


def backup_tool(*arguments: str, given: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    usual = {"PATH": PATH, **environment}
    return subprocess.run(
        [str(TOOL), *arguments], env=usual, input=given, capture_output=True, text=True, check=False, timeout=60
    )


def name_of(taken: datetime) -> str:
    return f"scrub-{taken:%Y%m%dT%H%M%SZ}.dump.age"


class TestRotation:
    noon = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)

    def kept(self, folder: Path, ages: list[timedelta], **settings: str) -> set[timedelta]:
        """Which ages, counted from noon, are still there after a rotation."""
        names = {name_of(self.noon - age): age for age in ages}
        for name in names:
            (folder / name).write_bytes(b"of that time")
        done = backup_tool("rotate", BACKUP_FOLDER=str(folder), **settings)
        assert done.returncode == 0, done.stderr
        left = {names[file.name] for file in folder.iterdir()}
        assert set(re.findall(r"removed .*/(\S+)", done.stdout)) == {
            name for name, age in names.items() if age not in left
        }
        return left

    def test_all_of_the_newest_three_days_are_kept(self, tmp_path: Path) -> None:
        ages = [timedelta(hours=hour) for hour in range(13, 60)]
        assert self.kept(tmp_path, ages) == set(ages)

    def test_of_each_earlier_day_the_first_is_kept_and_the_others_are_removed(self, tmp_path: Path) -> None:
        newest = [timedelta(days=day) for day in (1, 2, 3)]
        days = [timedelta(days=day) for day in (4, 5, 10)]
        first, later, last = timedelta(hours=11), timedelta(0), -timedelta(hours=11)
        ages = [*newest, *(day + part for day in days for part in (first, later, last))]
        assert self.kept(tmp_path, ages) == {*newest, *(day + first for day in days)}

    @pytest.mark.parametrize(("keep", "kept"), [(7, 7), (3, 3), (1, 3)])
    def test_none_is_kept_longer_than_the_operator_says_once_so_many_days_have_younger_ones(
        self, keep: int, kept: int, tmp_path: Path
    ) -> None:
        ages = [timedelta(days=day) for day in range(1, 11)]
        assert self.kept(tmp_path, ages, BACKUP_KEEP_DAYS=str(keep)) == set(ages[:kept])

    def test_while_none_can_be_made_none_is_removed_however_old_they_are(self, tmp_path: Path) -> None:
        ages = [timedelta(days=day) for day in range(400, 430)]
        assert self.kept(tmp_path, ages) == set(ages)

    def test_a_clock_that_was_wrong_removes_none(self, tmp_path: Path) -> None:
        ages = [timedelta(days=day) for day in (-900, *range(1, 30))]
        assert self.kept(tmp_path, ages) == set(ages)

    def test_an_empty_file_makes_no_backup_superfluous(self, tmp_path: Path) -> None:
        for day in range(1, 4):
            (tmp_path / name_of(self.noon - timedelta(days=day))).write_bytes(b"")
        file = tmp_path / name_of(self.noon - timedelta(days=9))
        file.write_bytes(b"of that time")
        assert backup_tool("rotate", BACKUP_FOLDER=str(tmp_path), BACKUP_KEEP_DAYS="3").returncode == 0
        assert file.exists()

    def test_other_files_are_left_alone(self, tmp_path: Path) -> None:
        other = tmp_path / "scrub-of-last-year.dump.age"
        other.write_bytes(b"")
        for day in range(400, 404):
            (tmp_path / name_of(self.noon - timedelta(days=day))).write_bytes(b"of that time")
        assert backup_tool("rotate", BACKUP_FOLDER=str(tmp_path), BACKUP_KEEP_DAYS="3").returncode == 0
        assert other.exists()
        assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize(("hours", "code"), [(None, 1), (1, 0), (5, 1), (-24, 1)])
def test_the_health_of_backups_is_that_the_newest_is_of_the_last_two_intervals(
    hours: int | None, code: int, tmp_path: Path
) -> None:
    if hours is not None:
        (tmp_path / name_of(datetime.now(UTC) - timedelta(hours=hours))).write_bytes(b"of that time")
    assert backup_tool("check", BACKUP_FOLDER=str(tmp_path), BACKUP_EVERY="3600").returncode == code


@pytest.fixture
def databases() -> Iterator[tuple[str, str]]:
    """The addresses of a database with some rows, and of an empty one."""
    server = os.environ["DATABASE_URL"]
    names = [f"{kind}_{os.getpid()}" for kind in ("full", "empty")]
    full, empty = (urlsplit(server)._replace(path=f"/{name}").geturl() for name in names)
    with psycopg.connect(server, autocommit=True) as maker:
        for name in names:
            maker.execute(f"CREATE DATABASE {name}")
        with psycopg.connect(full) as filled:
            filled.execute(
                "CREATE TABLE annotation_sitepause"
                " (id smallint PRIMARY KEY, reason text, began_at timestamptz DEFAULT now())"
            )
            filled.execute("INSERT INTO annotation_sitepause VALUES (1, 'Of a restore before.', '2026-01-01')")
            filled.execute("CREATE TABLE texts (id integer, content text)")
            filled.execute("INSERT INTO texts SELECT n, md5(n::text) FROM generate_series(1, 20000) AS n")
        yield full, empty
        for name in names:
            maker.execute(f"DROP DATABASE {name} WITH (FORCE)")


def new_key(folder: Path) -> tuple[str, str]:
    """A secret key, and the public one."""
    made = subprocess.run(
        ["age-keygen"],  # noqa: S607
        env={"PATH": PATH},
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    [public] = re.findall(r"public key: (age1\w+)", made.stdout)
    return made.stdout, public


def tables(url: str) -> list[str]:
    with psycopg.connect(url) as database:
        return [name for (name,) in database.execute("SELECT relname FROM pg_stat_user_tables ORDER BY 1")]


class TestRestore:
    @pytest.fixture(autouse=True)
    def backed_up(self, databases: tuple[str, str], tmp_path: Path) -> None:
        self.full, self.empty = databases
        self.key, self.public = new_key(tmp_path)
        folder = tmp_path / "backups"
        folder.mkdir()
        made = backup_tool(
            "once", BACKUP_FOLDER=str(folder), BACKUP_DATABASE_URL=self.full, BACKUP_RECIPIENT=self.public
        )
        assert made.returncode == 0, made.stderr
        [self.file] = folder.iterdir()

    def restore(self, file: Path, key: str) -> subprocess.CompletedProcess[str]:
        return backup_tool("restore", str(file), given=key, DATABASE_URL=self.empty)

    def test_a_restored_database_has_every_row_and_is_paused_from_now_on(self) -> None:
        assert b"md5" not in self.file.read_bytes()
        done = self.restore(self.file, self.key)
        assert done.returncode == 0, done.stderr
        of_texts = "SELECT count(*), md5(string_agg(content, '' ORDER BY id)) FROM texts"
        with psycopg.connect(self.full) as full, psycopg.connect(self.empty) as restored:
            assert restored.execute(of_texts).fetchone() == full.execute(of_texts).fetchone()
            pauses = restored.execute("SELECT reason, began_at > '2026-02-01' FROM annotation_sitepause").fetchall()
        [(reason, is_new)] = pauses
        assert reason.startswith("Restored from the backup of ")
        assert is_new

    def test_where_what_is_restored_cannot_be_paused_it_is_said_that_nothing_may_start_yet(self) -> None:
        with psycopg.connect(self.full) as full:
            full.execute("DROP TABLE annotation_sitepause")
        self.file.unlink()
        folder = self.file.parent
        backup_tool("once", BACKUP_FOLDER=str(folder), BACKUP_DATABASE_URL=self.full, BACKUP_RECIPIENT=self.public)
        [file] = folder.iterdir()
        done = self.restore(file, self.key)
        assert done.returncode != 0
        assert "is restored, but mail and calls are NOT paused" in done.stderr
        assert tables(self.empty) == ["texts"]

    def test_with_another_key_nothing_is_restored(self, tmp_path: Path) -> None:
        wrong, _ = new_key(tmp_path)
        done = self.restore(self.file, wrong)
        assert done.returncode != 0
        assert "nothing was changed. Either this is not the key" in done.stderr
        assert tables(self.empty) == []

    def test_without_a_key_nothing_is_restored_and_it_is_said_how_one_is_given(self) -> None:
        for given in ("", self.public):
            done = self.restore(self.file, given)
            assert done.returncode != 0
            assert "No secret key came on standard input: put '< key.txt'" in done.stderr
        assert tables(self.empty) == []

    def test_whoever_names_a_file_that_is_not_there_is_told_the_newest_that_is(self) -> None:
        done = backup_tool("restore", "scrub.age", given=self.key, BACKUP_FOLDER=str(self.file.parent))
        assert done.returncode != 0
        assert str(self.file) in done.stderr

    def test_before_there_is_an_owner_of_the_database_it_is_said_how_one_is_made(self) -> None:
        nobody = urlsplit(self.empty)
        url = nobody._replace(netloc=f"nobody_such@{nobody.netloc.rpartition('@')[2]}").geturl()
        done = backup_tool("restore", str(self.file), given=self.key, DATABASE_URL=url)
        assert done.returncode != 0
        assert "prepare_database --roles-only makes the roles first" in done.stderr

    def test_a_backup_that_finds_the_disk_full_leaves_nothing_and_says_that_the_others_are_there(self) -> None:
        folder = self.file.parent

        def full() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        done = subprocess.run(
            [str(TOOL), "once"],
            env={
                "PATH": PATH,
                "BACKUP_FOLDER": str(folder),
                "BACKUP_DATABASE_URL": self.full,
                "BACKUP_RECIPIENT": self.public,
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            preexec_fn=full,
        )
        assert done.returncode != 0
        assert "No backup is made, for what is said above. Those before are all there" in done.stderr
        assert list(folder.iterdir()) == [self.file]

    @pytest.mark.parametrize("left", [0.02, 0.5, 0.999])
    def test_of_a_file_that_was_cut_off_nothing_is_restored(self, left: float, tmp_path: Path) -> None:
        whole = self.file.read_bytes()
        cut = tmp_path / self.file.name
        cut.write_bytes(whole[: int(len(whole) * left)])
        assert self.restore(cut, self.key).returncode != 0
        assert tables(self.empty) == []

    def test_of_a_file_that_was_altered_nothing_is_restored(self, tmp_path: Path) -> None:
        altered = bytearray(self.file.read_bytes())
        altered[-100] ^= 1
        bad = tmp_path / self.file.name
        bad.write_bytes(altered)
        assert self.restore(bad, self.key).returncode != 0
        assert tables(self.empty) == []

    def test_a_database_with_something_in_it_is_refused(self) -> None:
        done = backup_tool("restore", str(self.file), given=self.key, DATABASE_URL=self.full)
        assert done.returncode != 0
        assert "not empty" in done.stderr


def test_a_backup_that_fails_leaves_no_file(tmp_path: Path) -> None:
    nowhere = "postgres://nobody@127.0.0.1:1/none"
    done = backup_tool(
        "once", BACKUP_FOLDER=str(tmp_path), BACKUP_DATABASE_URL=nowhere, BACKUP_RECIPIENT="age1nobody"
    )
    assert done.returncode != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"BACKUP_RECIPIENT": ""}, "age-keygen makes a key"),
        ({"BACKUP_RECIPIENT": "AGE-SECRET-KEY-1QQ"}, "is a secret key. It must not be on this machine"),
        ({"BACKUP_FOLDER": "/nowhere"}, "sudo chown 10001 backups"),
        ({"BACKUP_EVERY": "1h"}, "BACKUP_EVERY must be a whole number"),
        ({"BACKUP_KEEP_DAYS": "0"}, "BACKUP_KEEP_DAYS must be a whole number"),
        ({"BACKUP_DATABASE_URL": ""}, "BACKUP_DATABASE_URL is not set"),
    ],
)
def test_a_backup_that_cannot_be_made_says_what_to_do(given: dict[str, str], told: str, tmp_path: Path) -> None:
    usual = {
        "BACKUP_FOLDER": str(tmp_path),
        "BACKUP_DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
        "BACKUP_RECIPIENT": "age1nobody",
    }
    done = backup_tool("once", **usual | given)
    assert done.returncode != 0
    assert told in done.stderr
