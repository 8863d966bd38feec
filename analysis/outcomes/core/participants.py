"""Who took part: what people said of themselves, with the number who answered each question."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Final

import pandas as pd

from analysis.data.core.results import Estimate, Summary, summarise
from analysis.uncertainty.core.intervals import with_exact_interval, with_t_interval

METHOD: Final = "t, people as independent"
DOCTORATE: Final = "doctorate"
ROLES: Final = ("writer", "judge")
UNNAMED: Final = ("", "", 0)


@dataclass(frozen=True, slots=True)
class Counted:
    """Answers to a question by how often each was given, most frequent first; `answered` people gave one."""

    answered: int
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ParticipantGroup:
    """The writers, or the judges, of a study. A question that nobody was asked has `answered` 0.

    `r1_doctorates` is the share of those with a doctorate whose institution is research-intensive; `ideology` lies
    between 1, `ideology_low`, and `ideology_points`, `ideology_high`, as the frozen instrument names its poles.
    """

    role: str
    people: int
    degrees: Counted
    r1_doctorates: Estimate
    years: Summary
    years_range: tuple[float, float] | None
    disciplines: Counted
    countries: Counted
    ideology: Summary
    ideology_low: str
    ideology_high: str
    ideology_points: int


def participant_groups(
    participants: pd.DataFrame, ideology: tuple[str, str, int] | None, *, level: float = 0.95
) -> tuple[ParticipantGroup, ...]:
    """One for each role that is in a study's table of participants, writers first.

    `ideology` has the poles and the number of points, as in `StudyTables`.
    """
    return tuple(
        _group(role, part, ideology or UNNAMED, level)
        for role in ROLES
        if len(part := participants[participants["role"] == role])
    )


def _group(role: str, people: pd.DataFrame, ideology: tuple[str, str, int], level: float) -> ParticipantGroup:
    years = people["years_experience"].dropna()
    doctors = people.loc[people["highest_degree"] == DOCTORATE, "r1_institution"]
    return ParticipantGroup(
        role,
        len(people),
        degrees=_counted(people["highest_degree"]),
        r1_doctorates=with_exact_interval(_share(doctors), level=level),
        years=_summary("years", people["years_experience"], level, (0.0, inf)),
        years_range=(float(years.min()), float(years.max())) if len(years) else None,
        disciplines=_counted(people["discipline"]),
        countries=_counted(people["country"]),
        ideology=_summary("ideology", people["ideology"], level, (1.0, ideology[2] or inf)),
        ideology_low=ideology[0],
        ideology_high=ideology[1],
        ideology_points=ideology[2],
    )


def _counted(answers: "pd.Series[str]") -> Counted:
    given = answers[answers != ""]
    counts = given.value_counts().sort_index().sort_values(ascending=False, kind="stable")
    return Counted(len(given), {str(answer): int(count) for answer, count in counts.items()})


def _share(is_so: "pd.Series[float]") -> Estimate:
    given = is_so.dropna()
    left_out = len(is_so) - len(given)
    if given.empty:
        return Estimate("r1_doctorates", None, 0, left_out, "nobody with a doctorate was asked or answered")
    return Estimate("r1_doctorates", float(given.mean()), len(given), left_out)


def _summary(name: str, answers: "pd.Series[float]", level: float, bounds: tuple[float, float]) -> Summary:
    found = summarise(name, answers.to_numpy(dtype=float))
    mean = with_t_interval(found.mean, found.se, found.mean.n - 1, level=level, method=METHOD, bounds=bounds)
    return replace(found, mean=mean)
