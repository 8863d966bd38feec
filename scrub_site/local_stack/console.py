"""What the supervisor shows: its own notices, and the lines of its children behind their names."""

import contextlib
import os
from typing import TextIO

_WIDTH = 8  # the longest name, "postgres"
_COLOURS = (36, 32, 33, 35, 34)


class Console:
    """Writes notices to one stream and the children's lines to another; they may be the same."""

    def __init__(self, *, notices: TextIO, log: TextIO) -> None:
        self._notices = notices
        self._log = log
        self._coloured = log.isatty() and "NO_COLOR" not in os.environ
        self._colours: dict[str, int] = {}

    def say(self, notice: str) -> None:
        """Shows a sentence of the supervisor's own."""
        self._write(self._notices, notice)

    def line(self, name: str, text: str) -> None:
        """Shows one line of the child `name`."""
        label = f"{name:<{_WIDTH}} |"
        if self._coloured:
            colour = self._colours.setdefault(name, _COLOURS[len(self._colours) % len(_COLOURS)])
            label = f"\x1b[{colour}m{label}\x1b[0m"
        self._write(self._log, f"{label} {text}")

    def _write(self, stream: TextIO, text: str) -> None:
        # A closed terminal or pipe must not bring down the servers.
        with contextlib.suppress(OSError):
            print(text, file=stream, flush=True)
