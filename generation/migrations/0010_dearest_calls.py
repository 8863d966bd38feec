"""A run's share says what the dearest of its calls may cost; of plans made before the average is known."""

from django.db import migrations, models

_AVERAGE = "UPDATE generation_runshare SET worst_call = worst_cost / planned WHERE planned > 0"


class Migration(migrations.Migration):
    dependencies = [
        ("generation", "0009_models_asked_nothing_more"),
    ]

    operations = [
        migrations.AddField(
            model_name="runshare",
            name="worst_call",
            field=models.DecimalField(
                decimal_places=6,
                help_text="The dearest of these calls, if it took all it may.",
                max_digits=14,
                null=True,
            ),
        ),
        migrations.RunSQL(_AVERAGE, migrations.RunSQL.noop),
    ]
