"""Declining to unblind takes a reason, which is kept; what was declined before has none."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0005_canonical_tables"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="unblindingrequest",
            name="decline_reason",
            field=models.TextField(blank=True, help_text="Empty in what was declined before it was asked for."),
        ),
        migrations.AddConstraint(
            model_name="unblindingrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(("decline_reason", ""), ("decision", "declined"), _connector="OR"),
                name="unblinding_reason_is_for_declining",
            ),
        ),
    ]
