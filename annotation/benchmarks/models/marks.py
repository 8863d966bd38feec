"""Answers and rephrasings that people mark. Nothing here tells which model one is from."""

from django.db import models
from django.db.models import Q

from annotation.benchmarks.core.marks import VERDICTS
from annotation.benchmarks.models.benchmarks import Question
from annotation.platform.models.fields import one_of


class AnswerMark(models.Model):
    """Something for one person to mark. `about` is whose it is, known to nobody here; `shown` is what they read of
    it: `words` of an answer, or `story`, `text` and `options` of a rephrasing.
    """

    marker = models.ForeignKey("annotation.Participation", on_delete=models.PROTECT, related_name="answer_marks")
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="answer_marks")
    kind = models.CharField(max_length=10)
    about = models.PositiveBigIntegerField()
    shown = models.JSONField()
    position = models.PositiveIntegerField()
    verdict = models.CharField(max_length=11, blank=True)
    revision = models.PositiveIntegerField(default=0)
    marked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("marker", "position")
        constraints = [
            models.UniqueConstraint(fields=["marker", "about"], name="answer_mark_once_by_each"),
            models.UniqueConstraint(fields=["marker", "position"], name="answer_mark_position_unique"),
            one_of("kind", list(VERDICTS), name="answer_mark_kind_known"),
            models.CheckConstraint(
                name="answer_mark_fits_its_kind",
                condition=Q(verdict="")
                | Q(kind="answer", verdict__in=list(VERDICTS["answer"]))
                | Q(kind="rephrasing", verdict__in=list(VERDICTS["rephrasing"])),
            ),
            models.CheckConstraint(
                name="answer_mark_marked_has_a_verdict",
                condition=Q(verdict="", marked_at__isnull=True) | (~Q(verdict="") & Q(marked_at__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.about} by {self.marker}"
