"""What a study's design was, by its hash, at the lock and after every change since."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now


class DesignFingerprint(models.Model):
    """The hash of the design at one moment; `parameters` were changed then.

    None were where the design was locked, which comes first, and where the site was updated.
    """

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="fingerprints")
    at = models.DateTimeField(db_default=Now())
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    parameters = ArrayField(models.CharField(max_length=63), default=list, blank=True)
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.sha256
