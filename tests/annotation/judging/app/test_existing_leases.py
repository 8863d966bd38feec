"""What a database of before knows of leases is carried over when it is migrated."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotation.judging.models.judging import JudgingItem
from tests.factories import a_judging_study, judging_items_of, opened, scored
from tests.judging import HOUR, pass_time, submitted

BEFORE, AFTER = "0012_facts_beside_the_audit_trail", "0013_leases"


def migrate(name: str) -> None:
    executor = MigrationExecutor(connection)
    executor.migrate([("annotation", name)])


@pytest.mark.django_db(transaction=True)
def test_when_items_were_last_touched_is_carried_over_from_the_end_of_their_leases() -> None:
    done, touched, begun, _assigned = judging_items_of(a_judging_study(1, 1, judges=1, prompts=4, lease_hours=3))
    submitted(done)
    pass_time(opened(touched), 2 * HOUR)
    scored(touched, A=5)
    pass_time(opened(begun), HOUR)
    before = dict(JudgingItem.objects.values_list("position", "touched_at"))
    migrate(BEFORE)
    migrate(AFTER)
    after = dict(JudgingItem.objects.values_list("position", "touched_at"))
    assert [before[number] is None for number in sorted(before)] == [False, False, False, True]
    assert after.keys() == before.keys()
    for number, moment in before.items():
        # A save reads the clock once for the lease and once for itself.
        assert moment == after[number] or abs(moment - after[number]) < timedelta(milliseconds=5)
