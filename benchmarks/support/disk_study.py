"""Two writers and a judge, while the database has no space.

Import this only once Django knows the database: its models come with it.
"""

import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db import connection

from annotation.judging.models.judging import Score
from annotation.platform.models.uptime import UpPeriod
from annotation.platform.services.clock import database_now
from annotation.writing.models import Draft, WritingAssignment
from annotation.writing.services import writing
from benchmarks.support import writing_study
from benchmarks.support.room_study import an_item, session_of
from benchmarks.support.writing_study import Seat

ALIVE = timedelta(seconds=15)


@dataclass(frozen=True)
class Seats:
    """Who is there: one writer without a browser, one with it, and a judge."""

    writer: Seat
    typist: Seat
    item_id: int
    judge_session: str


def prepare() -> Seats:
    writer, typist = writing_study.prepare(writers=2, minutes=30, name="full")
    assignment = WritingAssignment.objects.select_related("participation__user").get(pk=typist.assignment_id)
    writing.start(assignment=assignment, attested=True, by=assignment.participation.user)
    item = an_item()
    return Seats(writer, typist, item.pk, session_of(item))


def problems(
    seats: Seats, text: str, scores: Iterable[tuple[str, int]], loop: subprocess.Popen[bytes]
) -> list[str]:
    """What is not as the two pages show it, now that there is space again; and whether the loop works."""
    connection.close()  # the server that it led to may have ended
    found = []
    draft = Draft.objects.get(assignment=seats.typist.assignment_id)
    if draft.text.strip() != text.strip():
        found.append(f"the page has {len(text)} characters, the database {len(draft.text)} others")
    held = Score.objects.filter(slot__item=seats.item_id).values_list("slot_id", "dimension", "value")
    if {(f"score:{slot}:{dimension}", value) for slot, dimension, value in held} != {
        tuple(each) for each in scores
    }:
        found.append(f"the judge's page has {scores}, the database {list(held)}")
    gives_up = time.monotonic() + 90
    while (code := loop.poll()) is None and time.monotonic() < gives_up:
        if UpPeriod.objects.filter(seen_at__gt=database_now() - ALIVE).exists():
            return found
        time.sleep(1)
    return [*found, f"the loop {'does nothing' if code is None else f'ended with {code}'}"]
