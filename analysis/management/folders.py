"""What commands that write a folder share: a check that it is empty, a progress bar, and the writing."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import CommandError
from rich.console import Console
from rich.progress import Progress as ProgressBar

from analysis.sections.core.report import Progress


def make_folder(out: Path) -> None:
    """Make the folder, unless it is there and empty. Before the work, since nobody wants to do that twice.

    Raises CommandError where other files are or none can be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        if not any(out.iterdir()):
            return
    except OSError as error:
        raise CommandError(f"{out} is not an empty folder: {error.strerror}. Nothing was written.") from error
    raise CommandError(f"{out} is not an empty folder. Nothing was written.")


@contextmanager
def shown_progress(first: str) -> Iterator[Progress]:
    """Progress on the screen, beside the output, until the work is done; `first` is what is done before anything is
    told.
    """
    with ProgressBar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(first)
        yield Progress(lambda what, done, of: bar.update(task, description=what, completed=done, total=of))


def write_files(files: Iterable[tuple[str, bytes]], out: Path) -> int:
    """Write each file by its path below `out`; how many they were."""
    written = 0
    for name, content in files:
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        written += 1
    return written
