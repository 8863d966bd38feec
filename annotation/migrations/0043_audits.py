"""People who audit benchmarks: how questions are annotated, and what annotators say of them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0042_flags_and_views"),
    ]

    operations = [
        migrations.CreateModel(
            name="QuestionFlag",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("axis", models.CharField(max_length=10)),
                ("category", models.CharField(max_length=40)),
                ("flaw", models.CharField(blank=True, max_length=40)),
                ("scope", models.CharField(max_length=9)),
                ("note", models.TextField(blank=True)),
            ],
            options={
                "ordering": ("review", "axis", "category", "flaw"),
            },
        ),
        migrations.CreateModel(
            name="Review",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("position", models.PositiveIntegerField()),
                (
                    "verdict",
                    models.CharField(
                        blank=True,
                        choices=[("flawed", "Flawed"), ("model", "Model’s own error"), ("sound", "No flaw")],
                        max_length=6,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=0)),
                ("begun_at", models.DateTimeField(blank=True, null=True)),
                ("saved_at", models.DateTimeField(blank=True, null=True)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("annotator", "position"),
            },
        ),
        migrations.RemoveConstraint(
            model_name="invitation",
            name="invitation_role_known",
        ),
        migrations.RemoveConstraint(
            model_name="participation",
            name="participation_role_known",
        ),
        migrations.AddField(
            model_name="benchmark",
            name="adjudication_opened_at",
            field=models.DateTimeField(
                blank=True, help_text="Since when annotators change nothing any more.", null=True
            ),
        ),
        migrations.AddField(
            model_name="benchmark",
            name="agreements_adjudicated",
            field=models.PositiveSmallIntegerField(
                default=10,
                help_text="Per cent of the questions on which both annotators agree that are adjudicated too.",
            ),
        ),
        migrations.AddField(
            model_name="benchmark",
            name="scheme",
            field=models.CharField(default="1", help_text="Version of the scheme of flaws.", max_length=20),
        ),
        migrations.AddField(
            model_name="benchmark",
            name="several_flaws",
            field=models.BooleanField(
                default=False,
                help_text="Whether a question may have several flaws; otherwise the gravest is flagged.",
            ),
        ),
        migrations.AlterField(
            model_name="invitation",
            name="role",
            field=models.CharField(
                choices=[
                    ("writer", "Writer"),
                    ("judge", "Judge"),
                    ("coordinator", "Coordinator"),
                    ("researcher", "Researcher"),
                    ("annotator", "Annotator"),
                    ("adjudicator", "Adjudicator"),
                ],
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="participation",
            name="role",
            field=models.CharField(
                choices=[
                    ("writer", "Writer"),
                    ("judge", "Judge"),
                    ("coordinator", "Coordinator"),
                    ("researcher", "Researcher"),
                    ("annotator", "Annotator"),
                    ("adjudicator", "Adjudicator"),
                ],
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="preset",
            field=models.CharField(
                choices=[("full", "Full study"), ("pilot", "Pilot"), ("audit", "Audit of benchmarks")],
                default="full",
                max_length=5,
            ),
        ),
        migrations.AddConstraint(
            model_name="benchmark",
            constraint=models.CheckConstraint(
                condition=models.Q(("agreements_adjudicated__lte", 100)), name="benchmark_agreements_are_a_share"
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("role__in", ["writer", "judge", "coordinator", "researcher", "annotator", "adjudicator"])
                ),
                name="invitation_role_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("role__in", ["writer", "judge", "coordinator", "researcher", "annotator", "adjudicator"])
                ),
                name="participation_role_known",
            ),
        ),
        migrations.AddField(
            model_name="review",
            name="annotator",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="reviews", to="annotation.participation"
            ),
        ),
        migrations.AddField(
            model_name="review",
            name="question",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="reviews", to="annotation.question"
            ),
        ),
        migrations.AddField(
            model_name="questionflag",
            name="review",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="flags", to="annotation.review"
            ),
        ),
        migrations.AddConstraint(
            model_name="review",
            constraint=models.UniqueConstraint(fields=("annotator", "question"), name="review_once_by_each"),
        ),
        migrations.AddConstraint(
            model_name="review",
            constraint=models.UniqueConstraint(fields=("annotator", "position"), name="review_position_unique"),
        ),
        migrations.AddConstraint(
            model_name="review",
            constraint=models.CheckConstraint(
                condition=models.Q(("verdict__in", ["", "flawed", "model", "sound"])), name="review_verdict_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="review",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("done_at__isnull", True), models.Q(("verdict", ""), _negated=True), _connector="OR"
                ),
                name="review_done_has_verdict",
            ),
        ),
        migrations.AddConstraint(
            model_name="questionflag",
            constraint=models.UniqueConstraint(
                fields=("review", "axis", "category", "flaw"), name="question_flag_once_in_a_review"
            ),
        ),
        migrations.AddConstraint(
            model_name="questionflag",
            constraint=models.CheckConstraint(
                condition=models.Q(("axis__in", ["data", "evaluation"])), name="question_flag_axis_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="questionflag",
            constraint=models.CheckConstraint(
                condition=models.Q(("scope__in", ["item", "story", "benchmark"])), name="question_flag_scope_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="questionflag",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("axis", "data"),
                        ("category__in", ("structural", "semantic", "pragmatic")),
                        ("scope", "item"),
                        models.Q(("flaw", ""), _negated=True),
                    ),
                    models.Q(
                        models.Q(("axis", "data"), _negated=True),
                        (
                            "category__in",
                            (
                                "context_fragmentation",
                                "semantics_agnostic_scoring",
                                "granularity_mismatch",
                                "heterogeneous_composition",
                            ),
                        ),
                        ("flaw", ""),
                    ),
                    _connector="OR",
                ),
                name="question_flag_fits_its_axis",
            ),
        ),
    ]
