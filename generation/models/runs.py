"""Model answers: what is asked of whom, each attempt to get it, and what was accepted."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.allocation import Arm
from annotation.models.fields import one_of, state_constraint, state_field, together
from generation.core.lifecycles import CALL, RUN


class Target(models.Model):
    """A model under study. Ids, effort and options are configuration."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    family = models.CharField(max_length=40, help_text="Published in the `model` column, such as “claude”.")
    provider = models.CharField(max_length=40)
    model_id = models.CharField(max_length=120)
    options = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("study", "family")
        constraints = [models.UniqueConstraint(fields=["study", "family"], name="target_family_unique")]

    def __str__(self) -> str:
        return f"{self.family} ({self.model_id})"


class GenerationRun(models.Model):
    """Calls planned, approved and worked off together."""

    class Track(models.TextChoices):
        MATCHED = "matched", "Matched effort, shown to judges"
        MAXIMUM = "maximum", "Maximum capability, automated evaluation only"

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    track = models.CharField(max_length=7, choices=Track.choices, default=Track.MATCHED)
    state = state_field(RUN)
    template_version = models.CharField(max_length=80)
    planned_at = models.DateTimeField(auto_now_add=True)
    planned_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    approved_at = models.DateTimeField(null=True, blank=True)
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    stopped_because = models.TextField(blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-planned_at", "-id")
        constraints = [
            state_constraint(RUN, name="run_state_known"),
            together("approved_at", "approved_by", name="run_approved_at_by"),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} ({self.track})"


class Call(models.Model):
    """One answer wanted. The key makes it impossible to want, and pay for, the same answer twice."""

    run = models.ForeignKey(GenerationRun, on_delete=models.PROTECT, related_name="calls")
    key = models.CharField(max_length=64, unique=True)
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="+")
    prompt_version = models.ForeignKey("annotation.PromptVersion", on_delete=models.PROTECT, related_name="+")
    arm = models.CharField(max_length=5, choices=Arm.choices, default=Arm.MODEL)
    replicate = models.PositiveSmallIntegerField(default=1)
    state = state_field(CALL)

    class Meta:
        ordering = ("run", "id")
        constraints = [
            one_of("arm", [Arm.MODEL, Arm.WEAK], name="call_arm_is_a_model"),
            state_constraint(CALL, name="call_state_known"),
        ]
        indexes = [models.Index(fields=["run", "state", "id"], name="call_by_run_and_state")]

    def __str__(self) -> str:
        return f"call {self.key[:12]}"


class Attempt(models.Model):
    """One request, written before it leaves, so that a lost reply is known to have been paid for."""

    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    sent_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=16, blank=True)
    request = models.JSONField()
    reply = models.JSONField(null=True, blank=True)
    request_id = models.CharField(max_length=120, blank=True)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("call", "number")
        constraints = [
            models.UniqueConstraint(fields=["call", "number"], name="attempt_number_unique"),
            models.CheckConstraint(
                name="attempt_ended_has_outcome",
                condition=Q(ended_at__isnull=True, outcome="") | (Q(ended_at__isnull=False) & ~Q(outcome="")),
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of {self.call}"


class ModelAnswer(models.Model):
    """The accepted text of a call, as the model wrote it, and the response it became."""

    call = models.OneToOneField(Call, on_delete=models.PROTECT, primary_key=True, related_name="answer")
    attempt = models.OneToOneField(Attempt, on_delete=models.PROTECT, related_name="+")
    raw_text = models.TextField()
    response = models.OneToOneField("annotation.Response", on_delete=models.PROTECT, related_name="+")
    accepted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("call",)

    def __str__(self) -> str:
        return f"answer to {self.call}"
