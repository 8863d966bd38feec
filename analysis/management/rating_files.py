"""Options of `analyse` for files of ratings and of pairs."""

from argparse import ArgumentTypeError
from pathlib import Path

from django.core.management.base import CommandParser

from analysis.rating_files.core.reading import codes_in, pairs_in, words_in


def add_rating_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "--constants", type=_pairs, default={}, metavar="OURS=VALUE,…", help="what holds for every row of ratings"
    )
    parser.add_argument(
        "--codes",
        type=_codes,
        default={},
        metavar="WORD=NUMBER,…",
        help="what words of ratings or verdicts count as",
    )
    parser.add_argument(
        "--failures", type=words_in, default=(), metavar="WORD,…", help="cells that say that there is no rating"
    )
    parser.add_argument(
        "--ignore", type=words_in, default=(), metavar="NAMES", help="a file’s columns that are left out, by commas"
    )
    parser.add_argument(
        "--people",
        type=words_in,
        default=(),
        metavar="NAME,…",
        help="respondents that are people, beside “human”",
    )
    parser.add_argument("--rubric", type=Path, metavar="FILE", help="a rubric in TOML: dimensions, scale and bands")


def _pairs(text: str) -> dict[str, str]:
    try:
        return pairs_in(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error


def _codes(text: str) -> dict[str, float]:
    try:
        return codes_in(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error
