"""The tidy frame of judgments, one row per judge × prompt × answer, and its CSV file.

In memory text is `str` ("" when blank) and every number a float (NaN when blank); an answer without a rank was not
ranked.
"""

import csv
import hashlib
import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd

from annotation.platform.core.csv_cells import Number, csv_line, earlier_csv_line, restored
from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import as_text
from annotation.platform.core.table_import import ZIP

LEADING_COLUMNS = (
    "prompt_id",
    "true_id",
    "blinded_label",
    "item_type",
    "true_source",
    "model",
    "rank",
    "score",
    "judge_id",
)
SCRUB_DIMENSIONS = (
    "conceptual_clarity",
    "evidential_grounding",
    "contextual_relevance",
    "pluralistic_engagement",
    "argumentative_soundness",
)
PUBLISHED_COLUMNS = (*LEADING_COLUMNS, *SCRUB_DIMENSIONS)
EXTRA_COLUMNS = ("mid_rank", "justification", "seconds", "order_seen", "rubric_sha256")

TEXT_COLUMNS = frozenset(LEADING_COLUMNS) - {"rank", "score"} | {"justification", "rubric_sha256"}
JUDGMENT = ["prompt_id", "judge_id"]
STANDARD = "standard"
CALIBRATION = "cal_"  # how other types of items begin
HUMAN = "human"
MODEL = "model"
MASKED = "masked"

# As a spreadsheet numbers them: the header is row 1.
FIRST_ROW = 2
# What stands between columns where it is no comma.
_SEPARATORS = re.compile(r"[;\t|]")


class JudgmentFileError(ValueError):
    """The file is not a file of judgments; the message names the row and the column."""


def columns(dimensions: Sequence[str], extra: Sequence[str] = ()) -> list[str]:
    """Column order of a file for a rubric with these dimensions: published columns first, extra ones behind.

    Raises ValueError for an extra column that does not exist or a name that occurs twice.
    """
    if unknown := set(extra) - set(EXTRA_COLUMNS):
        raise ValueError(f"unknown extra columns: {', '.join(sorted(unknown))}")
    names = [*LEADING_COLUMNS, *dimensions, *extra]
    if len(set(names)) < len(names):
        raise ValueError(f"a column occurs twice: {', '.join(names)}")
    return names


def dimensions_of(frame: pd.DataFrame) -> list[str]:
    """Rubric dimensions of a frame: every column that is neither a leading nor an extra one, in its order."""
    return [name for name in frame.columns if name not in LEADING_COLUMNS and name not in EXTRA_COLUMNS]


def mean_of_dimensions(frame: pd.DataFrame) -> "pd.Series[float]":
    """Every rating's score on the rubric's scale; NaN where a dimension is missing."""
    return frame[dimensions_of(frame)].mean(axis=1, skipna=False)


def check_any_judgment(frame: pd.DataFrame) -> None:
    """Raises JudgmentFileError where no row has a rank, a score or a dimension's: a report would hold nothing."""
    if not frame[["rank", "score", *dimensions_of(frame)]].notna().any(axis=None):
        raise JudgmentFileError(
            f"row {FIRST_ROW}: there is neither a rank nor a score here, nor in any other row: nothing is left to "
            "analyse"
        )


def standard_only(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of ordinary items; calibration items enter neither outcomes nor agreement."""
    is_standard = frame["item_type"] == STANDARD
    return frame.copy(deep=False) if is_standard.all() else frame[is_standard]


def domain_of_prompt(prompt_id: str) -> str:
    """Domain in a prompt's id: what stands before the first underscore, `BBQ` in `BBQ_01`; "" without one."""
    domain, underscore, _ = prompt_id.partition("_")
    return domain if underscore else ""


def split_by_domain(
    frame: pd.DataFrame, domain_of: Callable[[str], str] = domain_of_prompt
) -> dict[str, pd.DataFrame]:
    """The frame's rows by domain, in alphabetical order: any analysis of a frame can be run on each part.

    Prompts without a domain, "", are in none of the parts.
    """
    domains = frame["prompt_id"].map({prompt: domain_of(prompt) for prompt in frame["prompt_id"].unique()})
    return {str(domain): part for domain, part in frame.groupby(domains, sort=True) if domain}


def read_csv(
    source: str | Path | BinaryIO,
    *,
    dimensions: Sequence[str] | None = None,
    renamed: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """The frame in a UTF-8 file, a path or an open binary file: columns in canonical order, rows as they are.

    `dimensions` are the rubric's columns; if not given, all that are neither leading nor extra ones and hold a
    number somewhere. Other columns are left out. `renamed` maps names of the file to the columns they stand for.
    Ranks are competition ranks or mid-ranks. One apostrophe is taken from text that `write_csv` made inert.
    Raises JudgmentFileError, naming row and column, for anything malformed: a missing or repeated column, no row at
    all, a ragged one, a blank id, a cell that is not a number, a human answer with a model or a standard model
    answer without one, an answer or a label that a judge has twice in one prompt.
    """
    cells = _cells(source, renamed or {})
    names = columns(_discovered(cells) if dimensions is None else _named(cells, dimensions), _extra(cells))
    frame = pd.DataFrame({name: _parsed(cells[name]) for name in names})
    _check_models(frame)
    _check_unique(frame, "true_id")
    _check_unique(frame, "blinded_label")
    return frame


def write_csv(frame: pd.DataFrame, buffer: BinaryIO) -> None:
    r"""Write a frame in its row order, columns in canonical order: UTF-8, `\n` line ends, the same bytes always.

    Whole numbers carry no decimal point, other numbers the shortest digits that read back exactly. Texts are
    quoted; one that a spreadsheet would run as a formula gets an apostrophe in front, which `read_csv` takes
    away again.
    Raises KeyError if a leading column is missing.
    """
    for line in _lines(frame):
        buffer.write(csv_line(line).encode("utf-8"))


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """The frame as the published CSV file."""
    buffer = io.BytesIO()
    write_csv(frame, buffer)
    return buffer.getvalue()


def frame_sha256(frame: pd.DataFrame, *, kept: str | None = None) -> str:
    """The hash of the frame's file; `kept` where that is the hash of the file as earlier versions wrote it."""
    earlier = hashlib.sha256("".join(map(earlier_csv_line, _lines(frame))).encode()).hexdigest() if kept else ""
    return kept if kept and kept == earlier else hashlib.sha256(csv_bytes(frame)).hexdigest()


def _lines(frame: pd.DataFrame) -> list[tuple[str, ...]]:
    """Names of columns, then rows; numbers are `Number`."""
    names = columns(dimensions_of(frame), _extra(frame))
    rendered = [frame[name] if name in TEXT_COLUMNS else map(number_text, frame[name]) for name in names]
    return [tuple(names), *zip(*rendered, strict=True)]


def masked(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame without what only its sources tell: the answers', and which items are for calibration."""
    return frame.assign(item_type=STANDARD, true_source=MASKED, model="")


def _extra(frame: pd.DataFrame) -> list[str]:
    return [name for name in EXTRA_COLUMNS if name in frame.columns]


def _discovered(cells: pd.DataFrame) -> list[str]:
    """The other columns that hold a number; a cell that does not is then found as a fault."""
    return [name for name in dimensions_of(cells) if pd.to_numeric(cells[name], errors="coerce").notna().any()]


def _named(cells: pd.DataFrame, dimensions: Sequence[str]) -> Sequence[str]:
    if missing := [name for name in dimensions if name not in dimensions_of(cells)]:
        raise JudgmentFileError(f"row 1: no column of dimensions is called {', '.join(missing)}")
    return dimensions


def _cells(source: str | Path | BinaryIO, renamed: Mapping[str, str]) -> pd.DataFrame:
    raw = Path(source).read_bytes() if isinstance(source, str | Path) else source.read()
    if raw.startswith(ZIP):
        raise JudgmentFileError(
            "the file is a workbook or another archive, not CSV: save the sheet as CSV in UTF-8, or give it as any "
            "file of ratings (--ratings)"
        )
    try:
        text = as_text(raw)
        _check_separator(text.partition("\n")[0])
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (Refused, csv.Error) as error:
        raise JudgmentFileError(f"the file is not CSV in UTF-8: {error}") from error
    if not lines:
        raise JudgmentFileError("the file is empty")
    theirs = [restored(cell) for cell in lines[0]]
    if missing := [name for name in renamed if name not in theirs]:
        raise JudgmentFileError(f"row 1: no column is called {', '.join(missing)}")
    names = [renamed.get(name, name) for name in theirs]
    if missing := [name for name in LEADING_COLUMNS if name not in names]:
        raise JudgmentFileError(f"row 1: missing columns {', '.join(missing)}")
    for name in names:
        if not name or names.count(name) > 1:
            raise JudgmentFileError(f"row 1, column {name!r}: column names are filled in and occur once")
    if len(lines) == 1:
        raise JudgmentFileError(f"row {FIRST_ROW}: there is none, only the names of the columns")
    for number, line in enumerate(lines[1:], FIRST_ROW):
        if len(line) != len(names):
            raise JudgmentFileError(f"row {number}: {len(line)} cells under {len(names)} columns")
    return pd.DataFrame(lines[1:], columns=names, dtype="str")


def _check_separator(first_line: str) -> None:
    if "," not in first_line and (other := _SEPARATORS.search(first_line)):
        raise JudgmentFileError(f"row 1: columns are separated by {other[0]!r}; save the file with commas")


def _parsed(cells: "pd.Series[str]") -> "pd.Series[Any]":
    name = str(cells.name)
    parse = _PARSERS.get(name, _number_or_blank)
    values = []
    for number, cell in enumerate(cells, FIRST_ROW):
        try:
            values.append(parse(cell))
        except ValueError as error:
            raise JudgmentFileError(f"row {number}, column {name}: {error}") from error
    return pd.Series(values, dtype=_DTYPES.get(parse, "str"))


def _filled_text(cell: str) -> str:
    if not cell:
        raise ValueError("is blank")
    return restored(cell)


def _item_type(cell: str) -> str:
    if cell != STANDARD and not cell.startswith(CALIBRATION):
        raise ValueError(f"{cell!r} is neither {STANDARD!r} nor a kind of calibration, '{CALIBRATION}…'")
    return cell


def _true_source(cell: str) -> str:
    if cell not in (HUMAN, MODEL):
        raise ValueError(f"{cell!r} is neither {HUMAN!r} nor {MODEL!r}")
    return cell


def _number_or_blank(cell: str) -> float:
    if not cell:
        return math.nan
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{cell!r} is not a number")
    return number


def _rank(cell: str) -> float:
    number = _number_or_blank(cell)
    if number < 1 or number * 2 % 1 > 0:
        raise ValueError(f"{cell!r} is not a rank: a whole number or a half, from 1")
    return number


# A column that is not named here is a dimension of the rubric: a number, or blank.
_PARSERS: dict[str, Callable[[str], Any]] = {
    "prompt_id": _filled_text,
    "true_id": _filled_text,
    "blinded_label": _filled_text,
    "item_type": _item_type,
    "true_source": _true_source,
    "model": restored,
    "rank": _rank,
    "judge_id": _filled_text,
    "justification": restored,
    "rubric_sha256": restored,
}
_DTYPES: dict[Callable[[str], Any], str] = {_rank: "float64", _number_or_blank: "float64"}


def _check_models(frame: pd.DataFrame) -> None:
    named = frame["model"] != ""
    human = frame["true_source"] == HUMAN
    _refuse(frame, named & human, "model", "a human answer has no model")
    _refuse(frame, ~named & ~human & (frame["item_type"] == STANDARD), "model", "is blank for a model's answer")


def _check_unique(frame: pd.DataFrame, column: str) -> None:
    again = frame.duplicated(["prompt_id", "judge_id", column])
    _refuse(frame, again, column, "this judge has it already in this prompt")


def _refuse(frame: pd.DataFrame, wrong: "pd.Series[bool]", column: str, complaint: str) -> None:
    if wrong.any():
        place = int(wrong.to_numpy().argmax())
        found = frame[column].iloc[place]
        raise JudgmentFileError(f"row {place + FIRST_ROW}, column {column}: {found!r}: {complaint}")


def number_text(number: float) -> Number:
    """A number's cell: blank for NaN, whole numbers without a point, else the shortest digits that read back."""
    if math.isnan(number):
        return Number()
    return Number(int(number)) if number == int(number) else Number(repr(float(number)))
