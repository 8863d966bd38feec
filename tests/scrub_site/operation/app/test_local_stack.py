"""The local stack: servers that come up, survive kills, and leave nothing behind."""

import asyncio
import contextlib
import io
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

from scrub_site.local_stack import StackError
from scrub_site.local_stack.accounts import database_account, private_folder
from scrub_site.local_stack.console import Console
from scrub_site.local_stack.process import Child, stop_leftover
from scrub_site.local_stack.state import StateFolder
from scrub_site.local_stack.supervisor import Supervisor
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


# -- the supervisor -------------------------------------------------------------------------------------------


def script(name: str, text: str, *, ready: Path | None = None, **options: Any) -> Child:
    """A child that is a shell script, ready once the file `ready` is there."""
    is_ready = ready.exists if ready else None
    return Child(name=name, command=["sh", "-c", text], environment=os.environ, ready=is_ready, **options)


def supervised(body: Callable[[Supervisor], Coroutine[None, None, int]]) -> tuple[int, str]:
    """The exit code of `body` and everything shown."""
    shown = io.StringIO()
    supervisor = Supervisor(Console(notices=shown, log=shown))
    return asyncio.run(supervisor.supervise(body(supervisor))), shown.getvalue()


def test_stages_stop_in_reverse_order(folder: Path) -> None:
    async def body(supervisor: Supervisor) -> int:
        for name in ("first", "second", "third"):
            text = f"trap 'echo {name} >> stopped; exit' TERM; touch {name}; while :; do sleep 0.02; done"
            await supervisor.start(script(name, text, ready=folder / name, folder=folder))
        return 5

    assert supervised(body)[0] == 5
    assert (folder / "stopped").read_text().split() == ["third", "second", "first"]


def test_a_child_that_ignores_the_request_is_killed_with_all_it_started(folder: Path) -> None:
    text = "trap '' TERM; setsid sleep 60 & echo $! > elsewhere; sleep 60"

    async def body(supervisor: Supervisor) -> int:
        stubborn = script("stubborn", text, ready=folder / "elsewhere", folder=folder, seconds_to_stop=0.2)
        await supervisor.start(stubborn)
        return 0

    assert supervised(body)[0] == 0
    pid = int((folder / "elsewhere").read_text())
    eventually(lambda: pid not in processes("sleep"), within=2)


def test_a_failing_child_is_restarted_after_longer_and_longer_pauses_until_the_tries_are_used_up() -> None:
    async def body(supervisor: Supervisor) -> int:
        await supervisor.start(script("web", "echo out of luck >&2; exit 3", tries=3))
        return await supervisor.until_stopped()

    started = time.monotonic()
    with pytest.raises(
        StackError, match=r"web ended by itself \(exit code 3\), for the 3th time in a row"
    ) as failure:
        supervised(body)
    assert "    out of luck" in str(failure.value)
    assert time.monotonic() - started >= 0.5 + 1.0


def test_a_child_that_cannot_even_start_well_is_not_tried_again() -> None:
    async def body(supervisor: Supervisor) -> int:
        child = script("postgres", "exit 1", ready=Path("never"), passing_trouble="still in use")
        await supervisor.start(child)
        return 0

    with pytest.raises(StackError, match=r"postgres ended by itself \(exit code 1\). Its last words:"):
        supervised(body)


def test_a_child_that_finds_the_disk_full_is_started_again_for_as_long_as_that_lasts(folder: Path) -> None:
    text = """
        echo x >> runs
        [ $(wc -l < runs) = 3 ] || { echo 'could not write lock file: No space left on device' >&2; exit 1; }
        touch up; exec sleep 60
    """

    async def body(supervisor: Supervisor) -> int:
        await supervisor.start(script("postgres", text, ready=folder / "up", folder=folder, tries=1))
        return 0

    assert supervised(body)[0] == 0


def test_a_child_waits_for_what_it_stands_on_before_it_is_restarted(folder: Path) -> None:
    async def body(supervisor: Supervisor) -> int:
        base = script(
            "base", "echo $$ > base.pid; sleep 0.5; touch up; sleep 60", ready=folder / "up", folder=folder
        )
        upper = script("upper", "echo $$ > upper.pid; sleep 60", ready=folder / "upper.pid", folder=folder)
        await supervisor.start(base)
        await supervisor.start(upper)
        (folder / "up").unlink()
        pids = [int((folder / f"{name}.pid").read_text()) for name in ("base", "upper")]
        (folder / "upper.pid").unlink()
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        await asyncio.to_thread(eventually, (folder / "upper.pid").exists)
        await asyncio.sleep(0.2)
        return 0

    lines = supervised(body)[1].splitlines()
    # Both pause for 0.5 s; only the base needs another 0.5 s until it is ready.
    assert lines[-2:] == ["base is running again.", "upper is running again."]


# -- `demo` ---------------------------------------------------------------------------------------------------


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_taken_port_is_named_with_the_way_out(folder: Path) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        message = refusal("demo", "--state", str(folder / "state"), PORT=str(port))
    assert message == f"Port {port} is taken by another program. Choose another one: PORT={port + 1} make demo\n"


@pytest.mark.parametrize("port", ["eighty", "0", "65536", "-1"])
def test_a_port_that_is_none_is_refused(port: str, folder: Path) -> None:
    assert "PORT must be a number from 1 to 65535" in refusal("demo", "--state", str(folder / "state"), PORT=port)


def test_a_second_demo_names_the_address_of_the_first(folder: Path) -> None:
    state = StateFolder(folder / "state")
    with state.held(owner=database_account(), address="http://127.0.0.1:8123"):
        message = refusal("demo", "--state", str(state.path))
    assert f"already running (process {os.getpid()}): open http://127.0.0.1:8123, or stop it with Ctrl-C" in message


MANAGE = """
import sys, time
print("hello from", *sys.argv[1:], flush=True)
if sys.argv[1] != "prepare_demo":
    time.sleep(600)
"""
WSGI = """
def application(environ, start_response):
    start_response("200 OK" if environ["PATH_INFO"] == "/health/ready/" else "404 Not Found", [])
    return [b""]
"""
# The demo of another project: the real one's Django is not what is tested here.
DEMO = """
import pathlib, sys
from scrub_site.local_stack import __main__, demo
demo.PROJECT = pathlib.Path(sys.argv[1])
sys.argv[1:] = ["demo", "--state", sys.argv[2]]
sys.exit(__main__.main())
"""


@pytest.mark.stack
def test_the_demo_prepares_serves_heals_itself_and_ends_well_with_ctrl_c(folder: Path, free_port: int) -> None:
    project = folder / "project"
    (project / "scrub_site").mkdir(parents=True)
    (project / "scrub_site" / "__init__.py").touch()
    (project / "manage.py").write_text(MANAGE)
    (project / "scrub_site" / "wsgi.py").write_text(WSGI)
    command = [sys.executable, "-c", DEMO, str(project), str(folder / "state")]
    given = environment(PORT=str(free_port))
    with (
        (folder / "out").open("w") as out,
        subprocess.Popen(command, cwd=PROJECT, env=given, stdout=out, stderr=out) as supervisor,
    ):
        try:

            def shown(text: str) -> re.Match[str] | None:
                return re.search(text, (folder / "out").read_text())

            eventually(lambda: shown(f"SCRuB Studio is running at http://127.0.0.1:{free_port}"))
            assert shown("(?m)^hello from prepare_demo$")
            assert shown(r"(?m)^worker   \| hello from rqworker default")
            assert shown(r"(?m)^calls    \| hello from rqworker calls")
            assert shown(r"(?m)^loop     \| hello from run_loop$")
            listening = shown(r"Listening at: \S+ \((\d+)\)")
            assert listening
            os.kill(int(listening[1]), signal.SIGKILL)
            eventually(lambda: shown("web is running again"))
            with urllib.request.urlopen(f"http://127.0.0.1:{free_port}/health/ready/") as answer:
                assert answer.status == 200
            supervisor.send_signal(signal.SIGINT)
            assert supervisor.wait(timeout=30) == 0
        finally:
            supervisor.terminate()
    assert shown("(?m)^Stopped.$")
    assert processes(str(project), str(folder / "state"), f"127.0.0.1:{free_port}") == []
