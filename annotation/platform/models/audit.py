"""Who did what when, and the chain of seals that shows nobody changed it since."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class AuditEvent(models.Model):
    """Written in the transaction of the change it records; the database refuses to change or delete it."""

    at = models.DateTimeField(db_default=Now(), editable=False)
    study = models.ForeignKey("annotation.Study", null=True, on_delete=models.PROTECT, related_name="+")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    verb = models.CharField(max_length=60)
    subject = models.CharField(max_length=120, blank=True)
    detail = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("id",)
        indexes = [models.Index(fields=["study", "id"], name="audit_by_study")]

    def __str__(self) -> str:
        return f"{self.verb} {self.subject}"


class UnsealedEvent(models.Model):
    """An event that no seal covers yet. A trigger puts every new event here, and sealing takes it away, so that
    sealing reads what there is to seal and not the whole trail.
    """

    event = models.OneToOneField(AuditEvent, on_delete=models.PROTECT, primary_key=True, related_name="unsealed")

    def __str__(self) -> str:
        return f"event {self.event_id} without a seal"


class AuditSeal(models.Model):
    """One link of the chain: the digest covers the event and the seal before it."""

    number = models.PositiveBigIntegerField(primary_key=True)
    event = models.OneToOneField(AuditEvent, on_delete=models.PROTECT, related_name="seal")
    digest = models.CharField(max_length=64)
    sealed_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("number",)

    def __str__(self) -> str:
        return f"seal {self.number}"
