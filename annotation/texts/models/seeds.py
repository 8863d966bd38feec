"""The secret from which every label and order follows. Read only when items are assembled and verified."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class StudySeed(models.Model):
    """32 random bytes; their SHA-256 is published when the design is locked, they when a study is unblinded."""

    study = models.OneToOneField("annotation.Study", on_delete=models.PROTECT, primary_key=True, related_name="+")
    seed = models.BinaryField(max_length=32)
    commitment = models.CharField(max_length=64)
    committed_at = models.DateTimeField(db_default=Now(), editable=False)
    revealed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="seed_revealed_after_commitment",
                condition=Q(revealed_at__isnull=True) | Q(revealed_at__gte=F("committed_at")),
            )
        ]

    def __str__(self) -> str:
        return f"seed committed as {self.commitment[:12]}"
