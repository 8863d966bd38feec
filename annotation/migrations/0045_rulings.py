"""What adjudicators rule, corrections, and the subsets that follow from them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0044_trials_as_a_preset"),
    ]

    operations = [
        migrations.CreateModel(
            name="Ruling",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("position", models.PositiveIntegerField()),
                ("is_disputed", models.BooleanField()),
                ("category", models.CharField(blank=True, max_length=12)),
                (
                    "fate",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("stays", "Stays as it is"),
                            ("corrected", "Is corrected"),
                            ("excluded", "Is excluded"),
                        ],
                        max_length=9,
                    ),
                ),
                ("reason", models.TextField(blank=True)),
                ("revision", models.PositiveIntegerField(default=0)),
                ("ruled_at", models.DateTimeField(blank=True, null=True)),
                (
                    "adjudicator",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
                        to="annotation.participation",
                    ),
                ),
                (
                    "question",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="ruling", to="annotation.question"
                    ),
                ),
            ],
            options={
                "ordering": ("question__story__benchmark", "position", "pk"),
            },
        ),
        migrations.CreateModel(
            name="Correction",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("changes", models.JSONField(help_text="Of gold, text, story, roles.")),
                ("reason", models.TextField()),
                ("made_at", models.DateTimeField()),
                (
                    "ruling",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="corrections",
                        to="annotation.ruling",
                    ),
                ),
            ],
            options={
                "ordering": ("ruling", "number"),
            },
        ),
        migrations.CreateModel(
            name="Subset",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("kind", models.CharField(max_length=9)),
                ("members", models.JSONField(help_text="Numbers of the questions, in the file’s order.")),
                (
                    "corrections",
                    models.JSONField(default=dict, help_text="Number of a question → what is changed in it."),
                ),
                ("files", models.JSONField()),
                ("sha256", models.CharField(max_length=64)),
                ("frozen_at", models.DateTimeField()),
                (
                    "benchmark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="subsets",
                        to="annotation.benchmark",
                    ),
                ),
            ],
            options={
                "ordering": ("benchmark", "id"),
            },
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(("category__in", ["", "structural", "semantic", "pragmatic", "none"])),
                name="ruling_category_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(("fate__in", ["", "stays", "corrected", "excluded"])), name="ruling_fate_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("adjudicator__isnull", True), ("category", ""), ("fate", ""), ("ruled_at__isnull", True)
                    ),
                    models.Q(
                        models.Q(("category", ""), _negated=True),
                        models.Q(("fate", ""), _negated=True),
                        ("adjudicator__isnull", False),
                        ("ruled_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="ruling_is_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("category", "none"), _negated=True), ("fate", "stays"), _connector="OR"
                ),
                name="ruling_sound_stays",
            ),
        ),
        migrations.AddConstraint(
            model_name="correction",
            constraint=models.UniqueConstraint(fields=("ruling", "number"), name="correction_number_unique"),
        ),
        migrations.AddConstraint(
            model_name="subset",
            constraint=models.UniqueConstraint(fields=("benchmark", "kind"), name="subset_once_of_each_kind"),
        ),
        migrations.AddConstraint(
            model_name="subset",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["original", "cleaned", "corrected"])), name="subset_kind_known"
            ),
        ),
    ]
