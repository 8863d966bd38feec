"""Which events no seal covers yet stands in a table of its own: looking for them does not read the whole trail."""

from django.db import migrations, models
from django.db.models import PROTECT

EVERY_NEW_EVENT_WAITS = """
CREATE FUNCTION annotation_await_seal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO annotation_unsealedevent (event_id) VALUES (NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER awaits_seal AFTER INSERT ON annotation_auditevent
    FOR EACH ROW EXECUTE FUNCTION annotation_await_seal();
INSERT INTO annotation_unsealedevent (event_id)
    SELECT event.id FROM annotation_auditevent event
    WHERE NOT EXISTS (SELECT FROM annotation_auditseal seal WHERE seal.event_id = event.id);
"""
EVERY_NEW_EVENT_WAITS_UNDONE = """
DROP TRIGGER awaits_seal ON annotation_auditevent;
DROP FUNCTION annotation_await_seal();
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_squashed_0009_texts_are_edited")]

    operations = [
        migrations.CreateModel(
            name="UnsealedEvent",
            fields=[
                (
                    "event",
                    models.OneToOneField(
                        "annotation.auditevent", PROTECT, primary_key=True, related_name="unsealed", serialize=False
                    ),
                ),
            ],
        ),
        migrations.RunSQL(EVERY_NEW_EVENT_WAITS, EVERY_NEW_EVENT_WAITS_UNDONE),
    ]
