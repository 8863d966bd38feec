"""A release names its licence; those of before named none."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("analysis", "0006_reasons_for_declining")]

    operations = [
        migrations.AddField(
            model_name="release",
            name="licence",
            field=models.CharField(blank=True, help_text="An SPDX identifier; empty for none.", max_length=40),
        ),
    ]
