"""Words alone: an item that nobody touches is stalled."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0019_clearances_of_texts"),
    ]

    operations = [
        migrations.AlterField(
            model_name="judgingitem",
            name="leased_until",
            field=models.DateTimeField(
                blank=True, help_text="While open: when it counts as stalled, unless something is saved.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="lease_hours",
            field=models.PositiveSmallIntegerField(
                default=72,
                help_text="How long a begun item may rest before it counts as stalled.",
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(720),
                ],
            ),
        ),
    ]
