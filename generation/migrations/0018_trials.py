"""Scenarios are answered under conditions, and evaluated."""

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0044_trials_as_a_preset"),
        ("generation", "0017_framings_of_the_pool"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CaseAnswer",
            fields=[
                (
                    "subject",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="case_answer",
                        serialize=False,
                        to="generation.subject",
                    ),
                ),
                (
                    "condition",
                    models.CharField(help_text="Of the study's conditions, or its controls.", max_length=40),
                ),
                ("is_control", models.BooleanField(help_text="Made to fail: a positive control.")),
                ("replicate", models.PositiveSmallIntegerField(default=1)),
                ("take", models.PositiveSmallIntegerField(default=1)),
                (
                    "parts",
                    models.JSONField(
                        blank=True, default=dict, help_text="Reasoning, recommendation, values, trade-offs."
                    ),
                ),
                (
                    "text",
                    models.TextField(blank=True, help_text="In the one style in which answers are evaluated."),
                ),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("case", "subject"),
            },
        ),
        migrations.CreateModel(
            name="TrialCase",
            fields=[
                (
                    "prompt",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="trial_case",
                        serialize=False,
                        to="annotation.prompt",
                    ),
                ),
            ],
            options={
                "ordering": ("prompt",),
            },
        ),
        migrations.CreateModel(
            name="TrialDesign",
            fields=[
                (
                    "study",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="annotation.study",
                    ),
                ),
                ("conditions_toml", models.TextField(help_text="The file of conditions.")),
                ("conditions_sha256", models.CharField(max_length=64)),
                (
                    "turn",
                    models.CharField(
                        default="system", help_text="Where a model is told the framework.", max_length=6
                    ),
                ),
                (
                    "models_per_new",
                    models.PositiveSmallIntegerField(
                        default=2,
                        help_text="Models that answer a new scenario.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "models_per_known",
                    models.PositiveSmallIntegerField(
                        default=1,
                        help_text="Models that answer any other scenario.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "seed",
                    models.PositiveIntegerField(
                        default=42, help_text="Of who answers what, and of the cases' codes."
                    ),
                ),
                (
                    "margin",
                    models.FloatField(
                        default=5.0,
                        help_text="Points within which integrity counts as equal.",
                        validators=[
                            django.core.validators.MinValueValidator(0.1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                    ),
                ),
                (
                    "smallest_effect",
                    models.FloatField(
                        default=5.0,
                        help_text="Points of transparency that matter.",
                        validators=[
                            django.core.validators.MinValueValidator(0.1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                    ),
                ),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TrialScenario",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("key", models.CharField(max_length=40)),
                ("position", models.PositiveSmallIntegerField()),
                ("title", models.CharField(max_length=160)),
                ("situation", models.TextField()),
                ("facts", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                ("question", models.TextField()),
                (
                    "tensions",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                ("is_new", models.BooleanField(default=False, help_text="Written for this study.")),
            ],
            options={
                "ordering": ("study", "position", "key"),
            },
        ),
        migrations.RemoveConstraint(
            model_name="generationrun",
            name="run_is_of_one_purpose",
        ),
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
                    ("framed_score", "Scores of answers to rewritten prompts"),
                    ("trial_answer", "Answers to cases of trials"),
                    ("trial_score", "Evaluations of answers to cases of trials"),
                ],
                default="answers",
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="generationrun",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("mode", ""),
                        ("presentation", ""),
                        ("purpose", "answers"),
                        ("track__in", ["matched", "maximum"]),
                    ),
                    models.Q(
                        ("mode__in", ["holistic", "per_dimension", "no_rubric", "inferred"]),
                        ("presentation__in", ["alone", "as_judged"]),
                        ("purpose", "panel"),
                        ("track", ""),
                    ),
                    models.Q(
                        ("mode", "per_dimension"),
                        ("presentation", "alone"),
                        ("purpose__in", ["framed_score", "trial_score"]),
                        ("track", ""),
                    ),
                    models.Q(
                        models.Q(
                            ("purpose__in", ["answers", "panel", "framed_score", "trial_score"]), _negated=True
                        ),
                        ("mode", ""),
                        ("presentation", ""),
                        ("track", ""),
                    ),
                    _connector="OR",
                ),
                name="run_is_of_one_purpose",
            ),
        ),
        migrations.AddField(
            model_name="caseanswer",
            name="call",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="case_answer",
                to="generation.call",
            ),
        ),
        migrations.AddField(
            model_name="caseanswer",
            name="response",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="annotation.response",
            ),
        ),
        migrations.AddField(
            model_name="trialcase",
            name="target",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="generation.target"
            ),
        ),
        migrations.AddField(
            model_name="caseanswer",
            name="case",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="answers", to="generation.trialcase"
            ),
        ),
        migrations.AddField(
            model_name="trialdesign",
            name="changed_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="trialscenario",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.study"
            ),
        ),
        migrations.AddField(
            model_name="trialcase",
            name="scenario",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="cases", to="generation.trialscenario"
            ),
        ),
        migrations.AddConstraint(
            model_name="caseanswer",
            constraint=models.UniqueConstraint(
                fields=("case", "condition", "replicate", "take"), name="case_answer_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="caseanswer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("answered_at", None), ("call", None), ("text", "")),
                    models.Q(
                        ("answered_at__isnull", False),
                        ("call__isnull", False),
                        models.Q(("text", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="case_answer_is_a_calls",
            ),
        ),
        migrations.AddConstraint(
            model_name="caseanswer",
            constraint=models.CheckConstraint(
                condition=models.Q(("response", None), ("is_control", False), _connector="OR"),
                name="case_answer_controls_are_no_responses",
            ),
        ),
        migrations.AddConstraint(
            model_name="trialdesign",
            constraint=models.CheckConstraint(
                condition=models.Q(("turn__in", ["system", "user"])), name="trial_design_turn_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="trialdesign",
            constraint=models.CheckConstraint(
                condition=models.Q(("margin__gt", 0), ("smallest_effect__gt", 0)),
                name="trial_design_margins_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="trialscenario",
            constraint=models.UniqueConstraint(fields=("study", "key"), name="trial_scenario_key_unique"),
        ),
        migrations.AddConstraint(
            model_name="trialscenario",
            constraint=models.CheckConstraint(
                condition=models.Q(("facts__len__gte", 1)), name="trial_scenario_has_facts"
            ),
        ),
        migrations.AddConstraint(
            model_name="trialcase",
            constraint=models.UniqueConstraint(fields=("scenario", "target"), name="trial_case_unique"),
        ),
    ]
