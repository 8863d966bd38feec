"""Analyses that were computed: from which data, by which code, so that they can be computed again."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.platform.models.fields import one_of


class AnalysisRun(models.Model):
    """One analysis of a study. It is waiting, then at work, and in the end it is finished or has a problem.

    `progress` is what is being done, and how many steps of how many are done: {"what", "done", "of"}.
    """

    class Kind(models.TextChoices):
        MASKED = "masked", "Agreement, sources masked"
        FULL = "full", "Everything, sources known"
        PRESSURE = "pressure", "Answers under pressure, where nobody judges"

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    number = models.PositiveSmallIntegerField(help_text="Counts a study's runs, from 1.")
    parameters = models.JSONField()
    repeats = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="repetitions",
        help_text="The run that this one was to compute again.",
    )
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    progress = models.JSONField(default=dict, blank=True)
    problem = models.TextField(blank=True, help_text="Why it could not be finished.")
    finished_at = models.DateTimeField(null=True, blank=True)
    data_sha256 = models.CharField(max_length=64, blank=True, help_text="Of the tables it read.")
    code_version = models.CharField(max_length=80, blank=True, help_text="With the hash of the analysis' own code.")
    environment = models.JSONField(default=dict, blank=True, help_text="Versions of Python and its libraries.")
    results_sha256 = models.CharField(max_length=64, blank=True, help_text="Of results.json.")

    class Meta:
        ordering = ("study", "-number")
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="analysis_run_number_unique"),
            one_of("kind", ["masked", "full", "pressure"], name="analysis_run_kind_known"),
            models.CheckConstraint(
                name="analysis_run_finished_is_hashed",
                condition=Q(finished_at__isnull=True, data_sha256="", results_sha256="")
                | Q(finished_at__isnull=False, problem="")
                & ~Q(data_sha256="")
                & ~Q(code_version="")
                & ~Q(results_sha256=""),
            ),
        ]

    def __str__(self) -> str:
        return f"analysis {self.number}"


class RunFile(models.Model):
    """A file of a finished run: results.json, page.json, tables, figures, texts."""

    run = models.ForeignKey(AnalysisRun, on_delete=models.PROTECT, related_name="files")
    name = models.CharField(max_length=120)
    content = models.BinaryField()

    class Meta:
        ordering = ("run", "name")
        constraints = [models.UniqueConstraint(fields=["run", "name"], name="run_file_name_unique")]

    def __str__(self) -> str:
        return self.name
