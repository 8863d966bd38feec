"""Runs of models are counted within their study."""

from django.db import migrations, models
from django.db.models import Q

COUNT = """
UPDATE generation_generationrun AS run SET number = counted.number
FROM (
    SELECT id, row_number() OVER (PARTITION BY study_id ORDER BY id) AS number
    FROM generation_generationrun WHERE study_id IS NOT NULL
) AS counted
WHERE counted.id = run.id
"""


class Migration(migrations.Migration):
    dependencies = [("generation", "0022_conclusions_of_answers")]

    operations = [
        migrations.AddField(
            model_name="generationrun",
            name="number",
            field=models.PositiveIntegerField(
                null=True,
                editable=False,
                help_text="Counts a study's runs, from 1.",
            ),
        ),
        migrations.RunSQL(COUNT, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="generationrun",
            constraint=models.UniqueConstraint(fields=["study", "number"], name="run_number_unique"),
        ),
        migrations.AddConstraint(
            model_name="generationrun",
            constraint=models.CheckConstraint(
                name="run_of_a_study_has_a_number",
                condition=Q(study__isnull=True, number__isnull=True) | Q(study__isnull=False, number__isnull=False),
            ),
        ),
    ]
