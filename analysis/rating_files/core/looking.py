"""What a file of ratings looks like before anybody has said what its columns are, and what it is understood as."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.found_dimensions import words_in
from analysis.data.core.framed import BASELINE, SCORES_LEADING, SCORES_TRAILING
from analysis.data.core.judgment_frame import HUMAN, JudgmentFileError, dimensions_of
from analysis.data.core.known_columns import ALSO as ALSO_OF_RATINGS
from analysis.data.core.known_columns import SINGLE, called_so
from analysis.data.core.number_format import shortest
from analysis.data.core.pair_file import ALSO as ALSO_OF_PAIRS
from analysis.data.core.rating_frame import RANK
from analysis.data.core.table_file import read_cells
from analysis.data.core.trials import Trials, scales_of
from analysis.data.core.word_scales import as_given
from analysis.rating_files.core.panel_file import OF_THE_LAYOUT
from analysis.rating_files.core.pressure_file import read_pressure
from analysis.rating_files.core.published_folder import HOLDS, by_name, unzipped
from analysis.rating_files.core.reading import FileKind, RatingOptions, Read, read_tables
from analysis.rating_files.core.trial_file import read_trials, usual_columns
from annotation.platform.core.errors import Refused

FIRST_ROWS: Final = 5
PEOPLE: Final = "people"
CELL: Final = 60  # characters of a cell that are shown
MAX_COLUMNS: Final = 200
IN_WORDS: Final[tuple[FileKind, ...]] = ("ratings", "panel", "framings")  # ratings may be given


@dataclass(frozen=True)
class Look:
    """The names of columns, the first rows as they stand (long cells cut), and how many rows there are; `codes` for
    the words that ratings seem to be given in, “” where they are numbers or nothing tells.
    """

    columns: tuple[str, ...]
    first_rows: tuple[tuple[str, ...], ...]
    rows: int
    codes: str = ""


@dataclass(frozen=True)
class Understood:
    """What a file is read as: counts, the rubric's dimensions, the scale's ends, what was doubtful;
    how many replies of a panel there are; of trials what approaches, conditions and codes of conclusions there are,
    of answers under pressure what conditions.

    Where nobody gave a scale, `taken` is the one that scores are taken to be on, and `scores` where these begin and
    end; neither of comparisons.
    """

    judgments: int
    prompts: int
    answers: int
    evaluators: int
    sources: tuple[str, ...]
    dimensions: tuple[str, ...]
    has_ranks: bool
    scale: tuple[str, str] | None
    doubts: tuple[str, ...]
    replies: int = 0
    trials: "UnderstoodTrials | None" = None
    pressure: "UnderstoodPressure | None" = None
    taken: tuple[str, str] | None = None
    scores: tuple[str, str] | None = None


@dataclass(frozen=True)
class UnderstoodTrials:
    """`approaches` each with the ends of its scale; `baseline` and `integrity` are "" where none is known."""

    scenarios: int
    answers: int
    evaluators: tuple[str, ...]
    approaches: tuple[tuple[str, str], ...]
    conditions: tuple[str, ...]
    baseline: str
    controls: tuple[str, ...]
    integrity: str
    failed: int
    concluded: int


@dataclass(frozen=True)
class UnderstoodPressure:
    """`conditions` each with how many replies there are, the prompt itself first, whatever it is called."""

    replies: int
    abstained: int
    answers: int
    prompts: int
    models: tuple[str, ...]
    judges: tuple[str, ...]
    perspectives: int
    conditions: tuple[tuple[str, int], ...]


def look_at(content: bytes, kind: FileKind = "ratings") -> Look:
    """What a file looks like; of a folder, its files and what they hold. Raises `Refused` for what is no table, or
    has too many columns.
    """
    try:
        if kind == "folder":
            return _look_at_files(by_name(unzipped(content)))
        table = read_cells(content).table
    except JudgmentFileError as error:
        raise Refused(f"The file cannot be read: {error}.", field="file") from error
    if len(table.columns) > MAX_COLUMNS:
        raise Refused(f"The file has {len(table.columns)} columns; at most {MAX_COLUMNS} are read.", field="file")
    shown = table.head(FIRST_ROWS).itertuples(index=False, name=None)
    return Look(
        columns=tuple(table.columns),
        first_rows=tuple(tuple(_cut(cell) for cell in row) for row in shown),
        rows=len(table),
        codes=as_given(_codes_in(table, kind)) if kind in IN_WORDS else "",
    )


def _codes_in(table: pd.DataFrame, kind: FileKind) -> dict[str, int]:
    taken = guessed(tuple(table.columns), kind)
    return words_in(table[[name for name in table.columns if taken.get(name, "value") == "value"]])


def _look_at_files(files: Mapping[str, bytes]) -> Look:
    held = [(name, HOLDS.get(name, "not read"), f"{len(files[name]):,}") for name in files]
    return Look(("File", "Holds", "Bytes"), tuple(held), len(held))


def guessed(columns: tuple[str, ...], kind: FileKind) -> dict[str, str]:
    """What each column is taken for where nobody says: ours by theirs, of those whose names tell."""
    found: dict[str, str] = {}
    if kind == "folder":
        return found
    if kind == "panel":
        found = {
            name: ours for ours, names in OF_THE_LAYOUT.items() if set(names) <= set(columns) for name in names
        }
    if kind == "trials":
        found = {theirs: ours for ours, theirs in usual_columns(columns).items()}
    for ours, also in (ALSO_OF_PAIRS if kind == "pairs" else ALSO_OF_RATINGS).items():
        theirs = called_so([name for name in columns if name not in found], (ours, *also))
        if theirs and ours not in found.values():
            found[theirs] = ours
    if not set(found.values()) >= SINGLE:
        return {theirs: ours for theirs, ours in found.items() if ours not in SINGLE}
    return found


def understand(content: bytes, options: RatingOptions, kind: FileKind) -> Understood:
    """Raises `Refused` where the file cannot be read so, with row and column."""
    try:
        read = read_file(content, options, kind)
    except JudgmentFileError as error:
        raise Refused(f"The file cannot be read so: {error}.") from error
    frame, trials, framed = read.tables.judgments, read.tables.trials, read.tables.framed_scores
    rated = framed.drop(columns=[*SCORES_LEADING, *SCORES_TRAILING]) if len(framed) else frame
    scores = rated[dimensions_of(rated)].to_numpy(dtype=float)
    return Understood(
        judgments=len(frame[["prompt_id", "judge_id"]].drop_duplicates()),
        prompts=frame["prompt_id"].nunique(),
        answers=len(frame[["prompt_id", "true_id"]].drop_duplicates()),
        evaluators=frame["judge_id"].nunique(),
        sources=tuple(sorted(set(frame["model"].where(frame["true_source"] != HUMAN, PEOPLE)))),
        dimensions=trials.dimensions if trials else tuple(dimensions_of(rated)),
        has_ranks=bool(frame[RANK].notna().any()),
        scale=_ends(read.scale) if read.scale else None,
        doubts=tuple(map(str, read.doubts)),
        replies=len(read.tables.panel),
        trials=_understood(trials) if trials else None,
        pressure=_under_pressure(framed) if len(framed) else None,
        taken=_ends(read.tables.taken) if read.tables.taken else None,
        scores=_ends((float(np.nanmin(scores)), float(np.nanmax(scores)))) if read.tables.taken else None,
    )


def _ends(scale: tuple[float, float]) -> tuple[str, str]:
    return shortest(round(scale[0], 2)), shortest(round(scale[1], 2))


def read_file(
    content: bytes, options: RatingOptions, kind: FileKind, *, beside: pd.DataFrame | None = None
) -> Read:
    """Reads a file of any kind; a panel's `beside` people's judgments. Raises JudgmentFileError or RubricError."""
    if kind == "trials":
        return read_trials(content, options)
    if kind == "framings":
        return read_pressure(content, options)
    return read_tables(content, options, kind, beside=beside)


def _understood(trials: Trials) -> UnderstoodTrials:
    frame, design = trials.frame, trials.design
    return UnderstoodTrials(
        scenarios=frame["scenario"].nunique(),
        answers=frame["answer"].nunique(),
        evaluators=tuple(dict.fromkeys(frame["evaluator"])),
        approaches=tuple(
            (name, f"{shortest(each.least)} to {shortest(each.most)}") for name, each in scales_of(trials).items()
        ),
        conditions=tuple(dict.fromkeys(frame["condition"])),
        baseline=design.baseline,
        controls=design.controls,
        integrity=design.integrity,
        failed=int(frame["value"].isna().sum()),
        concluded=len(trials.conclusions),
    )


def _under_pressure(scores: pd.DataFrame) -> UnderstoodPressure:
    counts = scores["condition"].value_counts()
    conditions = sorted(dict.fromkeys(scores["condition"]), key=lambda name: name != BASELINE)
    return UnderstoodPressure(
        replies=len(scores),
        abstained=int(scores["abstained"].sum()),
        answers=scores["response_id"].nunique(),
        prompts=scores["prompt_id"].nunique(),
        models=tuple(dict.fromkeys(scores["respondent_id"])),
        judges=tuple(dict.fromkeys(scores["judge_model"])),
        perspectives=scores["perspective_id"].nunique(),
        conditions=tuple((name, int(counts[name])) for name in conditions),
    )


def _cut(cell: str) -> str:
    return cell if len(cell) <= CELL else f"{cell[: CELL - 1]}…"
