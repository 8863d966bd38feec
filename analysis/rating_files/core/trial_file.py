"""Files of constitutional trials: how they are read, and what is computed of them."""

from dataclasses import replace
from typing import Final

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.parameters import Parameters
from analysis.data.core.rating_file import ColumnMap, read_ratings
from analysis.data.core.rating_frame import OVERALL, Doubt, Ratings, judgments_of
from analysis.data.core.study_tables import StudyTables
from analysis.data.core.table_file import read_table
from analysis.data.core.trials import AskedScale, Trials, scales_of, scales_of_rubric, trials_of
from analysis.masked.core.masked_report import prepared
from analysis.rating_files.core.reading import TOGETHER, RatingOptions, Read
from analysis.sections.core.inputs import Unblinded
from analysis.sections.core.report import Progress, Report
from analysis.trials.sections import TRIALS, found_trials
from annotation.platform.core.phrases import listed
from annotation.study.core.rubric import parse

# What columns go by in such files, beside the names of any file of ratings.
APPROACHES: Final = ("approach", "variant")


def read_trials(content: bytes, options: RatingOptions) -> Read:
    """Raises JudgmentFileError."""
    columns: dict[str, tuple[str, ...]] = {}
    for said, ours in options.columns.items():
        name = "perspective" if ours == "approach" else ours
        columns[name] = (*columns.get(name, ()), *said.split(TOGETHER))
    renamed = dict.fromkeys(columns.pop(OVERALL, ()), OVERALL)
    theirs = list(read_table(content, ignored=frozenset(options.ignored)).columns)
    if missing := renamed.keys() - set(theirs):
        raise JudgmentFileError(f"row 1: no column is called {', '.join(missing)}")
    known = [renamed.get(name, name) for name in theirs]
    if "perspective" not in columns and (found := next((name for name in APPROACHES if name in known), None)):
        columns["perspective"] = (found,)
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
    ratings = read_ratings(content, asked)
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
    _check_known(options, ratings)
    trials, doubts = trials_of(ratings, options.design, {name: scales[name] for name in approaches & scales.keys()})
    if rubric:
        trials = replace(trials, names={each.key: each.name for each in rubric.dimensions})
    tables = StudyTables(judgments_of(_finest(trials)), trials=trials)
    guessed = [] if told else [_guessed([name for name in dimensions if name != OVERALL])]
    return Read(tables, None, (*ratings.doubts, *doubts, *guessed))


def _check_known(options: RatingOptions, ratings: Ratings) -> None:
    design = options.design
    for said, there in (((design.baseline, *design.controls), "condition"), ((design.integrity,), "dimension")):
        known = dict.fromkeys(ratings.frame[there])
        if unknown := [name for name in said if name and name not in known]:
            raise JudgmentFileError(f"No {there} is called {', '.join(unknown)}: {', '.join(known)}.")


def trials_report(tables: StudyTables, *, parameters: Parameters, progress: Progress) -> Report:
    """The section of trials alone: others are of judgments asked in one way."""
    inputs, data = prepared(
        tables.judgments, parameters=parameters, scale=None, domain_of=lambda _prompt: "", progress=progress
    )
    unblinded = Unblinded(**vars(replace(inputs, parameters=parameters)), tables=tables)
    return Report(parameters, data).having(TRIALS, found_trials(unblinded))


def _guessed(dimensions: list[str]) -> Doubt:
    """Any column of numbers may be one, such as that of a cost."""
    return Doubt(f"nobody named the dimensions: {listed(dimensions)}, as their columns hold numbers alone")


def _finest(trials: Trials) -> Ratings:
    """The ratings of the approach with the widest scale."""
    scales = scales_of(trials)
    name = max(sorted(scales), key=lambda each: scales[each].most - scales[each].least)
    rows = trials.frame[(trials.frame["approach"] == name) & (trials.frame["dimension"] != OVERALL)]
    names = {"scenario": "prompt", "model": "respondent", "answer": "unit", "approach": "perspective"}
    return Ratings(rows.rename(columns=names), {})
