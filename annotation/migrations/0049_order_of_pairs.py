"""Which of two prompts a model is shown first. Studies that exist go on as they were asked."""

from django.db import migrations, models

CHOICES = [
    ("drawn", "Drawn for each pair and model, so that about half have each"),
    ("both", "Both: a model compares each pair twice"),
    ("written", "Always the one that was written first"),
]


def field(default: str) -> models.CharField:
    return models.CharField(
        choices=CHOICES,
        default=default,
        help_text="Which of two prompts a model is shown first. In both orders a comparison costs twice as much.",
        max_length=7,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0048_how_long_names_are_kept"),
    ]

    operations = [
        migrations.AddField(model_name="study", name="pair_order", field=field("written")),
        migrations.AlterField(model_name="study", name="pair_order", field=field("drawn")),
    ]
