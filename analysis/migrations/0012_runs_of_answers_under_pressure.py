"""Answers under pressure are analysed by themselves where nobody judges."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("analysis", "0011_files_of_ratings")]

    operations = [
        migrations.RemoveConstraint(model_name="analysisrun", name="analysis_run_kind_known"),
        migrations.AlterField(
            model_name="analysisrun",
            name="kind",
            field=models.CharField(
                choices=[
                    ("masked", "Agreement, sources masked"),
                    ("full", "Everything, sources known"),
                    ("pressure", "Answers under pressure, where nobody judges"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="analysisrun",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["masked", "full", "pressure"])), name="analysis_run_kind_known"
            ),
        ),
    ]
