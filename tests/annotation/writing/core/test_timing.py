from datetime import UTC, datetime, timedelta

import pytest

from annotation.writing.core.timing import break_ends

NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def answers(*begun: int, minutes: int = 30) -> list[tuple[datetime, datetime]]:
    """Answers of 30 minutes each, begun so many minutes after noon."""
    return [(NOON + start * MINUTE, NOON + (start + minutes) * MINUTE) for start in begun]


@pytest.mark.parametrize(
    ("begun", "minutes_after_noon"),
    [
        ((), None),
        ((0, 30), None),
        ((0, 30, 60), 60 + 30 + 15),  # the third ends 90 minutes after noon
        ((60, 0, 30), 60 + 30 + 15),  # in whatever order they come
        ((0, 30, 75), None),  # 15 minutes lay between the second and the third: a new session
        ((0, 30, 74), 74 + 30 + 15),  # 14 minutes are no break
        ((0, 30, 60, 200, 230), None),  # two of the next session
        ((0, 30, 60, 200, 230, 260), 260 + 30 + 15),
    ],
)
def test_a_break_of_15_minutes_is_owed_after_three_answers_without_one(
    begun: tuple[int, ...], minutes_after_noon: int | None
) -> None:
    ends = break_ends(answers(*begun), per_session=3, rest=15 * MINUTE)
    assert ends == (None if minutes_after_noon is None else NOON + minutes_after_noon * MINUTE)


def test_where_no_rest_is_asked_for_every_answer_begins_a_session() -> None:
    assert break_ends(answers(0, 30, 60), per_session=2, rest=timedelta()) is None


def test_a_session_has_at_least_one_prompt() -> None:
    with pytest.raises(ValueError, match="no session"):
        break_ends([], per_session=0, rest=MINUTE)
