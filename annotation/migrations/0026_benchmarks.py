"""Benchmarks that a study audits, with their stories, questions and what was found in them by rule."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0025_removed_studies"),
    ]

    operations = [
        migrations.CreateModel(
            name="Question",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                (
                    "number",
                    models.PositiveIntegerField(help_text="In the whole benchmark, in the file’s order, from 1."),
                ),
                ("text", models.TextField()),
                ("options", models.JSONField(default=list)),
                ("gold", models.TextField()),
                ("gold_option", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("kind", models.CharField(blank=True, max_length=200)),
                ("line", models.PositiveIntegerField()),
                ("raw", models.JSONField()),
            ],
            options={
                "ordering": ("story", "number"),
            },
        ),
        migrations.CreateModel(
            name="Benchmark",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("name", models.CharField(max_length=120)),
                ("layout", models.CharField(max_length=12)),
                ("files", models.JSONField()),
                ("mapping", models.JSONField(default=dict, help_text="Of a table: field → column.")),
                ("lacking", models.JSONField(default=list)),
                (
                    "added_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "added_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="benchmarks",
                        to="annotation.study",
                    ),
                ),
            ],
            options={
                "ordering": ("study", "id"),
            },
        ),
        migrations.CreateModel(
            name="MechanicalFinding",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("label", "Label contradicts the story"),
                            ("gold_not_an_option", "Right answer is not among the options"),
                            ("repeated_option", "Option given twice"),
                            ("duplicate", "Question asked twice"),
                            ("empty", "Empty text"),
                            ("cut", "Text that seems cut off"),
                            ("encoding", "Broken encoding"),
                            ("other_story", "Story differs between its questions"),
                            ("story_type", "Type of the story contradicts it"),
                            ("role", "Role of who is asked about contradicts the story"),
                            ("depends", "Answer depends on how the story is read"),
                            ("unclear", "Statement not understood"),
                        ],
                        max_length=20,
                    ),
                ),
                ("text", models.TextField()),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="findings",
                        to="annotation.question",
                    ),
                ),
            ],
            options={
                "ordering": ("question", "id"),
            },
        ),
        migrations.CreateModel(
            name="Story",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("number", models.PositiveIntegerField()),
                ("key", models.CharField(max_length=200)),
                ("text", models.TextField()),
                ("kind", models.CharField(blank=True, max_length=200)),
                ("source", models.CharField(blank=True, max_length=420)),
                ("cluster", models.CharField(max_length=200)),
                (
                    "benchmark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stories",
                        to="annotation.benchmark",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "stories",
                "ordering": ("benchmark", "number"),
            },
        ),
        migrations.AddField(
            model_name="question",
            name="story",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="questions", to="annotation.story"
            ),
        ),
        migrations.AddConstraint(
            model_name="benchmark",
            constraint=models.UniqueConstraint(fields=("study", "name"), name="benchmark_name_unique"),
        ),
        migrations.AddConstraint(
            model_name="benchmark",
            constraint=models.CheckConstraint(
                condition=models.Q(("layout__in", ["socialiqa", "tomi", "fauxpas", "table"])),
                name="benchmark_layout_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="mechanicalfinding",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "label",
                            "gold_not_an_option",
                            "repeated_option",
                            "duplicate",
                            "empty",
                            "cut",
                            "encoding",
                            "other_story",
                            "story_type",
                            "role",
                            "depends",
                            "unclear",
                        ],
                    )
                ),
                name="mechanical_finding_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="story",
            constraint=models.UniqueConstraint(fields=("benchmark", "number"), name="story_number_unique"),
        ),
        migrations.AddConstraint(
            model_name="story",
            constraint=models.UniqueConstraint(fields=("benchmark", "key"), name="story_key_unique"),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.UniqueConstraint(fields=("story", "number"), name="question_number_unique"),
        ),
    ]
