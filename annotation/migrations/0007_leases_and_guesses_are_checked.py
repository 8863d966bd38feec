"""Every open item has a lease, and every guess its confidence."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0006_begun_items_are_leased"),
    ]

    operations = [
        migrations.AddConstraint(
            model_name="judgingitem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "open"), _negated=True), ("leased_until__isnull", False), _connector="OR"
                ),
                name="judging_open_is_leased",
            ),
        ),
        migrations.AddConstraint(
            model_name="guess",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("confidence__isnull", True), ("source", "unknown")),
                    models.Q(
                        models.Q(("source", "unknown"), _negated=True),
                        ("confidence__gte", 1),
                        ("confidence__isnull", False),
                        ("confidence__lte", 5),
                    ),
                    _connector="OR",
                ),
                name="guess_confidence_1_to_5",
            ),
        ),
    ]
