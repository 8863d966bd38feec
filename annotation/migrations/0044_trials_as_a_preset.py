"""Studies may be set up as constitutional trials."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0043_audits"),
    ]

    operations = [
        migrations.AlterField(
            model_name="study",
            name="preset",
            field=models.CharField(
                choices=[
                    ("full", "Full study"),
                    ("pilot", "Pilot"),
                    ("trial", "Constitutional trial"),
                    ("audit", "Audit of benchmarks"),
                ],
                default="full",
                max_length=5,
            ),
        ),
    ]
