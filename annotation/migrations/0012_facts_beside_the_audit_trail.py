"""Facts that decisions are made by stand in tables of their own; those of existing databases come from the trail."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models
from django.db.models import PROTECT, CheckConstraint, F, Q, UniqueConstraint
from django.db.models.functions import Now

PERSON = settings.AUTH_USER_MODEL
ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))
TASK_KNOWN = Q(task__in=["writing", "judging"])
STEPS = ["lock_design", "close_writing", "resume_writing", "open_judging", "close", "unblind", "release"]


def of(model: str, related_name: str = "+") -> models.ForeignKey:
    return models.ForeignKey(f"annotation.{model}", PROTECT, related_name=related_name)


# Invitations that a coordinator made by hand were mailed at once; those of a table wait for a worker, whose mail is
# in the trail with the start of its link's hash.
SENT = """
UPDATE annotation_invitation invitation SET sent_at = COALESCE(
    (
        SELECT max(event.at) FROM annotation_auditevent event
        WHERE event.verb = 'invitation.sent' AND event.study_id = invitation.study_id
          AND event.subject = invitation.id::text
          AND event.detail ->> 'link' = left(invitation.token_sha256, 16)
    ),
    CASE WHEN NOT EXISTS (
        SELECT FROM annotation_task task
        WHERE task.kind = 'mail_invitation' AND task.subject = invitation.id::text
    ) AND NOT EXISTS (
        SELECT FROM annotation_auditevent event
        WHERE event.verb = 'invitation.sent' AND event.subject = invitation.id::text
    ) THEN invitation.invited_at END
);
"""
STEPS_TAKEN = """
INSERT INTO annotation_studystep (study_id, verb, taken_at)
SELECT study_id, split_part(verb, '.', 2), at FROM annotation_auditevent
WHERE study_id IS NOT NULL AND verb IN (
    'study.lock_design', 'study.close_writing', 'study.resume_writing', 'study.open_judging', 'study.close',
    'study.unblind', 'study.release'
)
ORDER BY id;
"""
# Before the lock a design has no fingerprint.
FINGERPRINTS = """
INSERT INTO annotation_designfingerprint (study_id, at, by_id, parameters, sha256)
SELECT event.study_id, event.at, event.actor_id,
    CASE WHEN event.verb = 'study.design_changed'
         THEN ARRAY(SELECT jsonb_object_keys(event.detail -> 'changes')) ELSE '{}' END,
    event.detail ->> 'design_sha256'
FROM annotation_auditevent event
WHERE event.verb IN ('study.lock_design', 'study.design_changed') AND event.detail ? 'design_sha256'
  AND event.id >= (
    SELECT min(locked.id) FROM annotation_auditevent locked
    WHERE locked.study_id = event.study_id AND locked.verb = 'study.lock_design'
      AND locked.detail ? 'design_sha256'
  )
ORDER BY event.id;
"""
GIVEN_OUT = """
INSERT INTO annotation_workgivenout (study_id, task, at, people)
SELECT study_id, task, at, people FROM (
    SELECT DISTINCT ON (study_id, verb) id, study_id, at,
        CASE verb WHEN 'writing.assigned' THEN 'writing' ELSE 'judging' END AS task,
        COALESCE(detail -> 'people', '[]') AS people
    FROM annotation_auditevent
    WHERE verb IN ('writing.assigned', 'study.open_judging') AND study_id IS NOT NULL
    ORDER BY study_id, verb, id DESC
) AS given ORDER BY id;
"""
REPAIRS = """
INSERT INTO annotation_assignmentrepair (study_id, task, at, reason, digest, moves, people)
SELECT study_id, detail ->> 'task', at, COALESCE(detail ->> 'reason', ''), detail ->> 'digest',
    COALESCE(detail -> 'moves', '[]'), COALESCE(detail -> 'people', '[]')
FROM annotation_auditevent WHERE verb = 'assignment.repaired'
ORDER BY id
ON CONFLICT DO NOTHING;
"""
# A pause that was not resumed ended with the answer, unless its clock still stands.
PAUSES = """
INSERT INTO annotation_writingpause (assignment_id, began_at, ended_at)
SELECT answer.id, told.at,
    CASE told.next_verb WHEN 'writing.resumed' THEN GREATEST(told.at, told.next_at) END
FROM (
    SELECT subject, verb, at, id, lead(verb) OVER turns AS next_verb, lead(at) OVER turns AS next_at
    FROM annotation_auditevent WHERE verb IN ('writing.paused', 'writing.resumed')
    WINDOW turns AS (PARTITION BY subject ORDER BY id)
) AS told JOIN annotation_writingassignment answer ON answer.id::text = told.subject
WHERE told.verb = 'writing.paused'
  AND (told.next_verb = 'writing.resumed' OR (told.next_verb IS NULL AND answer.paused_at IS NOT NULL))
ORDER BY told.id;
"""
RECEIPTS = """
INSERT INTO annotation_writingreceipt (assignment_id, submitted_at, sha256, mailed_at)
SELECT answer.id, COALESCE((event.detail ->> 'submitted_at')::timestamptz, event.at),
    COALESCE(event.detail ->> 'sha256', ''), event.at
FROM annotation_auditevent event JOIN annotation_writingassignment answer ON answer.id::text = event.subject
WHERE event.verb = 'writing.receipt_mailed'
ORDER BY event.id
ON CONFLICT DO NOTHING;
"""
FILLED = [SENT, STEPS_TAKEN, FINGERPRINTS, GIVEN_OUT, REPAIRS, PAUSES, RECEIPTS]

APPEND_ONLY = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_assignmentrepair
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_designfingerprint
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_studystep
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_workgivenout
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_writingreceipt
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
"""
APPEND_ONLY_UNDONE = """
DROP TRIGGER append_only ON annotation_writingreceipt;
DROP TRIGGER append_only ON annotation_workgivenout;
DROP TRIGGER append_only ON annotation_studystep;
DROP TRIGGER append_only ON annotation_designfingerprint;
DROP TRIGGER append_only ON annotation_assignmentrepair;
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0011_one_clock")]

    operations = [
        migrations.AddField(
            "invitation",
            "sent_at",
            models.DateTimeField(null=True, blank=True, help_text="When the present link was mailed."),
        ),
        migrations.CreateModel(
            "StudyStep",
            [
                ID,
                ("verb", models.CharField(max_length=20)),
                ("taken_at", models.DateTimeField()),
                ("study", of("study", "steps")),
            ],
            options={
                "ordering": ("id",),
                "constraints": [CheckConstraint(condition=Q(verb__in=STEPS), name="study_step_known")],
            },
        ),
        migrations.CreateModel(
            "DesignFingerprint",
            [
                ID,
                ("at", models.DateTimeField(db_default=Now())),
                ("parameters", ArrayField(models.CharField(max_length=63), default=list, blank=True)),
                ("sha256", models.CharField(max_length=64)),
                ("by", models.ForeignKey(PERSON, PROTECT, null=True, related_name="+")),
                ("study", of("study", "fingerprints")),
            ],
            options={"ordering": ("id",)},
        ),
        migrations.CreateModel(
            "WorkGivenOut",
            [
                ID,
                ("task", models.CharField(max_length=7)),
                ("at", models.DateTimeField(db_default=Now())),
                ("people", models.JSONField(default=list)),
                ("study", of("study")),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    UniqueConstraint(fields=["study", "task"], name="work_given_out_once"),
                    CheckConstraint(condition=TASK_KNOWN, name="work_given_out_task_known"),
                ],
            },
        ),
        migrations.CreateModel(
            "AssignmentRepair",
            [
                ID,
                ("task", models.CharField(max_length=7)),
                ("at", models.DateTimeField(db_default=Now())),
                ("reason", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("moves", models.JSONField(default=list)),
                ("people", models.JSONField(default=list)),
                ("study", of("study")),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    UniqueConstraint(fields=["study", "digest"], name="assignment_repair_made_once"),
                    CheckConstraint(condition=TASK_KNOWN, name="assignment_repair_task_known"),
                ],
            },
        ),
        migrations.CreateModel(
            "WritingPause",
            [
                ID,
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True, blank=True)),
                ("assignment", of("writingassignment", "pauses")),
            ],
            options={
                "ordering": ("assignment", "began_at", "id"),
                "constraints": [
                    UniqueConstraint(
                        fields=["assignment"], condition=Q(ended_at__isnull=True), name="writing_one_open_pause"
                    ),
                    CheckConstraint(
                        condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("began_at")),
                        name="writing_pause_forwards",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            "WritingReceipt",
            [
                ID,
                ("submitted_at", models.DateTimeField()),
                ("sha256", models.CharField(max_length=64)),
                ("mailed_at", models.DateTimeField(db_default=Now())),
                ("assignment", of("writingassignment", "receipts")),
            ],
            options={
                "ordering": ("assignment", "mailed_at", "id"),
                "constraints": [
                    UniqueConstraint(
                        fields=["assignment", "submitted_at", "sha256"], name="writing_receipt_mailed_once"
                    )
                ],
            },
        ),
        *(migrations.RunSQL(facts, migrations.RunSQL.noop) for facts in FILLED),
        migrations.RunSQL(APPEND_ONLY, APPEND_ONLY_UNDONE),
    ]
