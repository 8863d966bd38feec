"""Models may read texts for what gives their source away."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0017_what_gives_texts_away"),
        ("generation", "0006_one_clock"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="generationrun",
            name="run_is_of_one_purpose",
        ),
        migrations.RemoveConstraint(
            model_name="target",
            name="target_role_known",
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
                max_length=7,
            ),
        ),
        migrations.AlterField(
            model_name="target",
            name="role",
            field=models.CharField(
                choices=[
                    ("answers", "Answers prompts"),
                    ("panel", "Judges on the panel"),
                    ("prompts", "Writes prompts from sources, and judges those of others"),
                    ("reader", "Reads texts for what gives their source away"),
                ],
                default="answers",
                max_length=7,
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
                        ("mode", ""),
                        ("presentation", ""),
                        ("purpose__in", ["prompts", "quality", "pairs", "reading"]),
                        ("track", ""),
                    ),
                    _connector="OR",
                ),
                name="run_is_of_one_purpose",
            ),
        ),
        migrations.AddConstraint(
            model_name="target",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["answers", "panel", "prompts", "reader"])),
                name="target_role_known",
            ),
        ),
    ]
