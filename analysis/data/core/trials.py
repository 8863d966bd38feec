"""Constitutional trials as one tidy frame: what evaluators gave answers to scenarios under several conditions,
asked in one or several ways (approaches).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

import pandas as pd

from analysis.data.core.rating_frame import OUT_OF_SCALE, OVERALL, Doubt, Ratings
from analysis.data.core.scales import MISTYPED, UNTOLD
from annotation.platform.core.phrases import counted, listed
from annotation.study.core.rubric import Rubric, Scale

COLUMNS: Final = (
    *("answer", "scenario", "model", "condition"),
    *("approach", "evaluator", "replicate", "dimension", "value", "status"),
)
# What a condition without a framework usually goes by.
BASELINES: Final = frozenset(("no_constitution", "baseline", "none", "no_framework", "control_none"))
# A scale of categories has so many at most; a longer one is of points. Where nobody told it, that is guessed from
# the values that were given: more of them, or greater ones, are points from 0 to 100.
MAX_CATEGORIES_TOLD: Final = 100
MAX_CATEGORIES_GUESSED: Final = 7
POINTS: Final = (0.0, 100.0)
SHORT_SCALES: Final = ((0.0, 1.0), (1.0, 10.0))  # that many values lie on which are no points
GUESSES: Final = ("judge", "condition", "guess")
UNKNOWN: Final = "unknown"
LETTERS: Final = "ABCDEFGH"  # of approaches, in the order in which a rubric has them
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


@dataclass(frozen=True, slots=True)
class AskedScale:
    """What evaluators could choose from, in one approach: its ends, and what categories are called by their values,
    in order; none of points.
    """

    least: float
    most: float
    categories: Mapping[float, str] = field(default_factory=dict)

    @property
    def ends(self) -> tuple[float, float]:
        return self.least, self.most

    @classmethod
    def between(cls, least: float, most: float) -> "AskedScale":
        """A scale with every whole number as a category, unless these are as many as points from 0 to 100."""
        few = most - least < MAX_CATEGORIES_TOLD and least == int(least) and most == int(most)
        numbers = range(int(least), int(most) + 1) if few else ()
        return cls(least, most, {float(number): str(number) for number in numbers})

    @classmethod
    def of(cls, scale: Scale) -> "AskedScale":
        """A rubric's, whose bands are categories where each is of one number."""
        found = cls.between(scale.minimum, scale.maximum)
        names = {float(band.minimum): band.name.lower() for band in scale.bands} if scale.words else {}
        return cls(found.least, found.most, names or found.categories)


def scales_of_rubric(rubric: Rubric) -> dict[str, AskedScale]:
    """Scales by approach, which goes by a letter or by the rubric's own key."""
    found = {}
    for letter, variant in zip(LETTERS, rubric.variants, strict=False):
        found[letter] = found[variant.key] = AskedScale.of(variant.scale)
    return found


@dataclass(frozen=True)
class Trials:
    """The `frame` has COLUMNS, a row for each rating; `value` is NaN where there is none, and `status` says why.
    `conclusions` has the code of what an answer recommends, where it was coded, by answer;
    `coders` what each coder took it for, by answer and coder, where coders are distinguished.
    `words` has the length of answers, where it is known; `guesses` what judges guessed in the end: a row for each,
    with the judge, the `condition` of the answer, and the `guess`, a condition or UNKNOWN.
    `efforts` are those of approaches, where they are known, and so are `scales`, by approach; `names` has what
    conditions and dimensions are called, by their keys.
    """

    frame: pd.DataFrame
    conclusions: Mapping[str, str] = field(default_factory=dict)
    design: TrialDesign = TrialDesign()
    coders: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)
    guesses: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(GUESSES)))
    efforts: tuple[Effort, ...] = ()
    scales: Mapping[str, AskedScale] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The dimensions without an evaluator's own overall score."""
        return tuple(name for name in self.frame["dimension"].unique() if name != OVERALL)


def trials_of(
    ratings: Ratings, design: TrialDesign, scales: Mapping[str, AskedScale] = MappingProxyType({})
) -> tuple[Trials, list[Doubt]]:
    """Ratings of which the prompt is the scenario, the respondent the model, the perspective the approach. `scales`
    are those of approaches that somebody told.

    A number off an approach's scale, or below 0 where nobody told it, is a failed reply. A `baseline` and an
    `integrity` that nobody named are found by their names, if they are there.
    """
    frame = ratings.frame.rename(
        columns={"prompt": "scenario", "respondent": "model", "perspective": "approach", "unit": "answer"}
    )
    frame = frame.assign(approach=frame["approach"].replace("", ONLY))
    # An answer's id may be one within its case.
    frame = frame.assign(
        answer=frame["scenario"] + "/" + frame["model"] + "/" + frame["condition"] + "/" + frame["answer"]
    )
    told = {name: (scale.least, scale.most) for name, scale in scales.items()}
    found_ends = {str(name): (0.0, _ends(rows["value"])[1]) for name, rows in frame.groupby("approach")}
    ends = {name: told.get(name, each) for name, each in found_ends.items()}
    least, most = (frame["approach"].map({name: each[place] for name, each in ends.items()}) for place in (0, 1))
    outside = frame["value"].notna() & ~frame["value"].between(least, most)
    frame = frame.assign(value=frame["value"].where(~outside), status=frame["status"].where(~outside, OUT_OF_SCALE))
    doubts = []
    if outside.any():
        doubts.append(Doubt(f"{counted(int(outside.sum()), 'rating')} off the scale: failed, and no score"))
    doubts += [
        Doubt(
            f"the scores {f'of approach {name} ' * (name != ONLY)}are taken for a scale from {ends_of[0]:g} to "
            f"{ends_of[1]:g}, as nobody told it: conditions are compared with the baseline in points from 0 to "
            "100 alone"
        )
        for name, rows in frame.groupby("approach")
        if name not in told and (ends_of := _ends(rows["value"])) in SHORT_SCALES and _are_many(rows["value"])
    ]
    if untold := [
        f"{f'of approach {name} ' * (name != ONLY)}{ends_of[0]:g} to {ends_of[1]:g}"
        for name, rows in frame.groupby("approach")
        if name not in told and (ends_of := _ends(rows["value"])) not in SHORT_SCALES
    ]:
        doubts.append(
            Doubt(
                f"{UNTOLD}: taken as {listed(untold)}; intervals keep to it, and categories that nobody used do "
                "not count; tell what evaluators could choose from (--scales) if that is more"
            )
        )
    codes = {
        "/".join((prompt, model, condition, unit)): code
        for (prompt, model, condition, unit), code in ratings.conclusions.items()
        if code
    }
    uncontrolled = [name for name in frame["condition"].unique() if name not in design.controls]
    found = TrialDesign(
        design.baseline or next(filter(_is_baseline, uncontrolled), ""),
        design.controls,
        design.integrity
        or next((name for name in frame["dimension"].unique() if "integrity" in name.casefold()), ""),
        design.margin,
        design.smallest_effect,
    )
    return Trials(frame[list(COLUMNS)].reset_index(drop=True), codes, found, scales=dict(scales)), doubts


def scales_of(trials: Trials) -> dict[str, AskedScale]:
    """Each approach's, as it is known; else a usual one where ratings have many values or great ones, else from the
    least to the most. Fractions are no categories.
    """
    found = {}
    for name, rows in trials.frame.groupby("approach"):
        scale = trials.scales.get(str(name)) or AskedScale.between(*_ends(rows["value"]))
        is_whole = (rows["value"].dropna() % 1 == 0).all()
        found[str(name)] = scale if is_whole else AskedScale(scale.least, scale.most)
    return found


def _ends(values: "pd.Series[float]") -> tuple[float, float]:
    """The first usual scale that holds all but a few of many values, which somebody has mistyped: margins and bands
    of points would mean nothing on one that ends at 1 or at 10.
    """
    known = values.dropna()
    known = known[known >= 0]
    for begin, end in SHORT_SCALES:
        inside = known[known <= end]
        if len(known) - len(inside) <= MISTYPED * len(known) and _are_many(inside):
            return begin, end
    if _are_many(known):
        return POINTS
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)


def _are_many(values: "pd.Series[float]") -> bool:
    """Whether they are no categories, by their number or by the greatest."""
    return values.nunique() > MAX_CATEGORIES_GUESSED or bool((values > MAX_CATEGORIES_GUESSED).any())


def _is_baseline(name: str) -> bool:
    return name.strip().casefold().replace("-", "_").replace(" ", "_") in BASELINES
