"""Texts as they are shown, without anything that tells where they came from."""

import uuid

from django.db import models


class Response(models.Model):
    """A normalised answer. It has no author, no time and no raw text: those stay with whoever points here.

    It is normalised once, as it comes in or is edited in quarantine, and stays as it is when the rules change.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    prompt = models.ForeignKey("annotation.Prompt", on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    word_count = models.PositiveIntegerField()
    normalisation = models.PositiveSmallIntegerField(
        default=1, help_text="Version of the rules by which the text was brought into the one style."
    )

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return str(self.id)
