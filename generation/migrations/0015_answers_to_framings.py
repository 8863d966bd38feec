"""Framings may be answered, and the answers kept apart from responses."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("generation", "0012_framings_of_prompts"),
    ]

    operations = [
        migrations.AlterField(
            model_name="generationrun",
            name="purpose",
            field=models.CharField(
                choices=[
                    ("answers", "Answers of models"),
                    ("panel", "Scores of the panel"),
                    ("prompts", "Prompts written from sources"),
                    ("quality", "Votes on the quality of prompts"),
                    ("pairs", "Comparisons of prompts, two by two"),
                    ("reading", "Readings of texts for what gives their source away"),
                    ("framing", "Prompts rewritten by people’s views"),
                    ("framing_check", "Checks of rewritten prompts"),
                    ("framed_answer", "Answers to rewritten prompts"),
                ],
                default="answers",
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="FramedAnswer",
            fields=[
                (
                    "subject",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="framed_answer",
                        serialize=False,
                        to="generation.subject",
                    ),
                ),
                ("is_instructed", models.BooleanField(help_text="Asked with the instruction about the length.")),
                ("raw_text", models.TextField()),
                ("text", models.TextField(help_text="In the one style in which answers are scored.")),
                (
                    "accepted_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "call",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="generation.call"
                    ),
                ),
                (
                    "framing",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="generation.framing",
                    ),
                ),
                (
                    "prompt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="generation.framedprompt",
                    ),
                ),
                (
                    "target",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="generation.target"
                    ),
                ),
            ],
            options={
                "ordering": ("prompt", "subject"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("prompt", "framing", "target", "is_instructed"),
                        name="framed_answer_unique",
                        nulls_distinct=False,
                    )
                ],
            },
        ),
    ]
