"""What supervises the local stack: the order of its stages, and children that fail, hang or wait."""

import asyncio
import io
import os
import signal
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from scrub_site.local_stack import StackError
from scrub_site.local_stack.console import Console
from scrub_site.local_stack.process import Child
from scrub_site.local_stack.supervisor import Supervisor
from tests.scrub_site.operation.app.test_local_stack import processes
from tests.waiting import eventually


def script(name: str, text: str, *, ready: Path | None = None, **options: Any) -> Child:
    """A child that is a shell script, ready once the file `ready` is there."""
    is_ready = ready.exists if ready else None
    return Child(name=name, command=["sh", "-c", text], environment=os.environ, ready=is_ready, **options)


def supervised(body: Callable[[Supervisor], Coroutine[None, None, int]]) -> tuple[int, str]:
    """The exit code of `body` and everything shown."""
    shown = io.StringIO()
    supervisor = Supervisor(Console(notices=shown, log=shown))
    return asyncio.run(supervisor.supervise(body(supervisor))), shown.getvalue()


def test_stages_stop_in_reverse_order(tmp_path: Path) -> None:
    async def body(supervisor: Supervisor) -> int:
        for name in ("first", "second", "third"):
            text = f"trap 'echo {name} >> stopped; exit' TERM; touch {name}; while :; do sleep 0.02; done"
            await supervisor.start(script(name, text, ready=tmp_path / name, folder=tmp_path))
        return 5

    assert supervised(body)[0] == 5
    assert (tmp_path / "stopped").read_text().split() == ["third", "second", "first"]


def test_a_child_that_ignores_the_request_is_killed_with_all_it_started(tmp_path: Path) -> None:
    text = "trap '' TERM; setsid sleep 60 & echo $! > elsewhere; sleep 60"

    async def body(supervisor: Supervisor) -> int:
        stubborn = script("stubborn", text, ready=tmp_path / "elsewhere", folder=tmp_path, seconds_to_stop=0.2)
        await supervisor.start(stubborn)
        return 0

    assert supervised(body)[0] == 0
    pid = int((tmp_path / "elsewhere").read_text())
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


def test_a_child_that_finds_the_disk_full_is_started_again_for_as_long_as_that_lasts(tmp_path: Path) -> None:
    text = """
        echo x >> runs
        [ $(wc -l < runs) = 3 ] || { echo 'could not write lock file: No space left on device' >&2; exit 1; }
        touch up; exec sleep 60
    """

    async def body(supervisor: Supervisor) -> int:
        await supervisor.start(script("postgres", text, ready=tmp_path / "up", folder=tmp_path, tries=1))
        return 0

    assert supervised(body)[0] == 0


def test_a_child_waits_for_what_it_stands_on_before_it_is_restarted(tmp_path: Path) -> None:
    async def body(supervisor: Supervisor) -> int:
        base = script(
            "base", "echo $$ > base.pid; sleep 0.5; touch up; sleep 60", ready=tmp_path / "up", folder=tmp_path
        )
        upper = script("upper", "echo $$ > upper.pid; sleep 60", ready=tmp_path / "upper.pid", folder=tmp_path)
        await supervisor.start(base)
        await supervisor.start(upper)
        (tmp_path / "up").unlink()
        pids = [int((tmp_path / f"{name}.pid").read_text()) for name in ("base", "upper")]
        (tmp_path / "upper.pid").unlink()
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        await asyncio.to_thread(eventually, (tmp_path / "upper.pid").exists)
        await asyncio.sleep(0.2)
        return 0

    lines = supervised(body)[1].splitlines()
    # Both pause for 0.5 s; only the base needs another 0.5 s until it is ready.
    assert lines[-2:] == ["base is running again.", "upper is running again."]
