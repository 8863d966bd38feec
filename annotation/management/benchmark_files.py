"""Arguments of commands that read a benchmark: its layout, its files, and what a table's columns hold."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.benchmarks.core.layouts import LAYOUTS, Files, Layout
from annotation.management.column_maps import field_and_column


def add_benchmark_arguments(parser: CommandParser) -> None:
    parser.add_argument("layout", choices=sorted(LAYOUTS))
    parser.add_argument("questions", type=Path, help="file of the questions, plain or gzip")
    parser.add_argument("--labels", type=Path, help="of SocialIQA: the list of right answers")
    parser.add_argument("--trace", type=Path, help="of ToMi: the trace")
    parser.add_argument(
        "--map",
        dest="mapping",
        type=field_and_column,
        action="append",
        default=[],
        metavar="FIELD=COLUMN",
        help="of a table: the column that holds a field; once for each",
    )


def files_of(layout: Layout, given: Mapping[str, Any], stack: ExitStack) -> Files:
    """The files of a layout that were given, open until the stack is closed. Raises OSError."""
    return {
        slot.name: (file.name, stack.enter_context(file.open("rb")))
        for slot in layout.slots
        if (file := given[slot.name])
    }
