"""A text beside an answer is never changed, and may be removed once its study is released: nothing is decided by it
any more, and cleaning up does so after a declared time.

Its trigger is no longer called as those of what stays on record for ever, by which `scrub_site.database.roles` takes
the right to delete away.
"""

from django.db import migrations

KEPT = """
CREATE FUNCTION annotation_keep_until_released() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT FROM annotation_writingassignment AS assignment JOIN annotation_study AS study
            ON study.id = assignment.study_id
        WHERE assignment.id = OLD.assignment_id AND study.state = 'released'
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only until the study is released', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER append_only ON annotation_sidetext;
DROP TRIGGER append_only_truncate ON annotation_sidetext;
CREATE TRIGGER kept_until_released BEFORE UPDATE OR DELETE ON annotation_sidetext
    FOR EACH ROW EXECUTE FUNCTION annotation_keep_until_released();
CREATE TRIGGER kept_until_released_truncate BEFORE TRUNCATE ON annotation_sidetext
    FOR EACH STATEMENT EXECUTE FUNCTION annotation_refuse_change();
"""
UNDONE = """
DROP TRIGGER kept_until_released_truncate ON annotation_sidetext;
DROP TRIGGER kept_until_released ON annotation_sidetext;
DROP FUNCTION annotation_keep_until_released();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON annotation_sidetext
    FOR EACH STATEMENT EXECUTE FUNCTION annotation_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_sidetext
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0045_rulings")]

    operations = [migrations.RunSQL(KEPT, UNDONE)]
