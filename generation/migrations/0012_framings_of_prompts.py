"""Prompts may be rewritten into framings that take sides, and these be checked."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0020_stalled_items"),
        ("generation", "0011_billed_and_assumed"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
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
                ],
                default="answers",
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="FramingSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("conditions_toml", models.TextField(help_text="The file of conditions as it was then.")),
                ("conditions_sha256", models.CharField(max_length=64)),
                ("seed", models.PositiveIntegerField(help_text="Of the draw of prompts and rewriters.")),
                (
                    "needs",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=10),
                        help_text="The checks that framings must pass.",
                        size=None,
                    ),
                ),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.study"
                    ),
                ),
            ],
            options={
                "ordering": ("study", "-id"),
            },
        ),
        migrations.CreateModel(
            name="FramedPrompt",
            fields=[
                (
                    "subject",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="framed_prompt",
                        serialize=False,
                        to="generation.subject",
                    ),
                ),
                (
                    "category",
                    models.CharField(blank=True, help_text="Of its source, where that is known.", max_length=200),
                ),
                (
                    "checker",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="generation.target",
                    ),
                ),
                (
                    "prompt_version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.promptversion"
                    ),
                ),
                (
                    "rewriter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="generation.target"
                    ),
                ),
                (
                    "set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="prompts",
                        to="generation.framingset",
                    ),
                ),
            ],
            options={
                "ordering": ("set", "subject"),
            },
        ),
        migrations.CreateModel(
            name="Framing",
            fields=[
                (
                    "subject",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="framing",
                        serialize=False,
                        to="generation.subject",
                    ),
                ),
                ("condition", models.CharField(max_length=40)),
                ("version", models.PositiveSmallIntegerField()),
                ("text", models.TextField()),
                ("sha256", models.CharField(max_length=64)),
                ("reason", models.CharField(blank=True, max_length=400)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "call",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="generation.call",
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "prompt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="framings",
                        to="generation.framedprompt",
                    ),
                ),
            ],
            options={
                "ordering": ("prompt", "condition", "version"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("prompt", "condition", "version"), name="framing_version_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("call__isnull", False), ("edited_by", None), ("reason", "")),
                            models.Q(
                                ("call", None),
                                ("edited_by__isnull", False),
                                models.Q(("reason", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="framing_is_somebodys",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FramingCheck",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("texts_sha256", models.CharField(help_text="Of all framings it is about.", max_length=64)),
                (
                    "verdicts",
                    models.JSONField(help_text="About what, which question, whether it holds, and the reason."),
                ),
                (
                    "checked_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "call",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="framing_check",
                        to="generation.call",
                    ),
                ),
                (
                    "prompt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checks",
                        to="generation.framedprompt",
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("prompt", "id"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("call__isnull", False), ("reviewer", None)),
                            models.Q(("call", None), ("reviewer__isnull", False)),
                            _connector="OR",
                        ),
                        name="framing_check_is_somebodys",
                    ),
                    models.UniqueConstraint(
                        fields=("prompt", "texts_sha256", "reviewer"), name="framing_check_of_reviewer_unique"
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="framingset",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("needs__contained_by", ["mechanical", "model", "person"]), ("needs__len__gte", 1)
                ),
                name="framing_set_needs_known_checks",
            ),
        ),
        migrations.AddConstraint(
            model_name="framedprompt",
            constraint=models.UniqueConstraint(fields=("set", "prompt_version"), name="framed_prompt_unique"),
        ),
        migrations.AddConstraint(
            model_name="framedprompt",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("checker__isnull", True),
                    models.Q(("checker", models.F("rewriter")), _negated=True),
                    _connector="OR",
                ),
                name="framed_prompt_is_checked_by_another",
            ),
        ),
    ]
