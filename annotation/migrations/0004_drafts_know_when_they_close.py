"""Drafts that exist learn when they close, and side texts cannot be changed."""

from django.db import migrations

# The row of a draft answers by itself whether a save still counts.
CLOSING = """
UPDATE annotation_draft draft
SET closes_at = answer.deadline_at + make_interval(secs => study.transport_grace_seconds),
    closed_at = CASE
        WHEN answer.state = 'writing' THEN NULL
        ELSE COALESCE(answer.submitted_at, answer.deadline_at, draft.saved_at)
    END
FROM annotation_writingassignment answer
JOIN annotation_study study ON study.id = answer.study_id
WHERE answer.id = draft.assignment_id;
"""

APPEND_ONLY = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_sidetext
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0003_writing_room")]

    operations = [
        migrations.RunSQL(CLOSING, migrations.RunSQL.noop),
        migrations.RunSQL(APPEND_ONLY, "DROP TRIGGER append_only ON annotation_sidetext;"),
    ]
