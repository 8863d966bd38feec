"""What people said of themselves, told no more exactly than keeps each of them among k who said the same.

Answers are generalised a whole column at a time, by role, and of people whose combination is still too rare nothing
is told, until every combination of what is published holds at least k people, that of nothing too. Of all ways to
do so, the one is taken that keeps most: the sum over columns of the Shannon entropy, in bits, of what is published,
times the share of people of whom it is. Every column counts into the combination.
"""

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.data.core.judgment_frame import number_text

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

WITHHELD: Final = "withheld"
AS_GIVEN: Final = "as given"
NOBODY: Final = "answered by nobody"
ELSEWHERE: Final = "elsewhere"
_REGIONS: Final = {
    country: region
    for region, countries in tomllib.loads(
        Path(__file__).with_name("regions.toml").read_text(encoding="utf-8")
    ).items()
    for country in countries
}


@dataclass(frozen=True)
class Step:
    """How exactly a column is published, in words, and what becomes of an answer's text."""

    words: str
    tell: Callable[[str], str]


def _band(width: int) -> Step:
    def tell(years: str) -> str:
        low = int(float(years)) // width * width
        return f"{low}-{low + width - 1}"

    return Step(f"in bands of {width} years", tell)


def region_of(country: str) -> str:
    return _REGIONS.get(country.strip().casefold().removeprefix("the "), ELSEWHERE)


def _whole_point(position: str) -> str:
    return str(math.floor(float(position) + 0.5))


_GIVEN: Final = Step(AS_GIVEN, lambda answer: answer)
_GONE: Final = Step(WITHHELD, lambda _answer: WITHHELD)

# From the most exact to nothing. An answer that was not given stays blank, until its column is withheld.
STEPS: Final[Mapping[str, Sequence[Step]]] = {
    "highest_degree": (_GIVEN, _GONE),
    "r1_institution": (_GIVEN, _GONE),
    "discipline": (_GIVEN, _GONE),
    "years_experience": (_GIVEN, _band(5), _band(10), _band(20), _GONE),
    "country": (_GIVEN, Step("by region of the world", region_of), _GONE),
    "ideology": (_GIVEN, Step("to the nearest point", _whole_point), _GONE),
}


@dataclass(frozen=True)
class Generalised:
    """What was published of a role's people: how exactly each column, in words; the people of the rarest
    combination; and of how many nothing is published, since what they said is too rare. `is_withheld`: of nobody is
    anything told but the role, since fewer than k have it.
    """

    role: str
    people: int
    smallest_group: int
    withheld: int
    is_withheld: bool
    columns: Mapping[str, str]


def generalise(participants: pd.DataFrame, *, k: int) -> tuple[pd.DataFrame, tuple[Generalised, ...]]:
    """The table as it is published, every column text, and what was done, by role in alphabetical order.

    Raises ValueError where `k` is below 1.
    """
    if k < 1:
        raise ValueError(f"k is a number of people, from 1, not {k}.")
    published = participants.astype("str").assign(**{column: _texts(participants[column]) for column in STEPS})
    done = []
    for role, people in published.groupby("role", sort=True):
        steps, is_kept = _best_way(people, k)
        told = people.assign(**{column: _told(people[column], step) for column, step in steps.items()})
        told.loc[~is_kept, list(STEPS)] = WITHHELD
        published.loc[people.index] = told
        done.append(_account(str(role), told, steps, is_kept))
    return published, tuple(done)


def _texts(answers: "pd.Series[Any]") -> list[str]:
    return [answer if isinstance(answer, str) else str(number_text(answer)) for answer in answers]


def _told(answers: "pd.Series[str]", step: Step) -> "pd.Series[str]":
    return answers.map(lambda answer: step.tell(answer) if answer or step is _GONE else "")


def _account(role: str, told: pd.DataFrame, steps: Mapping[str, Step], is_kept: BoolArray) -> Generalised:
    return Generalised(
        role=role,
        people=len(told),
        smallest_group=int(told.groupby(list(STEPS)).size().min()),
        withheld=int((~is_kept).sum()),
        is_withheld=not is_kept.any(),
        columns={
            column: step.words if step is _GONE or told.loc[is_kept, column].any() else NOBODY
            for column, step in steps.items()
        },
    )


def _best_way(people: pd.DataFrame, k: int) -> tuple[dict[str, Step], BoolArray]:
    """How to tell each column, and of whom. Of equally good ways that which tells of most people, most exactly."""
    ladders = [_distinct(people[column], steps) for column, steps in STEPS.items()]
    best: tuple[float, int] = (-1, -1)
    for way in product(*ladders):
        codes = np.column_stack([told for _, told in way])
        is_kept = _kept(codes, k)
        worth = _bits(codes[is_kept]) * is_kept.mean(), int(is_kept.sum())
        if worth > best:
            best, steps, told_of = worth, [step for step, _ in way], is_kept
    if not told_of.any():
        steps = [_GONE] * len(STEPS)
    return dict(zip(STEPS, steps, strict=True)), told_of


def _distinct(answers: "pd.Series[str]", steps: Sequence[Step]) -> list[tuple[Step, IntArray]]:
    """The steps, with codes of what they tell; without those that leave everybody as a more exact one does."""
    ladder: dict[bytes, tuple[Step, IntArray]] = {}
    for step in steps:
        codes = pd.factorize(_told(answers, step), sort=True)[0]
        ladder.setdefault(codes.tobytes(), (step, codes))
    return list(ladder.values())


def _kept(codes: IntArray, k: int) -> BoolArray:
    """Who is among at least k of the same codes. If that leaves out fewer than k, the smallest group goes too."""
    _, group_of, sizes = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    by_size = np.argsort(sizes, kind="stable")
    rare = int((sizes < k).sum())
    if 0 < sizes[by_size[:rare]].sum() < k:
        rare += 1
    return np.isin(group_of, by_size[rare:])


def _bits(codes: IntArray) -> float:
    """The columns' entropies together, rounded so that equal ones are equal."""
    shares = (np.unique(column, return_counts=True)[1] / len(column) for column in codes.T)
    return round(float(sum(-(each * np.log2(each)).sum() for each in shares)), 9)
