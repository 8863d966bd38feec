"""What is said of work that has a due day and a forecast."""

import pytest

from annotation.coordination.core.forecast import Forecast, Undefined
from annotation.coordination.core.outlook import Outlook, outlook

SOON = Forecast(median_days=4, low_days=3, high_days=6)
UNDEFINED = Undefined("Nothing has been submitted yet.")


@pytest.mark.parametrize(
    ("days_to_due", "says"),
    [(6, Outlook.ON_TIME), (5.9, Outlook.AT_RISK), (4, Outlook.AT_RISK), (3.9, Outlook.LATE), (-1, Outlook.LATE)],
)
def test_a_due_day_is_kept_at_risk_or_missed_by_interval_and_middle(days_to_due: float, says: Outlook) -> None:
    assert outlook(SOON, left=2, blocked=0, days_to_due=days_to_due) == says


def test_without_a_due_day_nothing_is_late() -> None:
    assert outlook(SOON, left=2, blocked=0, days_to_due=None) == Outlook.OPEN


@pytest.mark.parametrize("days_to_due", [None, 6])
def test_without_a_forecast_nothing_is_known(days_to_due: float | None) -> None:
    assert outlook(UNDEFINED, left=2, blocked=0, days_to_due=days_to_due) == Outlook.UNKNOWN


def test_what_nobody_can_do_blocks_the_rest_until_the_due_day_has_passed() -> None:
    assert outlook(SOON, left=2, blocked=1, days_to_due=60) == Outlook.BLOCKED
    assert outlook(UNDEFINED, left=1, blocked=1, days_to_due=None) == Outlook.BLOCKED
    assert outlook(SOON, left=2, blocked=1, days_to_due=0) == Outlook.LATE


def test_work_that_is_done_is_done_however_late() -> None:
    assert outlook(UNDEFINED, left=0, blocked=0, days_to_due=-9) == Outlook.DONE
