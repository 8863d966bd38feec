"""When something came about is the database's time, whichever host wrote it down."""

from django.db import migrations, models
from django.db.models.functions import Now

MOMENTS = (
    ("bundle", "made_at"),
    ("generationrun", "planned_at"),
    ("modelanswer", "accepted_at"),
    ("pairvote", "voted_at"),
    ("promptmap", "asked_at"),
    ("promptsample", "made_at"),
    ("providerbatch", "made_at"),
    ("qualityvote", "voted_at"),
    ("source", "imported_at"),
    ("studysource", "added_at"),
    ("studytemplate", "written_at"),
)


class Migration(migrations.Migration):
    dependencies = [("generation", "0001_squashed_0005_sources_to_prompts")]

    operations = [
        migrations.AlterField(model, name, models.DateTimeField(db_default=Now(), editable=False))
        for model, name in MOMENTS
    ]
