"""When an item was last touched is a fact of its own; until now it was worked out from the end of its lease."""

from django.db import migrations, models
from django.db.models import F, Q

# A save put the lease's end so many hours after itself; a submission ended the lease.
TOUCHED = """
UPDATE annotation_judgingitem item
SET touched_at = GREATEST(
    item.opened_at,
    COALESCE(item.submitted_at, item.leased_until - make_interval(hours => study.lease_hours))
)
FROM annotation_study study WHERE study.id = item.study_id AND item.opened_at IS NOT NULL
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0012_facts_beside_the_audit_trail")]

    operations = [
        migrations.AddField(
            model_name="judgingitem",
            name="touched_at",
            field=models.DateTimeField(
                blank=True, help_text="Once opened: when its judge last did something with it.", null=True
            ),
        ),
        migrations.RunSQL(TOUCHED, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="judgingitem",
            constraint=models.CheckConstraint(
                name="judging_touched_since_opened",
                condition=Q(opened_at__isnull=True, touched_at__isnull=True)
                | Q(opened_at__isnull=False, touched_at__isnull=False, touched_at__gte=F("opened_at")),
            ),
        ),
    ]
