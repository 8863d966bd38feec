"""A study, its rubric and its secret seed's commitment."""

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.platform.core.lifecycle import STUDY
from annotation.platform.models.fields import one_of, state_constraint, state_field, together
from annotation.study.models.protocol import (
    JudgingRules,
    ModelAnswerRules,
    PanelRules,
    ParticipantRules,
    PromptRules,
    WritingRules,
)


class Rubric(models.Model):
    """A rubric file as it was when a study froze it, addressed by the hash of its bytes."""

    sha256 = models.CharField(primary_key=True, max_length=64)
    slug = models.CharField(max_length=80)
    version = models.CharField(max_length=20)
    toml = models.TextField()

    class Meta:
        ordering = ("slug", "version", "sha256")

    def __str__(self) -> str:
        return f"{self.slug} {self.version}"


class Study(ParticipantRules, PromptRules, WritingRules, ModelAnswerRules, JudgingRules, PanelRules):
    """A study and every parameter of its protocol. `policies.design.UNTIL` says until when each may change."""

    class Preset(models.TextChoices):
        FULL = "full", "Full study"
        PILOT = "pilot", "Pilot"
        TRIAL = "trial", "Constitutional trial"
        AUDIT = "audit", "Audit of benchmarks"

    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=160)
    description = models.TextField(blank=True)
    preset = models.CharField(max_length=5, choices=Preset.choices, default=Preset.FULL)
    is_demo = models.BooleanField(default=False)
    is_synthetic = models.BooleanField(
        default=False, help_text="Texts and judgments were made up; said on every page and in every export."
    )
    is_public = models.BooleanField(
        default=True, help_text="Whether everybody finds its commitment, and later its protocol and releases."
    )
    names_kept_months = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MaxValueValidator(240)],
        help_text="After the release; then the names and addresses of those who took part are erased.",
    )
    state = state_field(STUDY)
    state_changed_at = models.DateTimeField(db_default=Now(), editable=False)
    rubric = models.ForeignKey(Rubric, on_delete=models.PROTECT, related_name="studies")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    cloned_from = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    archived_at = models.DateTimeField(null=True, blank=True, help_text="Put away: in no list but its own.")
    archived_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    removed_at = models.DateTimeField(
        null=True, blank=True, help_text="Nobody ever entered it: in no list, and its short name is free."
    )

    class Meta(WritingRules.Meta, JudgingRules.Meta):
        abstract = False
        ordering = ("-created_at", "id")
        verbose_name_plural = "studies"
        constraints = [
            *WritingRules.Meta.constraints,
            *JudgingRules.Meta.constraints,
            state_constraint(STUDY, name="study_state_known"),
            together("archived_at", "archived_by", name="study_archived_at_by"),
            models.CheckConstraint(
                name="study_every_writer_prompt_is_timed_or_untimed",
                condition=Q(writing_minutes__isnull=True) | Q(writing_minutes__gte=1),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def answers_per_item(self) -> int:
        return self.human_answers_per_item + self.model_answers_per_item

    @property
    def judges_single_answers(self) -> bool:
        """Whether an item shows one answer, by a model, so that none is judged by its contrast with others."""
        return self.human_answers_per_item == 0 and self.model_answers_per_item == 1

    @property
    def has_writing(self) -> bool:
        """Whether people write answers."""
        return self.answers_per_prompt > 0

    @property
    def has_judging(self) -> bool:
        """Whether people judge answers."""
        return self.ratings_per_prompt > 0

    @property
    def has_calibration(self) -> bool:
        """Whether some prompts, drawn with the design, show how well judges judge."""
        return self.quality_floor_prompts + self.source_attribution_prompts > 0

    @property
    def compares_arms(self) -> bool:
        """Whether items have answers by people and by models."""
        return self.human_answers_per_item > 0 and self.model_answers_per_item > 0

    @property
    def is_trial(self) -> bool:
        """Whether its prompts are cases of constitutional trials, made of scenarios and answered by models."""
        return self.preset == self.Preset.TRIAL

    @property
    def audits_benchmarks(self) -> bool:
        """Whether people annotate the questions of benchmarks, instead of writing and judging answers."""
        return self.preset == self.Preset.AUDIT

    @property
    def sets_rotate(self) -> bool:
        """Whether each judge of a prompt sees a set of human answers of their own."""
        return self.human_sets == self.HumanSets.ROTATING


class StudyStep(models.Model):
    """A step of its life cycle that a study took. Writing can be closed and resumed, so steps may come again."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="steps")
    verb = models.CharField(max_length=20)
    taken_at = models.DateTimeField()

    class Meta:
        ordering = ("id",)
        constraints = [one_of("verb", [step.verb for step in STUDY.transitions], name="study_step_known")]

    def __str__(self) -> str:
        return f"{self.verb} of {self.study_id}"
