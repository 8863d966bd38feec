"""Answers that are typed and saved at a page's rhythm, and what the database needs to keep them.

Import this only once Django knows the database: its models come with it.
"""

import random
from dataclasses import astuple, dataclass
from statistics import mean, median

from django.db import connection
from django.db.models import Func, IntegerField, Sum

from annotation.platform.core.text import count_words
from annotation.writing.core import deltas
from annotation.writing.models import Draft, DraftRevision, WritingAssignment
from annotation.writing.services import drafts
from annotation.writing.services.drafts import Save, Status
from benchmarks.support.typist import Typist
from benchmarks.support.writer import LATEST, PAUSE, TICK
from benchmarks.support.writing_study import prepare
from tests.answers import begin


@dataclass(frozen=True)
class Size:
    """What a table takes, in bytes. `total` has long values and the table's own maps with it."""

    rows: int
    indexes: int
    total: int

    def __sub__(self, other: "Size") -> "Size":
        return Size(*(mine - theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))

    def for_each(self, number: int) -> str:
        rows, indexes, total = (size / number / 1000 for size in astuple(self))
        return f"{rows:6.1f} kB of rows, {indexes:5.1f} kB of indexes, {total:6.1f} kB in all"


def size_of(model: type[Draft | DraftRevision]) -> Size:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_relation_size(%(table)s), pg_indexes_size(%(table)s), pg_total_relation_size(%(table)s)",
            {"table": model._meta.db_table},
        )
        return Size(*cursor.fetchone())


def live_bytes_of_drafts() -> int:
    """What the drafts' newest versions take; the rest of their table a vacuum gives back for use."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(sum(pg_column_size(draft.*)), 0) FROM annotation_draft draft")
        size: int = cursor.fetchone()[0]
    return size


def measure(sessions: int, *, minutes: int) -> None:
    """Type for so many `minutes` at each of so many answers, and print what has been kept of one on average."""
    seats = prepare(writers=sessions, minutes=60, name=f"history-{minutes}")
    answers = WritingAssignment.objects.filter(pk__in=[seat.assignment_id for seat in seats])
    history, draft, live = size_of(DraftRevision), size_of(Draft), live_bytes_of_drafts()
    for number, answer in enumerate(answers.select_related("participation__user", "study")):
        type_and_save(answer, Typist(random.Random(number), "", 0), seconds=60 * minutes)  # noqa: S311 - reproducible
    history, draft, live = size_of(DraftRevision) - history, size_of(Draft) - draft, live_bytes_of_drafts() - live

    texts = Draft.objects.filter(assignment__in=answers).values_list("text", flat=True)
    revisions = DraftRevision.objects.filter(assignment__in=answers)
    changes = [len(inserted) for inserted in revisions.values_list("inserted", flat=True)]
    activity = Func("activity", function="pg_column_size", output_field=IntegerField())
    noted = revisions.aggregate(bytes=Sum(activity))["bytes"]
    print(f"  {sum(map(count_words, texts)) / sessions:.0f} words in the end, {len(changes) / sessions:.0f} saves")
    print(f"  characters a save: {median(changes):.0f} at the median, {mean(changes):.0f} on average")
    print(f"  history  {history.for_each(sessions)}, {noted / sessions / 1000:.1f} kB of them how it was typed")
    print(f"  drafts   {draft.for_each(sessions)}, {live / sessions / 1000:.1f} kB of them live")


def type_and_save(answer: WritingAssignment, typist: Typist, *, seconds: float) -> None:
    """Save as the page does: after a pause, and every few seconds at the latest."""
    begin(answer)
    unsaved_since: float | None = None
    for tick in range(int(seconds / TICK)):
        now = tick * TICK
        before = typist.text
        typist.until(now)
        if typist.text != before:
            unsaved_since = unsaved_since or now
        if unsaved_since and (now - typist.changed_at >= PAUSE or now - unsaved_since >= LATEST):
            save(answer, typist)
            unsaved_since = None


def save(answer: WritingAssignment, typist: Typist) -> None:
    """Send the change since the last save, with what was noted meanwhile."""
    held = Draft.objects.get(assignment=answer)
    sent = Save(
        epoch=held.pen_epoch,
        seq=held.seq + 1,
        change=deltas.between(held.text, typist.text),
        base_seq=held.seq,
        base_sha=held.sha256,
        activity=tuple(typist.activity),
    )
    status, _ = drafts.save(assignment_id=answer.pk, sent=sent, by=answer.participation.user)
    if status is not Status.SAVED:
        raise RuntimeError(f"A save was not taken: {status}.")
    typist.activity.clear()
