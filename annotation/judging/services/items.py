"""Judging items, locked: everything that their judge's next step depends on, read once."""

from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.db import connection

from annotation.judging.models.judging import JudgingItem
from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.platform.services.rows import first_named

# The study's row is shared: a step of the study waits for this one, and the other way round. The clock is read from
# outside, once both rows are locked.
LOCK = """
WITH locked AS MATERIALIZED (
    SELECT item.id, item.state, item.justification, item.opened_at, item.submitted_at, item.leased_until,
        item.asks_guess, item.guessed_at, item.participation_id, judge.user_id, judge.pseudonym AS judge,
        judge.left_at, consent.version AS consent_version, consent.withdrawn_at AS consent_withdrawn_at,
        prompt.code AS prompt, study.id AS study_id, study.state AS study_state, study.judging_mode AS mode,
        study.rationale, study.rubric_id, study.lease_hours, study.reopen_minutes
    FROM annotation_judgingitem item
    JOIN annotation_participation judge ON judge.id = item.participation_id
    LEFT JOIN annotation_consent consent ON consent.participation_id = judge.id
    JOIN annotation_prompt prompt ON prompt.id = item.prompt_id
    JOIN annotation_study study ON study.id = item.study_id
    WHERE item.id = %s AND item.state <> 'cancelled'
    FOR NO KEY UPDATE OF item FOR SHARE OF study
)
SELECT *, clock_timestamp() AS now FROM locked
"""


@dataclass(frozen=True)
class LockedItem:
    """An item as it stays until the transaction ends; `now` is the database's time once it was locked."""

    id: int
    state: str
    justification: str
    opened_at: datetime | None
    submitted_at: datetime | None
    leased_until: datetime | None
    asks_guess: bool
    guessed_at: datetime | None
    participation_id: int
    user_id: int
    judge: str
    left_at: datetime | None
    consent_version: str | None
    consent_withdrawn_at: datetime | None
    prompt: str
    study_id: int
    study_state: str
    mode: str
    rationale: str
    rubric_id: str
    lease_hours: int
    reopen_minutes: int
    now: datetime


def locked(item_id: int, by: User | None) -> LockedItem:
    """Lock the item and read what counts. Belongs in a transaction.

    Raises `JudgingItem.DoesNotExist`, `PermissionDenied` where it is not `by`'s own, or not any more, and `Refused`
    where they have withdrawn their consent. `None` stands for the clock.
    """
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [item_id])
        row = first_named(cursor)
    if row is None:
        raise JudgingItem.DoesNotExist
    item = LockedItem(**row)
    if by is not None and (item.user_id != by.pk or item.left_at):
        raise PermissionDenied("This is another judge's item.")
    if by is not None and item.consent_withdrawn_at:
        raise Refused("You have withdrawn your consent, so nothing more is kept.")
    return item


def lock_all_items_of_judge(item_id: int, by: User) -> None:
    """Keep every item as it is, until the transaction ends, of the judge `by` whose item this is.

    Whether an item is the last one depends on the others, and a repair could add one. Comes before `locked`.
    """
    own = (
        JudgingItem.objects.filter(participation__judging_items=item_id, participation__user=by)
        .exclude(state="cancelled")
        .select_for_update(of=("self",), no_key=True)
        .order_by("pk")
    )
    list(own.values_list("pk"))
