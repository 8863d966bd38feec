"""Where prompts come from."""

from django.conf import settings
from django.db import models


class Source(models.Model):
    """An imported benchmark or list, with the funnel from its items to the scenarios kept."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=120)
    licence = models.CharField(max_length=200, blank=True)
    funnel = models.JSONField(help_text="Steps in order: name, kept, removed.")
    content_sha256 = models.CharField(max_length=64, help_text="Of the scenarios, in order.")
    imported_at = models.DateTimeField(auto_now_add=True)
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("name", "id")

    def __str__(self) -> str:
        return self.name


class Scenario(models.Model):
    """One item of a source that prompts are written from."""

    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="scenarios")
    key = models.CharField(max_length=80)
    stratum = models.CharField(max_length=80)
    payload = models.JSONField()

    class Meta:
        ordering = ("source", "stratum", "key")
        constraints = [models.UniqueConstraint(fields=["source", "key"], name="scenario_key_unique")]

    def __str__(self) -> str:
        return self.key
