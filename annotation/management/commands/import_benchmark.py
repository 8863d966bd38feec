"""Reads a benchmark into a study: `manage.py import_benchmark STUDY LAYOUT QUESTIONS --by EMAIL`."""

from contextlib import ExitStack
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.benchmarks import selectors
from annotation.benchmarks.core.contents import read_contents
from annotation.benchmarks.core.layouts import LAYOUTS, Files, LayoutName
from annotation.benchmarks.services import add_benchmark
from annotation.management.column_maps import field_and_column
from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import SOURCE_BYTES
from annotation.platform.models.users import User
from annotation.study.models.studies import Study


class Command(BaseCommand):
    help = "Read a benchmark into a study in design, and say what is found in it by rule."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's short name")
        parser.add_argument("layout", choices=sorted(LAYOUTS))
        parser.add_argument("questions", type=Path, help="file of the questions, plain or gzip")
        parser.add_argument("--by", required=True, metavar="EMAIL", help="the study's coordinator who reads it in")
        parser.add_argument("--labels", type=Path, help="of SocialIQA: the list of right answers")
        parser.add_argument("--trace", type=Path, help="of ToMi: the trace")
        parser.add_argument("--name", help="what the benchmark is called")
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
        study: str,
        layout: LayoutName,
        questions: Path,
        by: str,
        labels: Path | None,
        trace: Path | None,
        name: str | None,
        mapping: list[tuple[str, str]],
        **_options: object,
    ) -> None:
        given = {"questions": questions, "labels": labels, "trace": trace}
        try:
            with ExitStack() as stack:
                files: Files = {
                    slot.name: (file.name, stack.enter_context(file.open("rb")))
                    for slot in LAYOUTS[layout].slots
                    if (file := given[slot.name])
                }
                contents = read_contents(layout, files, dict(mapping), max_bytes=SOURCE_BYTES)
            benchmark = add_benchmark(
                study=Study.objects.get(slug=study),
                name=name or LAYOUTS[layout].label,
                contents=contents,
                by=User.objects.get(email=by),
            )
        except Study.DoesNotExist as error:
            raise CommandError(f"There is no study “{study}”.") from error
        except User.DoesNotExist as error:
            raise CommandError(f"Nobody has the address {by}.") from error
        except (OSError, Refused) as error:
            raise CommandError(f"Nothing was stored. {error}") from error
        line = next(line for line in selectors.benchmarks(benchmark.study) if line.pk == benchmark.pk)
        self.stdout.write(f"{line.questions:>8,}  questions about {line.stories:,} stories")
        for found in selectors.finding_counts(benchmark):
            self.stdout.write(f"{found.findings:>8,}  {found.name}")
        for lacking in benchmark.lacking:
            self.stdout.write(f"          not in these files: {lacking}")
