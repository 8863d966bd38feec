"""The table of participants: who answered what, and with how many."""

import math

import pytest

from analysis.data.core.study_tables import PARTICIPANTS, table
from analysis.outcomes.core.participants import ParticipantGroup, participant_groups
from tests.analysis.agreement.core.rankings import ends, value

PEOPLE = table(
    [
        ("w1", "writer", "doctorate", 1, "law", 5, "NO", 2.0),
        ("w2", "writer", "doctorate", 0, "law", 9, "DE", 4.0),
        ("w3", "writer", "master", None, "history", 4, "", None),
        ("w4", "writer", "", None, "", None, "", None),
        ("j1", "judge", "doctorate", None, "sociology", 12, "DE", None),
    ],
    PARTICIPANTS,
)


def groups(
    ideology: tuple[str, str, int] | None = ("progressive", "conservative", 5),
) -> tuple[ParticipantGroup, ...]:
    return participant_groups(PEOPLE, ideology)


def test_writers_stand_before_judges() -> None:
    assert [(group.role, group.people) for group in groups()] == [("writer", 4), ("judge", 1)]


def test_every_question_has_its_own_number_of_answers() -> None:
    writers, _ = groups()
    assert (writers.degrees.answered, writers.degrees.counts) == (3, {"doctorate": 2, "master": 1})
    assert (writers.disciplines.answered, writers.countries.answered) == (3, 2)
    # Most frequent first, then in alphabetical order.
    assert list(writers.disciplines.counts) == ["law", "history"]
    assert list(writers.countries.counts) == ["DE", "NO"]


def test_the_share_of_research_intensive_doctorates_is_of_those_with_a_doctorate() -> None:
    writers, judges = groups()
    assert (value(writers.r1_doctorates), writers.r1_doctorates.n) == (0.5, 2)
    # Clopper and Pearson of 1 of 2: p² = 0.025 above, (1 − p)² = 0.025 below.
    assert ends(writers.r1_doctorates) == pytest.approx((1 - math.sqrt(0.975), math.sqrt(0.975)))
    assert (judges.r1_doctorates.left_out, judges.r1_doctorates.reason) == (
        1,
        "nobody with a doctorate was asked or answered",
    )


def test_years_and_positions_have_mean_spread_and_range() -> None:
    writers, judges = groups()
    assert (value(writers.years.mean), writers.years_range) == (6, (4, 9))
    # 5, 9, 4: SD √(14/2), and t of two degrees of freedom is 4.303; on the scale of logarithms, since years are no
    # less than 0.
    factor = math.exp(4.3027 * math.sqrt(7 / 3) / 6)
    assert ends(writers.years.mean) == pytest.approx((6 / factor, 6 * factor), abs=1e-3)
    assert (value(writers.ideology.mean), writers.ideology.mean.n) == (3, 2)
    assert judges.ideology.mean.reason == "needs at least 1 value, has 0"


def test_intervals_of_positions_stay_between_the_poles() -> None:
    # 2 and 4: t of one degree of freedom reaches 12.7 to either side.
    low, high = ends(groups()[0].ideology.mean)
    assert 1 <= low < 1.001
    assert 4.999 < high <= 5


def test_positions_are_named_as_the_instrument_names_its_poles() -> None:
    writers, _ = groups()
    assert (writers.ideology_low, writers.ideology_high, writers.ideology_points) == (
        "progressive",
        "conservative",
        5,
    )
    assert groups(None)[0].ideology_points == 0
