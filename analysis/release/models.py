"""Data sets that are published: prepared first, looked at, and then published for good."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.platform.models.fields import together


class Release(models.Model):
    """A data set, its files by hash. It is prepared in the background; publishing gives it the next number.

    `progress` is as in `AnalysisRun`. `report` says what was generalised so that any combination of what people say
    of themselves holds at least `k` of them, and what was withdrawn.
    """

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    k = models.PositiveSmallIntegerField(default=5)
    licence = models.CharField(max_length=40, blank=True, help_text="An SPDX identifier; empty for none.")
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    progress = models.JSONField(default=dict, blank=True)
    problem = models.TextField(blank=True, help_text="Why it could not be prepared.")
    prepared_at = models.DateTimeField(null=True, blank=True)
    manifest = models.JSONField(default=dict, blank=True, help_text="SHA-256 by file name.")
    report = models.JSONField(default=dict, blank=True)
    number = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Counts those published, from 1.")
    published_at = models.DateTimeField(null=True, blank=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("study", "-asked_at", "-id")
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="release_number_unique"),
            together("number", "published_at", "published_by", name="release_published_at_by"),
            models.CheckConstraint(
                name="release_published_is_prepared",
                condition=Q(published_at__isnull=True) | Q(prepared_at__isnull=False, problem=""),
            ),
            models.CheckConstraint(name="release_k_at_least_1", condition=Q(k__gte=1)),
        ]

    def __str__(self) -> str:
        return f"release {self.number}" if self.number else f"release being prepared ({self.pk})"


class ReleaseArchive(models.Model):
    """The files of a release in one ZIP; gone once somebody whose data are in it has withdrawn."""

    release = models.OneToOneField(Release, on_delete=models.PROTECT, primary_key=True, related_name="archive")
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"archive of {self.release}"
