"""The state of work that was asked for and is not done yet."""

from enum import StrEnum

from annotation.platform.models.work import Task


class Trouble(StrEnum):
    """What happened to it: nothing, it broke off and is tried again by itself, or nobody tries again."""

    NONE = ""
    TRIED_AGAIN = "tried again"
    GIVEN_UP = "given up"


def trouble_with(*, kind: str, subject: object) -> Trouble:
    """What trouble the newest task for this work has."""
    task = Task.objects.filter(kind=kind, subject=str(subject)).order_by("-id").first()
    if task is None or not task.last_error:
        return Trouble.NONE
    return Trouble.GIVEN_UP if task.gave_up_at else Trouble.TRIED_AGAIN
