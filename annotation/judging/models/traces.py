"""What a judge leaves on the way to a judgment: private marks, and how long each answer was read."""

import uuid

from django.db import models
from django.db.models import F, Q

from annotation.platform.models.fields import together


class Mark(models.Model):
    """A judge's highlight in an answer, or a note on it, or both. For the judge alone; never part of a release.

    `start` and `end` count code points of the response's text. Without them the note is on the answer as a whole.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slot = models.ForeignKey("annotation.BlindedSlot", on_delete=models.PROTECT, related_name="marks")
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    dimension = models.CharField(max_length=40, blank=True)
    note = models.TextField(blank=True)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("slot", "start", "made_at", "id")
        constraints = [
            together("start", "end", name="mark_passage_has_both_ends"),
            models.CheckConstraint(
                name="mark_passage_is_not_empty", condition=Q(start__isnull=True) | Q(end__gt=F("start"))
            ),
            models.CheckConstraint(name="mark_says_something", condition=Q(start__isnull=False) | ~Q(note="")),
        ]

    def __str__(self) -> str:
        return f"mark on {self.slot}"


class Dwell(models.Model):
    """How long one window showed an answer to its judge, and how far down: sizes and times, never content.

    Each window counts by itself and tells its totals, so that a message that arrives twice adds nothing.
    """

    slot = models.ForeignKey("annotation.BlindedSlot", on_delete=models.PROTECT, related_name="dwells")
    window = models.CharField(max_length=36)
    milliseconds = models.PositiveBigIntegerField(default=0, help_text="In view while the judge was there.")
    depth = models.PositiveSmallIntegerField(default=0, help_text="How much of the text has been in view, percent.")

    class Meta:
        ordering = ("slot", "window")
        constraints = [
            models.UniqueConstraint(fields=["slot", "window"], name="dwell_one_per_window"),
            models.CheckConstraint(name="dwell_depth_is_a_percentage", condition=Q(depth__lte=100)),
        ]

    def __str__(self) -> str:
        return f"{self.slot} for {self.milliseconds} ms"
