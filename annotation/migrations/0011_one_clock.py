"""When something came about is the database's time, whichever host wrote it down."""

from django.db import migrations, models
from django.db.models.functions import Now

MOMENTS = (
    ("auditevent", "at"),
    ("auditseal", "sealed_at"),
    ("consent", "given_at"),
    ("invitation", "invited_at"),
    ("participation", "joined_at"),
    ("payment", "recorded_at"),
    ("profile", "completed_at"),
    ("promptversion", "created_at"),
    ("reminder", "asked_at"),
    ("study", "created_at"),
    ("study", "state_changed_at"),
    ("studyseed", "committed_at"),
    ("task", "asked_at"),
    ("textedit", "edited_at"),
    ("user", "joined_at"),
)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0010_unsealed_events")]

    operations = [
        migrations.AlterField(model, name, models.DateTimeField(db_default=Now(), editable=False))
        for model, name in MOMENTS
    ]
