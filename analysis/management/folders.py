"""What commands share that write a folder of files: a bar that shows how far they are, and the writing."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import Progress as ProgressBar

from analysis.core.report import Progress


@contextmanager
def shown_progress(first: str) -> Iterator[Progress]:
    """On the screen, beside the output, until the work is done; `first` is what is done before anything is told."""
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
