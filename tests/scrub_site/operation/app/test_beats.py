"""Workers and the loop give signs of life, and one that stands still is ended, so that it is started again."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import django_rq
import pytest

from scrub_site import beats
from scrub_site.workers import ForkingWorker
from tests.folders import PROJECT


def asked(file: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrub_site.beats", str(file), "60", *arguments]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=30)


def test_a_process_is_well_while_its_last_sign_of_life_is_fresh(tmp_path: Path) -> None:
    file = tmp_path / "beat"
    assert asked(file).stdout == "no sign of life yet\n"
    beats.note(file)
    assert asked(file).returncode == 0
    beats.note(file, seconds_ago=61)
    told = asked(file)
    assert told.returncode == 1
    assert "no sign of life for 61 s" in told.stdout


def test_a_process_that_stands_still_is_killed_where_that_is_asked_for_and_nothing_else_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *given: ended.append(given))
    file = tmp_path / "beat"
    assert beats.main(file, 60, is_to_end=True) == 1  # not a sign yet
    beats.note(file)
    assert beats.main(file, 60, is_to_end=True) == 0
    beats.note(file, seconds_ago=61)
    assert beats.main(file, 60, is_to_end=False) == 1
    assert ended == []
    assert beats.main(file, 60, is_to_end=True) == 1
    assert ended == [(-1, signal.SIGKILL)]


def test_a_clock_that_is_set_forward_ends_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "kill", lambda *_given: pytest.fail("a process that is well was killed"))
    beats.note(tmp_path / "beat")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 3600)
    assert beats.main(tmp_path / "beat", 60, is_to_end=True) == 0


def test_a_worker_gives_signs_of_life_and_tells_systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEAT_FILE", str(tmp_path / "beat"))
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    worker = ForkingWorker([django_rq.get_queue("mail")], connection=django_rq.get_connection())
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        worker.heartbeat()
        assert systemd.recv(64) == b"WATCHDOG=1"
    assert (tmp_path / "beat").exists()
