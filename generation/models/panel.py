"""Scores by the panel of disciplinary perspectives."""

from django.db import models

from annotation.models.fields import one_of
from annotation.models.protocol import PanelRules


class PanelScore(models.Model):
    """What one judge model said from one perspective about one response."""

    response = models.ForeignKey("annotation.Response", on_delete=models.PROTECT, related_name="+")
    judge_model = models.CharField(max_length=120)
    perspective_id = models.CharField(max_length=60)
    mode = models.CharField(max_length=13, choices=PanelRules.PanelMode.choices)
    scores = models.JSONField(help_text="Value by dimension, or under “holistic”.")
    abstained = models.JSONField(default=list, blank=True, help_text="Dimensions left out.")
    scored_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("response", "judge_model", "perspective_id", "mode")
        constraints = [
            models.UniqueConstraint(
                fields=["response", "judge_model", "perspective_id", "mode"], name="panel_score_unique"
            ),
            one_of("mode", PanelRules.PanelMode.values, name="panel_mode_known"),
        ]

    def __str__(self) -> str:
        return f"{self.judge_model} as {self.perspective_id}"
