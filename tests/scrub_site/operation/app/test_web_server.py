"""The web server imports the application once and forks its workers afterwards."""

import json
import logging
import os
import runpy
import subprocess
import sys
from types import SimpleNamespace

import pytest

from scrub_site.local_stack.demo import PROJECT
from scrub_site.watching.logs import JsonLines

# What is open by the time of a fork belongs to every worker at once: answers then reach whoever reads first.
WHAT_IS_OPEN = """
import json, os, threading
import scrub_site.wsgi
sockets = []
for number in os.listdir("/proc/self/fd"):
    try:
        target = os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        continue
    if target.startswith("socket:"):
        sockets.append(number)
print(json.dumps({
    "sockets": sockets,
    "threads": [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()],
}))
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files are looked up in /proc")
def test_nothing_that_workers_would_share_is_open_when_the_application_has_been_imported() -> None:
    given = {**os.environ, "DATABASE_KEEP_SECONDS": "600", "DJANGO_SETTINGS_MODULE": "scrub_site.settings"}
    done = subprocess.run(
        [sys.executable, "-c", WHAT_IS_OPEN],
        cwd=PROJECT,
        env=given,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[-1]) == {"sockets": [], "threads": []}


@pytest.mark.parametrize(
    ("given", "is_json"),
    [
        ({}, True),
        ({"LOG_FORMAT": ""}, True),
        ({"LOG_FORMAT": "JSON"}, True),
        ({"DEBUG": "0"}, True),
        ({"DEBUG": "1"}, False),
        ({"LOG_FORMAT": "line"}, False),
    ],
)
def test_the_web_server_writes_its_own_log_as_the_settings_have_the_sites(
    given: dict[str, str], is_json: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LOG_FORMAT", "DEBUG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    log, handler = logging.Logger("gunicorn.error"), logging.StreamHandler()
    log.addHandler(handler)
    runpy.run_path(str(PROJECT / "gunicorn.conf.py"))["on_starting"](
        SimpleNamespace(log=SimpleNamespace(error_log=log))
    )
    assert isinstance(handler.formatter, JsonLines) is is_json
