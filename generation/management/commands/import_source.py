"""Imports a source: `manage.py import_source KIND PATH…`, where a path is a file or a folder of them."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from annotation.management.column_maps import field_and_column
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted
from annotation.platform.core.table_import import suggest
from generation.sources.core.funnel import Step
from generation.sources.core.shapes import SHAPES, ShapeName
from generation.sources.core.source_files import Reading, read_source
from generation.sources.core.source_kinds import SOURCE_KINDS, KindName
from generation.sources.core.table_sources import FIELDS, read_table
from generation.sources.services.sources import import_source


class Command(BaseCommand):
    help = "Read a source's files, reduce them to scenarios and store these. A second run changes nothing."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=sorted(SOURCE_KINDS))
        parser.add_argument("paths", type=Path, nargs="+", metavar="path", help="files, plain or gzip, or folders")
        parser.add_argument("--slug", help="short name to store the source under")
        parser.add_argument("--code", help="capital letters that stand in prompts' codes")
        parser.add_argument("--name", help="what people call it")
        parser.add_argument("--licence", help="under which its texts may be used")
        parser.add_argument("--shape", choices=sorted(SHAPES), help="of a table: what its rows are")
        parser.add_argument(
            "--map",
            dest="mapping",
            type=field_and_column,
            action="append",
            default=[],
            metavar="FIELD=COLUMN",
            help="of a table: the column that holds a field; once for each",
        )

    def handle(
        self,
        *,
        kind: KindName,
        paths: list[Path],
        shape: ShapeName | None,
        mapping: list[tuple[str, str]],
        slug: str | None,
        code: str | None,
        name: str | None,
        licence: str | None,
        **_options: object,
    ) -> None:
        usual = SOURCE_KINDS[kind]
        shape = shape if shape and kind == "table" else usual.shape
        named = {
            "slug": slug or usual.slug,
            "code": code or usual.code,
            "name": name or usual.name,
            "licence": licence or usual.licence,
        }
        if missing := [f"--{option}" for option in ("slug", "code", "name") if not named[option]]:
            raise CommandError(f"Give such a source {' and '.join(missing)}.")
        try:
            files = _files(paths, usual.suffixes)
            columns = dict(mapping) or (_suggested(files, shape) if kind == "table" else {})
            reading = self._read(kind, files, shape, columns)
            imported = import_source(
                **named,
                kind=kind,
                shape=shape,
                reduction=reading.reduction,
                files=reading.files,
                documents=reading.documents,
                mapping=columns,
                by=None,
            )
        except (OSError, Refused) as error:
            raise CommandError(f"Nothing was stored. {error}") from error
        for step in reading.reduction.steps:
            self._tell(step)
        scenarios = counted(len(reading.reduction.scenarios), "scenario")
        if imported.changed:
            self.stdout.write(self.style.SUCCESS(f"Stored {scenarios} as “{imported.source.slug}”."))
        else:
            self.stdout.write(
                f"“{imported.source.slug}” holds {scenarios} of this content already; nothing was changed."
            )

    def _read(self, kind: KindName, files: Iterable[Path], shape: ShapeName, mapping: dict[str, str]) -> Reading:
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        with ExitStack() as stack:
            bar = stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
            opened = [
                (file.name, stack.enter_context(bar.open(file, "rb", description=file.name))) for file in files
            ]
            return read_source(kind, opened, shape=shape, mapping=mapping)

    def _tell(self, step: Step) -> None:
        removed = f"  (−{step.removed:,})" if step.removed else ""
        self.stdout.write(f"{step.kept:>8,}  {step.name}{removed}")
        for sign, counts in (("+", step.admitted), ("−", step.rules)):
            for rule, count in counts.items():
                self.stdout.write(f"{f'{sign}{count:,}':>16}  {rule}")


def _suggested(files: Sequence[Path], shape: ShapeName) -> dict[str, str]:
    """Field → column, as the columns' names suggest."""
    if len(files) != 1:
        return {}
    return suggest(read_table(files[0].read_bytes()).columns, FIELDS[shape])


def _files(paths: Iterable[Path], suffixes: tuple[str, ...]) -> list[Path]:
    """The files, and of folders those with one of the suffixes, hidden ones left out."""
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise FileNotFoundError(f"There is no file or folder {path}.")
        if not path.is_dir():
            found.append(path)
            continue
        inside = [file for file in path.iterdir() if file.name.endswith(suffixes) and not file.name.startswith(".")]
        if not inside:
            raise FileNotFoundError(f"The folder {path} holds no {' or '.join(suffixes)} file.")
        found += inside
    return found
