"""Mails that remind people of their work."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.platform.models.fields import together


class Reminder(models.Model):
    """One mail to one member. It is sent, withdrawn, or skipped for a reason; until then it waits for its time."""

    participation = models.ForeignKey(
        "annotation.Participation", on_delete=models.PROTECT, related_name="reminders"
    )
    subject = models.CharField(max_length=200)
    body = models.TextField(help_text="As it was previewed; the link out of reminders is added when it is sent.")
    due_at = models.DateTimeField()
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    sent_at = models.DateTimeField(null=True, blank=True)
    skipped_at = models.DateTimeField(null=True, blank=True)
    skipped_because = models.CharField(max_length=200, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("-due_at", "-id")
        constraints = [
            together("withdrawn_at", "withdrawn_by", name="reminder_withdrawn_at_by"),
            models.CheckConstraint(
                name="reminder_ends_in_one_way",
                condition=Q(sent_at__isnull=True, skipped_at__isnull=True)
                | Q(sent_at__isnull=True, withdrawn_at__isnull=True)
                | Q(skipped_at__isnull=True, withdrawn_at__isnull=True),
            ),
            models.CheckConstraint(
                name="reminder_skipped_for_a_reason",
                condition=Q(skipped_at__isnull=True, skipped_because="")
                | Q(skipped_at__isnull=False) & ~Q(skipped_because=""),
            ),
            models.UniqueConstraint(
                fields=["participation"],
                condition=Q(sent_at__isnull=True, skipped_at__isnull=True, withdrawn_at__isnull=True),
                name="reminder_one_waiting_per_person",
            ),
        ]

    def __str__(self) -> str:
        return f"reminder of {self.participation_id}"
