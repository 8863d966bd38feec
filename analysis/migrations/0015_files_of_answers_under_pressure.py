"""Files of answers under pressure are analysed on the page, too."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("analysis", "0014_files_of_trials")]

    operations = [
        migrations.RemoveConstraint(model_name="ratingfile", name="rating_file_kind_known"),
        migrations.AlterField(
            model_name="ratingfile",
            name="kind",
            field=models.CharField(
                choices=[
                    ("ratings", "Ratings: a row for each answer that somebody rated"),
                    ("pairs", "Comparisons: a row for each pair of answers, with who won"),
                    ("panel", "A panel’s scores: a row for each answer, judge model and perspective"),
                    ("framings", "Answers under pressure: a row for each answer, judge model and perspective"),
                    ("trials", "Constitutional trials: a row for each answer, evaluator and approach"),
                    ("folder", "A study’s folder in the published layout, zipped"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="ratingfile",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["ratings", "pairs", "panel", "framings", "trials", "folder"])),
                name="rating_file_kind_known",
            ),
        ),
    ]
