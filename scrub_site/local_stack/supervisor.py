"""Keeps children running: starts them in stages, restarts what dies, stops all in reverse order."""

import asyncio
import re
import signal
import time
from collections import deque
from collections.abc import Coroutine, Sequence

from scrub_site.local_stack import StackError
from scrub_site.local_stack.console import Console
from scrub_site.local_stack.process import Child, Process, how_it_ended

_FIRST_PAUSE, _MAX_PAUSE = 0.5, 10.0
_STEADY_AFTER = 10.0  # a run this long was a good one: the next failure counts as the first
_READY_WITHIN = 180.0  # what takes three seconds to start takes a minute beside much other work
_LAST_WORDS = 5


class Supervisor:
    """Runs stages of children below a body of work.

    A stage stands on the stages started before it: its children are restarted only while those are ready, and
    are stopped before them.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._stages: list[list[_Keeper]] = []
        self._running: set[Process] = set()
        self._end: asyncio.Future[int]

    async def supervise(self, body: Coroutine[None, None, int]) -> int:
        """Runs `body`, which starts the children, and returns its exit code after stopping everything.

        SIGINT, SIGTERM and SIGHUP stop everything early: the exit code is then 128 + the signal's number. A
        second one kills. Raises StackError when a child keeps failing.
        """
        loop = asyncio.get_running_loop()
        self._end = loop.create_future()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup
                loop.add_signal_handler(number, self._asked_to_stop, number)
        work = asyncio.create_task(body)
        try:
            await asyncio.wait({work, self._end}, return_when=asyncio.FIRST_COMPLETED)
            return self._end.result() if self._end.done() else work.result()
        finally:
            for stage in self._stages:
                for keeper in stage:
                    keeper.give_up_restarting()
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            for stage in reversed(self._stages):
                await asyncio.gather(*(keeper.stop() for keeper in stage))

    async def start(self, *children: Child) -> None:
        """Starts the next stage and returns when all of it is ready.

        Raises StackError when that takes more than three minutes.
        """
        foundations = [keeper for stage in self._stages for keeper in stage]
        stage = [_Keeper(child, self._console, foundations, self._running) for child in children]
        self._stages.append(stage)
        for keeper in stage:
            keeper.begin().add_done_callback(self._keeper_gave_up)
        for keeper in stage:
            try:
                await asyncio.wait_for(keeper.ready.wait(), _READY_WITHIN)
            except TimeoutError:
                raise StackError(keeper.with_last_words(f"{keeper.name} runs but does not answer.")) from None

    async def run(self, child: Child) -> int:
        """Runs `child` once at the supervisor's own terminal and returns its exit code."""
        process = await Process.start(child)
        self._running.add(process)
        try:
            return await process.wait()
        finally:
            await process.stop(child.stop_signal, child.seconds_to_stop)
            self._running.discard(process)

    async def until_stopped(self) -> int:
        """Ends a body that has nothing more to do: a signal or a failure cuts it short."""
        forever: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        return await forever

    def _asked_to_stop(self, number: signal.Signals) -> None:
        if self._end.done():
            self._console.say("Killing what still runs.")
            for process in self._running:
                process.kill()
        else:
            self._console.say("Stopping …")
            self._end.set_result(128 + number)

    def _keeper_gave_up(self, task: asyncio.Task[None]) -> None:
        failure = None if task.cancelled() else task.exception()
        if failure and not self._end.done():
            self._end.set_exception(failure)


class _Keeper:
    """Keeps one child running."""

    def __init__(
        self, child: Child, console: Console, foundations: Sequence["_Keeper"], running: set[Process]
    ) -> None:
        self.name = child.name
        self.ready = asyncio.Event()
        self._child = child
        self._console = console
        self._foundations = foundations
        self._running = running
        self._process: Process | None = None
        self._last_lines: deque[str] = deque(maxlen=_LAST_WORDS)
        self._was_ready = False

    def begin(self) -> asyncio.Task[None]:
        self._task = asyncio.create_task(self._keep())
        return self._task

    def give_up_restarting(self) -> None:
        self._task.cancel()

    async def stop(self) -> None:
        if self._process:
            await self._process.stop(self._child.stop_signal, self._child.seconds_to_stop)

    def with_last_words(self, sentence: str) -> str:
        return "\n".join([sentence, *(f"    {line}" for line in self._last_lines)])

    async def _keep(self) -> None:
        failures = 0
        while True:
            started = time.monotonic()
            code = await self._run_once(again=failures > 0)
            ending = how_it_ended(code)
            failures = failures + 1 if time.monotonic() - started < _STEADY_AFTER else 1
            if self._said(self._child.lasting_trouble):
                failures = min(failures, self._child.tries - 1)
            if failures == self._child.tries:
                ending = f"{ending}, for the {failures}th time in a row"
            if failures == self._child.tries or self._is_hopeless(code):
                raise StackError(self.with_last_words(f"{self.name} {ending}. Its last words:"))
            pause = min(_MAX_PAUSE, _FIRST_PAUSE * 2 ** (failures - 1))
            self._console.say(f"{self.name} {ending}. Starting it again in {pause:g} s.")
            await asyncio.sleep(pause)
            for keeper in self._foundations:
                await keeper.ready.wait()

    def _is_hopeless(self, code: int) -> bool:
        return not self._was_ready and code >= 0 and not self._said(self._child.passing_trouble)

    def _said(self, trouble: str) -> bool:
        return re.search(trouble, "\n".join(self._last_lines)) is not None

    async def _run_once(self, *, again: bool) -> int:
        process = self._process = await Process.start(self._child, self._heard)
        self._running.add(process)
        announcing = asyncio.create_task(self._announce(again=again))
        try:
            code = await process.wait()
        finally:
            announcing.cancel()
            self.ready.clear()
        self._running.discard(process)
        return code

    async def _announce(self, *, again: bool) -> None:
        while self._child.ready and not await asyncio.to_thread(self._child.ready):
            await asyncio.sleep(0.03)
        self._was_ready = True
        self.ready.set()
        if again:
            self._console.say(f"{self.name} is running again.")

    def _heard(self, line: str) -> None:
        self._last_lines.append(line)
        self._console.line(self.name, line)
