"""The demonstration's command: its address, its processes, and its end."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrub_site.local_stack.accounts import database_account
from scrub_site.local_stack.state import StateFolder
from tests.folders import PROJECT
from tests.scrub_site.operation.app.test_local_stack import environment, open_folder, processes, refusal
from tests.waiting import eventually


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as path:
        yield path


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
