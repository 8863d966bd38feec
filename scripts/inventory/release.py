"""The files of a release, and what analysing them again gives."""

import hashlib
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

from django.apps import apps
from django.core.management import call_command

from scripts.inventory.folders import write_lines
from scripts.inventory.source import PACKAGES

_DRAWS = 100  # resamples: enough to tell one computation from another


def record(folder: Path) -> None:
    """Hashes of all files that `release` writes of the finished study, and `analyse` of the release.

    The files name the code that wrote them by a hash, which every move changes: it is left out of them.
    """
    study = apps.get_model("annotation", "Study").objects.get(state="unblinded")
    with tempfile.TemporaryDirectory() as name, _one_code_version():
        release, analysis = Path(name) / "release", Path(name) / "analysis"
        call_command("release", study.slug, out=release)
        call_command("analyse", release=release, out=analysis, draws=_DRAWS)
        for files in (release, analysis):
            write_lines(folder / f"{files.name}.txt", _hashes(files))
            for path in files.rglob("*"):
                if path.suffix in {".json", ".csv", ".md", ".txt"}:
                    target = folder / "files" / path.relative_to(name)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(path.read_bytes())


def _hashes(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield f"{path.relative_to(folder).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}"


def _one_code_version() -> ExitStack:
    """Wherever the function that tells the version is imported, another one is that always tells the same."""
    stack = ExitStack()
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES and callable(getattr(module, "code_version", None)):
            stack.enter_context(mock.patch.object(module, "code_version", return_value="0.0.0+code"))
    return stack
