"""What people said of themselves, told no more exactly than keeps each of them among k who said the same.

Answers are generalised a whole column at a time, by role, until every combination of what is published holds at
least k people. Of all ways to do so, the one is taken that keeps most: the sum over columns of the Shannon entropy,
in bits, of what is published. Every column counts into the combination, so that none is left to be learnt of one.
"""

import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.core.judgment_frame import number_text

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
    """How exactly a column is told, in words, and what becomes of an answer's text."""

    words: str
    tell: Callable[[str], str]


def _band(width: int) -> Step:
    def tell(years: str) -> str:
        low = int(float(years)) // width * width
        return f"{low}-{low + width - 1}"

    return Step(f"in bands of {width} years", tell)


def _region(country: str) -> str:
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
    "country": (_GIVEN, Step("by region of the world", _region), _GONE),
    "ideology": (_GIVEN, Step("to the nearest point", _whole_point), _GONE),
}


@dataclass(frozen=True)
class Generalised:
    """What was published of a role's people: how exactly each column, in words, and the people of the rarest
    combination. `is_withheld`: nothing but the role is told, since fewer than k have it.
    """

    role: str
    people: int
    smallest_group: int
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
        steps = _best_steps(people, k)
        told = people.assign(**{column: _told(people[column], step) for column, step in steps.items()})
        published.loc[people.index] = told
        done.append(_account(str(role), told, steps, k))
    return published, tuple(done)


def _texts(answers: "pd.Series[Any]") -> list[str]:
    return [answer if isinstance(answer, str) else number_text(answer) for answer in answers]


def _told(answers: "pd.Series[str]", step: Step) -> "pd.Series[str]":
    return answers.map(lambda answer: step.tell(answer) if answer or step is _GONE else "")


def _account(role: str, told: pd.DataFrame, steps: Mapping[str, Step], k: int) -> Generalised:
    smallest = int(told.groupby(list(STEPS)).size().min())
    return Generalised(
        role=role,
        people=len(told),
        smallest_group=smallest,
        is_withheld=smallest < k,
        columns={column: step.words if told[column].any() else NOBODY for column, step in steps.items()},
    )


def _best_steps(people: pd.DataFrame, k: int) -> dict[str, Step]:
    """Of each column. Where not even k people have the role, all that it has is withheld."""
    ladders = [[_Rung.of(step, _told(people[column], step)) for step in steps] for column, steps in STEPS.items()]
    everybody = np.zeros(len(people), dtype=np.int64)
    kept = max(_anonymous(ladders, k, everybody), key=lambda rungs: sum(rung.bits for rung in rungs), default=None)
    chosen = kept or tuple(ladder[-1] for ladder in ladders)
    return {column: rung.step for column, rung in zip(STEPS, chosen, strict=True)}


@dataclass(frozen=True)
class _Rung:
    """A column at a step: whole numbers that stand for what is told of each person, and its entropy in bits.

    Bits are rounded so that equal ones are equal; of equal ways the most exact one comes first, and is taken.
    """

    step: Step
    codes: npt.NDArray[np.int64]
    bits: float

    @classmethod
    def of(cls, step: Step, told: "pd.Series[str]") -> "_Rung":
        codes, _ = pd.factorize(told, sort=True)
        shares = np.bincount(codes) / len(codes)
        return cls(step, codes.astype(np.int64), round(float(-(shares * np.log2(shares)).sum()), 9))


def _anonymous(
    ladders: Sequence[Sequence[_Rung]], k: int, together: npt.NDArray[np.int64]
) -> Iterator[tuple[_Rung, ...]]:
    """Every choice of a rung for each column that leaves nobody among fewer than k.

    `together` has the same number for those who are alike so far: further columns only tell them apart.
    """
    if not ladders:
        yield ()
        return
    for rung in ladders[0]:
        found = np.unique(together * (rung.codes.max() + 1) + rung.codes, return_inverse=True, return_counts=True)
        _, alike, sizes = found
        if sizes.min() >= k:
            yield from ((rung, *others) for others in _anonymous(ladders[1:], k, alike))
