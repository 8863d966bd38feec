"""Files of ratings that researchers have analysed without a study, each theirs alone."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.platform.models.fields import one_of


class RatingFile(models.Model):
    """A file somebody brought. It waits to be explained (`options` is empty), then for a worker, and in the end its
    analysis is finished or has a problem.

    `look` is what it looks like, `options` what was said of it, `parameters` what was asked of the analysis;
    `progress` is what is being done, and how many steps of how many are done: {"what", "done", "of"}.
    """

    class Kind(models.TextChoices):
        RATINGS = "ratings", "Ratings: a row for each answer that somebody rated"
        PAIRS = "pairs", "Comparisons: a row for each pair of answers, with who won"
        PANEL = "panel", "A panel’s scores: a row for each answer, judge model and perspective"
        FRAMINGS = "framings", "Answers under pressure: a row for each answer, judge model and perspective"
        TRIALS = "trials", "Constitutional trials: a row for each answer, evaluator and approach"
        FOLDER = "folder", "A study’s folder in the published layout, zipped"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    look = models.JSONField()
    brought_at = models.DateTimeField(db_default=Now(), editable=False)
    options = models.JSONField(default=dict, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    progress = models.JSONField(default=dict, blank=True)
    problem = models.TextField(blank=True, help_text="Why it could not be finished.")
    finished_at = models.DateTimeField(null=True, blank=True)
    code_version = models.CharField(max_length=80, blank=True)
    environment = models.JSONField(default=dict, blank=True, help_text="Versions of Python and its libraries.")

    class Meta:
        ordering = ("-brought_at", "-id")
        constraints = [
            one_of(
                "kind", ["ratings", "pairs", "panel", "framings", "trials", "folder"], name="rating_file_kind_known"
            ),
            models.CheckConstraint(
                name="rating_file_finished_was_asked",
                condition=Q(finished_at__isnull=True) | Q(asked_at__isnull=False, problem="") & ~Q(code_version=""),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class RatingFileResult(models.Model):
    """A file of the report: results.json, page.json, tables, figures, texts."""

    rating_file = models.ForeignKey(RatingFile, on_delete=models.CASCADE, related_name="results")
    name = models.CharField(max_length=120)
    content = models.BinaryField()

    class Meta:
        ordering = ("rating_file", "name")
        constraints = [models.UniqueConstraint(fields=["rating_file", "name"], name="rating_file_result_unique")]

    def __str__(self) -> str:
        return self.name
