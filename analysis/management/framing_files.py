"""Options of `analyse` for files of panel scores of answers under pressure."""

from argparse import ArgumentTypeError

from django.core.management.base import CommandParser

from analysis.framing.core.cut_identifiers import cut_in, respondents_in


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
        help="of answers under pressure, what a column’s cells are cut by: {prompt}/{respondent}/{condition}, or a "
        "regular expression with groups of these names",
    )


def _respondents(text: str) -> dict[str, tuple[str, str]]:
    try:
        return respondents_in(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error


def _cut(text: str) -> tuple[str, str]:
    try:
        return cut_in(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error
