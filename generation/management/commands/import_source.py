"""Imports a source: `manage.py import_source bbq FOLDER`."""

from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from annotation.core.errors import Refused
from generation.core import bbq
from generation.services.sources import import_reduction

NAMES = {"bbq": ("BBQ", "CC BY 4.0, Parrish et al. 2022")}


class Command(BaseCommand):
    help = "Read a source's files, reduce them to scenarios and store these. A second run changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=sorted(NAMES))
        parser.add_argument("folder", type=Path, help="folder with the source's files, plain or gzip")
        parser.add_argument("--slug", help="name to store the source under, where one is stored already")

    def handle(self, *, kind: str, folder: Path, slug: str | None, **_options: object) -> None:
        name, licence = NAMES[kind]
        try:
            files = bbq.files_of(folder)
            reduction = bbq.reduce(self._items(files))
            imported = import_reduction(slug=slug or kind, name=name, licence=licence, reduction=reduction)
        except (OSError, ValueError, Refused) as error:
            raise CommandError(f"Nothing was stored. {error}") from error
        for step in reduction.steps:
            removed = f"  (−{step.removed:,})" if step.removed else ""
            self.stdout.write(f"{step.kept:>8,}  {step.name}{removed}")
        scenarios = f"{len(reduction.scenarios):,} scenarios"
        if imported.changed:
            self.stdout.write(self.style.SUCCESS(f"Stored {scenarios} as “{imported.source.slug}”."))
        else:
            self.stdout.write(f"“{imported.source.slug}” holds these {scenarios} already; nothing was changed.")

    def _items(self, files: list[Path]) -> Iterator[bbq.Item]:
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            reading = bar.add_task("Reading", total=sum(file.stat().st_size for file in files))
            for file in files:
                bar.update(reading, description=file.name)
                yield from bbq.read_items(file, lambda read: bar.advance(reading, read))
