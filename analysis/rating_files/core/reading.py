"""What is said of a file of ratings, and the tables that are read from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from analysis.data.core.judgment_frame import check_scale, inferred_scale
from analysis.data.core.pair_file import read_pairs
from analysis.data.core.rating_file import ColumnMap, read_ratings
from analysis.data.core.rating_frame import Doubt, averaged, judgments_of
from analysis.data.core.study_tables import StudyTables
from annotation.study.core.rubric import Rubric, parse

FileKind = Literal["ratings", "pairs"]
TOGETHER: Final = "+"  # between the columns that an identifier is composed of


@dataclass(frozen=True)
class RatingOptions:
    """What was said of a file of ratings. `columns` has ours by theirs; `rubric` is the text of its file."""

    columns: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, float] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    scale: tuple[float, float] | None = None
    rubric: str = ""


@dataclass(frozen=True)
class Read:
    """What was read, and the ends of its scale, where somebody or something told them."""

    tables: StudyTables
    scale: tuple[float, float] | None
    doubts: tuple[Doubt, ...]


def read_tables(content: bytes, options: RatingOptions, *, is_pairs: bool) -> Read:
    """Raises JudgmentFileError or RubricError."""
    rubric = parse(options.rubric) if options.rubric else None
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
        ignored=frozenset(options.ignored),
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


def words_in(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in text.split(","))))


def pairs_in(text: str) -> dict[str, str]:
    """Raises ValueError, in words, for what is no list such as `condition=baseline,prompt=P1`."""
    parts = [[side.strip() for side in part.split("=")] for part in text.split(",")]
    if any(len(part) != 2 or not part[0] for part in parts):
        raise ValueError(f"“{text}” does not give values as in condition=baseline,prompt=P1")
    return {part[0]: part[1] for part in parts}


def codes_in(text: str) -> dict[str, float]:
    """Raises ValueError, in words, for what is no list such as `PASS=1,FAIL=0`."""
    try:
        return {word: float(number) for word, number in pairs_in(text).items()}
    except ValueError as error:
        raise ValueError(f"“{text}” does not give numbers as in PASS=1,FAIL=0") from error
