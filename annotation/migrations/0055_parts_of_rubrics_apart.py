"""What dimensions do not measure, rounding and pitfalls are told apart. Studies that exist tell what they told."""

import django.contrib.postgres.fields
from django.db import migrations, models

import annotation.study.core.rubric_parts

TELL_AS_BEFORE = """
UPDATE annotation_study SET panel_rubric_parts = panel_rubric_parts || '{bounds}'
WHERE 'definitions' = ANY (panel_rubric_parts) AND NOT 'bounds' = ANY (panel_rubric_parts);
UPDATE annotation_study SET panel_rubric_parts = panel_rubric_parts || '{rounding,pitfalls}'
WHERE 'guidance' = ANY (panel_rubric_parts) AND NOT 'pitfalls' = ANY (panel_rubric_parts);
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0054_pauses_know_of_noted_restores"),
    ]

    operations = [
        migrations.AlterField(
            model_name="study",
            name="panel_rubric_parts",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("definitions", "What each dimension means"),
                        ("bounds", "What each dimension does and does not measure"),
                        ("questions", "Key questions"),
                        ("anchors", "Low, middle and high ends"),
                        ("examples", "Worked examples of the ends"),
                        ("bands", "Bands of the scale"),
                        ("guidance", "Rules"),
                        ("rounding", "How to round between bands"),
                        ("pitfalls", "Pitfalls"),
                    ],
                    max_length=20,
                ),
                blank=True,
                default=annotation.study.core.rubric_parts.all_parts,
                help_text="What judge models are told of the rubric. People see all of it.",
                size=None,
            ),
        ),
        migrations.RunSQL(TELL_AS_BEFORE, migrations.RunSQL.noop),
    ]
