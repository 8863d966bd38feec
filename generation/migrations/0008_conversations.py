"""Calls go on conversations, wait for each other, and may be about subjects of kinds to come."""

import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0017_what_gives_texts_away"),
        ("generation", "0007_readings_of_texts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Subject",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                (
                    "kind",
                    models.CharField(
                        help_text="What it is, such as “framing”: the table that has the rest.", max_length=30
                    ),
                ),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="call",
            name="call_state_known",
        ),
        migrations.RemoveConstraint(
            model_name="call",
            name="call_is_about_one_thing",
        ),
        migrations.RemoveConstraint(
            model_name="generationrun",
            name="run_is_of_one_purpose",
        ),
        migrations.RemoveConstraint(
            model_name="runshare",
            name="run_share_settles_what_is_planned",
        ),
        migrations.AddField(
            model_name="call",
            name="after",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="followers",
                to="generation.call",
            ),
        ),
        migrations.AddField(
            model_name="call",
            name="instead_of",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="asked_again",
                to="generation.call",
            ),
        ),
        migrations.AddField(
            model_name="runshare",
            name="not_asked",
            field=models.PositiveIntegerField(default=0, help_text="The call they follow brought no reply."),
        ),
        migrations.AlterField(
            model_name="call",
            name="state",
            field=models.CharField(
                choices=[
                    ("pending", "pending"),
                    ("waiting", "waiting"),
                    ("accepted", "accepted"),
                    ("failed", "failed"),
                    ("not_asked", "not asked"),
                    ("superseded", "superseded"),
                ],
                default="pending",
                max_length=12,
            ),
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
                        models.Q(("purpose__in", ["answers", "panel"]), _negated=True),
                        ("mode", ""),
                        ("presentation", ""),
                        ("track", ""),
                    ),
                    _connector="OR",
                ),
                name="run_is_of_one_purpose",
            ),
        ),
        migrations.AddConstraint(
            model_name="runshare",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "planned__gte",
                        django.db.models.expressions.CombinedExpression(
                            django.db.models.expressions.CombinedExpression(
                                models.F("accepted"), "+", models.F("failed")
                            ),
                            "+",
                            models.F("not_asked"),
                        ),
                    )
                ),
                name="run_share_settles_what_is_planned",
            ),
        ),
        migrations.AddField(
            model_name="call",
            name="subject",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="calls",
                to="generation.subject",
            ),
        ),
        migrations.AddIndex(
            model_name="call",
            index=models.Index(
                condition=models.Q(("after__isnull", False)), fields=["after"], name="call_by_the_one_before"
            ),
        ),
        migrations.AddIndex(
            model_name="call",
            index=models.Index(
                condition=models.Q(("subject__isnull", False)), fields=["subject"], name="call_by_subject"
            ),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("state__in", ("pending", "waiting", "accepted", "failed", "not_asked", "superseded"))
                ),
                name="call_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("candidate__isnull", True),
                        ("given__isnull", True),
                        ("item__isnull", True),
                        ("prompt_version__isnull", False),
                        ("response__isnull", True),
                        ("scenario__isnull", True),
                        ("subject__isnull", True),
                        ("beside__isnull", True),
                    ),
                    models.Q(
                        ("candidate__isnull", True),
                        ("given__isnull", True),
                        ("item__isnull", True),
                        ("prompt_version__isnull", True),
                        ("response__isnull", False),
                        ("scenario__isnull", True),
                        ("subject__isnull", True),
                        ("beside__isnull", True),
                    ),
                    models.Q(
                        ("candidate__isnull", True),
                        ("given__isnull", True),
                        ("item__isnull", False),
                        ("prompt_version__isnull", True),
                        ("response__isnull", True),
                        ("scenario__isnull", True),
                        ("subject__isnull", True),
                        ("beside__isnull", True),
                    ),
                    models.Q(
                        ("candidate__isnull", True),
                        ("given__isnull", False),
                        ("item__isnull", True),
                        ("prompt_version__isnull", True),
                        ("response__isnull", True),
                        ("scenario__isnull", True),
                        ("subject__isnull", True),
                        ("beside__isnull", True),
                    ),
                    models.Q(
                        ("candidate__isnull", True),
                        ("given__isnull", True),
                        ("item__isnull", True),
                        ("prompt_version__isnull", True),
                        ("response__isnull", True),
                        ("scenario__isnull", False),
                        ("subject__isnull", True),
                        ("beside__isnull", True),
                    ),
                    models.Q(
                        ("candidate__isnull", False),
                        ("given__isnull", True),
                        ("item__isnull", True),
                        ("prompt_version__isnull", True),
                        ("response__isnull", True),
                        ("scenario__isnull", True),
                        ("subject__isnull", True),
                    ),
                    models.Q(
                        ("candidate__isnull", True),
                        ("given__isnull", True),
                        ("item__isnull", True),
                        ("prompt_version__isnull", True),
                        ("response__isnull", True),
                        ("scenario__isnull", True),
                        ("subject__isnull", False),
                        ("beside__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="call_is_about_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state__in", ["waiting", "not_asked"]), _negated=True),
                    ("after__isnull", False),
                    _connector="OR",
                ),
                name="call_waits_for_another",
            ),
        ),
    ]
