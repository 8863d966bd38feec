"""Files of ratings, whatever their columns are called, read into the tidy frame of `rating_frame`.

What can be read in one way only is read; what could be meant otherwise is a doubt, what cannot be meant an error,
and both name row and column.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import pandas as pd

from analysis.data.core.cell_numbers import (
    are_among,
    doubts_of_numbers,
    have_failed,
    have_no_rating,
    number_of,
    numbers,
)
from analysis.data.core.found_dimensions import found_dimensions, given_score, unread
from analysis.data.core.identifiers import cleaned, composed
from analysis.data.core.judgment_frame import (
    CALIBRATION,
    EXTRA_COLUMNS,
    FIRST_ROW,
    LEADING_COLUMNS,
    STANDARD,
    JudgmentFileError,
)
from analysis.data.core.known_columns import (
    ALSO,
    ANSWERED,
    EVALUATOR,
    NEEDED,
    SINGLE,
    called_so,
    how_answers,
    how_raters,
)
from analysis.data.core.published_columns import without_extra
from analysis.data.core.rated_columns import RatedColumn, crossed, crossing
from analysis.data.core.rating_frame import (
    ABSTAINED,
    COLUMNS,
    FAILED,
    MISSING,
    OUT_OF_SCALE,
    RANK,
    RATING,
    SCORE,
    Doubt,
    Ratings,
)
from analysis.data.core.table_file import Cells, absent, header_row, read_cells, unnamed, where
from analysis.data.core.word_scales import advice_on_words
from annotation.platform.core.phrases import counted

IDENTIFIERS: Final = (
    "unit",
    "prompt",
    "respondent",
    "condition",
    "evaluator",
    "perspective",
    "replicate",
    "item_type",
    "conclusion",
)
FILLED: Final[Mapping[str, str]] = {**NEEDED, "prompt": "the prompt"}  # wherever a column is there for it
ANSWER: Final = ["prompt", "respondent", "condition", "unit"]
GOOD: Final = frozenset(
    (
        *("", "ok", "done", "completed", "complete", "success", "succeeded", "valid", "answered"),
        *("accepted", "approved", "final", "finished", "submitted", "ip address"),
    )
)
TRUE: Final = frozenset(("true", "1", "1.0", "yes"))
FALSE: Final = frozenset(("", "false", "0", "0.0", "no"))
# What no dimension is called: the names of what a rating and a judgment consist of.
TAKEN: Final = (frozenset(COLUMNS) | frozenset(LEADING_COLUMNS) | frozenset(EXTRA_COLUMNS)) - {RANK, SCORE}
NO_PROMPTS: Final = Doubt("no column names prompts, so that every answer is one of its own and nothing is ranked")
GIVEN: Final = "rating given"  # the dimension of files that have a column for every rater


@dataclass(frozen=True)
class ColumnMap:
    """What a file's columns stand for.

    `columns` has the names in the file by ours (COLUMNS but value, and `item_type`, `abstained`, `value`), several
    where an identifier is composed of them; `constants` what holds for every row. `dimensions` are columns of
    values; if none are named, all others that are numbers throughout. `codes` maps what stands in cells to
    numbers; `failures` are further words that say that there is no rating. `scale` has its ends. Columns in
    `ignored` are as if the file had none of that name. `raters` are columns that have what the rater of that name
    gave. Columns in `renamed` are as if they were called so.
    """

    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    dimensions: tuple[str, ...] = ()
    codes: Mapping[str, float] = field(default_factory=dict)
    failures: frozenset[str] = frozenset()
    scale: tuple[float, float] | None = None
    ignored: frozenset[str] = frozenset()
    raters: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)


def read_ratings(content: bytes, asked: ColumnMap) -> Ratings:
    """Raises JudgmentFileError, naming row and column, for what cannot be meant: no such column, a blank
    identifier, one answer with two sources or two conclusions, one prompt with two item types, a dimension with a
    cell that is no number, a rating that is there twice.
    """
    return ratings_in(read_cells(content), asked)


def ratings_in(cells: Cells, asked: ColumnMap) -> Ratings:
    """Like `read_ratings`, of cells that were read, with what was doubtful in reading them."""
    found = ratings_of(cells.without(asked.ignored).rename(columns=asked.renamed), asked)
    return replace(found, doubts=(*cells.doubts, *found.doubts))


def _by_rater(table: pd.DataFrame, asked: ColumnMap, doubts: list[Doubt]) -> list[RatedColumn]:
    """The columns of what single raters gave, where somebody or the header says so."""
    if asked.raters:
        if any(name not in table.columns for name in asked.raters):
            raise absent(asked.raters, table)
        if EVALUATOR in asked.columns or EVALUATOR in table.columns:
            name = "+".join(asked.columns.get(EVALUATOR, (EVALUATOR,)))
            raise JudgmentFileError(
                f"row {header_row(table)}, column {name}: raters have columns of their own beside it"
            )
        if others := [name for name in asked.dimensions if name in table.columns and name not in asked.raters]:
            raise JudgmentFileError(
                f"row {header_row(table)}, column {others[0]}: ratings of raters that have columns of their own "
                "are on one dimension; leave the column out, or number the raters in names such as R1_clarity"
            )
        return [RatedColumn(name, GIVEN, name) for name in asked.raters]
    said = {name for names in asked.columns.values() for name in names}
    if asked.dimensions or EVALUATOR in {*asked.columns, *asked.constants}:
        return []
    if called_so(table.columns, (EVALUATOR, *ALSO[EVALUATOR])):
        return []
    if rated := crossed([name for name in table.columns if name not in said]):
        doubts.append(Doubt(crossing(rated)))
    return [*rated]


def ratings_of(table: pd.DataFrame, asked: ColumnMap) -> Ratings:
    """Ratings from cells that were read; the index has their rows' numbers, from 0 on."""
    doubts: list[Doubt] = []
    table, asked = _own_names(without_extra(table), asked)
    rated = _by_rater(table, asked, doubts)
    columns = _columns(table, asked, doubts, is_by_rater=bool(rated))
    identifiers = _identifiers(table, columns, asked, doubts)
    _check_item_types(identifiers["item_type"], columns)
    rated = rated or _dimensions(table, columns, asked, doubts)
    doubts += () if asked.dimensions else unread(table, columns, rated, doubts)
    doubts += given_score(table, rated, asked.codes)
    frame = _frame(table, rated, columns, identifiers, asked=asked, doubts=doubts)
    _check(frame, columns)
    if "prompt" not in columns and "prompt" not in asked.constants:
        doubts.append(NO_PROMPTS)
    item_types = (
        dict(zip(identifiers["prompt"], identifiers["item_type"], strict=True)) if _has(columns, asked) else {}
    )
    answers = frame.drop_duplicates(ANSWER)
    conclusions = dict(zip(answers[ANSWER].itertuples(index=False, name=None), answers["conclusion"], strict=True))
    return Ratings(frame[list(COLUMNS)], item_types, tuple(doubts), conclusions, frame[["row", "column"]])


def _own_names(table: pd.DataFrame, asked: ColumnMap) -> tuple[pd.DataFrame, ColumnMap]:
    """The table whose columns of given ranks and scores are called so, where somebody says which they are."""
    said = {theirs: ours for ours in (RANK, SCORE) for theirs in asked.columns.get(ours, ())}
    if not said:
        return table, asked
    if said.keys() - set(table.columns):
        raise absent(said, table)
    renamed = table.rename(columns=said)
    if not renamed.columns.is_unique:
        twice = renamed.columns[renamed.columns.duplicated()][0]
        raise JudgmentFileError(
            f"row {header_row(table)}, column {twice}: several columns are said or called to be this; name one, "
            "and leave the others out (ignore)"
        )
    columns = {ours: theirs for ours, theirs in asked.columns.items() if ours not in (RANK, SCORE)}
    dimensions = tuple(said.get(name, name) for name in asked.dimensions)
    given = (SCORE,) if dimensions and SCORE in said.values() and SCORE not in dimensions else ()
    return renamed, replace(asked, columns=columns, dimensions=(*dimensions, *given))


def _columns(
    table: pd.DataFrame, asked: ColumnMap, doubts: list[Doubt], *, is_by_rater: bool
) -> dict[str, tuple[str, ...]]:
    """The file's columns by ours: as was asked, or as they are usually called."""
    named = [name for names in asked.columns.values() for name in names]
    if any(name not in table.columns for name in named):
        raise absent(named, table)
    # A part of a composed identifier may be one by itself too.
    taken = {name for names in asked.columns.values() if len(names) == 1 for name in names} | set(asked.dimensions)
    found = dict(asked.columns)
    for ours, also in ALSO.items():
        theirs = called_so([name for name in table.columns if name not in taken], (ours, *also))
        if theirs and ours not in found and ours not in asked.constants:
            found[ours] = (theirs,)
            taken.add(theirs)
    if is_by_rater:
        found.pop(EVALUATOR, None)
    if is_by_rater or not {*found, *asked.constants} >= SINGLE:
        for ours in SINGLE - asked.columns.keys():
            found.pop(ours, None)
    if "unit" not in found and "unit" not in asked.constants and all(part in found for part in ANSWERED):
        doubts.append(Doubt("no column names answers: one is taken to be what somebody answered to a prompt"))
        found["unit"] = tuple(name for part in ANSWERED for name in found[part])
    for ours, words in NEEDED.items():
        if ours not in found and ours not in asked.constants and not (is_by_rater and ours == EVALUATOR):
            how = (
                how_raters(table, found, asked.codes)
                if ours == EVALUATOR
                else how_answers(table, found, asked.codes, is_by_rater)
            )
            raise unnamed(ours, words, table, hint=how)
    return found


def _identifiers(
    table: pd.DataFrame, columns: Mapping[str, tuple[str, ...]], asked: ColumnMap, doubts: list[Doubt]
) -> dict[str, "pd.Series[str]"]:
    found: dict[str, pd.Series[str]] = {}
    for ours in IDENTIFIERS:
        constant = asked.constants.get(ours, STANDARD if ours == "item_type" else "")
        found[ours] = composed(table, columns.get(ours, ()), doubts, otherwise=constant)
        if ours == "item_type":
            found[ours] = found[ours].where(found[ours] != "", constant)
        if ours in FILLED and ours in columns and (is_blank := found[ours] == "").any():
            raise JudgmentFileError(
                f"{where(is_blank, '+'.join(columns[ours]))}: is blank, but names {FILLED[ours]}; fill it in, or "
                "delete the row"
            )
    if "prompt" not in columns and "prompt" not in asked.constants:
        found["prompt"] = found["unit"]
    return found


def _check_item_types(types: "pd.Series[str]", columns: Mapping[str, tuple[str, ...]]) -> None:
    """Rows of a type that no section is of would be lost without a word."""
    if (strange := (types != STANDARD) & ~types.str.startswith(CALIBRATION)).any():
        name = "+".join(columns.get("item_type", ("item_type",)))
        raise JudgmentFileError(
            f"{where(strange, name)}: {types[strange].iloc[0]!r} is neither {STANDARD!r} nor a kind of "
            f"calibration, '{CALIBRATION}…'; write one of them, or if the column is of something else, leave it "
            f"out or let item_type={STANDARD} hold for every row"
        )


def _dimensions(
    table: pd.DataFrame, columns: Mapping[str, tuple[str, ...]], asked: ColumnMap, doubts: list[Doubt]
) -> list[RatedColumn]:
    if any(name not in table.columns for name in asked.dimensions):
        raise absent(asked.dimensions, table, what="column of dimensions")
    if asked.dimensions:
        names = [*(name for name in (RANK,) if name in table.columns), *asked.dimensions]
        return [RatedColumn(name, name) for name in names]
    if "value" in columns:
        return [RatedColumn(name, name) for name in columns["value"]]
    used = {name for names in columns.values() for name in names}
    others = table.drop(columns=[*used])
    try:
        return found_dimensions(others, codes=asked.codes, failures=asked.failures, doubts=doubts)
    except JudgmentFileError as error:
        taken = ", ".join(f"{'+'.join(theirs)}={ours}" for ours, theirs in columns.items())
        raise JudgmentFileError(f"{error}. Other columns are taken so: {taken}") from error


def _frame(
    table: pd.DataFrame,
    rated: Sequence[RatedColumn],
    columns: Mapping[str, tuple[str, ...]],
    identifiers: Mapping[str, "pd.Series[str]"],
    *,
    asked: ColumnMap,
    doubts: list[Doubt],
) -> pd.DataFrame:
    whole = _statuses(table, columns)
    base = pd.DataFrame({name: identifiers[name] for name in IDENTIFIERS})
    base["row"] = table.index.to_numpy() + FIRST_ROW
    parts = []
    for each in rated:
        dimension = (
            cleaned(table[columns["dimension"][0]], doubts)
            if "dimension" in columns
            else pd.Series(each.dimension, index=table.index, dtype="str")
        )
        values, status = _values(table[each.name], dimension, asked, doubts)
        of_row = whole.where(whole != "", status)
        said = base.assign(evaluator=each.rater) if each.rater else base
        parts.append(
            said.assign(dimension=dimension, value=values.where(of_row == ""), status=of_row, column=each.name)
        )
    texts = dict.fromkeys(("evaluator", "dimension", "status"), "str")
    found = pd.concat(parts, ignore_index=True).astype({**texts, "column": "category"})
    for reason, number in found.loc[~found["status"].isin(("", MISSING)), "status"].value_counts().items():
        first = found[found["status"] == reason].nsmallest(1, "row").iloc[0]
        # Where the whole row has none, no single column says so.
        column = "" if reason in set(whole) else str(first["column"])
        doubts.append(Doubt(f"{counted(int(number), 'rating')} read as none ({reason})", int(first["row"]), column))
    return found


def _statuses(table: pd.DataFrame, columns: Mapping[str, tuple[str, ...]]) -> "pd.Series[str]":
    """Why each row has no ratings; "" where it has."""
    found = pd.Series("", index=table.index, dtype="str")
    for name in columns.get("status", ()):
        words = table[name].str.strip().str.casefold()
        found = found.where(words.isin(GOOD), words)
    for name in columns.get("abstained", ()):
        words = table[name].str.strip().str.casefold()
        if not (known := words.isin(TRUE | FALSE)).all():
            raise JudgmentFileError(f"{where(~known, name)}: says neither True nor False; write one of them")
        found = found.where(~words.isin(TRUE), ABSTAINED)
    return found


def _values(
    cells: "pd.Series[str]", dimension: "pd.Series[str]", asked: ColumnMap, doubts: list[Doubt]
) -> tuple["pd.Series[float]", "pd.Series[str]"]:
    of_words = {word: value for word, value in asked.codes.items() if number_of(word) is None}
    # Codes of numbers say what scores count as: a rank is no score, and stays.
    values = numbers(cells, of_words).where(dimension == RANK, numbers(cells, asked.codes))
    failed = have_failed(cells, asked.failures, asked.codes)
    if (wrong := values.isna() & ~have_no_rating(cells, asked.failures, asked.codes)).any():
        cell = cells.iloc[int(wrong.to_numpy().argmax())]
        raise JudgmentFileError(
            f"{where(wrong, str(cells.name))}: {cell!r} is not a number, nor a code for one; say what it counts as "
            f"(codes), or that it is no rating (failures){advice_on_words(cells[wrong])}"
        )
    doubts += doubts_of_numbers(cells)
    failed |= (values == -1) & ~are_among(cells, asked.codes) & _is_no_score(values, asked)
    outside = pd.Series(False, index=cells.index)
    if asked.scale:
        is_on_it = ~dimension.isin((RANK, SCORE))
        outside = ~failed & is_on_it & values.notna() & ~values.between(*asked.scale)
    status = pd.Series("", index=cells.index, dtype="str").where(values.notna(), MISSING)
    return values, status.where(~failed, FAILED).where(~outside, OUT_OF_SCALE)


def _is_no_score(values: "pd.Series[float]", asked: ColumnMap) -> bool:
    """Whether −1 says that there is no rating: where the scale has no such number, or nothing else is below 0."""
    if asked.scale:
        return asked.scale[0] > -1
    return not ((values < 0) & (values != -1)).any() and bool((values > 1).any())


def _check(frame: pd.DataFrame, columns: Mapping[str, tuple[str, ...]]) -> None:
    def called(ours: str) -> str:
        return "+".join(columns.get(ours, (ours,)))

    if (taken := frame["dimension"].isin(TAKEN)).any():
        row = frame[taken].iloc[0]
        raise JudgmentFileError(
            f"row {row['row']}, column {called('dimension') if 'dimension' in columns else row['column']}: no "
            f"dimension can be called {row['dimension']!r}; name it otherwise"
        )
    for thing, only, words in (
        (["unit", "prompt"], "respondent", "the answer has two sources"),
        (["prompt"], "item_type", "the prompt has two item types"),
        (ANSWER, "conclusion", "the answer has two conclusions"),
    ):
        if (wrong := frame[only] != frame.groupby(thing, sort=False)[only].transform("first")).any():
            row = frame[wrong].iloc[0]
            first = frame[(frame[thing] == row[thing]).all(axis=1)].iloc[0]
            raise JudgmentFileError(
                f"row {row['row']}, column {called(only)}: {row[only]!r}, and {first[only]!r} before, in row "
                f"{first['row']}: {words}; write them alike, or tell two things of the name {row[thing[0]]!r} apart"
                f"{_or_a_prompt(columns) if only == 'respondent' else ''}"
            )
    if (again := frame.duplicated(RATING)).any():
        row = frame[again].iloc[0]
        before = frame[(frame[RATING] == row[RATING]).all(axis=1)].iloc[0]
        raise JudgmentFileError(
            f"row {row['row']}, column {row['column']}: {row['evaluator']!r} has rated {row['unit']!r} already, in "
            f"row {before['row']}; delete one, or name the columns that together tell answers or prompts apart, or "
            "the one that tells repeats apart"
        )


def _or_a_prompt(columns: Mapping[str, tuple[str, ...]]) -> str:
    """What else a column that names answers may be, where nothing names prompts."""
    unit = columns.get("unit", ())
    return (
        ""
        if "prompt" in columns or len(unit) != 1
        else f", or say that {unit[0]} is what was answered ({unit[0]}=prompt)"
    )


def _has(columns: Mapping[str, tuple[str, ...]], asked: ColumnMap) -> bool:
    return "item_type" in columns or "item_type" in asked.constants
