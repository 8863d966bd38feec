"""Answers that models gave."""

from django.db import models
from django.db.models.functions import Now

from generation.calls.models import Attempt, Call


class ModelAnswer(models.Model):
    """The accepted text of a call, as the model wrote it, and the response it became."""

    call = models.OneToOneField(Call, on_delete=models.PROTECT, primary_key=True, related_name="answer")
    attempt = models.OneToOneField(Attempt, on_delete=models.PROTECT, related_name="+")
    raw_text = models.TextField()
    response = models.OneToOneField("annotation.Response", on_delete=models.PROTECT, related_name="+")
    accepted_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("call",)

    def __str__(self) -> str:
        return f"answer to {self.call}"
