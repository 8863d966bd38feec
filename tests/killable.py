"""A browser that tests can kill: a real process, ended without a word."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Playwright

# Resolves once all that was given to the disk before is there: reading waits for writing.
WRITTEN = """() => new Promise((resolve) => {
  const opened = indexedDB.open("on-disk", 1);
  opened.onsuccess = () => {
    const read = opened.result.transaction("entries").objectStore("entries").count();
    read.onsuccess = () => resolve(read.result);
  };
})"""


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
    """A browser with a profile of its own, which is gone after the test."""
    program = browser_type_launch_args.get("executable_path", playwright.chromium.executable_path)
    browser = Killable(program, tmp_path / "profile", playwright)
    yield browser
    browser.kill()
    shutil.rmtree(tmp_path, ignore_errors=True)
