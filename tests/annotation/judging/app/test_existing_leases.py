"""What a database of before knows of leases is carried over when it is migrated."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models.functions import Now

from annotation.judging.models.judging import JudgingItem
from annotation.platform.models.work import Task
from annotation.platform.services import work
from tests.factories import a_judging_study, judging_items_of, opened, scored
from tests.judging import HOUR, pass_time, submitted

BEFORE, LEASES = ("annotation", "0012_facts_beside_the_audit_trail"), ("annotation", "0013_leases")


def migrated_anew() -> None:
    """This one migration is undone and done again, whatever came after it."""
    loader = MigrationLoader(connection)
    migration, state = loader.get_migration(*LEASES), loader.project_state(BEFORE)
    with connection.schema_editor() as editor:
        migration.unapply(state.clone(), editor)
    with connection.schema_editor() as editor:
        migration.apply(state, editor)


def leased() -> list[str]:
    return [Task.objects.get(pk=lease.task_id).subject for lease in work.lease_due()]


@pytest.mark.django_db(transaction=True)
def test_touched_items_keep_their_moment_and_work_without_a_token_is_leased_anew_once_it_may_be() -> None:
    done, touched, begun, _assigned = judging_items_of(a_judging_study(1, 1, judges=1, prompts=4, lease_hours=3))
    submitted(done)
    pass_time(opened(touched), 2 * HOUR)
    scored(touched, A=5)
    pass_time(opened(begun), HOUR)
    before = dict(JudgingItem.objects.values_list("position", "touched_at"))
    Task.objects.all().delete()
    for subject in ("leased", "open"):
        work.ask(kind="draw_map", subject=subject)
    Task.objects.filter(subject="leased").update(lease_token=uuid4(), leased_until=Now() + work.LEASE)

    migrated_anew()

    after = dict(JudgingItem.objects.values_list("position", "touched_at"))
    assert [number for number, moment in sorted(before.items()) if moment is None] == [4]
    assert after.keys() == before.keys()
    for number, moment in before.items():
        carried = after[number]
        # A save reads the clock once for the lease and once for this.
        assert moment == carried or (moment and carried and abs(moment - carried) < timedelta(milliseconds=5))
    assert leased() == ["open"]
    Task.objects.filter(subject="leased").update(leased_until=Now() - work.LEASE)
    assert leased() == ["leased"]
