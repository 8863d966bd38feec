"""What writers and judges point out to the coordinator while they work."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.platform.models.fields import one_of, together


class Flag(models.Model):
    """Something is the matter with a question or with an answer in a judge's item. It changes nothing by itself.

    Of an answer only its letter in that item is kept. A judge's words are kept without what they quote, and nobody
    reads them before they were scanned; `shown` is what the coordinator reads.
    """

    class Kind(models.TextChoices):
        TELLS = "tells", "Seems to tell who wrote it"
        BROKEN = "broken", "Is cut off, garbled or no answer"
        UNCLEAR = "unclear", "Is unclear or wrong"
        HARMFUL = "harmful", "Is offensive or harmful"
        OTHER = "other", "Something else"

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    participation = models.ForeignKey("annotation.Participation", on_delete=models.PROTECT, related_name="flags")
    prompt_version = models.ForeignKey("annotation.PromptVersion", on_delete=models.PROTECT, related_name="+")
    label = models.CharField(
        max_length=1,
        blank=True,
        help_text="The answer's letter in this judge's item; none: it is about the question.",
    )
    kind = models.CharField(max_length=7, choices=Kind.choices)
    words = models.TextField()
    shown = models.TextField(blank=True, help_text="What of it is read, once it was scanned.")
    scanned_at = models.DateTimeField(null=True, blank=True)
    raised_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    note = models.CharField(max_length=1000, blank=True, help_text="What became of it, for the team.")

    class Meta:
        ordering = ("raised_at", "id")
        constraints = [
            one_of("kind", ["tells", "broken", "unclear", "harmful", "other"], name="flag_kind_known"),
            one_of("label", ["", *"ABCDEFGH"], name="flag_label_known"),
            together("settled_at", "settled_by", name="flag_settled_by_somebody"),
            models.CheckConstraint(name="flag_says_something", condition=~Q(words="")),
        ]

    def __str__(self) -> str:
        return f"flag {self.pk}"
