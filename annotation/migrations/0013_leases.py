"""Who holds a task is told by a token, and when an item was last touched by a column.

Until now a task's lease was anybody's, and when an item was touched was worked out from the end of its lease.
"""

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

# Whoever leased a task before has no token: it is leased anew when that lease has run out.
NOBODYS_TOKENS = "UPDATE annotation_task SET lease_token = gen_random_uuid() WHERE leased_until IS NOT NULL"


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
        migrations.AddField(
            model_name="task",
            name="lease_token",
            field=models.UUIDField(
                blank=True, help_text="Random: whoever was given it, and nobody else, does the work.", null=True
            ),
        ),
        migrations.RunSQL(NOBODYS_TOKENS, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.CheckConstraint(
                name="task_lease_has_a_token",
                condition=Q(leased_until__isnull=True, lease_token__isnull=True)
                | Q(leased_until__isnull=False, lease_token__isnull=False),
            ),
        ),
    ]
