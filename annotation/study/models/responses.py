"""Texts as they are shown, without anything that tells where they came from."""

import uuid

from django.db import models


class Response(models.Model):
    """A normalised answer. It has no author, no time and no raw text: those stay with whoever points here."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    prompt = models.ForeignKey("annotation.Prompt", on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    word_count = models.PositiveIntegerField()

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return str(self.id)
