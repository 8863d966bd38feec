"""Files of constitutional trials: how they are read."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import pandas as pd

from analysis.data.core.cell_numbers import names_a_measure
from analysis.data.core.judgment_frame import LEADING_COLUMNS, JudgmentFileError
from analysis.data.core.known_columns import called_so
from analysis.data.core.published_columns import known_by_layout
from analysis.data.core.rating_file import ColumnMap, ratings_in
from analysis.data.core.rating_frame import OVERALL, Doubt, Ratings, check_any
from analysis.data.core.study_tables import StudyTables
from analysis.data.core.study_tables import table as table_of
from analysis.data.core.table_file import absent, read_cells
from analysis.data.core.trials import AskedScale, scales_of_rubric, trials_of
from analysis.rating_files.core.reading import RATING_COLUMNS, RatingOptions, Read, composed
from annotation.platform.core.phrases import listed
from annotation.study.core.rubric import parse

# What columns go by in such files, beside the names of any file of ratings.
ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "perspective": ("approach", "variant", "prompting_approach", "prompting"),
    "condition": ("condition", "constitution", "framework", "value_framework"),
    "respondent": ("model", "answering_model", "responder"),
    OVERALL: (OVERALL, "overall_score"),
}
MAX_POINTS: Final = 100.0


def read_trials(content: bytes, options: RatingOptions) -> Read:
    """Raises JudgmentFileError."""
    also = {ours: (*RATING_COLUMNS[ours], *names) for ours, names in ALSO.items() if ours in RATING_COLUMNS}
    columns = composed(options.columns, {**RATING_COLUMNS, **also}, ALSO[OVERALL])
    if overall := tuple(name for own in ALSO[OVERALL] for name in columns.pop(own, ())):
        columns[OVERALL] = overall
    cells = read_cells(content)
    table = cells.table.drop(columns=[name for name in options.ignored if name in cells.table])
    said_of = {name for names in columns.values() for name in names} | set(options.dimensions)
    for name, found in usual_columns([each for each in table.columns if each not in said_of]).items():
        if name not in options.constants:
            columns.setdefault(name, (found,))
    renamed = dict.fromkeys(columns.pop(OVERALL, ()), OVERALL)
    if renamed.keys() - set(table.columns):
        raise absent(renamed, table)
    known = [renamed.get(name, name) for name in table.columns]
    rubric = parse(options.rubric) if options.rubric else None
    told = options.dimensions or (tuple(each.key for each in rubric.dimensions) if rubric else ())
    own = (OVERALL,) if told and OVERALL in known and OVERALL not in told else ()
    asked = ColumnMap(
        columns=columns,
        constants=options.constants,
        dimensions=(*told, *own),
        codes=options.codes,
        failures=frozenset(options.failures),
        ignored=frozenset(options.ignored),
        renamed=renamed,
    )
    named = said_of | {called_so(table.columns, (ours, *alike)) for ours, alike in RATING_COLUMNS.items()}
    measures = (
        []
        if told
        else [name for name in table.columns if name not in named and _is_measure(table[name], table.columns)]
    )
    ratings = ratings_in(cells, replace(asked, ignored=asked.ignored | set(measures)))
    dimensions = list(dict.fromkeys(ratings.frame["dimension"]))
    if set(dimensions) <= {OVERALL}:
        raise JudgmentFileError(
            "The file has overall scores alone. Trials need a dimension that evaluators score, such as integrity: "
            "where the overall is all that they gave, name its column otherwise."
        )
    scales = scales_of_rubric(rubric) if rubric else {}
    scales |= {name: AskedScale.between(*ends) for name, ends in options.scales.items()}
    approaches = set(ratings.frame["perspective"])
    if unknown := options.scales.keys() - approaches:
        raise JudgmentFileError(
            f"No approach is called {', '.join(sorted(unknown))}: {', '.join(sorted(approaches))}."
        )
    check_any(ratings)
    _check_known(options, ratings)
    trials, doubts = trials_of(ratings, options.design, {name: scales[name] for name in approaches & scales.keys()})
    check_any(replace(ratings, frame=trials.frame))
    if rubric:
        trials = replace(trials, names={each.key: each.name for each in rubric.dimensions})
    by_layout = known_by_layout(table.columns)
    strange = [name for name in measures if name not in by_layout]
    guessed = [] if told else list(_guessed([name for name in dimensions if name != OVERALL], strange))
    tables = StudyTables(table_of((), LEADING_COLUMNS), trials=trials)
    return Read(tables, None, (*ratings.doubts, *doubts, *guessed))


def _check_known(options: RatingOptions, ratings: Ratings) -> None:
    design = options.design
    if design.baseline in design.controls:
        raise JudgmentFileError(f"{design.baseline} is the baseline, and so is no condition that was made to fail.")
    for said, there in (((design.baseline, *design.controls), "condition"), ((design.integrity,), "dimension")):
        known = dict.fromkeys(ratings.frame[there])
        if unknown := [name for name in said if name and name not in known]:
            raise JudgmentFileError(f"No {there} is called {', '.join(unknown)}: {', '.join(known)}.")


def usual_columns(columns: Sequence[str]) -> dict[str, str]:
    """The columns that trials have beside any ratings, by ours, of those whose names tell."""
    found = {ours: called_so(columns, names) for ours, names in ALSO.items()}
    return {ours: theirs for ours, theirs in found.items() if theirs}


def _is_measure(cells: "pd.Series[str]", beside: Collection[str]) -> bool:
    """Whether a column of numbers is of no scores, by its name, or because most are beyond any number of points."""
    if names_a_measure(str(cells.name), beside):
        return True
    filled = cells.str.strip()
    filled = filled[filled != ""]
    numbers = pd.to_numeric(filled.str.replace(",", "."), errors="coerce")
    return bool(len(filled) and (numbers > MAX_POINTS).mean() > 1 / 2)


def _guessed(dimensions: list[str], measures: list[str]) -> Iterator[Doubt]:
    """Any column of numbers may be one, such as that of a cost."""
    yield Doubt(f"nobody named the dimensions: {listed(dimensions)}, as their columns hold numbers alone")
    if measures:
        yield Doubt(f"not taken for a dimension: {listed(measures)}; name the dimensions if one is")
