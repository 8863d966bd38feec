"""A judge model may be asked about each dimension in a prompt of its own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("generation", "0016_scores_of_framed_answers"),
    ]

    operations = [
        migrations.AddField(
            model_name="call",
            name="dimension",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The one asked about, where each has a prompt of its own.",
                max_length=40,
            ),
        ),
    ]
