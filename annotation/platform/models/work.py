"""The outbox: what is to be done, asked for in the transaction that makes it necessary."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class Task(models.Model):
    """A piece of work by kind and subject. Redis only wakes a worker up; this row is the truth."""

    kind = models.CharField(max_length=40)
    subject = models.CharField(max_length=64)
    due_at = models.DateTimeField()
    leased_until = models.DateTimeField(null=True, blank=True)
    lease_token = models.UUIDField(
        null=True, blank=True, help_text="Random: whoever was given it, and nobody else, does the work."
    )
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.TextField(blank=True)
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    done_at = models.DateTimeField(null=True, blank=True)
    gave_up_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("due_at", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject"],
                condition=Q(done_at__isnull=True, gave_up_at__isnull=True),
                name="task_one_open_per_subject",
            ),
            models.CheckConstraint(
                name="task_lease_has_a_token",
                condition=Q(leased_until__isnull=True, lease_token__isnull=True)
                | Q(leased_until__isnull=False, lease_token__isnull=False),
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at", "id"],
                condition=Q(done_at__isnull=True, gave_up_at__isnull=True),
                name="task_open_by_due",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"
