"""A study's prompts and their versions."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotation.platform.models.fields import topics


class Prompt(models.Model):
    """A question of the study. Its code names the source, so people who write or judge never see the code."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="prompts")
    code = models.CharField(max_length=24)
    domain = models.CharField(max_length=24)
    title = models.CharField(max_length=160, blank=True)
    position = models.PositiveSmallIntegerField()
    disciplines = topics("What writers' preferences and exclusions may speak of, besides code and domain.")

    class Meta:
        ordering = ("study", "position", "id")
        constraints = [
            models.UniqueConstraint(fields=["study", "code"], name="prompt_code_unique"),
            models.UniqueConstraint(fields=["study", "position"], name="prompt_position_unique"),
        ]

    def __str__(self) -> str:
        return self.code


class PromptVersion(models.Model):
    """The wording at one time. Assignments, items and calls refer to the version they showed."""

    prompt = models.ForeignKey(Prompt, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveSmallIntegerField(default=1)
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    reason = models.CharField(max_length=400, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    carried_from = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="carried_on",
        help_text="The version of an earlier round that this one repeats or rewords.",
    )

    class Meta:
        ordering = ("prompt", "number")
        constraints = [models.UniqueConstraint(fields=["prompt", "number"], name="prompt_version_unique")]

    def __str__(self) -> str:
        return f"{self.prompt.code} v{self.number}"
