"""Whether work will be done by its due day, as far as its forecast tells."""

from enum import StrEnum

from annotation.coordination.core.forecast import Forecast, Undefined


class Outlook(StrEnum):
    DONE = "done"
    ON_TIME = "on time"
    AT_RISK = "at risk"
    LATE = "late"
    BLOCKED = "blocked"
    OPEN = "no due day"
    UNKNOWN = "not known yet"


def outlook(forecast: Forecast | Undefined, *, left: int, blocked: int, days_to_due: float | None) -> Outlook:
    """What to say of `left` pieces of work, of which nobody can do `blocked` as things stand.

    `days_to_due` run until the due day ends and are below 0 afterwards; `None` where no day is set. On time needs
    even the late end of the forecast's interval to fall before it; at risk says that only its middle does.
    """
    if not left:
        return Outlook.DONE
    if days_to_due is not None and days_to_due <= 0:
        return Outlook.LATE
    if blocked:
        return Outlook.BLOCKED
    if isinstance(forecast, Undefined):
        return Outlook.UNKNOWN
    return Outlook.OPEN if days_to_due is None else _by_forecast(forecast, days_to_due)


def _by_forecast(forecast: Forecast, days_to_due: float) -> Outlook:
    if forecast.high_days <= days_to_due:
        return Outlook.ON_TIME
    return Outlook.AT_RISK if forecast.median_days <= days_to_due else Outlook.LATE
