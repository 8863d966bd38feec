"""Studies in which nobody writes, nobody judges, or an item shows a single answer."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0027_what_judge_models_are_told"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="study", name="study_two_to_eight_answers_per_item"),
        migrations.AlterField(
            model_name="study",
            name="answers_per_prompt",
            field=models.PositiveSmallIntegerField(
                default=10,
                help_text="Independent human answers each prompt collects; 0 for a study in which nobody writes.",
                validators=[
                    django.core.validators.MinValueValidator(0),
                    django.core.validators.MaxValueValidator(100),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="ratings_per_prompt",
            field=models.PositiveSmallIntegerField(
                default=10,
                help_text="Judges who rate each prompt; 0 for a study in which models alone score the answers.",
                validators=[
                    django.core.validators.MinValueValidator(0),
                    django.core.validators.MaxValueValidator(200),
                ],
            ),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    human_answers_per_item__gte=1 - models.F("model_answers_per_item"),
                    human_answers_per_item__lte=8 - models.F("model_answers_per_item"),
                ),
                name="study_one_to_eight_answers_per_item",
                violation_error_message="An item shows between one and eight answers.",
            ),
        ),
    ]
