"""Scores by the panel of disciplinary perspectives, and the texts of files that it scores as well."""

from django.db import models
from django.db.models import Q


class GivenText(models.Model):
    """An answer of a file, with the prompt it answers; known by the hash of both texts."""

    sha256 = models.CharField(max_length=64, unique=True)
    prompt_text = models.TextField()
    response_text = models.TextField()

    def __str__(self) -> str:
        return self.sha256[:12]


class PanelScore(models.Model):
    """What one judge model said from one perspective about one answer. Who, how and of what: see its call.

    `scores` has a value for each dimension that was scored (those left out are not in it), or one under “holistic”.
    """

    call = models.ForeignKey("generation.Call", on_delete=models.PROTECT, related_name="scores", db_index=False)
    response = models.ForeignKey(
        "annotation.Response",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="None for a text of a file, or an answer under pressure.",
    )
    scores = models.JSONField()
    abstained = models.BooleanField(default=False, help_text="The judge holds that the answer declines to engage.")
    mentioned = models.JSONField(default=list, blank=True, help_text="Dimensions a justification speaks of.")
    reasons = models.JSONField(
        default=dict, blank=True, help_text="A few words beside each score, where they were asked for."
    )

    class Meta:
        ordering = ("call", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["call", "response"], condition=Q(response__isnull=False), name="panel_score_unique"
            ),
            models.UniqueConstraint(
                fields=["call"], condition=Q(response__isnull=True), name="panel_score_of_a_given_text_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"score of {self.call}"
