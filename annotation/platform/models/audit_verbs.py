"""Every verb of the audit trail, with what people read. Stored values never change: the seals stand on them."""

from django.db import models


class AuditVerb(models.TextChoices):
    """Something that is recorded, by its subject and what became of it."""

    # people
    PERSON_JOINED = "person.joined", "Joined the study"
    PERSON_LIMITS_CHANGED = "person.limits_changed", "Limits and wishes were changed"
    PERSON_LEFT = "person.left", "Left the study"
    PERSON_CAME_BACK = "person.came_back", "Came back"
    PERSON_ACCOUNT_OPENED = "person.account_opened", "Account opened"
    PERSON_INVITED = "person.invited", "Invited"
    PERSON_SETTINGS_CHANGED = "person.settings_changed", "Settings changed"
    CONSENT_GIVEN = "consent.given", "Agreed to the consent form"
    CONSENT_WITHDRAWN = "consent.withdrawn", "Consent withdrawn"
    CONSENT_ASKED_AGAIN = "consent.asked_again", "Asked again"
    PROFILE_COMPLETED = "profile.completed", "Filled in the profile"
    INVITATION_REFUSED = "invitation.refused", "Invitation refused"
    INVITATION_SENT = "invitation.sent", "Invitation sent"
    INVITATION_WITHDRAWN = "invitation.withdrawn", "Invitation withdrawn"

    # studies
    STUDY_ARCHIVED = "study.archived", "Study archived"
    STUDY_BROUGHT_BACK = "study.brought_back", "Study brought back"
    STUDY_CLONED = "study.cloned", "Study cloned"
    STUDY_CREATED = "study.created", "Study created"
    STUDY_DESIGN_CHANGED = "study.design_changed", "Design changed"
    STUDY_FEEDBACK_GIVEN = "study.feedback_given", "Feedback on the study given"
    STUDY_FROZEN = "study.frozen", "Data frozen"
    STUDY_LOCK_DESIGN = "study.lock_design", "Design locked, seed committed to"
    STUDY_CLOSE_WRITING = "study.close_writing", "Writing closed"
    STUDY_RESUME_WRITING = "study.resume_writing", "Writing resumed"
    STUDY_OPEN_JUDGING = "study.open_judging", "Judging opened"
    STUDY_CLOSE = "study.close", "Collection closed"
    STUDY_UNBLIND = "study.unblind", "Seed and sources revealed"
    STUDY_RELEASE = "study.release", "Study released"
    PROMPT_ADDED = "prompt.added", "Prompt added"
    PROMPT_CHANGED = "prompt.changed", "Prompt changed"
    PROMPT_REMOVED = "prompt.removed", "Prompt removed"
    PROMPTS_IMPORTED = "prompts.imported", "Prompts imported"
    ASSIGNMENT_REPAIRED = "assignment.repaired", "Assignment repaired"

    # texts and writing
    TEXT_ADMITTED = "text.admitted", "Text admitted"
    TEXT_CLEAR = "text.clear", "Text cleared"
    TEXT_EDIT = "text.edit", "Text edited"
    TEXT_QUARANTINED = "text.quarantined", "Text quarantined"
    TEXT_REJECT = "text.reject", "Text rejected"
    WRITING_STARTED = "writing.started", "Started"
    WRITING_PAUSED = "writing.paused", "Paused"
    WRITING_RESUMED = "writing.resumed", "Went on"
    WRITING_TIME_GRANTED = "writing.time_granted", "Got extra time"
    WRITING_PEN_TAKEN_OVER = "writing.pen_taken_over", "Another window took the pen"
    WRITING_SUBMITTED = "writing.submitted", "Handed in"
    WRITING_RECEIPT_MAILED = "writing.receipt_mailed", "The receipt was mailed"
    WRITING_LAPSED = "writing.lapsed", "Time ran out before a word was written"
    WRITING_LATE_TEXT_KEPT = "writing.late_text_kept", "A text arrived late and was kept"
    WRITING_LATE_TEXT_USED = "writing.late_text_used", "A late text became the answer"
    WRITING_LATE_TEXT_LEFT = "writing.late_text_left", "A late text was left aside"
    WRITING_OUTAGE_CREDITED = "writing.outage_credited", "Credited with time lost in an outage"
    WRITING_OUTAGE_DECLINED = "writing.outage_declined", "Not credited for an outage"
    WRITING_FEEDBACK_GIVEN = "writing.feedback_given", "Said something about the prompt"
    WRITING_PROCESS_COMMENTED = "writing.process_commented", "Commented on the record of the process"
    WRITING_REOPENED = "writing.reopened", "Given back to the writer"
    WRITING_CANCELLED = "writing.cancelled", "Taken back"
    WRITING_ASSIGNED = "writing.assigned", "Writing assigned"
    WRITING_MINUTES_GRANTED = "writing.minutes_granted", "Extra minutes granted"

    # judging
    ITEM_GUESSED = "item.guessed", "Item guessed"
    ITEM_LAPSED = "item.lapsed", "Item lapsed"
    ITEM_OPENED = "item.opened", "Item opened"
    ITEM_REOPENED = "item.reopened", "Item reopened"
    ITEM_SUBMITTED = "item.submitted", "Item submitted"
    ITEM_TAKEN_UP = "item.taken_up", "Item taken up"

    # coordination
    PAYMENT_RECORDED = "payment.recorded", "Payment recorded"
    PAYMENT_REVERSED = "payment.reversed", "Payment reversed"
    REMINDER_SENT = "reminder.sent", "Reminder sent"
    REMINDER_SKIPPED = "reminder.skipped", "Reminder skipped"
    REMINDER_WITHDRAWN = "reminder.withdrawn", "Reminder withdrawn"
    REMINDERS_ASKED = "reminders.asked", "Reminders asked for"
    REMINDERS_STOPPED = "reminders.stopped", "Reminders stopped"
    REMINDERS_WANTED = "reminders.wanted", "Reminders wanted"

    # models and their prompts
    TARGET_ADDED = "target.added", "Target added"
    TARGET_CHANGED = "target.changed", "Target changed"
    TARGET_RETIRED = "target.retired", "Target retired"
    TEMPLATE_SAVED = "template.saved", "Template saved"
    RUN_FINISHED = "run.finished", "Run finished"
    RUN_PLANNED = "run.planned", "Run planned"
    RUN_RETRIED = "run.retried", "Run retried"
    RUN_STARTED = "run.started", "Run started"
    RUN_STOPPED = "run.stopped", "Run stopped"
    RUN_WITHDRAWN = "run.withdrawn", "Run withdrawn"
    SOURCE_DROPPED = "source.dropped", "Source dropped"
    SOURCE_IMPORTED = "source.imported", "Source imported"
    SOURCE_USED = "source.used", "Source used"
    DOCUMENT_ADDED = "document.added", "Document added"
    DOCUMENT_REMOVED = "document.removed", "Document removed"
    CONCEPT_ADDED = "concept.added", "Concept added"
    CONCEPT_CHANGED = "concept.changed", "Concept changed"
    CONCEPT_REMOVED = "concept.removed", "Concept removed"
    CANDIDATE_REVIEWED = "candidate.reviewed", "Candidate reviewed"
    PAIR_COMPARED = "pair.compared", "Pair compared"
    MAP_ASKED = "map.asked", "Map asked for"
    MAP_DRAWN = "map.drawn", "Map drawn"
    SAMPLE_DISCARDED = "sample.discarded", "Sample discarded"
    SAMPLE_MADE = "sample.made", "Sample made"
    SAMPLE_TAKEN = "sample.taken", "Sample taken"

    # from closed data to what is published
    UNBLINDING_REQUESTED = "unblinding.requested", "Unblinding asked for"
    UNBLINDING_DECLINED = "unblinding.declined", "Unblinding declined"
    UNBLINDING_APPROVED = "unblinding.approved", "Unblinding approved"
    ANALYSIS_ASKED = "analysis.asked", "Analysis asked for"
    ANALYSIS_FINISHED = "analysis.finished", "Analysis computed"
    ANALYSIS_NOT_FINISHED = "analysis.not_finished", "Analysis not computed"
    ANALYSIS_FILES_DELETED = "analysis.files_deleted", "Files of an analysis deleted, after somebody withdrew"
    RELEASE_ASKED = "release.asked", "Release asked for"
    RELEASE_PREPARED = "release.prepared", "Release prepared"
    RELEASE_NOT_PREPARED = "release.not_prepared", "Release not prepared"
    RELEASE_PUBLISHED = "release.published", "Release published"
    RELEASE_FILES_DELETED = "release.files_deleted", "Files of a release deleted, after somebody withdrew"

    # the site
    SITE_RESTORED = "site.restored", "Restored from a backup"

    # refused
    CLOSE_STUDY_REFUSED = "close_study.refused", "Refused: closing"
    REQUEST_UNBLINDING_REFUSED = "request_unblinding.refused", "Refused: asking for unblinding"
    DECIDE_UNBLINDING_REFUSED = "decide_unblinding.refused", "Refused: deciding on unblinding"
    PREPARE_RELEASE_REFUSED = "prepare_release.refused", "Refused: preparing a release"
    PUBLISH_RELEASE_REFUSED = "publish_release.refused", "Refused: publishing"
    COMPUTE_RESULTS_REFUSED = "compute_results.refused", "Refused: computing results"
    RUN_AGAIN_REFUSED = "run_again.refused", "Refused: computing a run again"
    JUDGMENTS_CSV_REFUSED = "judgments_csv.refused", "Refused: downloading judgments with their sources"


def label_of(verb: str) -> str:
    """What people read of a recorded verb; one that only an earlier version recorded is its own words."""
    if verb in AuditVerb.values:
        return AuditVerb(verb).label
    return verb.partition(".")[2].replace("_", " ").capitalize()
