"""Kills every process of a demonstration in turn while somebody writes, and counts what was lost.

    python -m benchmarks.kills

Starts a demonstration of its own, with its own state folder and port, and ends it. A save counts as acknowledged
when the server has answered it; afterwards the room must show the last acknowledged text.
"""

import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

import httpx

from benchmarks.server import free_port

VICTIMS = {
    "web": "gunicorn",
    "worker": "rqworker",
    "loop": "run_loop",
    "postgres": "postgres",
    "redis": "redis-server",
}
SECONDS_BETWEEN = 3
LONGEST_OUTAGE = 40


def children(parent: int) -> dict[int, str]:
    """Command lines of a process's children, by process id."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            after_name = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except (OSError, IndexError):
            continue
        if int(after_name[1]) == parent:
            found[int(entry.name)] = command
    return found


@dataclass
class Writer:
    """A demonstration writer at work: saves a growing text and remembers what was acknowledged."""

    address: str
    client: httpx.Client = field(init=False)
    room: str = ""
    seq: int = 0
    acknowledged: int = 0
    text: str = ""

    def __post_init__(self) -> None:
        self.client = httpx.Client(base_url=self.address, follow_redirects=True, timeout=5)

    def start(self) -> None:
        """Sign in as the first writer who has something to start, and start the clock."""
        page = self.client.get("/demo/people/").text
        for person in re.findall(r"/demo/people/(\d+)/sign-in/", page):
            home = self._post(f"/demo/people/{person}/sign-in/").text
            if study := re.search(r"/studies/pilot/", home):
                home = self.client.get(study.group()).text
            if waiting := re.search(r"/writing/(\d+)/start/", home):
                begun = self._post(f"/writing/{waiting[1]}/begin/", {"attested": "on"})
                self.room = begun.url.path
                return
        raise RuntimeError("No demonstration writer has anything to start.")

    def _post(self, path: str, data: dict[str, str] | None = None) -> httpx.Response:
        token = self.client.cookies["csrftoken"]
        return self.client.post(path, data=data, headers={"X-CSRFToken": token, "Referer": self.address})

    def save(self) -> bool:
        """Send one save; `True` when it was acknowledged with the hash of what was sent."""
        self.seq += 1
        text = f"{self.text}Sentence {self.seq} of a text that must survive. "
        try:
            answer = self.client.post(
                f"{self.room}save/",
                json={"epoch": 1, "seq": self.seq, "text": text},
                headers={"X-CSRFToken": self.client.cookies["csrftoken"]},
            )
        except httpx.TransportError:
            return False
        if answer.status_code != httpx.codes.OK:
            return False
        if answer.json()["sha256"] != hashlib.sha256(text.encode()).hexdigest():
            return False
        self.text, self.acknowledged = text, self.acknowledged + 1
        return True

    def shown(self) -> str:
        """The text in the room as the server has it."""
        page = self.client.get(self.room).text
        area = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
        return unescape(area[1]).removeprefix("\n").removeprefix("\r\n") if area else ""


def outage(writer: Writer) -> float:
    """Seconds until saves are acknowledged again."""
    started = time.monotonic()
    while time.monotonic() - started < LONGEST_OUTAGE:
        if writer.save():
            return time.monotonic() - started
        time.sleep(0.1)
    raise TimeoutError(f"No save was acknowledged for {LONGEST_OUTAGE} s.")


def main() -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(prefix="scrub-kills-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        command = [sys.executable, "-m", "scrub_site.local_stack", "demo", "--state", f"{folder}/state"]
        with Path(folder, "log").open("wb") as log:
            stack = subprocess.Popen(command, env={**os.environ, "PORT": str(port)}, stdout=log, stderr=log)
        try:
            _wait_until_ready(address)
            _kill_in_turn(stack.pid, Writer(address))
        finally:
            stack.send_signal(signal.SIGINT)
            print(f"stack ended with {stack.wait(timeout=60)}")


def _wait_until_ready(address: str) -> None:
    for _ in range(1200):
        try:
            if httpx.get(f"{address}/health/ready/").status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise TimeoutError("The demonstration did not become ready in 120 s.")


def _kill_in_turn(supervisor: int, writer: Writer) -> None:
    writer.start()
    lost = 0
    for name, pattern in VICTIMS.items():
        for _ in range(SECONDS_BETWEEN * 10):
            writer.save()
            time.sleep(0.1)
        victim = next(pid for pid, command in children(supervisor).items() if pattern in command)
        os.kill(victim, signal.SIGKILL)
        seconds = outage(writer)
        kept = writer.shown() == writer.text
        lost += not kept
        verdict = "kept" if kept else "LOST"
        print(f"{name:<9} killed (process {victim}); saves again after {seconds:4.1f} s; text {verdict}")
    print(f"{writer.acknowledged} saves acknowledged, {lost} times something was missing")
    if lost:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
