"""An item's submissions, as the study's audit trail records them.

Anybody who can write to the database can add an event to the trail, and the sealer seals it. So the last word does
not win: every step must be one that the judging room could have taken.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """A submission of an item or, not `submits`, its being taken back. `after_close`: the study was closed before.

    `number` is its place among the study's steps, in the order in which they were sealed. `actor` is who did it,
    `sha256` the hash of the judgment; `None` where it was not recorded.
    """

    number: int
    submits: bool
    actor: int | None
    after_close: bool
    sha256: str | None


@dataclass(frozen=True)
class SubmissionLog:
    """The submission that stands by an item's legitimate steps, if there is one, and in words all other steps.

    `number` is the submission's place among the study's steps, `None` where none stands, and `sha256` its hash.
    """

    number: int | None
    sha256: str | None
    illegitimate: tuple[str, ...]

    @property
    def is_submitted(self) -> bool:
        return self.number is not None


def read_log(steps: Iterable[Step], *, judge: int) -> SubmissionLog:
    """Walk the steps of one of the judge's items in the order in which they were sealed.

    The judge submits it once, and again only after having taken it back; neither after the study is closed. What
    does not fit counts for nothing.
    """
    submitted: Step | None = None
    illegitimate = []
    for step in steps:
        if wrong := _wrong(step, judge, is_submitted=submitted is not None):
            what = "submitted" if step.submits else "taken back"
            illegitimate.append(f"the audit trail has it {what} {wrong}.")
        else:
            submitted = step if step.submits else None
    number, sha256 = (submitted.number, submitted.sha256) if submitted else (None, None)
    return SubmissionLog(number, sha256, tuple(illegitimate))


def _wrong(step: Step, judge: int, *, is_submitted: bool) -> str:
    """What is wrong with a step; empty where nothing is."""
    if step.after_close:
        return "after the study was closed"
    if step.actor != judge:
        return "by somebody other than its judge"
    if step.submits and is_submitted:
        return "once more, without having been taken back"
    if not step.submits and not is_submitted:
        return "without having been submitted"
    return ""
