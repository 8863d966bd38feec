"""What was paid to whom. What people have earned follows from their finished work and the study's fees."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class Payment(models.Model):
    """An amount paid to a member, or taken back: a wrong line is never changed, another one reverses it."""

    participation = models.ForeignKey("annotation.Participation", on_delete=models.PROTECT, related_name="payments")
    amount = models.DecimalField(max_digits=9, decimal_places=2, help_text="In the study's currency; below 0 back.")
    paid_on = models.DateField()
    note = models.CharField(max_length=200, blank=True)
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversal"
    )
    recorded_at = models.DateTimeField(db_default=Now(), editable=False)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("paid_on", "id")
        constraints = [
            models.CheckConstraint(name="payment_is_of_something", condition=~Q(amount=0)),
            models.CheckConstraint(
                name="payment_back_reverses_one",
                condition=Q(amount__gt=0, reverses__isnull=True) | Q(amount__lt=0, reverses__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} to {self.participation_id}"
