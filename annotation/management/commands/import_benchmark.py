"""Reads a benchmark into a study: `manage.py import_benchmark STUDY LAYOUT QUESTIONS --by EMAIL`."""

from contextlib import ExitStack
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.benchmarks.core.contents import read_contents
from annotation.benchmarks.core.layouts import LAYOUTS, LayoutName
from annotation.benchmarks.selectors import benchmarks as selectors
from annotation.benchmarks.services.benchmarks import add_benchmark
from annotation.management.benchmark_files import add_benchmark_arguments, files_of
from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import SOURCE_BYTES
from annotation.platform.models.users import User
from annotation.study.models.studies import Study


class Command(BaseCommand):
    help = "Read a benchmark into a study in design, and say what is found in it by rule."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's short name")
        add_benchmark_arguments(parser)
        parser.add_argument("--by", required=True, metavar="EMAIL", help="the study's coordinator who reads it in")
        parser.add_argument("--name", help="what the benchmark is called")

    def handle(
        self,
        *,
        study: str,
        layout: LayoutName,
        by: str,
        name: str | None,
        mapping: list[tuple[str, str]],
        **given: Any,
    ) -> None:
        try:
            with ExitStack() as stack:
                files = files_of(LAYOUTS[layout], given, stack)
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
