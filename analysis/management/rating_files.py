"""Options of `analyse` for files of ratings and of pairs, and how these are read."""

from argparse import ArgumentTypeError
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from analysis.data.core.judgment_frame import check_scale, inferred_scale
from analysis.data.core.pair_file import read_pairs
from analysis.data.core.rating_file import ColumnMap, read_ratings
from analysis.data.core.rating_frame import Doubt, averaged, judgments_of
from analysis.data.core.study_tables import StudyTables
from annotation.study.core.rubric import Rubric, parse

TOGETHER = "+"  # between the columns that an identifier is composed of


@dataclass(frozen=True)
class RatingOptions:
    """What was said of a file of ratings. `columns` has ours by theirs."""

    columns: Mapping[str, str]
    constants: Mapping[str, str]
    codes: Mapping[str, float]
    failures: tuple[str, ...]
    people: tuple[str, ...]
    dimensions: tuple[str, ...]
    scale: tuple[float, float] | None
    rubric: Path | None


@dataclass(frozen=True)
class Read:
    """What was read, and the ends of its scale, where somebody or something told them."""

    tables: StudyTables
    scale: tuple[float, float] | None
    doubts: tuple[Doubt, ...]


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
        "--failures", type=words, default=(), metavar="WORD,…", help="cells that say that there is no rating"
    )
    parser.add_argument(
        "--people", type=words, default=(), metavar="NAME,…", help="respondents that are people, beside “human”"
    )
    parser.add_argument("--rubric", type=Path, metavar="FILE", help="a rubric in TOML: dimensions, scale and bands")


def read_tables(content: bytes, options: RatingOptions, *, is_pairs: bool) -> Read:
    """Raises JudgmentFileError, RubricError or OSError."""
    rubric = parse(options.rubric.read_text(encoding="utf-8")) if options.rubric else None
    scale = options.scale or _scale_of(rubric, options.codes)
    columns: dict[str, tuple[str, ...]] = {}
    for theirs, ours in options.columns.items():
        columns[ours] = (*columns.get(ours, ()), *theirs.split(TOGETHER))
    asked = ColumnMap(
        columns=columns,
        constants=options.constants,
        dimensions=options.dimensions or tuple(each.key for each in (rubric.dimensions if rubric else ())),
        codes=options.codes,
        failures=frozenset(options.failures),
        scale=None if is_pairs else scale,
    )
    ratings = (read_pairs if is_pairs else read_ratings)(content, asked)
    people = frozenset(name.casefold() for name in options.people)
    frame = judgments_of(ratings, people=people) if people else judgments_of(ratings)
    check_scale(frame, scale or inferred_scale(frame))
    tables = StudyTables(frame, scale=rubric.scale if rubric else None)
    return Read(tables, scale, (*ratings.doubts, *averaged(ratings)))


def _scale_of(rubric: Rubric | None, codes: Mapping[str, float]) -> tuple[float, float] | None:
    if rubric:
        return rubric.scale.minimum, rubric.scale.maximum
    values = set(codes.values())
    return (min(values), max(values)) if len(values) > 1 else None


def words(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in text.split(","))))


def _pairs(text: str) -> dict[str, str]:
    parts: list[Any] = [[side.strip() for side in part.split("=")] for part in text.split(",")]
    if any(len(part) != 2 or not part[0] for part in parts):
        raise ArgumentTypeError(f"“{text}” does not give values as in condition=baseline,prompt=P1")
    return dict(parts)


def _codes(text: str) -> dict[str, float]:
    try:
        return {word: float(number) for word, number in _pairs(text).items()}
    except ValueError as error:
        raise ArgumentTypeError(f"“{text}” does not give numbers as in PASS=1,FAIL=0") from error
