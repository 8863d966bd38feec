"""The study that simulated writers write in, and what its database says afterwards.

Import this only once Django knows the database: its models come with it.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db import connection

from annotation.platform.core.text import sha256_hex
from annotation.texts.core.normalisation import normalise
from annotation.writing.core import deltas
from annotation.writing.models import DraftRevision, WritingAssignment
from benchmarks.support.room_client import Acknowledged
from tests.clients import signed_in
from tests.factories import a_writing_study

MAX_ANSWERS = 100  # to one prompt

SaveNumber = tuple[int, int]  # epoch and number of a save


@dataclass(frozen=True)
class Seat:
    """A writer who is signed in and has an answer to write."""

    assignment_id: int
    session: str


@dataclass
class Findings:
    """What the database holds of what was acknowledged. Answers are named by their assignment."""

    found: int = 0
    missing: list[str] = field(default_factory=list)
    states: dict[str, int] = field(default_factory=dict)


def prepare(*, writers: int, minutes: int, name: str = "load") -> list[Seat]:
    """So many writers, signed in without the forms, each with one answer and `minutes` for it."""
    seats = []
    for number, first in enumerate(range(0, writers, MAX_ANSWERS)):
        some = min(MAX_ANSWERS, writers - first)
        study = a_writing_study(f"{name}-{number}", writers=some, prompts=1, writing_minutes=minutes)
        for answer in WritingAssignment.objects.filter(study=study).select_related("participation__user"):
            session = signed_in(answer.participation.user).cookies["sessionid"].value
            seats.append(Seat(answer.pk, session))
    return seats


def wait_for_the_clock(seats: Iterable[Seat], *, seconds: float) -> None:
    """Return when no answer is being written any more, or after so long."""
    connection.close()  # the server that it led to may have been killed
    waiting = WritingAssignment.objects.filter(pk__in=[seat.assignment_id for seat in seats], state="writing")
    gives_up = time.monotonic() + seconds
    while waiting.exists() and time.monotonic() < gives_up:
        time.sleep(1)


def findings(acknowledged: Mapping[int, list[Acknowledged]], last_texts: Mapping[int, str]) -> Findings:
    """Look for every acknowledged save, and for every answer's last acknowledged or handed in text.

    A save is found where the changes up to its number, put together from nothing, give the text it was acknowledged
    with. The last text has to be in the draft and in the submission.
    """
    result = Findings()
    for pk, saves in acknowledged.items():
        texts = _replayed(pk)
        for save in saves:
            if texts.get((save.epoch, save.seq)) == save.sha256:
                result.found += 1
            else:
                result.missing.append(f"answer {pk}: save {save.epoch}.{save.seq}")
        result.missing += _last_text_missing(pk, last_texts[pk], result.states)
    return result


def _replayed(assignment_id: int) -> dict[SaveNumber, str]:
    """The hash of the text after each revision."""
    text, hashes = "", {}
    for each in DraftRevision.objects.filter(assignment_id=assignment_id).order_by("pen_epoch", "seq"):
        text = deltas.apply(text, deltas.Delta(each.at, each.removed, each.inserted))
        hashes[each.pen_epoch, each.seq] = sha256_hex(text)
    return hashes


def _last_text_missing(pk: int, text: str, states: dict[str, int]) -> list[str]:
    answer = WritingAssignment.objects.select_related("draft", "response").get(pk=pk)
    state = f"{answer.state} by the clock" if answer.submitted_by_clock else answer.state
    states[state] = states.get(state, 0) + 1
    missing = []
    if (answer.draft.text, answer.draft.sha256) != (text, sha256_hex(text)):
        missing.append(f"answer {pk}: the draft is not the last text")
    if answer.response is None or answer.response.text not in (text, normalise(text)):
        missing.append(f"answer {pk}: the submission is not the last text")
    return missing
