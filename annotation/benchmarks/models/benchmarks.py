"""Benchmarks that a study audits: stories, their questions, and what was found in them without reading."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotation.benchmarks.core.drawing import ALL, MISSED, REVIEWED
from annotation.benchmarks.core.findings import KINDS
from annotation.benchmarks.core.layouts import LAYOUTS
from annotation.platform.models.fields import one_of


class Benchmark(models.Model):
    """A benchmark as its files had it. `files` are names and SHA-256s in hex; `lacking` is what they do not say."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="benchmarks")
    name = models.CharField(max_length=120)
    layout = models.CharField(max_length=12)
    files = models.JSONField()
    mapping = models.JSONField(default=dict, help_text="Of a table: field → column.")
    lacking = models.JSONField(default=list)
    several_flaws = models.BooleanField(
        default=False, help_text="Whether a question may have several flaws; otherwise the gravest is flagged."
    )
    agreements_adjudicated = models.PositiveSmallIntegerField(
        default=10, help_text="Per cent of the questions on which both annotators agree that are adjudicated too."
    )
    reviewed = models.CharField(max_length=6, choices=[*REVIEWED.items()], default=ALL, db_default=ALL)
    shows_answers = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Whether annotators see an answer that a model gave, where not all is reviewed.",
    )
    never_missed_sampled = models.PositiveSmallIntegerField(
        default=10,
        db_default=10,
        help_text="Per cent of the questions that no model missed which are reviewed too.",
    )
    scheme = models.CharField(max_length=20, default="1", help_text="Version of the scheme of flaws.")
    adjudication_opened_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when annotators change nothing any more."
    )
    added_at = models.DateTimeField(db_default=Now(), editable=False)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("study", "id")
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="benchmark_name_unique"),
            one_of("layout", list(LAYOUTS), name="benchmark_layout_known"),
            models.CheckConstraint(
                name="benchmark_agreements_are_a_share", condition=models.Q(agreements_adjudicated__lte=100)
            ),
            one_of("reviewed", list(REVIEWED), name="benchmark_reviewed_known"),
            models.CheckConstraint(
                name="benchmark_shows_answers_to_what_was_missed",
                condition=models.Q(shows_answers=False) | models.Q(reviewed=MISSED),
            ),
            models.CheckConstraint(
                name="benchmark_sample_is_a_share",
                condition=models.Q(never_missed_sampled__gte=1, never_missed_sampled__lte=100),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Story(models.Model):
    """A text with its questions. Stories of one `cluster` are variants of each other."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="stories")
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=200)
    text = models.TextField()
    kind = models.CharField(max_length=200, blank=True)
    source = models.CharField(max_length=420, blank=True)
    cluster = models.CharField(max_length=200)

    class Meta:
        ordering = ("benchmark", "number")
        verbose_name_plural = "stories"
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "number"], name="story_number_unique"),
            models.UniqueConstraint(fields=["benchmark", "key"], name="story_key_unique"),
        ]

    def __str__(self) -> str:
        return f"story {self.key}"


class Question(models.Model):
    """What is asked about a story. `gold_option` is the number of the option that `gold` means, from 1.

    `line` is where it stands in its file, and `raw` what stands there.
    """

    story = models.ForeignKey(Story, on_delete=models.CASCADE, related_name="questions")
    number = models.PositiveIntegerField(help_text="In the whole benchmark, in the file’s order, from 1.")
    text = models.TextField()
    options = models.JSONField(default=list)
    gold = models.TextField()
    gold_option = models.PositiveSmallIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=200, blank=True)
    line = models.PositiveIntegerField()
    raw = models.JSONField()

    class Meta:
        ordering = ("story", "number")
        constraints = [models.UniqueConstraint(fields=["story", "number"], name="question_number_unique")]

    def __str__(self) -> str:
        return f"question {self.number}"

    @property
    def answer(self) -> str:
        """The words of the right answer."""
        return self.options[self.gold_option - 1] if self.gold_option else self.gold


class DrawnQuestion(models.Model):
    """A question that is reviewed, of a benchmark of which not all are. `weight` is 1 over the probability of being
    drawn; `answer` is one that a model gave.
    """

    question = models.OneToOneField(Question, on_delete=models.CASCADE, primary_key=True, related_name="drawn")
    weight = models.FloatField()
    is_sampled = models.BooleanField(help_text="Whether it is one of those that no model missed.")
    answer = models.TextField(blank=True)

    class Meta:
        ordering = ("question",)
        constraints = [
            models.CheckConstraint(name="drawn_question_weighs_one_at_least", condition=models.Q(weight__gte=1))
        ]

    def __str__(self) -> str:
        return f"{self.question}, drawn"


class MechanicalFinding(models.Model):
    """Something found by rule: a suggestion to whoever reads the question, and never a flag."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="findings")
    kind = models.CharField(max_length=20, choices=[*KINDS.items()])
    text = models.TextField()

    class Meta:
        ordering = ("question", "id")
        constraints = [one_of("kind", list(KINDS), name="mechanical_finding_kind_known")]

    def __str__(self) -> str:
        return f"{self.kind} in {self.question}"
