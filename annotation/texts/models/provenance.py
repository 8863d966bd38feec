"""Which text is whose, and which item is for what: known here and nowhere else before unblinding."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.platform.core.lifecycle import STIMULUS
from annotation.platform.models.fields import one_of, state_constraint, state_field


class Arm(models.TextChoices):
    HUMAN = "human", "Human"
    MODEL = "model", "Model"
    WEAK = "weak", "Deliberately weak"
    MAXIMUM = "maximum", "Maximum capability, shown to no judge"


class Kind(models.TextChoices):
    STANDARD = "standard", "Standard"
    QUALITY_FLOOR = "quality_floor", "Quality floor"
    SOURCE_ATTRIBUTION = "source_attribution", "Source attribution"


class Stimulus(models.Model):
    """Where a response came from, and whether judges may see it."""

    response = models.OneToOneField(
        "annotation.Response", on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    prompt = models.ForeignKey("annotation.Prompt", on_delete=models.PROTECT, related_name="+")
    arm = models.CharField(max_length=7, choices=Arm.choices)
    source_code = models.CharField(max_length=40, help_text="A writer's pseudonym or a model's family.")
    state = state_field(STIMULUS)
    flags = models.JSONField(default=list, blank=True, help_text="What the leak scan found.")
    is_read = models.BooleanField(
        default=False, help_text="Normalised and scanned; until then it is as it was sent."
    )
    tries = models.PositiveSmallIntegerField(default=0, help_text="To read it, those that broke off included.")
    fault = models.CharField(max_length=200, blank=True, help_text="Why it could not be read, in words.")
    names = models.JSONField(default=list, blank=True, help_text="Would identify the author; kept for reading it.")
    leak_severity = models.PositiveSmallIntegerField(
        default=0,
        help_text="Of the gravest finding: 3 surely leaks, 2 probably, 1 perhaps; 0 for none, or where none says.",
    )

    class Meta:
        ordering = ("prompt", "response")
        verbose_name_plural = "stimuli"
        constraints = [
            models.CheckConstraint(
                name="stimulus_admitted_once_read", condition=~Q(state="admitted") | Q(is_read=True)
            ),
            models.CheckConstraint(
                name="stimulus_received_unread", condition=~Q(state="received") | Q(is_read=False)
            ),
            models.CheckConstraint(
                name="stimulus_held_unread_for_a_fault",
                condition=~Q(state="quarantined") | Q(is_read=True) | ~Q(fault=""),
            ),
            one_of("arm", Arm.values, name="stimulus_arm_known"),
            state_constraint(STIMULUS, name="stimulus_state_known"),
            models.CheckConstraint(name="stimulus_leak_severity_known", condition=Q(leak_severity__lte=3)),
        ]
        indexes = [models.Index(fields=["study", "prompt", "arm", "state"], name="stimulus_by_prompt_and_arm")]

    def __str__(self) -> str:
        return f"{self.arm} {self.source_code}"


class TextEdit(models.Model):
    """What a coordinator changed in a text before any judge could see it, and why. Nothing is lost."""

    response = models.ForeignKey("annotation.Response", on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    before = models.TextField()
    after = models.TextField()
    reason = models.CharField(max_length=400)
    edited_at = models.DateTimeField(db_default=Now(), editable=False)
    edited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("response", "number")
        constraints = [
            models.UniqueConstraint(fields=["response", "number"], name="text_edit_number_unique"),
            models.CheckConstraint(name="text_edit_has_a_reason", condition=~Q(reason="")),
        ]

    def __str__(self) -> str:
        return f"edit {self.number} of {self.response_id}"


class TextClearance(models.Model):
    """The record that a coordinator took what the scan found in a text for a mistake, and why; until it is
    withdrawn.
    """

    response = models.ForeignKey("annotation.Response", on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=400)
    cleared_at = models.DateTimeField(db_default=Now(), editable=False)
    cleared_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    withdrawn_because = models.CharField(max_length=400, blank=True)
    is_withheld = models.BooleanField(
        default=False, help_text="Withdrawn once the study was unblinded: releases leave the text out."
    )

    class Meta:
        ordering = ("response", "id")
        constraints = [
            models.CheckConstraint(
                name="text_withheld_once_withdrawn",
                condition=Q(is_withheld=False) | Q(withdrawn_at__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["response"], condition=Q(withdrawn_at__isnull=True), name="text_clearance_stands_once"
            ),
            models.CheckConstraint(name="text_clearance_has_a_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="text_clearance_withdrawn_by_for_a_reason",
                condition=Q(withdrawn_at__isnull=True, withdrawn_by__isnull=True, withdrawn_because="")
                | (Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False) & ~Q(withdrawn_because="")),
            ),
        ]

    def __str__(self) -> str:
        return f"clearance of {self.response_id}"


class PromptPlan(models.Model):
    """What a prompt's items are for: drawn when the design is locked, so that the texts needed are known."""

    prompt = models.OneToOneField("annotation.Prompt", on_delete=models.PROTECT, primary_key=True, related_name="+")
    kind = models.CharField(max_length=18, choices=Kind.choices, default=Kind.STANDARD)

    class Meta:
        constraints = [one_of("kind", Kind.values, name="prompt_plan_kind_known")]

    def __str__(self) -> str:
        return self.kind


class HumanSet(models.Model):
    """Human answers judged together. A set belongs to its prompt; a judge takes one, a replacement inherits it."""

    prompt = models.ForeignKey("annotation.Prompt", on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    members = models.ManyToManyField(Stimulus, related_name="+")

    class Meta:
        ordering = ("prompt", "number")
        constraints = [models.UniqueConstraint(fields=["prompt", "number"], name="human_set_unique")]

    def __str__(self) -> str:
        return f"set {self.number}"


class ItemPlan(models.Model):
    """What one judging item is for, kept away from the item itself."""

    item = models.OneToOneField(
        "annotation.JudgingItem", on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    kind = models.CharField(max_length=18, choices=Kind.choices)
    human_set = models.ForeignKey(HumanSet, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            one_of("kind", Kind.values, name="item_plan_kind_known"),
            models.CheckConstraint(
                name="item_plan_attribution_has_no_human_set",
                condition=~Q(kind=Kind.SOURCE_ATTRIBUTION) | Q(human_set__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.kind
