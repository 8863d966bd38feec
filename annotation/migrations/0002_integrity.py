"""Rules that hold across tables, kept by the database itself."""

from django.db import migrations

# A writing or judging row names its participation together with the study and the role it claims, so a judge
# cannot be given writing, nor a person of one study work of another.
ROLE_AND_STUDY = """
ALTER TABLE annotation_writingassignment ADD CONSTRAINT writing_is_by_a_writer_of_the_study
    FOREIGN KEY (participation_id, study_id, role) REFERENCES annotation_participation (id, study_id, role);
ALTER TABLE annotation_judgingitem ADD CONSTRAINT judging_is_by_a_judge_of_the_study
    FOREIGN KEY (participation_id, study_id, role) REFERENCES annotation_participation (id, study_id, role);
"""
ROLE_AND_STUDY_UNDONE = """
ALTER TABLE annotation_writingassignment DROP CONSTRAINT writing_is_by_a_writer_of_the_study;
ALTER TABLE annotation_judgingitem DROP CONSTRAINT judging_is_by_a_judge_of_the_study;
"""

# What a row shows must be of the study, and of the prompt, that the row is about.
SAME_PROMPT = """
ALTER TABLE annotation_prompt ADD CONSTRAINT prompt_identity UNIQUE (id, study_id);
ALTER TABLE annotation_promptversion ADD CONSTRAINT prompt_version_identity UNIQUE (id, prompt_id);
ALTER TABLE annotation_response ADD CONSTRAINT response_identity UNIQUE (id, study_id, prompt_id);
ALTER TABLE annotation_response ADD CONSTRAINT response_prompt_of_the_study
    FOREIGN KEY (prompt_id, study_id) REFERENCES annotation_prompt (id, study_id);
ALTER TABLE annotation_stimulus ADD CONSTRAINT stimulus_is_its_response
    FOREIGN KEY (response_id, study_id, prompt_id) REFERENCES annotation_response (id, study_id, prompt_id);
ALTER TABLE annotation_writingassignment ADD CONSTRAINT writing_prompt_of_the_study
    FOREIGN KEY (prompt_id, study_id) REFERENCES annotation_prompt (id, study_id);
ALTER TABLE annotation_writingassignment ADD CONSTRAINT writing_version_of_the_prompt
    FOREIGN KEY (prompt_version_id, prompt_id) REFERENCES annotation_promptversion (id, prompt_id);
ALTER TABLE annotation_judgingitem ADD CONSTRAINT judging_prompt_of_the_study
    FOREIGN KEY (prompt_id, study_id) REFERENCES annotation_prompt (id, study_id);
ALTER TABLE annotation_judgingitem ADD CONSTRAINT judging_version_of_the_prompt
    FOREIGN KEY (prompt_version_id, prompt_id) REFERENCES annotation_promptversion (id, prompt_id);
"""
SAME_PROMPT_UNDONE = """
ALTER TABLE annotation_judgingitem DROP CONSTRAINT judging_version_of_the_prompt;
ALTER TABLE annotation_judgingitem DROP CONSTRAINT judging_prompt_of_the_study;
ALTER TABLE annotation_writingassignment DROP CONSTRAINT writing_version_of_the_prompt;
ALTER TABLE annotation_writingassignment DROP CONSTRAINT writing_prompt_of_the_study;
ALTER TABLE annotation_stimulus DROP CONSTRAINT stimulus_is_its_response;
ALTER TABLE annotation_response DROP CONSTRAINT response_prompt_of_the_study;
ALTER TABLE annotation_response DROP CONSTRAINT response_identity;
ALTER TABLE annotation_promptversion DROP CONSTRAINT prompt_version_identity;
ALTER TABLE annotation_prompt DROP CONSTRAINT prompt_identity;
"""

# A judge sees answers to the item's own prompt. Slots carry no prompt of their own, so a trigger looks it up.
SAME_PROMPT_IN_SLOT = """
CREATE FUNCTION annotation_check_slot_prompt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM annotation_judgingitem item JOIN annotation_response response USING (study_id, prompt_id)
        WHERE item.id = NEW.item_id AND response.id = NEW.response_id
    ) THEN
        RAISE EXCEPTION 'the response answers another prompt than the item''s'
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER slot_response_of_the_prompt BEFORE INSERT OR UPDATE ON annotation_blindedslot
    FOR EACH ROW EXECUTE FUNCTION annotation_check_slot_prompt();
"""
SAME_PROMPT_IN_SLOT_UNDONE = """
DROP TRIGGER slot_response_of_the_prompt ON annotation_blindedslot;
DROP FUNCTION annotation_check_slot_prompt();
"""

APPEND_ONLY = """
CREATE FUNCTION annotation_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_auditevent
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_auditseal
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_draftrevision
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_rubric
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
"""
APPEND_ONLY_UNDONE = """
DROP TRIGGER append_only ON annotation_rubric;
DROP TRIGGER append_only ON annotation_draftrevision;
DROP TRIGGER append_only ON annotation_auditseal;
DROP TRIGGER append_only ON annotation_auditevent;
DROP FUNCTION annotation_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial")]

    operations = [
        migrations.RunSQL(ROLE_AND_STUDY, ROLE_AND_STUDY_UNDONE),
        migrations.RunSQL(SAME_PROMPT, SAME_PROMPT_UNDONE),
        migrations.RunSQL(SAME_PROMPT_IN_SLOT, SAME_PROMPT_IN_SLOT_UNDONE),
        migrations.RunSQL(APPEND_ONLY, APPEND_ONLY_UNDONE),
    ]
