"""What the adjudicator rules, what is corrected, and the subsets that follow from it."""

from django.db import models
from django.db.models import Q

from annotation.benchmarks.core.adjudication import CORRECTABLE, FATES, RULED_CATEGORIES, SOUND
from annotation.benchmarks.core.subsets import SUBSETS
from annotation.benchmarks.models.benchmarks import Benchmark, Question
from annotation.platform.models.fields import one_of


class Ruling(models.Model):
    """A question that is adjudicated: all on which annotators disagree, and a sample of the others.

    `revision` counts what was ruled; 0 is nothing yet. `weight` is 1 over the share of such questions that are.
    """

    question = models.OneToOneField(Question, on_delete=models.PROTECT, related_name="ruling")
    position = models.PositiveIntegerField()
    is_disputed = models.BooleanField()
    adjudicator = models.ForeignKey(
        "annotation.Participation", null=True, blank=True, on_delete=models.PROTECT, related_name="rulings"
    )
    category = models.CharField(max_length=12, blank=True)
    fate = models.CharField(max_length=9, choices=[*FATES.items()], blank=True)
    reason = models.TextField(blank=True)
    revision = models.PositiveIntegerField(default=0)
    ruled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("question__story__benchmark", "position", "pk")
        constraints = [
            one_of("category", ["", *RULED_CATEGORIES], name="ruling_category_known"),
            one_of("fate", ["", *FATES], name="ruling_fate_known"),
            models.CheckConstraint(
                name="ruling_is_whole",
                condition=Q(category="", fate="", adjudicator__isnull=True, ruled_at__isnull=True)
                | (~Q(category="") & ~Q(fate="") & Q(adjudicator__isnull=False, ruled_at__isnull=False)),
            ),
            models.CheckConstraint(name="ruling_sound_stays", condition=~Q(category=SOUND) | Q(fate="stays")),
        ]

    def __str__(self) -> str:
        return f"ruling on {self.question}"


class Correction(models.Model):
    """What stands in place of what was published. The highest number counts, while the ruling says so."""

    ruling = models.ForeignKey(Ruling, on_delete=models.CASCADE, related_name="corrections")
    number = models.PositiveSmallIntegerField()
    changes = models.JSONField(help_text=f"Of {', '.join(CORRECTABLE)}.")
    reason = models.TextField()
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("ruling", "number")
        constraints = [models.UniqueConstraint(fields=["ruling", "number"], name="correction_number_unique")]

    def __str__(self) -> str:
        return f"correction {self.number} of {self.ruling.question}"


class Subset(models.Model):
    """Questions of a benchmark after its audit, frozen: `files` are their names and SHA-256s in hex."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="subsets")
    kind = models.CharField(max_length=9)
    members = models.JSONField(help_text="Numbers of the questions, in the file’s order.")
    corrections = models.JSONField(default=dict, help_text="Number of a question → what is changed in it.")
    files = models.JSONField()
    sha256 = models.CharField(max_length=64)
    frozen_at = models.DateTimeField()

    class Meta:
        ordering = ("benchmark", "id")
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "kind"], name="subset_once_of_each_kind"),
            one_of("kind", SUBSETS, name="subset_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.benchmark}"
