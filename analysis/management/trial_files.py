"""Options of `analyse` for files of constitutional trials, and how these are read and analysed."""

from argparse import ArgumentTypeError
from dataclasses import replace
from typing import Final

from django.core.management.base import CommandParser

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.parameters import Parameters
from analysis.data.core.rating_file import ColumnMap, read_ratings
from analysis.data.core.rating_frame import OVERALL, Ratings, judgments_of
from analysis.data.core.study_tables import StudyTables
from analysis.data.core.table_file import read_table
from analysis.data.core.trials import AskedScale, TrialDesign, Trials, scales_of, scales_of_rubric, trials_of
from analysis.masked.core.masked_report import prepared
from analysis.rating_files.core.reading import RATING_COLUMNS, RatingOptions, Read, composed, pairs_in, words_in
from analysis.sections.core.inputs import Unblinded
from analysis.sections.core.report import Progress, Report
from analysis.trials.sections import TRIALS, found_trials
from annotation.study.core.rubric import parse

# What columns go by in such files, beside the names of any file of ratings.
APPROACHES: Final = ("approach", "variant")


def add_trial_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "--baseline", default="", metavar="NAME", help="of trials, the condition without a framework"
    )
    parser.add_argument(
        "--controls",
        type=words_in,
        default=(),
        metavar="NAME,…",
        help="of trials, conditions that must score lower",
    )
    parser.add_argument(
        "--integrity", default="", metavar="NAME", help="of trials, the dimension that is integrity"
    )
    parser.add_argument(
        "--margin",
        type=_points,
        default=5.0,
        metavar="POINTS",
        help="of trials, what counts as equal integrity (5)",
    )
    parser.add_argument(
        "--smallest-effect",
        type=_points,
        default=5.0,
        metavar="POINTS",
        help="of trials, the smallest difference of other dimensions that matters (5)",
    )

    parser.add_argument(
        "--scales",
        type=_scales,
        default={},
        metavar="APPROACH=LOW-HIGH,…",
        help="of trials, what evaluators could choose from, such as A=0-1,B=1-3,D=0-100",
    )


def read_trials(content: bytes, options: RatingOptions, design: TrialDesign) -> Read:
    """Raises JudgmentFileError."""
    columns = composed(
        options.columns, {**RATING_COLUMNS, "perspective": ("perspective_id", *APPROACHES)}, (OVERALL,)
    )
    known = read_table(content).columns
    if "perspective" not in columns and (found := next((name for name in APPROACHES if name in known), None)):
        columns["perspective"] = (found,)
    rubric = parse(options.rubric) if options.rubric else None
    told = tuple(each.key for each in rubric.dimensions) if rubric else ()
    own = (OVERALL,) if told and OVERALL in known and OVERALL not in told else ()
    asked = ColumnMap(
        columns=columns,
        constants=options.constants,
        dimensions=options.dimensions or (*told, *own),
        codes=options.codes,
        failures=frozenset(options.failures),
    )
    ratings = read_ratings(content, asked)
    if set(ratings.frame["dimension"]) <= {OVERALL}:
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
    trials, doubts = trials_of(ratings, design, {name: scales[name] for name in approaches & scales.keys()})
    if rubric:
        trials = replace(trials, names={each.key: each.name for each in rubric.dimensions})
    tables = StudyTables(judgments_of(_finest(trials)), trials=trials)
    return Read(tables, None, (*ratings.doubts, *doubts))


def trials_report(tables: StudyTables, *, parameters: Parameters, progress: Progress) -> Report:
    """The section of trials alone: others are of judgments asked in one way."""
    inputs, data = prepared(
        tables.judgments, parameters=parameters, scale=None, domain_of=lambda _prompt: "", progress=progress
    )
    unblinded = Unblinded(**vars(replace(inputs, parameters=parameters)), tables=tables)
    return Report(parameters, data).having(TRIALS, found_trials(unblinded))


def _finest(trials: Trials) -> Ratings:
    """The ratings of the approach with the widest scale."""
    scales = scales_of(trials)
    name = max(sorted(scales), key=lambda each: scales[each].most - scales[each].least)
    rows = trials.frame[(trials.frame["approach"] == name) & (trials.frame["dimension"] != OVERALL)]
    names = {"scenario": "prompt", "model": "respondent", "answer": "unit", "approach": "perspective"}
    return Ratings(rows.rename(columns=names), {})


def _scales(text: str) -> dict[str, tuple[float, float]]:
    try:
        said = {name: each.split("-") for name, each in pairs_in(text).items()}
        found = {name: (float(low), float(high)) for name, (low, high) in said.items()}
    except ValueError:
        found = {}
    if not found or any(not low < high for low, high in found.values()):
        raise ArgumentTypeError(f"“{text}” does not give scales as in A=0-1,B=1-3,D=0-100")
    return found


def _points(text: str) -> float:
    try:
        points = float(text)
    except ValueError:
        points = 0.0
    if not 0 < points <= 100:
        raise ArgumentTypeError(f"“{text}” is no number of points between 0 and 100")
    return points
