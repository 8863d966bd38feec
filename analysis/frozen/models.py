"""What was frozen when collection was closed."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class Freeze(models.Model):
    """The hash of the collected judgments at closing; everything later is checked against it.

    `tables` has those of everything else that was collected, by name.
    """

    study = models.OneToOneField("annotation.Study", on_delete=models.PROTECT, primary_key=True, related_name="+")
    sha256 = models.CharField(max_length=64)
    rows = models.PositiveIntegerField()
    tables = models.JSONField(default=dict, blank=True, help_text="SHA-256 by table.")
    frozen_at = models.DateTimeField(db_default=Now(), editable=False)
    frozen_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"frozen as {self.sha256[:12]}"


class CanonicalTable(models.Model):
    """A table as it was when collection was closed, as `study_tables.table_bytes` writes it."""

    freeze = models.ForeignKey(Freeze, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=20)
    content = models.BinaryField()

    class Meta:
        abstract = True
        constraints = [models.UniqueConstraint(fields=["freeze", "name"], name="%(class)s_unique")]

    def __str__(self) -> str:
        return f"{self.name} of {self.freeze_id}"


class FrozenTable(CanonicalTable):
    """One without a word about who wrote what."""
