"""Questions of audited benchmarks as models are asked them, and what models answer."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from annotation.platform.models.fields import one_of
from generation.benchmarks.core.asking import MODES, WORDINGS
from generation.calls.models import Subject


class AskingRules(models.Model):
    """How models are asked a benchmark's questions; fixed as soon as one was asked."""

    benchmark = models.OneToOneField(
        "annotation.Benchmark", on_delete=models.CASCADE, primary_key=True, related_name="asking_rules"
    )
    says_one_word = models.BooleanField(
        default=False, help_text="Whether a system turn asks for one word alone, as the published audit did."
    )
    output_tokens = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(64_000)],
        help_text="The most a reply may take; empty for the study's. The published audit allowed 10.",
    )
    temperature = models.FloatField(
        default=0,
        validators=[MinValueValidator(0), MaxValueValidator(2)],
        help_text="For models that take one; others have their own, which is 1.",
    )

    class Meta:
        verbose_name_plural = "asking rules"
        constraints = [
            models.CheckConstraint(
                name="asking_rules_in_range",
                condition=Q(temperature__gte=0, temperature__lte=2)
                & (Q(output_tokens__isnull=True) | Q(output_tokens__gte=1)),
            )
        ]

    def __str__(self) -> str:
        return f"how {self.benchmark_id} is asked"


class Wording(models.Model):
    """A question in the words that models are asked it: as published, as corrected, or rephrased.

    `number` tells a correction's or a rephrasing's; `call` is the one that rephrased it.
    """

    subject = models.OneToOneField(Subject, on_delete=models.PROTECT, primary_key=True, related_name="wording")
    question = models.ForeignKey("annotation.Question", on_delete=models.PROTECT, related_name="wordings")
    kind = models.CharField(max_length=10, choices=[*WORDINGS.items()])
    number = models.PositiveSmallIntegerField(default=0)
    story = models.TextField(blank=True)
    text = models.TextField()
    options = models.JSONField(default=list)
    call = models.ForeignKey(
        "generation.Call", null=True, blank=True, on_delete=models.PROTECT, related_name="wordings"
    )

    class Meta:
        ordering = ("question", "kind", "number", "subject")
        constraints = [
            models.UniqueConstraint(
                fields=["question", "kind", "number", "call"], nulls_distinct=False, name="wording_unique"
            ),
            one_of("kind", list(WORDINGS), name="wording_kind_known"),
            models.CheckConstraint(
                name="wording_rephrased_by_a_call",
                condition=Q(kind="rephrased", call__isnull=False, number__gte=1)
                | (~Q(kind="rephrased") & Q(call__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question} {self.kind} {self.number}".strip()


class Prediction(models.Model):
    """What a model answered: alone, or in a conversation, `after` what it said before of the same story."""

    subject = models.OneToOneField(Subject, on_delete=models.PROTECT, primary_key=True, related_name="prediction")
    wording = models.ForeignKey(Wording, on_delete=models.PROTECT, related_name="predictions")
    mode = models.CharField(max_length=7, choices=[*MODES.items()])
    target = models.ForeignKey("generation.Target", on_delete=models.PROTECT, related_name="+")
    after = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    call = models.OneToOneField("generation.Call", on_delete=models.PROTECT, related_name="prediction")
    words = models.TextField()
    predicted_at = models.DateTimeField()

    class Meta:
        ordering = ("wording", "subject")
        constraints = [
            one_of("mode", list(MODES), name="prediction_mode_known"),
            models.CheckConstraint(
                name="prediction_singly_has_nothing_before",
                condition=Q(mode="history") | Q(after__isnull=True),
            ),
            models.CheckConstraint(name="prediction_says_something", condition=~Q(words="")),
        ]

    def __str__(self) -> str:
        return f"prediction {self.subject_id}"


class ModelMark(models.Model):
    """Whether an answer is right by the published one, as a judge model has it."""

    prediction = models.ForeignKey(Prediction, on_delete=models.PROTECT, related_name="model_marks")
    call = models.OneToOneField("generation.Call", on_delete=models.PROTECT, related_name="model_mark")
    is_right = models.BooleanField()

    class Meta:
        ordering = ("prediction", "id")

    def __str__(self) -> str:
        return f"mark of {self.prediction}"
