"""Prompts under pressure may be drawn from the pool, and be answered a second time."""

import django.db.models.deletion
from django.db import migrations, models

CODES_SO_FAR = """
UPDATE generation_framedprompt AS framed SET code = prompt.code
FROM annotation_promptversion AS version JOIN annotation_prompt AS prompt ON prompt.id = version.prompt_id
WHERE version.id = framed.prompt_version_id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0041_eligibility_changes"),
        ("generation", "0013_scores_by_dimension"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="framedanswer",
            name="framed_answer_unique",
        ),
        migrations.AddField(
            model_name="framedanswer",
            name="replicate",
            field=models.PositiveSmallIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="framedprompt",
            name="candidate",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="generation.candidate",
            ),
        ),
        migrations.AddField(
            model_name="framedprompt",
            name="code",
            field=models.CharField(
                default="", help_text="The prompt’s, or one like it for a candidate.", max_length=24
            ),
            preserve_default=False,
        ),
        migrations.RunSQL(CODES_SO_FAR, migrations.RunSQL.noop),
        migrations.AddField(
            model_name="framingset",
            name="origin",
            field=models.CharField(
                choices=[
                    ("study", "The study’s prompts"),
                    ("pool", "Prompts of its pool that pass and are not the study’s"),
                ],
                db_default="study",
                default="study",
                help_text="Where its prompts were drawn from.",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="framedprompt",
            name="prompt_version",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="annotation.promptversion",
            ),
        ),
        migrations.AddConstraint(
            model_name="framedanswer",
            constraint=models.UniqueConstraint(
                fields=("prompt", "framing", "target", "is_instructed", "replicate"),
                name="framed_answer_unique",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="framedanswer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("replicate", 1), models.Q(("framing", None), ("replicate", 2)), _connector="OR"
                ),
                name="framed_answer_is_repeated_of_prompts_alone",
            ),
        ),
        migrations.AddConstraint(
            model_name="framedprompt",
            constraint=models.UniqueConstraint(fields=("set", "candidate"), name="framed_candidate_unique"),
        ),
        migrations.AddConstraint(
            model_name="framedprompt",
            constraint=models.UniqueConstraint(fields=("set", "code"), name="framed_prompt_code_unique"),
        ),
        migrations.AddConstraint(
            model_name="framedprompt",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("candidate", None), ("prompt_version__isnull", False)),
                    models.Q(("candidate__isnull", False), ("prompt_version", None)),
                    _connector="OR",
                ),
                name="framed_prompt_is_of_study_or_pool",
            ),
        ),
    ]
