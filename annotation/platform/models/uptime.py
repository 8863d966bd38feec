"""When the server could take saves, and what writers were credited for when it could not."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class UpPeriod(models.Model):
    """A time without a gap in which the site answered. What lies between two periods is an outage."""

    began_at = models.DateTimeField()
    seen_at = models.DateTimeField(help_text="The last time the site was seen to answer.")

    class Meta:
        ordering = ("began_at", "id")
        constraints = [models.CheckConstraint(name="up_period_forwards", condition=Q(seen_at__gte=F("began_at")))]

    def __str__(self) -> str:
        return f"up from {self.began_at:%Y-%m-%d %H:%M:%S}"


class OutageCredit(models.Model):
    """A coordinator's decision on the time an answer lost to one outage; `seconds` is 0 where it was declined."""

    assignment = models.ForeignKey(
        "annotation.WritingAssignment", on_delete=models.PROTECT, related_name="outage_credits"
    )
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    seconds = models.PositiveIntegerField()
    decided_at = models.DateTimeField()
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("assignment", "began_at")
        constraints = [
            models.UniqueConstraint(fields=["assignment", "began_at"], name="outage_decided_once"),
            models.CheckConstraint(name="outage_forwards", condition=Q(ended_at__gt=F("began_at"))),
        ]

    def __str__(self) -> str:
        return f"{self.seconds} s for {self.assignment_id}"
