"""Work of a study in a given amount, and what it leaves on the disk.

Import this only once Django knows the database: its models come with it.
"""

import random
from decimal import Decimal
from itertools import count

from django.db import connection

from annotation.judging.models.judging import JudgingItem
from annotation.writing.models import WritingAssignment
from benchmarks.support import calls_run
from benchmarks.support.saved_sessions import type_and_save
from benchmarks.support.typist import Typist
from benchmarks.support.writing_study import prepare
from tests.factories import a_judged_study

HALF_AN_HOUR = 1800.0
_numbers = count(1)


def answers(number: int) -> int:
    """So many answers, each typed without a break for half an hour and saved at the page's rhythm."""
    seats = prepare(writers=number, minutes=60, name=f"sized-{next(_numbers)}")
    held = WritingAssignment.objects.filter(pk__in=[seat.assignment_id for seat in seats])
    for seed, answer in enumerate(held.select_related("participation__user", "study")):
        typist = Typist(random.Random(seed), "", 0)  # noqa: S311 - reproducible
        type_and_save(answer, typist, seconds=HALF_AN_HOUR)
    return number


def items(*, judges: int, prompts: int) -> int:
    """Items of six answers, all scored on every dimension and submitted; answers are of a few sentences."""
    study = a_judged_study(3, 3, judges, slug=f"sized-{next(_numbers)}", prompts=prompts, human_sets="fixed")
    return JudgingItem.objects.filter(study=study).count()


def calls(texts: int, *, cap: Decimal) -> int:
    """Calls of a panel about so many texts, answered by the demonstration's provider."""
    run = calls_run.a_run(texts, provider="demo")
    with calls_run.workers(1):
        calls_run.work_off(run, cap=cap, meanwhile=lambda _seconds: None)
    return run.calls.count()


def bytes_on_disk() -> int:
    """The database, after what is no longer needed in its tables was given back for use."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("SELECT pg_database_size(current_database())")
        size: int = cursor.fetchone()[0]
    return size
