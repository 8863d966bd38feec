"""Ratings of any study as one tidy frame, whatever file they came in, and as judgments that a report is made of.

A row is one rating: what an evaluator gave a unit (an answer) on a dimension. In memory text is `str` ("" where a
study has nothing of the kind) and values are floats. `value` is NaN where there is no rating, and `status` then
says why; it is "" where there is one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.judgment_frame import HUMAN, MODEL, STANDARD, JudgmentFileError
from annotation.platform.core.phrases import counted

COLUMNS: Final = (
    "unit",
    "prompt",
    "respondent",
    "condition",
    "evaluator",
    "perspective",
    "replicate",
    "dimension",
    "value",
    "status",
)
RATING: Final = ["unit", "prompt", "condition", "evaluator", "perspective", "replicate", "dimension"]
MISSING: Final = "missing"
FAILED: Final = "failed"
ABSTAINED: Final = "abstained"
OUT_OF_SCALE: Final = "out of scale"
RANK: Final = "rank"  # dimensions that are none of the rubric's
SCORE: Final = "score"
PREFERENCE: Final = "preference"
OVERALL: Final = "overall"
PEOPLE: Final = frozenset(("human", "humans", "people", "person"))
NOBODY: Final = "answers"  # whose source nobody tells


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something to check in a file: what could be meant otherwise, was left out, or nobody said; and where
    it is first found, as a spreadsheet numbers rows, where that is one place.
    """

    text: str
    row: int | None = None
    column: str = ""

    def __str__(self) -> str:
        places = (f"row {self.row}" if self.row else "", f"column {self.column}" if self.column else "")
        place = ", ".join(filter(None, places))
        return f"{place}: {self.text}" if place else self.text


@dataclass(frozen=True)
class Ratings:
    """The `frame` has COLUMNS; `item_types` by prompt where they are known; `doubts` in the order of the file.
    `conclusions` has what an answer recommends, "" where nobody says, by prompt, respondent, condition and unit.
    `places` has `row` and `column` in the file for every row of the frame, where that is known.
    """

    frame: pd.DataFrame
    item_types: dict[str, str]
    doubts: tuple[Doubt, ...] = ()
    conclusions: Mapping[tuple[str, str, str, str], str] = field(default_factory=dict)
    places: pd.DataFrame | None = None


def check_any(ratings: Ratings) -> None:
    """Raises JudgmentFileError where no rating is left: a report of it would hold nothing, and say so nowhere."""
    if ratings.frame["value"].notna().any():
        return
    why = ratings.frame["status"].iloc[0]
    place = f"row {ratings.places['row'].iloc[0]}: " if ratings.places is not None else ""
    raise JudgmentFileError(
        f"{place}read as no rating ({why}), as all others are: nothing is left to analyse; correct the cells, or "
        "leave out the column that says so"
    )


def first_outside(ratings: Ratings, scale: tuple[float, float]) -> str:
    """Where in the file the first rating below or above the ends of the scale is; "" where nobody knows."""
    frame, places = ratings.frame, ratings.places
    rubric = set(frame["dimension"]) - {RANK, SCORE, PREFERENCE}
    rated = frame["dimension"].isin(rubric or {SCORE})
    wrong = rated & frame["value"].notna() & ~frame["value"].between(*scale)
    if places is None or not wrong.any():
        return ""
    first = places[wrong].nsmallest(1, "row").iloc[0]
    return f"row {first['row']}, column {first['column']}"


def judgments_of(ratings: Ratings, *, people: frozenset[str] = PEOPLE) -> pd.DataFrame:
    """A frame as `judgment_frame` has it: a rating of several perspectives or replicates is their mean, answers
    under several conditions are different answers of different sources.

    A score is the one given, or the sum of the dimensions where all are there; ranks are those given, or else the
    order of the scores. Respondents called as one of `people` are people, all others models.
    """
    frame = ratings.frame
    by_condition = frame["condition"].nunique() > 1
    suffix = " · " + frame["condition"] if by_condition else ""
    named = frame.assign(
        unit=frame["unit"] + suffix,
        respondent=frame["respondent"].where(frame["respondent"] != "", NOBODY) + suffix,
        is_human=frame["respondent"].str.casefold().isin(people),
    )
    wide = side_by_side(named, ["prompt", "unit", "respondent", "is_human", "evaluator"])
    wide = wide.dropna(how="all", subset=[name for name in wide.columns if name in set(frame["dimension"])])
    dimensions = [str(name) for name in dict.fromkeys(frame["dimension"]) if name in wide.columns]
    return _as_judgments(wide, dimensions, ratings.item_types)


def side_by_side(frame: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """A row for everything that the `keys` tell apart, in the order in which they are first found, with a column
    for each dimension: the mean of its values, NaN where there is none.
    """
    number = frame.groupby(keys, sort=False).ngroup().to_numpy()
    first = frame[keys].drop_duplicates().reset_index(drop=True)
    means = frame["value"].groupby([frame["dimension"].to_numpy(), number], sort=False).mean()
    names = {str(name): name for name in dict.fromkeys(frame["dimension"])}
    values = {name: means.loc[key].reindex(first.index).to_numpy() for name, key in names.items()}
    # All at once: a column at a time takes long where there are hundreds.
    return pd.concat([first, pd.DataFrame(values, index=first.index)], axis=1)


def averaged(ratings: Ratings) -> Iterator[Doubt]:
    """What a report of judgments leaves out of the frame."""
    for name in ("perspective", "replicate"):
        if (number := ratings.frame[name].nunique()) > 1:
            yield Doubt(f"an evaluator’s ratings of an answer are averaged over {number:,} values of {name}")
    names = set(ratings.frame["dimension"])
    if len(names - {RANK, SCORE, PREFERENCE}) > 1 and not names & {RANK, SCORE}:
        has = ratings.frame["value"].notna().groupby([ratings.frame[name] for name in RATING[:-1]], sort=False)
        if in_part := int((has.any() & ~has.all()).sum()):
            yield Doubt(
                f"{counted(in_part, 'answer')} rated on some dimensions alone: an answer without a sum of all "
                "has no score and no rank by that rater"
            )


def _as_judgments(wide: pd.DataFrame, dimensions: list[str], item_types: dict[str, str]) -> pd.DataFrame:
    rubric = [name for name in dimensions if name not in (RANK, SCORE, PREFERENCE)]
    blank = pd.Series(np.nan, index=wide.index)
    total = wide[rubric].sum(axis=1, skipna=False) if rubric else blank
    score = wide[SCORE] if SCORE in dimensions else total
    judgment = [wide["prompt"], wide["evaluator"]]
    order = wide[PREFERENCE] if PREFERENCE in dimensions else score
    of_order = order.groupby(judgment).rank(method="min", ascending=False)
    # A score alone is a rubric of one dimension.
    alone = {OVERALL: score.astype(float)} if SCORE in dimensions and not rubric else {}
    return pd.DataFrame(
        {
            "prompt_id": wide["prompt"].astype("str"),
            "true_id": wide["unit"].astype("str"),
            "blinded_label": wide["unit"].astype("str"),
            "item_type": wide["prompt"].map(lambda prompt: item_types.get(prompt, STANDARD)).astype("str"),
            "true_source": wide["is_human"].map({True: HUMAN, False: MODEL}).astype("str"),
            "model": wide["respondent"].where(~wide["is_human"].astype(bool), "").astype("str"),
            "rank": (wide[RANK] if RANK in dimensions else of_order).astype(float),
            "score": score.astype(float),
            "judge_id": wide["evaluator"].astype("str"),
            **{name: wide[name].astype(float) for name in rubric},
            **alone,
        }
    )
