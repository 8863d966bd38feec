"""A run says why one of its models is asked nothing more."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("generation", "0008_conversations"),
    ]

    operations = [
        migrations.AddField(
            model_name="runshare",
            name="stopped_because",
            field=models.TextField(blank=True, default="", help_text="Why the model is asked nothing more."),
        ),
    ]
