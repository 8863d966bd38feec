"""The door of files that a command is given: how much of one is read at all."""

from pathlib import Path

from annotation.platform.core.errors import Refused


def check_size(file: Path, most: int) -> None:
    """Raise `Refused` where the file has more than `most` bytes, `OSError` where there is none."""
    size = file.stat().st_size
    if size > most:
        raise Refused(
            f"{file.name} has {size / 1_000_000:,.1f} MB, and {most / 1_000_000:,.1f} MB at most are read."
        )
