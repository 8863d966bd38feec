"""What people say of a benchmark's questions: annotators first, each alone; then who adjudicates."""

from django.db import models
from django.db.models import Q

from annotation.benchmarks.core.reviews import AXES, DATA, SCOPES, VERDICTS
from annotation.benchmarks.core.scheme import CATEGORIES, EVALUATION
from annotation.benchmarks.models.benchmarks import Question
from annotation.platform.models.fields import one_of


class Review(models.Model):
    """A question for one annotator. `revision` counts what was saved; `done_at` is set while it is complete."""

    annotator = models.ForeignKey("annotation.Participation", on_delete=models.PROTECT, related_name="reviews")
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="reviews")
    position = models.PositiveIntegerField()
    verdict = models.CharField(max_length=6, choices=[*VERDICTS.items()], blank=True)
    revision = models.PositiveIntegerField(default=0)
    begun_at = models.DateTimeField(null=True, blank=True)
    saved_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("annotator", "position")
        constraints = [
            models.UniqueConstraint(fields=["annotator", "question"], name="review_once_by_each"),
            models.UniqueConstraint(fields=["annotator", "position"], name="review_position_unique"),
            one_of("verdict", ["", *VERDICTS], name="review_verdict_known"),
            models.CheckConstraint(
                name="review_done_has_verdict", condition=Q(done_at__isnull=True) | ~Q(verdict="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question} by {self.annotator}"


class QuestionFlag(models.Model):
    """A flaw that an annotator sees. On the data axis it has a `flaw` of the scheme, and is the question's own."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="flags")
    axis = models.CharField(max_length=10)
    category = models.CharField(max_length=40)
    flaw = models.CharField(max_length=40, blank=True)
    scope = models.CharField(max_length=9)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ("review", "axis", "category", "flaw")
        constraints = [
            models.UniqueConstraint(
                fields=["review", "axis", "category", "flaw"], name="question_flag_once_in_a_review"
            ),
            one_of("axis", AXES, name="question_flag_axis_known"),
            one_of("scope", list(SCOPES), name="question_flag_scope_known"),
            models.CheckConstraint(
                name="question_flag_fits_its_axis",
                condition=(Q(axis=DATA, category__in=CATEGORIES, scope="item") & ~Q(flaw=""))
                | (~Q(axis=DATA) & Q(category__in=EVALUATION, flaw="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.category} {self.flaw}".strip()
