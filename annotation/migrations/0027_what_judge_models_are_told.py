"""What of the rubric judge models are told. Studies that exist go on as they were asked."""

import django.contrib.postgres.fields
from django.db import migrations, models

import annotation.study.core.rubric_parts

CHOICES = [
    ("definitions", "What each dimension means"),
    ("questions", "Key questions"),
    ("anchors", "Low, middle and high ends"),
    ("bands", "Bands of the scale"),
    ("guidance", "Rules and pitfalls"),
]


def before() -> list[str]:
    return ["definitions", "questions"]


def field(default: object) -> django.contrib.postgres.fields.ArrayField:
    return django.contrib.postgres.fields.ArrayField(
        base_field=models.CharField(choices=CHOICES, max_length=20),
        blank=True,
        default=default,
        help_text="What judge models are told of the rubric. People see all of it.",
        size=None,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0037_what_the_invited_bring_along"),
    ]

    operations = [
        migrations.AddField(model_name="study", name="panel_rubric_parts", field=field(before)),
        migrations.AlterField(
            model_name="study",
            name="panel_rubric_parts",
            field=field(annotation.study.core.rubric_parts.all_parts),
        ),
    ]
