"""The local stack: servers that come up, survive kills, and leave nothing behind."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from scrub_site.local_stack import StackError
from scrub_site.local_stack.accounts import database_account, private_folder
from scrub_site.local_stack.process import stop_leftover
from scrub_site.local_stack.state import StateFolder
from tests.folders import PROJECT
from tests.waiting import eventually

RUN = [sys.executable, "-m", "scrub_site.local_stack", "run"]
SERVERS_OF_ANOTHER = {"DATABASE_URL": "postgres://elsewhere/study", "REDIS_URL": "redis://elsewhere/0"}
# Shows the addresses, then waits until its standard input is closed.
WAITING = ["sh", "-c", "echo $DATABASE_URL; echo $REDIS_URL; read line; exit 7"]


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that every account may enter, as PostgreSQL's has to when root runs the tests."""
    with tempfile.TemporaryDirectory(prefix="stack-", dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as path:
        yield path


@pytest.fixture(scope="module")
def state() -> Iterator[Path]:
    """One state folder for many starts, with a path longer than a socket's may be."""
    with open_folder() as path:
        yield path / ("long" * 40)


def environment(**given: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in SERVERS_OF_ANOTHER}
    return {**kept, "PYTHONUNBUFFERED": "1", **given}


class Stack:
    """`run` in the background, with the addresses its command was given."""

    def __init__(self, state: Path, **given: str) -> None:
        self.state = state
        self._notices = state.with_name("notices")
        with self._notices.open("w") as notices:
            self.supervisor = subprocess.Popen(
                [*RUN, "--state", str(state), "--", *WAITING, str(state)],
                cwd=PROJECT,
                env=environment(**given),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=notices,
                text=True,
            )
        assert self.supervisor.stdout
        self.database_url = self.supervisor.stdout.readline().strip()
        self.redis_url = self.supervisor.stdout.readline().strip()

    def sql(self, statement: str) -> int:
        """Runs one statement, and returns its number if it returns one."""
        with psycopg.connect(self.database_url, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall()[0][0] if cursor.description else 0

    def redis(self) -> contextlib.closing[redis.Redis]:
        return contextlib.closing(redis.from_url(self.redis_url))

    def finish(self) -> int:
        """Lets the command end and returns the stack's exit code."""
        self.supervisor.communicate(timeout=30)
        return self.supervisor.returncode

    def notices(self) -> str:
        return self._notices.read_text()

    def close(self) -> None:
        """Ends whatever a failed test has left running."""
        with self.supervisor:
            self.supervisor.terminate()

    def processes(self) -> list[int]:
        """The living supervisor, servers and command."""
        return processes(str(self.state), str(StateFolder(self.state).sockets))

    @property
    def postgres(self) -> int:
        return int((self.state / "postgres" / "postmaster.pid").read_text().split()[0])

    @property
    def redis_server(self) -> int:
        return int((self.state / "redis" / "pid").read_text())


@pytest.fixture
def start(folder: Path) -> Iterator[Callable[..., Stack]]:
    stacks: list[Stack] = []

    def started(state: Path, **given: str) -> Stack:
        stacks.append(Stack(state, **given))
        return stacks[-1]

    yield started
    for stack in stacks:
        stack.close()


def processes(*marks: str) -> list[int]:
    """The living processes whose command line holds one of the marks."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if any(mark.encode() in path.read_bytes() for mark in marks):
                found.append(int(path.parent.name))
    return found


def answers(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (psycopg.OperationalError, redis.ConnectionError):
        return False
    return True


def refusal(*arguments: str, **given: str) -> str:
    """What a start that fails with exit code 1 says."""
    command = [sys.executable, "-m", "scrub_site.local_stack", *arguments]
    ended = subprocess.run(
        command, cwd=PROJECT, env=environment(**given), capture_output=True, text=True, check=False, timeout=30
    )
    assert ended.returncode == 1, ended
    assert "Traceback" not in ended.stderr
    return ended.stderr


# -- `run` ----------------------------------------------------------------------------------------------------


@pytest.mark.stack
def test_a_command_finds_both_servers_and_nothing_is_left_after_it(
    start: Callable[..., Stack], state: Path
) -> None:
    stack = start(state)
    assert stack.sql("SELECT current_setting('server_version_num')::int") // 10_000 == 18
    assert stack.sql("SELECT count(*) FROM pg_database WHERE datname = 'scrub'") == 1
    with stack.redis() as client:
        assert client.ping()
        settings = client.config_get("append*") | client.config_get("maxmemory-policy")
    assert settings["appendonly"] == "yes"
    assert settings["appendfsync"] == "everysec"
    assert settings["maxmemory-policy"] == "noeviction"
    assert stack.finish() == 7  # the command's own exit code
    assert len(stack.notices().splitlines()) == 1
    assert stack.processes() == []
    assert not StateFolder(state).sockets.exists()


@pytest.mark.stack
def test_the_database_listens_on_no_network_and_writes_safely(start: Callable[..., Stack], state: Path) -> None:
    stack = start(state)
    unsafe = (
        "SELECT count(*) FROM pg_settings WHERE (name, setting) IN (('fsync', 'off'), ('data_checksums', 'off'))"
    )
    assert stack.sql(unsafe) == 0
    assert stack.sql("SELECT length(current_setting('listen_addresses'))") == 0
    assert StateFolder(state).sockets.stat().st_mode & 0o077 == 0


@pytest.mark.stack
def test_killed_servers_come_back_with_everything_committed(start: Callable[..., Stack], state: Path) -> None:
    stack = start(state)
    stack.sql("CREATE TABLE kept AS SELECT 41 + 1 AS figure")
    with stack.redis() as client:
        client.set("figure", 42)
        os.kill(stack.redis_server, signal.SIGKILL)
        os.kill(stack.postgres, signal.SIGKILL)
        eventually(lambda: answers(client.ping))
        assert client.get("figure") == b"42"
    eventually(lambda: answers(lambda: stack.sql("SELECT 1")))
    assert stack.sql("SELECT figure FROM kept") == 42
    for name in ("postgres", "redis"):
        assert f"{name} was killed (SIGKILL). Starting it again in 0.5 s." in stack.notices()
    eventually(lambda: stack.notices().count("is running again.") == 2)


@pytest.mark.stack
def test_a_killed_supervisor_leaves_no_orphan_and_the_next_start_finds_the_data(
    start: Callable[..., Stack], state: Path
) -> None:
    stack = start(state)
    stack.sql("CREATE TABLE orphaned AS SELECT 41 + 1 AS figure")
    stack.supervisor.kill()
    eventually(lambda: not stack.processes(), within=10)
    again = start(state)
    assert again.sql("SELECT figure FROM orphaned") == 42


@pytest.mark.stack
def test_a_start_right_after_everything_was_killed_succeeds(start: Callable[..., Stack], state: Path) -> None:
    stack = start(state)
    stack.sql("CREATE TABLE buried AS SELECT 41 + 1 AS figure")
    for pid in (stack.supervisor.pid, stack.postgres, stack.redis_server):
        with contextlib.suppress(ProcessLookupError):  # whose supervisor is dead may be sooner gone than killed
            os.kill(pid, signal.SIGKILL)
    assert start(state).sql("SELECT figure FROM buried") == 42


@pytest.mark.stack
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_command_and_servers(
    number: signal.Signals, code: int, start: Callable[..., Stack], state: Path
) -> None:
    stack = start(state)
    stack.supervisor.send_signal(number)
    assert stack.supervisor.wait(timeout=20) == code
    assert stack.processes() == []


@pytest.mark.stack
def test_a_second_start_names_the_first(start: Callable[..., Stack], state: Path) -> None:
    stack = start(state)
    message = refusal("run", "--state", str(state), "--", "true")
    assert f"already running (process {stack.supervisor.pid})" in message
    assert stack.finish() == 7


@pytest.mark.stack
@pytest.mark.skipif(os.geteuid() != 0, reason="only root hands PostgreSQL to another account")
def test_a_project_in_a_private_home_keeps_its_database_outside(start: Callable[..., Stack], folder: Path) -> None:
    folder.chmod(0o700)
    stack = start(folder / "state")
    outside = (folder / "state" / "outside").resolve()
    try:
        stack.sql("CREATE TABLE kept AS SELECT 41 + 1 AS figure")
        assert stack.finish() == 7
        assert f"its programs and data go to {outside}" in stack.notices()
        again = start(folder / "state")
        assert again.sql("SELECT figure FROM kept") == 42
        assert again.finish() == 7
        assert folder.stat().st_mode & 0o777 == 0o700
    finally:
        shutil.rmtree(outside)


def test_given_servers_are_used_and_none_is_started(folder: Path) -> None:
    shown = subprocess.run(
        [*RUN, "--state", str(folder / "state"), "--", "sh", "-c", "echo $DATABASE_URL $REDIS_URL $STATE_DIR"],
        cwd=PROJECT,
        env=environment(**SERVERS_OF_ANOTHER),
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.split() == [*SERVERS_OF_ANOTHER.values(), str(folder / "state")]
    assert sorted(path.name for path in (folder / "state").iterdir()) == ["running", "servers.log"]


@pytest.mark.stack
def test_a_given_database_leaves_only_redis_to_be_started(start: Callable[..., Stack], folder: Path) -> None:
    stack = start(folder / "state", DATABASE_URL=SERVERS_OF_ANOTHER["DATABASE_URL"])
    assert stack.database_url == SERVERS_OF_ANOTHER["DATABASE_URL"]
    with stack.redis() as client:
        assert client.ping()
    assert not (folder / "state" / "postgres").exists()


# -- what can be in the way -----------------------------------------------------------------------------------


def _a_file(state: Path) -> None:
    state.write_text("")


def _data_of_version(version: str, control: bytes) -> Callable[[Path], None]:
    def make(state: Path) -> None:
        state.mkdir()
        data = private_folder(state / "postgres", database_account())
        (data / "global").mkdir()
        (data / "PG_VERSION").write_text(version)
        (data / "global" / "pg_control").write_bytes(control)
        (data / "postgresql.conf").write_text("")
        for path in data.rglob("*"):
            shutil.chown(path, database_account().uid)

    return make


def _data_without_files(state: Path) -> None:
    state.mkdir()
    private_folder(state / "postgres", database_account())


def _a_file_for_redis(state: Path) -> None:
    state.mkdir()
    (state / "redis").write_text("")


@pytest.mark.stack
@pytest.mark.parametrize(
    ("make", "says"),
    [
        (_a_file, "state folder .*state cannot be made: a file is in the way"),
        (_data_of_version("16", b"x"), "was made by PostgreSQL 16, and this is PostgreSQL 18"),
        (_data_without_files, "is not a whole PostgreSQL data folder"),
        (_data_of_version("18", b"x" * 8192), r"postgres ended by itself \(exit code 1\). Its last words:\n.*\w"),
    ],
)
def test_an_unusable_state_folder_is_refused_with_the_reason(
    make: Callable[[Path], None], says: str, folder: Path
) -> None:
    make(folder / "state")
    assert re.search(says, refusal("run", "--state", str(folder / "state"), "--", "true"))


def test_a_file_where_redis_keeps_its_data_is_named(folder: Path) -> None:
    _a_file_for_redis(folder / "state")
    given = {"DATABASE_URL": SERVERS_OF_ANOTHER["DATABASE_URL"]}
    message = refusal("run", "--state", str(folder / "state"), "--", "true", **given)
    assert f"{folder}/state/redis is in the way" in message


def test_a_folder_open_to_others_is_never_used_for_sockets(folder: Path) -> None:
    (folder / "sockets").mkdir(mode=0o755)
    with pytest.raises(StackError, match="in the way"):
        private_folder(folder / "sockets", database_account())
    (folder / "link").symlink_to(private_folder(folder / "private", database_account()))
    with pytest.raises(StackError, match="in the way"):
        private_folder(folder / "link", database_account())


@pytest.mark.parametrize(("mark", "code"), [("our-mark", -signal.SIGTERM), ("another-mark", 7)])
def test_only_our_own_leftover_server_is_stopped(mark: str, code: int, folder: Path) -> None:
    command = [*WAITING, "our-mark"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline()  # from here on its command line can be seen
        (folder / "pid").write_text(f"{process.pid}\n")
        stop_leftover(name="A server", pid_file=folder / "pid", mark=mark, how=signal.SIGTERM, within=5)
        process.communicate()
    assert process.returncode == code
