"""A run says why one of its models is asked nothing more, and since when its refusals count."""

from django.db import migrations, models
from django.db.models.functions import Now


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
        migrations.AddField(
            model_name="runshare",
            name="tried_since",
            field=models.DateTimeField(
                db_default=Now(), editable=False, help_text="What the model refused before stops it no more."
            ),
        ),
    ]
