"""What a study's audit trail says of an item's submissions.

Anybody who can write to the database can add an event to the trail, and the sealer seals it. So the last word does
not win: every step must be one that the judging room could have taken.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """A submission of an item or, not `submits`, its being taken back. `after_close`: the study was closed before.

    `actor` is who did it, `sha256` the hash of the judgment; `None` where it was not recorded.
    """

    submits: bool
    actor: int | None
    after_close: bool
    sha256: str | None


@dataclass(frozen=True)
class SubmissionTrail:
    """Whether an item is submitted by its legitimate steps, under which hash, and in words all other steps."""

    is_submitted: bool
    sha256: str | None
    illegitimate: tuple[str, ...]


def read_trail(steps: Iterable[Step], *, judge: int) -> SubmissionTrail:
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
    return SubmissionTrail(submitted is not None, submitted.sha256 if submitted else None, tuple(illegitimate))


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
