"""Analyses an audit of a benchmark: `manage.py analyse_audit LAYOUT QUESTIONS --predictions FILE --out DIR`."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.benchmarks.core.audit_files import read_flags, read_predictions, read_rulings
from analysis.benchmarks.core.cluster_shares import Resamples
from analysis.benchmarks.core.items import Items, answers_of, baselines
from analysis.benchmarks.core.tables import audit_tables
from analysis.management.folders import make_folder, write_files
from analysis.uncertainty.core.resampling import MAX_DRAWS, MIN_DRAWS
from annotation.benchmarks.core.contents import Contents, read_contents
from annotation.benchmarks.core.layouts import LAYOUTS, Files
from annotation.benchmarks.core.scoring import METHODS, THRESHOLD, Method
from annotation.management.benchmark_files import add_benchmark_arguments, files_of
from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import SOURCE_BYTES
from annotation.platform.core.phrases import counted

LEVEL = 0.95


class Command(BaseCommand):
    help = (
        "Say how much of models’ error is a benchmark’s, from its files, predictions, and what annotators and "
        "adjudicator found. Writes tables to a new or empty folder; no study needed."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_benchmark_arguments(parser)
        parser.add_argument("--predictions", type=Path, metavar="FILE", help="of models; without, baselines alone")
        parser.add_argument("--rulings", type=Path, metavar="FILE", help="of the adjudicator")
        parser.add_argument("--flags", type=Path, metavar="FILE", help="of the annotators")
        parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new or empty folder")
        parser.add_argument("--scoring", choices=METHODS, help="option where there are options, else exact")
        parser.add_argument("--threshold", type=float, default=THRESHOLD, help="of similarity (0.8)")
        parser.add_argument("--draws", type=int, default=2000, help="resamples for intervals (2,000)")
        parser.add_argument("--seed", type=int, default=42, help="of the resamples (42)")

    def handle(
        self,
        *,
        predictions: Path | None,
        rulings: Path | None,
        flags: Path | None,
        out: Path,
        scoring: Method | None,
        threshold: float,
        draws: int,
        seed: int,
        **given: Any,
    ) -> None:
        if not (MIN_DRAWS <= draws <= MAX_DRAWS and 0 < threshold <= 1 and seed >= 0):
            raise CommandError(
                f"Resamples are {MIN_DRAWS:,} to {MAX_DRAWS:,}, a threshold lies above 0 and not above 1, "
                "and a seed is not negative."
            )
        try:
            with ExitStack() as stack:

                def opened(path: Path) -> tuple[str, BinaryIO]:
                    return path.name, stack.enter_context(path.open("rb"))

                contents = _contents(given, stack)
                stories = contents.reading.stories
                numbers = range(1, 1 + sum(len(story.questions) for story in stories))
                ruled = read_rulings(opened(rulings), numbers) if rulings else []
                flagged = read_flags(opened(flags), numbers) if flags else []
                said = read_predictions(opened(predictions), numbers) if predictions else []
        except (OSError, Refused) as error:
            raise CommandError(f"Nothing was written. {error}") from error
        make_folder(out)
        items = Items.of(stories, ruled)
        method: Method = "option" if any(question.options for question in items.questions) else "exact"
        answers = answers_of(items, said, scoring or method, threshold)
        answers += answers_of(items, baselines(items), method)
        resamples = Resamples.drawn(int(items.clusters.max()) + 1, draws=draws, seed=seed, level=LEVEL)
        written = write_files(audit_tables(items, answers, flagged, contents.layout, resamples), out)
        models = counted(len({each.model for each in said}), "model")
        self.stdout.write(f"{counted(len(numbers), 'question')}, {counted(len(ruled), 'ruling')}, {models}.")
        self.stdout.write(self.style.SUCCESS(f"Wrote {counted(written, 'file')} to {out}."))


def _contents(given: dict[str, Any], stack: ExitStack) -> Contents:
    files: Files = files_of(LAYOUTS[given["layout"]], given, stack)
    return read_contents(given["layout"], files, dict(given["mapping"]), max_bytes=SOURCE_BYTES)
