"""Options of `analyse` for files of panel scores of answers under pressure, and how these are read."""

import re
from argparse import ArgumentTypeError

from django.core.management.base import CommandParser

from analysis.data.core.rating_file import ColumnMap
from analysis.framing.core.framing_file import CUT, FramingColumns, read_framings
from analysis.rating_files.core.reading import RATING_COLUMNS, RatingOptions, Read, composed


def add_framing_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "--respondents",
        type=_respondents,
        default={},
        metavar="NAME=MODEL:CONDITION,…",
        help="of answers under pressure, which model answered under which condition",
    )
    parser.add_argument(
        "--cut",
        type=_cut,
        action="append",
        default=[],
        metavar="COLUMN=PATTERN",
        help="of answers under pressure, a regular expression for a column’s cells, with groups called prompt, "
        "respondent or condition",
    )


def read_framing_file(content: bytes, options: RatingOptions, said: FramingColumns) -> Read:
    """Raises JudgmentFileError."""
    asked = ColumnMap(
        columns=composed(options.columns, RATING_COLUMNS),
        constants=options.constants,
        dimensions=options.dimensions,
        failures=frozenset(options.failures),
        scale=options.scale,
        ignored=frozenset(options.ignored),
    )
    tables, doubts = read_framings(content, asked, said)
    return Read(tables, options.scale, doubts)


def _respondents(text: str) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for part in text.split(","):
        theirs, is_given, ours = (side.strip() for side in part.rpartition("="))
        model, is_told, condition = (side.strip() for side in ours.rpartition(":"))
        if not (is_given and is_told and theirs and model):
            raise ArgumentTypeError(f"“{part.strip()}” does not name model and condition as in gpt-agree=gpt:agree")
        found[theirs] = model, condition
    return found


def _cut(text: str) -> tuple[str, re.Pattern[str]]:
    column, _, pattern = text.partition("=")
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ArgumentTypeError(f"“{pattern}” is no regular expression: {error}") from error
    if not column or not compiled.groupindex or not set(compiled.groupindex) <= set(CUT):
        raise ArgumentTypeError(f"“{text}” does not cut {', '.join(CUT)} as in response_id=(?P<prompt>[^/]+)/.*")
    return column, compiled
