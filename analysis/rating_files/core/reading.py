"""What is said of a file of ratings, and the tables that are read from it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Final, Literal

import numpy as np
import pandas as pd

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.judgment_warnings import scores_against_ranks
from analysis.data.core.known_columns import ALSO, ANSWERED, BY_RATER, called_so
from analysis.data.core.number_format import shortest
from analysis.data.core.pair_file import ALSO as PAIR_COLUMNS
from analysis.data.core.pair_file import read_pairs
from analysis.data.core.rating_file import ColumnMap, read_ratings
from analysis.data.core.rating_frame import (
    PEOPLE,
    PREFERENCE,
    RANK,
    Doubt,
    Ratings,
    averaged,
    check_any,
    first_outside,
    judgments_of,
)
from analysis.data.core.scales import check_scale, scores_in, scores_of, taken_scale
from analysis.data.core.study_tables import StudyTables
from analysis.data.core.table_file import read_cells
from analysis.data.core.trials import TrialDesign
from analysis.rating_files.core.panel_file import OF_THE_LAYOUT, panel_tables, read_panel
from analysis.rating_files.core.published_folder import read_folder, unzipped
from annotation.study.core.rubric import Rubric, parse

FileKind = Literal["ratings", "pairs", "panel", "framings", "trials", "folder"]
RATING_COLUMNS: Final = {**ALSO, "rank": (), "score": (), BY_RATER: ()}
# What is said where a file's columns are those of another kind.
INSTEAD: Final[Mapping[FileKind, str]] = {
    "pairs": "The columns are those of comparisons of two answers: bring the file as comparisons (--pairs)",
    "ratings": "The columns are those of ratings of single answers: bring the file as ratings (--ratings)",
    "framings": "The columns are those of answers under pressure: bring the file as such (--framings)",
}
TOGETHER: Final = "+"  # between the columns that an identifier is composed of


@dataclass(frozen=True)
class RatingOptions:
    """What was said of a file of ratings. `columns` has ours by theirs; `rubric` is the text of its file, and
    `scales` are the ends of those of trials, by approach, and `design` is what was settled before them. Of
    answers under pressure its baseline is the prompt itself, `respondents` has model and condition by respondent,
    and `cuts` what a column's cells are cut by.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, float] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    scale: tuple[float, float] | None = None
    rubric: str = ""
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    design: TrialDesign = field(default_factory=TrialDesign)
    respondents: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    cuts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Read:
    """What was read, and the ends of its scale, where somebody or something told them."""

    tables: StudyTables
    scale: tuple[float, float] | None
    doubts: tuple[Doubt, ...]


def read_tables(
    content: bytes, options: RatingOptions, kind: FileKind = "ratings", *, beside: pd.DataFrame | None = None
) -> Read:
    """The tables of a file; of a ZIP of files where it is a folder. `beside` are people's judgments of the answers
    that a panel's file is of.

    Raises JudgmentFileError, which tells whether the columns are those of another kind of file, or RubricError.
    """
    try:
        return _read(content, options, kind, beside)
    except JudgmentFileError as error:
        if other := _kind_of_content(content, kind):
            raise JudgmentFileError(f"{error}. {INSTEAD[other]}") from error
        raise


def other_kind(columns: Collection[str], kind: FileKind) -> FileKind | None:
    """The kind of file that such columns tell, where it is another one: comparisons in place of ratings, ratings in
    place of comparisons, or answers under pressure in place of a panel's scores.
    """

    def has(known: Mapping[str, tuple[str, ...]], *names: str) -> bool:
        return all(called_so(columns, (name, *known[name])) for name in names)

    is_of_panel = called_so(columns, OF_THE_LAYOUT["evaluator"]) and has(ALSO, "perspective")
    if (kind == "panel" or (kind == "ratings" and is_of_panel)) and has(ALSO, *ANSWERED, "condition"):
        return "framings"
    if kind == "ratings" and has(PAIR_COLUMNS, "first", "second", "verdict") and not has(ALSO, "unit"):
        return "pairs"
    is_of_two = has(PAIR_COLUMNS, "first") or has(PAIR_COLUMNS, "second")
    if kind == "pairs" and not is_of_two and has(ALSO, "evaluator") and (has(ALSO, "unit") or has(ALSO, *ANSWERED)):
        return "ratings"
    return None


def _kind_of_content(content: bytes, kind: FileKind) -> FileKind | None:
    try:
        return None if kind == "folder" else other_kind(read_cells(content).table.columns, kind)
    except JudgmentFileError:
        return None


def _read(content: bytes, options: RatingOptions, kind: FileKind, beside: pd.DataFrame | None) -> Read:
    if kind == "folder":
        return read_files(unzipped(content), options)
    rubric, scale, asked = asked_of(options, kind)
    people = frozenset(name.casefold() for name in options.people) or PEOPLE
    if kind == "panel":
        ratings = read_panel(content, asked)
        check_any(ratings)
        tables, more = panel_tables(ratings, beside, people=people)
        found = replace(tables, scale=rubric.scale if rubric else None)
        return _checked(found, scale, more, ratings)
    ratings = (read_pairs if kind == "pairs" else read_ratings)(content, asked)
    check_any(ratings)
    tables = StudyTables(judgments_of(ratings, people=people), scale=rubric.scale if rubric else None)
    read = _checked(tables, scale, (*ratings.doubts, *averaged(ratings)), ratings)
    coded = ratings.frame.loc[~ratings.frame["dimension"].isin((RANK, PREFERENCE)), "value"].to_numpy(dtype=float)
    against = scores_against_ranks(tables.judgments, scale or read.tables.taken, coded, options.codes)
    return replace(read, doubts=(*read.doubts, *(Doubt(each.removesuffix(".")) for each in against)))


def read_files(files: Mapping[str, bytes], options: RatingOptions) -> Read:
    """The tables of a study's folder in the published layout, from its files by their paths.

    Raises JudgmentFileError or RubricError.
    """
    rubric, scale, asked = asked_of(options, "folder")
    people = frozenset(name.casefold() for name in options.people) or PEOPLE
    tables, doubts = read_folder(files, asked, people=people)
    return _checked(replace(tables, scale=rubric.scale if rubric else None), scale, doubts)


def asked_of(options: RatingOptions, kind: FileKind) -> tuple[Rubric | None, tuple[float, float] | None, ColumnMap]:
    """The rubric, the ends of the scale where somebody or something tells them, and what the columns stand for."""
    rubric = parse(options.rubric) if options.rubric else None
    scale = options.scale or _scale_of(rubric, options.codes)
    columns = composed(options.columns, PAIR_COLUMNS if kind == "pairs" else RATING_COLUMNS)
    asked = ColumnMap(
        raters=columns.pop(BY_RATER, ()),
        columns=columns,
        constants=options.constants,
        dimensions=options.dimensions or tuple(each.key for each in (rubric.dimensions if rubric else ())),
        codes=options.codes,
        failures=frozenset(options.failures),
        scale=None if kind == "pairs" else scale,
        ignored=frozenset(options.ignored),
    )
    return rubric, scale, asked


def _checked(
    tables: StudyTables,
    scale: tuple[float, float] | None,
    doubts: tuple[Doubt, ...],
    ratings: Ratings | None = None,
) -> Read:
    scores = [scores_in(tables.judgments).ravel(), *([scores_of(ratings)] if ratings else [])]
    taken, of_scale = (None, ()) if scale else taken_scale(np.concatenate(scores))
    if ends := scale or taken:
        place = first_outside(ratings, ends) if ratings else ""
        check_scale(tables.judgments, ends, place, is_inferred=scale is None)
    return Read(replace(tables, taken=taken), scale, tuple(dict.fromkeys((*doubts, *of_scale))))


def _scale_of(rubric: Rubric | None, codes: Mapping[str, float]) -> tuple[float, float] | None:
    if rubric:
        return rubric.scale.minimum, rubric.scale.maximum
    values = set(codes.values())
    return (min(values), max(values)) if len(values) > 1 else None


def composed(
    columns: Mapping[str, str], known: Mapping[str, tuple[str, ...]], more: Sequence[str] = ()
) -> dict[str, tuple[str, ...]]:
    """The file's columns by ours, from ours by theirs. Ours are the keys of `known`, or what these are also known
    as, and `more`.

    Raises JudgmentFileError for others.
    """
    names = {also: ours for ours, alike in known.items() for also in (ours, *alike)} | {own: own for own in more}
    found: dict[str, tuple[str, ...]] = {}
    for theirs, said in columns.items():
        if (ours := names.get(said)) is None:
            raise JudgmentFileError(f"{theirs}={said}: columns stand for {', '.join((*known, *more))}")
        found[ours] = (*found.get(ours, ()), *theirs.split(TOGETHER))
    return found


def in_words(options: RatingOptions) -> str:
    """What was said of a file, so that a report can be made again; "" where nothing was."""
    low, high = options.scale or (None, None)
    said = {
        "columns": _pairs(options.columns),
        "dimensions": options.dimensions,
        "left out": options.ignored,
        "what holds for every row": _pairs(options.constants),
        "codes": _pairs({word or "(blank)": shortest(number) for word, number in options.codes.items()}),
        "no rating": options.failures,
        "people": options.people,
        "scale": () if low is None or high is None else (f"{shortest(low)} to {shortest(high)}",),
        "scales": [f"{name} {shortest(low)} to {shortest(high)}" for name, (low, high) in options.scales.items()],
        "rubric": ("as given",) if options.rubric else (),
        "baseline": (options.design.baseline,) if options.design.baseline else (),
        "respondents": [f"{theirs}={model}:{name}" for theirs, (model, name) in options.respondents.items()],
        "cut": _pairs(options.cuts),
    }
    found = "; ".join(f"{name}: {', '.join(values)}" for name, values in said.items() if values)
    return found and f"read with {found}"


def _pairs(values: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"{name}={value}" for name, value in values.items())


def words_in(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in text.split(","))))


def pairs_in(text: str) -> dict[str, str]:
    """Raises ValueError, in words, for what is no list such as `condition=baseline,prompt=P1`."""
    found = _sides(text)
    if found is None or "" in found:
        raise ValueError(f"“{text}” does not give values as in condition=baseline,prompt=P1")
    return found


def _sides(text: str) -> dict[str, str] | None:
    """What stands after each equals sign by what stands before it; None where a part has not one such sign."""
    parts = [[side.strip() for side in part.split("=")] for part in text.split(",")]
    return {part[0]: part[1] for part in parts} if all(len(part) == 2 for part in parts) else None


def scales_in(text: str) -> dict[str, tuple[float, float]]:
    """Raises ValueError, in words, for what is no list such as `A=0-1,D=0-100`."""
    try:
        said = {name: each.replace("–", "-").split("-") for name, each in pairs_in(text).items()}
        found = {name: (float(low), float(high)) for name, (low, high) in said.items()}
    except ValueError:
        found = {}
    if not found or any(not low < high for low, high in found.values()):
        raise ValueError(f"“{text}” does not give scales as in A=0-1,B=1-3,D=0-100")
    return found


def codes_in(text: str) -> dict[str, float]:
    """Raises ValueError, in words, for what is no list such as `PASS=1,FAIL=0`; a blank cell counts too, as in
    `BEST=1,WORST=-1,=0`.
    """
    try:
        found = {word: float(number) for word, number in (_sides(text) or {}).items()}
    except ValueError:
        found = {}
    if not found or not all(map(isfinite, found.values())):
        raise ValueError(f"“{text}” does not give numbers as in PASS=1,FAIL=0")
    return found
