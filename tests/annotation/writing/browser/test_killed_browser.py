"""The browser is killed while somebody types: a real process, ended without a word."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Playwright, expect

from annotation.writing.models import WritingAssignment
from tests.annotation.writing.browser.actions import SAVED, editor, held, status

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEY = 0.1  # seconds from one key to the next
SENTENCE = "Nobody saves by hand, and nobody has to. "


class Killable:
    """A browser with a profile on disk, as on somebody's own computer."""

    def __init__(self, program: str, profile: Path, playwright: Playwright) -> None:
        self._command = [
            program,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--remote-debugging-port=0",
            f"--user-data-dir={profile}",
        ]
        self._port = profile / "DevToolsActivePort"
        self._playwright = playwright
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Page:
        self._port.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        while not (self._port.exists() and self._port.read_text()):
            assert self._process.poll() is None, "The browser did not start."
            time.sleep(0.05)
        port = self._port.read_text().split()[0]
        return self._playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}").contexts[0].new_page()

    def kill(self) -> None:
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


@pytest.fixture
def killable(
    browser_type_launch_args: dict[str, str], playwright: Playwright, tmp_path: Path
) -> Iterator[Killable]:
    program = browser_type_launch_args.get("executable_path", playwright.chromium.executable_path)
    browser = Killable(program, tmp_path / "profile", playwright)
    yield browser
    browser.kill()
    shutil.rmtree(tmp_path, ignore_errors=True)


def test_a_killed_browser_costs_six_seconds_at_the_server_and_one_in_the_journal(
    killable: Killable,
    base_url: str,
    sign_in: Callable[[Page, object], None],
    assignment: WritingAssignment,
) -> None:
    address = base_url + reverse("writing_room", args=[assignment.pk])
    page = killable.start()
    sign_in(page, assignment.participation.user)
    page.goto(address)
    expect(editor(page)).to_be_editable()
    typed = SENTENCE * 2  # eight seconds
    page.keyboard.type(typed, delay=1000 * KEY)
    killable.kill()
    at_the_server = held(assignment)
    assert typed.startswith(at_the_server)
    assert len(typed) - len(at_the_server) <= 6 / KEY

    page = killable.start()
    sign_in(page, assignment.participation.user)
    page.goto(address)
    expect(status(page)).to_have_text(SAVED)
    restored = editor(page).input_value()
    assert typed.startswith(restored)
    assert len(typed) - len(restored) <= 1 / KEY
    assert held(assignment) == restored
    before = assignment.deadline_at
    assignment.refresh_from_db()
    assert assignment.deadline_at == before
