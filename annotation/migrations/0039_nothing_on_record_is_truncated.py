"""What is on record cannot be emptied by TRUNCATE either, which fires no trigger for single rows."""

from django.db import migrations

# Every table that has the one trigger gets the other.
REFUSED = """
DO $$
DECLARE on_record regclass;
BEGIN
    FOR on_record IN SELECT tgrelid::regclass FROM pg_trigger WHERE tgname = 'append_only' LOOP
        EXECUTE format(
            'CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON %s'
            ' FOR EACH STATEMENT EXECUTE FUNCTION annotation_refuse_change()', on_record);
    END LOOP;
END $$;
"""
UNDONE = """
DO $$
DECLARE on_record regclass;
BEGIN
    FOR on_record IN SELECT tgrelid::regclass FROM pg_trigger WHERE tgname = 'append_only_truncate' LOOP
        EXECUTE format('DROP TRIGGER append_only_truncate ON %s', on_record);
    END LOOP;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0038_studies_without_writing_or_judging")]

    operations = [migrations.RunSQL(REFUSED, UNDONE)]
