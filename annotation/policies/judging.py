"""When a judge may open, score and submit an item."""

from annotation.core.errors import Refused
from annotation.models.judging import JudgingItem
from annotation.policies.participation import check_ready


def check_may_judge(item: JudgingItem) -> None:
    """Raise `Refused` where consent or profile is missing, or judging is not open."""
    check_ready(item.participation)
    if item.study.state != "judging":
        raise Refused("Judging is not open in this study.")


def check_may_change(item: JudgingItem) -> None:
    check_may_judge(item)
    if item.state == "assigned":
        raise Refused("This item has not been begun. Open it first.")
    if item.state != "open":
        raise Refused("This item has been submitted; its scores can no longer be changed.")
