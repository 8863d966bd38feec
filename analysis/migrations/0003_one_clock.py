"""When something came about is the database's time, whichever host wrote it down."""

from django.db import migrations, models
from django.db.models.functions import Now

MOMENTS = (
    ("analysisrun", "asked_at"),
    ("freeze", "frozen_at"),
    ("release", "asked_at"),
    ("unblindingrequest", "requested_at"),
)


class Migration(migrations.Migration):
    dependencies = [("analysis", "0001_squashed_0002_runs_and_releases")]

    operations = [
        migrations.AlterField(model, name, models.DateTimeField(db_default=Now(), editable=False))
        for model, name in MOMENTS
    ]
