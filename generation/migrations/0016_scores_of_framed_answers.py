"""The panel may score answers to framings, one by one and per dimension."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0026_benchmarks"),
        ("generation", "0015_answers_to_framings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
                ],
                default="answers",
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="panelscore",
            name="response",
            field=models.ForeignKey(
                blank=True,
                help_text="None for a text of a file, or an answer under pressure.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="annotation.response",
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
                        ("purpose", "framed_score"),
                        ("track", ""),
                    ),
                    models.Q(
                        models.Q(("purpose__in", ["answers", "panel", "framed_score"]), _negated=True),
                        ("mode", ""),
                        ("presentation", ""),
                        ("track", ""),
                    ),
                    _connector="OR",
                ),
                name="run_is_of_one_purpose",
            ),
        ),
    ]
