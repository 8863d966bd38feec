"""The models a study works with, and the templates it asks them by."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.platform.models.fields import one_of, together


class Target(models.Model):
    """A model that answers, judges on the panel, proposes concepts and writes prompts, or reads texts. All about it
    is configuration.

    Without a study it belongs to the scoring of files on the command line.
    """

    class Role(models.TextChoices):
        ANSWERS = "answers", "Answers prompts"
        PANEL = "panel", "Judges on the panel"
        PROMPTS = "prompts", "Proposes concepts, writes prompts from sources, and judges those of others"
        READER = "reader", "Reads texts for what gives their source away"

    study = models.ForeignKey("annotation.Study", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    role = models.CharField(max_length=7, choices=Role.choices, default=Role.ANSWERS)
    family = models.CharField(max_length=40, help_text="Published in the `model` column, such as “claude”.")
    provider = models.CharField(max_length=40, help_text="A provider of the catalogue.")
    model_id = models.CharField(max_length=120, help_text="The provider's own name of the model.")
    effort = models.CharField(
        max_length=10,
        blank=True,
        help_text="Instead of the study's, as the provider calls it; empty for the study's.",
    )
    weak_temperature = models.FloatField(
        null=True,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(2)],
        help_text="For deliberately weak answers; where it is empty the model is told to write a weak one.",
    )
    options = models.JSONField(default=dict, blank=True, help_text="What only its provider understands.")
    price = models.JSONField(
        null=True, blank=True, help_text="US dollars for a million tokens, instead of the price table's."
    )
    retired_at = models.DateTimeField(null=True, blank=True)
    retired_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("study", "role", "family", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["study", "role", "family"],
                condition=Q(retired_at__isnull=True, study__isnull=False),
                name="target_family_unique",
            ),
            one_of("role", ["answers", "panel", "prompts", "reader"], name="target_role_known"),
            together("retired_at", "retired_by", name="target_retired_at_by"),
        ]

    def __str__(self) -> str:
        return f"{self.family} ({self.model_id})"


class StudyTemplate(models.Model):
    """A study's own wording of a template, instead of the one shipped. The newest number counts."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=40, help_text="Of the shipped template it stands for, such as “answer”.")
    number = models.PositiveSmallIntegerField()
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    origin = models.CharField(max_length=300, help_text="Where the wording comes from, such as a paper.")
    written_at = models.DateTimeField(db_default=Now(), editable=False)
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("study", "name", "-number")
        constraints = [
            models.UniqueConstraint(fields=["study", "name", "number"], name="study_template_number_unique")
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.number}"
