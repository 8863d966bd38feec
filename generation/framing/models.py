"""Prompts put under pressure: which were drawn, what they were rewritten into, and what checks said of that."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from generation.calls.models import Subject


class FramingSet(models.Model):
    """Prompts drawn together, with the conditions they are rewritten into and the checks they need."""

    class Origin(models.TextChoices):
        STUDY = "study", "The study’s prompts"
        POOL = "pool", "Prompts of its pool that pass and are not the study’s"

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    conditions_toml = models.TextField(help_text="The file of conditions as it was then.")
    conditions_sha256 = models.CharField(max_length=64)
    origin = models.CharField(
        max_length=10,
        choices=Origin,
        default=Origin.STUDY,
        db_default=Origin.STUDY,
        help_text="Where its prompts were drawn from.",
    )
    seed = models.PositiveIntegerField(help_text="Of the draw of prompts and rewriters.")
    needs: "ArrayField[list[str], list[str]]" = ArrayField(
        models.CharField(max_length=10), help_text="The checks that framings must pass."
    )
    made_at = models.DateTimeField(db_default=Now(), editable=False)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("study", "-id")
        constraints = [
            models.CheckConstraint(
                name="framing_set_needs_known_checks",
                condition=Q(needs__contained_by=["mechanical", "model", "person"]) & Q(needs__len__gte=1),
            )
        ]

    def __str__(self) -> str:
        return f"framings {self.pk}"


class FramedPrompt(models.Model):
    """A prompt of a set with the model that rewrites it and the one that checks: the study's, in the version that
    was drawn, or a candidate of its pool.
    """

    subject = models.OneToOneField(
        Subject, on_delete=models.PROTECT, primary_key=True, related_name="framed_prompt"
    )
    set = models.ForeignKey(FramingSet, on_delete=models.PROTECT, related_name="prompts")
    prompt_version = models.ForeignKey(
        "annotation.PromptVersion", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    candidate = models.ForeignKey(
        "generation.Candidate", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    code = models.CharField(max_length=24, help_text="The prompt’s, or one like it for a candidate.")
    category = models.CharField(max_length=200, blank=True, help_text="Of its source, where that is known.")
    rewriter = models.ForeignKey("generation.Target", on_delete=models.PROTECT, related_name="+")
    checker = models.ForeignKey(
        "generation.Target", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("set", "subject")
        constraints = [
            models.UniqueConstraint(fields=["set", "prompt_version"], name="framed_prompt_unique"),
            models.UniqueConstraint(fields=["set", "candidate"], name="framed_candidate_unique"),
            models.UniqueConstraint(fields=["set", "code"], name="framed_prompt_code_unique"),
            models.CheckConstraint(
                name="framed_prompt_is_of_study_or_pool",
                condition=Q(prompt_version__isnull=False, candidate=None)
                | Q(prompt_version=None, candidate__isnull=False),
            ),
            models.CheckConstraint(
                name="framed_prompt_is_checked_by_another",
                condition=Q(checker__isnull=True) | ~Q(checker=models.F("rewriter")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} under pressure"

    @property
    def text(self) -> str:
        """Word for word; of a prompt that was read with its `prompt_version` and `candidate` without a query."""
        drawn = self.prompt_version or self.candidate
        assert drawn, "framed_prompt_is_of_study_or_pool"  # noqa: S101
        return drawn.text

    @property
    def sha256(self) -> str:
        drawn = self.prompt_version or self.candidate
        assert drawn, "framed_prompt_is_of_study_or_pool"  # noqa: S101
        return drawn.sha256


class Framing(models.Model):
    """A version of a prompt's wording under a condition: a model's, or a person's with the reason.

    The newest counts.
    """

    subject = models.OneToOneField(Subject, on_delete=models.PROTECT, primary_key=True, related_name="framing")
    prompt = models.ForeignKey(FramedPrompt, on_delete=models.PROTECT, related_name="framings")
    condition = models.CharField(max_length=40)
    version = models.PositiveSmallIntegerField()
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    call = models.ForeignKey("generation.Call", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.CharField(max_length=400, blank=True)
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("prompt", "condition", "version")
        constraints = [
            models.UniqueConstraint(fields=["prompt", "condition", "version"], name="framing_version_unique"),
            models.CheckConstraint(
                name="framing_is_somebodys",
                condition=Q(call__isnull=False, edited_by=None, reason="")
                | (Q(call=None, edited_by__isnull=False) & ~Q(reason="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.condition} {self.version} of {self.prompt_id}"


class FramingCheck(models.Model):
    """What a model or a person says of a prompt's framings, all of them as they were then."""

    prompt = models.ForeignKey(FramedPrompt, on_delete=models.PROTECT, related_name="checks")
    texts_sha256 = models.CharField(max_length=64, help_text="Of all framings it is about.")
    verdicts = models.JSONField(help_text="About what, which question, whether it holds, and the reason.")
    call = models.OneToOneField(
        "generation.Call", null=True, blank=True, on_delete=models.PROTECT, related_name="framing_check"
    )
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    checked_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("prompt", "id")
        constraints = [
            models.CheckConstraint(
                name="framing_check_is_somebodys",
                condition=Q(call__isnull=False, reviewer=None) | Q(call=None, reviewer__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["prompt", "texts_sha256", "reviewer"], name="framing_check_of_reviewer_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"check of {self.prompt_id}"


class FramedAnswer(models.Model):
    """A model's answer to a framing, or to the prompt itself (no framing). No response is made of it for a judge.

    `call` is the study's own where an answer to the prompt was there already. A second answer to the prompt itself,
    asked for to see how much two answers differ, has the replicate 2.
    """

    subject = models.OneToOneField(
        Subject, on_delete=models.PROTECT, primary_key=True, related_name="framed_answer"
    )
    prompt = models.ForeignKey(FramedPrompt, on_delete=models.PROTECT, related_name="answers")
    framing = models.ForeignKey(Framing, null=True, blank=True, on_delete=models.PROTECT, related_name="answers")
    target = models.ForeignKey("generation.Target", on_delete=models.PROTECT, related_name="+")
    is_instructed = models.BooleanField(help_text="Asked with the instruction about the length.")
    replicate = models.PositiveSmallIntegerField(default=1, db_default=1)
    call = models.ForeignKey("generation.Call", on_delete=models.PROTECT, related_name="+")
    raw_text = models.TextField()
    text = models.TextField(help_text="In the one style in which answers are scored.")
    accepted_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("prompt", "subject")
        constraints = [
            models.UniqueConstraint(
                fields=["prompt", "framing", "target", "is_instructed", "replicate"],
                name="framed_answer_unique",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                name="framed_answer_is_repeated_of_prompts_alone",
                condition=Q(replicate=1) | Q(replicate=2, framing=None),
            ),
        ]

    def __str__(self) -> str:
        return f"answer {self.subject_id} of {self.target_id}"
