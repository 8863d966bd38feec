"""Writing: assignments, what was typed, and what arrived too late."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.platform.core.lifecycle import WRITING
from annotation.platform.models.fields import one_of, state_constraint, state_field, together
from annotation.study.models.participation import Role


class WritingAssignment(models.Model):
    """One prompt for one writer. Start and deadline are stored once; the database's clock decides."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    participation = models.ForeignKey(
        "annotation.Participation", on_delete=models.PROTECT, related_name="writing_assignments"
    )
    role = models.CharField(max_length=12, default=Role.WRITER, editable=False)
    prompt = models.ForeignKey("annotation.Prompt", on_delete=models.PROTECT, related_name="+")
    prompt_version = models.ForeignKey("annotation.PromptVersion", on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()
    state = state_field(WRITING)
    allowed_seconds = models.PositiveIntegerField(
        null=True, blank=True, help_text="Time allowed after reopening; empty for the study's own limit."
    )
    extra_seconds = models.PositiveIntegerField(default=0, help_text="Outage credit and extra time granted.")
    attested_at = models.DateTimeField(null=True, blank=True, help_text="“I will not use AI tools.”")
    started_at = models.DateTimeField(null=True, blank=True)
    deadline_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True, help_text="While set, the clock stands still.")
    submitted_at = models.DateTimeField(null=True, blank=True)
    submitted_by_clock = models.BooleanField(default=False)
    confirmed_at = models.DateTimeField(null=True, blank=True, help_text="“I used no AI tools.”")
    feedback = models.TextField(blank=True)
    proposed_rewrite = models.TextField(blank=True)
    process_comment = models.TextField(blank=True, help_text="The writer's word on the record of their process.")
    given_back_for = models.TextField(
        blank=True,
        default="",
        db_default="",
        help_text="Why it was given back to its writer, who reads this; empty where it never was.",
    )
    response = models.OneToOneField(
        "annotation.Response", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("participation", "position")
        constraints = [
            models.UniqueConstraint(
                fields=["participation", "prompt"],
                condition=~Q(state="cancelled"),
                name="writing_one_answer_per_prompt",
            ),
            models.UniqueConstraint(fields=["participation", "position"], name="writing_position_unique"),
            one_of("role", [Role.WRITER], name="writing_is_for_writers"),
            state_constraint(WRITING, name="writing_state_known"),
            together("submitted_at", "response", name="writing_submission_has_response"),
            models.CheckConstraint(
                name="writing_submitted_is_complete",
                condition=~Q(state="submitted") | Q(submitted_at__isnull=False, started_at__isnull=False),
            ),
            models.CheckConstraint(
                name="writing_deadline_after_start",
                condition=Q(deadline_at__isnull=True) | Q(deadline_at__gt=F("started_at")),
            ),
            models.CheckConstraint(
                name="writing_paused_while_written",
                condition=Q(paused_at__isnull=True) | Q(state="writing"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participation} on prompt {self.prompt_id}"


class Draft(models.Model):
    """The last acknowledged text, and everything a save has to ask: a save reads and writes this row alone.

    Order is the pen's epoch first, then the sequence number within it. Each time a window takes the pen, the epoch
    goes up by one. `closed_at` tells that the answer is not being written any more.
    """

    assignment = models.OneToOneField(
        WritingAssignment, on_delete=models.PROTECT, primary_key=True, related_name="draft"
    )
    pen_epoch = models.PositiveIntegerField(default=0)
    pen_holder = models.CharField(max_length=64, blank=True, help_text="The browser that holds the pen.")
    seq = models.PositiveIntegerField(default=0)
    text = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    saved_at = models.DateTimeField()
    closes_at = models.DateTimeField(
        null=True, blank=True, help_text="Last moment a save counts: deadline and grace. Empty without a limit."
    )
    closed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"draft {self.pen_epoch}.{self.seq}"


class DraftRevision(models.Model):
    """One acknowledged save as the change it made: `removed` characters at `at` gave way to `inserted`.

    `activity` is what the writer's browser noted since the save before (`annotation.writing.core.activity`): no
    content.
    """

    assignment = models.ForeignKey(
        WritingAssignment, on_delete=models.PROTECT, related_name="revisions", db_index=False
    )
    pen_epoch = models.PositiveIntegerField()
    seq = models.PositiveIntegerField()
    at = models.PositiveIntegerField(help_text="Offset in code points.")
    removed = models.PositiveIntegerField(help_text="Code points removed.")
    inserted = models.TextField(blank=True)
    activity = models.JSONField(null=True, blank=True)
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ("assignment", "pen_epoch", "seq")
        constraints = [
            models.UniqueConstraint(fields=["assignment", "pen_epoch", "seq"], name="revision_order_unique")
        ]

    def __str__(self) -> str:
        return f"revision {self.pen_epoch}.{self.seq}"


class SideText(models.Model):
    """What a window wrote after another one had taken the pen: kept beside the answer, never part of it."""

    assignment = models.ForeignKey(WritingAssignment, on_delete=models.PROTECT, related_name="side_texts")
    pen_epoch = models.PositiveIntegerField()
    seq = models.PositiveIntegerField()
    text = models.TextField()
    received_at = models.DateTimeField()

    class Meta:
        ordering = ("assignment", "received_at", "id")

    def __str__(self) -> str:
        return f"side text {self.pen_epoch}.{self.seq}"


class LateText(models.Model):
    """What arrived after the deadline: kept, never silently used; a coordinator decides."""

    class Decision(models.TextChoices):
        OPEN = "open", "Not decided"
        USE = "use", "Use it"
        LEAVE = "leave", "Leave it"

    assignment = models.ForeignKey(WritingAssignment, on_delete=models.PROTECT, related_name="late_texts")
    text = models.TextField()
    activity = models.JSONField(null=True, blank=True, help_text="As of a revision: what came with the text.")
    received_at = models.DateTimeField()
    decision = models.CharField(max_length=5, choices=Decision.choices, default=Decision.OPEN)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.TextField(blank=True, help_text="Why the coordinator decided so.")

    class Meta:
        ordering = ("assignment", "received_at", "id")
        constraints = [
            together("decided_at", "decided_by", name="late_text_decision_has_person"),
            models.CheckConstraint(
                name="late_text_decided_or_open",
                condition=Q(decision="open", decided_at__isnull=True)
                | (~Q(decision="open") & Q(decided_at__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"late text of {self.assignment_id}"


class OutageCredit(models.Model):
    """A coordinator's decision on the time an answer lost to one outage; `seconds` is 0 where it was declined."""

    assignment = models.ForeignKey(
        "annotation.WritingAssignment", on_delete=models.PROTECT, related_name="outage_credits"
    )
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    seconds = models.PositiveIntegerField()
    decided_at = models.DateTimeField()
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("assignment", "began_at")
        constraints = [
            models.UniqueConstraint(fields=["assignment", "began_at"], name="outage_decided_once"),
            models.CheckConstraint(name="outage_forwards", condition=Q(ended_at__gt=F("began_at"))),
        ]

    def __str__(self) -> str:
        return f"{self.seconds} s for {self.assignment_id}"


class WaivedAnswer(models.Model):
    """A coordinator's decision to do without an answer whose text was rejected: nobody writes it anew."""

    assignment = models.OneToOneField(WritingAssignment, on_delete=models.PROTECT, related_name="waiver")
    waived_at = models.DateTimeField(db_default=Now(), editable=False)
    waived_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=400)

    class Meta:
        ordering = ("assignment",)
        constraints = [models.CheckConstraint(name="waived_answer_has_a_reason", condition=~Q(reason=""))]

    def __str__(self) -> str:
        return f"waiver of {self.assignment_id}"


class RewordingDecision(models.Model):
    """What a coordinator decided about a writer's feedback on a prompt: reword it in the next round, or not.

    `prompt_version` is the one that the writer read; `wording` is what the next round asks, empty where declined.
    """

    class Decision(models.TextChoices):
        ACCEPTED = "accepted", "Accepted as proposed"
        EDITED = "edited", "Accepted in other words"
        DECLINED = "declined", "Declined"

    assignment = models.OneToOneField(WritingAssignment, on_delete=models.PROTECT, related_name="rewording")
    prompt_version = models.ForeignKey(
        "annotation.PromptVersion", on_delete=models.PROTECT, related_name="rewordings"
    )
    decision = models.CharField(max_length=8, choices=Decision.choices)
    wording = models.TextField(blank=True)
    reason = models.CharField(max_length=400)
    decided_at = models.DateTimeField()
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("assignment",)
        constraints = [
            one_of("decision", ["accepted", "edited", "declined"], name="rewording_decision_known"),
            models.CheckConstraint(name="rewording_has_a_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="rewording_has_a_wording_unless_declined",
                condition=Q(decision="declined", wording="") | (~Q(decision="declined") & ~Q(wording="")),
            ),
            models.UniqueConstraint(
                name="rewording_one_for_the_next_round",
                fields=["prompt_version"],
                condition=~Q(decision="declined"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.decision} for {self.assignment_id}"


class WritingPause(models.Model):
    """A time while the clock of an answer stood still; without an end it still does, as `paused_at` of the answer
    says.
    """

    assignment = models.ForeignKey(WritingAssignment, on_delete=models.PROTECT, related_name="pauses")
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("assignment", "began_at", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"], condition=Q(ended_at__isnull=True), name="writing_one_open_pause"
            ),
            models.CheckConstraint(
                name="writing_pause_forwards", condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("began_at"))
            ),
        ]

    def __str__(self) -> str:
        return f"pause of {self.assignment_id}"


class WritingReceipt(models.Model):
    """A mailed receipt: the submission it was for, by its moment, and the text, by its hash."""

    assignment = models.ForeignKey(WritingAssignment, on_delete=models.PROTECT, related_name="receipts")
    submitted_at = models.DateTimeField()
    sha256 = models.CharField(max_length=64)
    mailed_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("assignment", "mailed_at", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "submitted_at", "sha256"], name="writing_receipt_mailed_once"
            )
        ]

    def __str__(self) -> str:
        return f"receipt of {self.assignment_id}"
