"""From closed data to known sources: freezing, and unblinding by two people."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.platform.models.fields import one_of, together


class UnblindingRequest(models.Model):
    """One unblinder asks, with a reason; another decides. Each office is named, but for what was asked before there
    were any, and for whom declining takes no office.
    """

    class Decision(models.TextChoices):
        OPEN = "open", "Waiting for a second researcher"
        APPROVED = "approved", "Approved"
        DECLINED = "declined", "Declined"

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    requested_at = models.DateTimeField(db_default=Now(), editable=False)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    requested_as = models.ForeignKey(
        "annotation.Unblinder", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decision = models.CharField(max_length=8, choices=Decision.choices, default=Decision.OPEN)
    decided_at = models.DateTimeField(null=True, blank=True)
    decline_reason = models.TextField(blank=True, help_text="Empty in what was declined before it was asked for.")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_as = models.ForeignKey(
        "annotation.Unblinder", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("-requested_at", "-id")
        constraints = [
            together("decided_at", "decided_by", name="unblinding_decided_at_by"),
            one_of("decision", ["open", "approved", "declined"], name="unblinding_decision_known"),
            models.CheckConstraint(
                name="unblinding_needs_a_second_person",
                condition=Q(decided_by__isnull=True) | ~Q(decided_by=F("requested_by")),
            ),
            models.CheckConstraint(
                name="unblinding_decision_has_a_person",
                condition=Q(decision="open", decided_by__isnull=True)
                | (~Q(decision="open") & Q(decided_by__isnull=False)),
            ),
            models.CheckConstraint(
                name="unblinding_reason_is_for_declining",
                condition=Q(decline_reason="") | Q(decision="declined"),
            ),
            models.CheckConstraint(
                name="unblinding_needs_a_second_office",
                condition=Q(decided_as__isnull=True) | ~Q(decided_as=F("requested_as")),
            ),
            models.UniqueConstraint(
                fields=["study"], condition=~Q(decision="declined"), name="unblinding_one_live_request"
            ),
        ]

    def __str__(self) -> str:
        return f"unblinding of {self.study_id}: {self.decision}"
