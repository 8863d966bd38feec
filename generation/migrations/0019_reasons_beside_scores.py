"""Reasons that judge models gave beside scores."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("generation", "0018_trials"),
    ]

    operations = [
        migrations.AddField(
            model_name="panelscore",
            name="reasons",
            field=models.JSONField(
                blank=True, default=dict, help_text="A few words beside each score, where they were asked for."
            ),
        ),
    ]
