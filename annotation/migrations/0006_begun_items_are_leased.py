"""What was begun before: items get a lease, and nobody is sure of not knowing."""

from django.db import migrations

# A begun item rests for as long as a new one would, and then lapses.
LEASE_OPEN_ITEMS = """
UPDATE annotation_judgingitem SET leased_until = clock_timestamp() + interval '72 hours' WHERE state = 'open';
INSERT INTO annotation_task (kind, subject, due_at, attempts, last_error, asked_at)
SELECT 'lapse_judging_item', id, leased_until, 0, '', clock_timestamp()
FROM annotation_judgingitem WHERE state = 'open'
ON CONFLICT DO NOTHING;
"""
# Without leases nothing lapses.
OPEN_LAPSED_ITEMS = """
UPDATE annotation_judgingitem SET state = 'open' WHERE state = 'lapsed';
DELETE FROM annotation_task WHERE kind = 'lapse_judging_item';
"""
NOT_KNOWING = "UPDATE annotation_guess SET confidence = NULL WHERE source = 'unknown';"
ONCE_THE_DEFAULT = "UPDATE annotation_guess SET confidence = 3 WHERE confidence IS NULL;"


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0005_judging_room"),
    ]

    operations = [
        migrations.RunSQL(LEASE_OPEN_ITEMS, OPEN_LAPSED_ITEMS),
        migrations.RunSQL(NOT_KNOWING, ONCE_THE_DEFAULT),
    ]
