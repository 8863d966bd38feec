"""Constitutional trials as one tidy frame: what evaluators gave answers to scenarios under several conditions,
asked in one or several ways (approaches).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import pandas as pd

from analysis.data.core.rating_frame import OUT_OF_SCALE, Doubt, Ratings
from annotation.platform.core.phrases import counted

COLUMNS: Final = (
    *("answer", "scenario", "model", "condition"),
    *("approach", "evaluator", "replicate", "dimension", "value", "status"),
)
# What a condition without a framework usually goes by.
BASELINES: Final = frozenset(("no_constitution", "baseline", "none", "no_framework", "control_none"))
MAX_CATEGORIES: Final = 7  # more values than these, or greater ones, are points from 0 to 100
POINTS: Final = (0.0, 100.0)
GUESSES: Final = ("judge", "condition", "guess")
UNKNOWN: Final = "unknown"
ONLY: Final = "the one asked"  # the approach of a file that tells none
PEOPLE: Final = "people"  # the approach of those who judged in a study: no way of asking models


@dataclass(frozen=True, slots=True)
class TrialDesign:
    """What was settled before: the condition without a framework, those that are positive controls (answers that
    deny a fact or hide their values), the dimension that is integrity (the others are transparency and the like),
    and, in points from 0 to 100, the margin within which integrity counts as equal and the smallest difference of
    another dimension that matters.
    """

    baseline: str = ""
    controls: tuple[str, ...] = ()
    integrity: str = ""
    margin: float = 5.0
    smallest_effect: float = 5.0


@dataclass(frozen=True, slots=True)
class Effort:
    """What an approach took: calls, those that failed for good among them, and their cost in US dollars."""

    approach: str
    calls: int
    cost: float


@dataclass(frozen=True)
class Trials:
    """The `frame` has COLUMNS, a row for each rating; `value` is NaN where there is none, and `status` says why.
    `conclusions` has the code of what an answer recommends, where it was coded, by answer;
    `coders` what each coder took it for, by answer and coder, where coders are told apart.
    `words` has the length of answers, where it is known; `guesses` what judges guessed in the end: a row for each,
    with the judge, the `condition` of the answer, and the `guess`, a condition or UNKNOWN.
    `efforts` are those of approaches, where they are known.
    """

    frame: pd.DataFrame
    conclusions: Mapping[str, str] = field(default_factory=dict)
    design: TrialDesign = TrialDesign()
    coders: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)
    guesses: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(GUESSES)))
    efforts: tuple[Effort, ...] = ()


def trials_of(ratings: Ratings, design: TrialDesign) -> tuple[Trials, list[Doubt]]:
    """Ratings of which the prompt is the scenario, the respondent the model, the perspective the approach.

    A number below 0 or beyond an approach's scale is a failed reply. A `baseline` and an `integrity` that nobody
    named are found by their names, if they are there.
    """
    frame = ratings.frame.rename(
        columns={"prompt": "scenario", "respondent": "model", "perspective": "approach", "unit": "answer"}
    )
    frame = frame.assign(approach=frame["approach"].replace("", ONLY))
    # An answer's id may be one within its case.
    frame = frame.assign(
        answer=frame["scenario"] + "/" + frame["model"] + "/" + frame["condition"] + "/" + frame["answer"]
    )
    most = frame["approach"].map({name: _ends(rows["value"])[1] for name, rows in frame.groupby("approach")})
    outside = frame["value"].notna() & ~frame["value"].between(0, most)
    frame = frame.assign(value=frame["value"].where(~outside), status=frame["status"].where(~outside, OUT_OF_SCALE))
    doubts = []
    if outside.any():
        doubts.append(Doubt(f"{counted(int(outside.sum()), 'rating')} off the scale: failed, and no score"))
    codes = {
        "/".join((prompt, model, condition, unit)): code
        for (prompt, model, condition, unit), code in ratings.conclusions.items()
        if code
    }
    found = TrialDesign(
        design.baseline or next((name for name in frame["condition"].unique() if _is_baseline(name)), ""),
        design.controls,
        design.integrity or next((name for name in frame["dimension"].unique() if "integrity" in name), ""),
        design.margin,
        design.smallest_effect,
    )
    return Trials(frame[list(COLUMNS)].reset_index(drop=True), codes, found), doubts


def scales_of(trials: Trials) -> dict[str, tuple[float, float]]:
    """Each approach's ends: 0 to 100 where ratings have many values or great ones, else the least and the most."""
    return {str(name): _ends(rows["value"]) for name, rows in trials.frame.groupby("approach")}


def _ends(values: "pd.Series[float]") -> tuple[float, float]:
    known = values.dropna()
    known = known[known >= 0]
    if known.nunique() > MAX_CATEGORIES or (known > MAX_CATEGORIES).any():
        return POINTS
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)


def _is_baseline(name: str) -> bool:
    return name.strip().casefold().replace("-", "_").replace(" ", "_") in BASELINES
