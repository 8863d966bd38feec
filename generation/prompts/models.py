"""Prompts that models wrote from scenarios, what models and people make of them, and those chosen for a study."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.platform.models.fields import one_of, together


class Bundle(models.Model):
    """The prompts one generator wrote from one scenario, in one call; without a call where they came finished."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    scenario = models.ForeignKey("generation.Scenario", on_delete=models.PROTECT, related_name="bundles")
    target = models.ForeignKey("generation.Target", on_delete=models.PROTECT, related_name="+", db_index=False)
    call = models.OneToOneField("generation.Call", null=True, on_delete=models.PROTECT, related_name="bundle")
    scratchpad = models.TextField(blank=True, help_text="What the generator thought aloud; no part of any prompt.")
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("study", "scenario", "target")
        constraints = [
            models.UniqueConstraint(fields=["target", "scenario"], name="bundle_of_generator_and_scenario_unique")
        ]

    def __str__(self) -> str:
        return f"{self.scenario} by {self.target}"


class Candidate(models.Model):
    """One prompt of a bundle, word for word as it would be shown."""

    bundle = models.ForeignKey(Bundle, on_delete=models.PROTECT, related_name="candidates", db_index=False)
    position = models.PositiveSmallIntegerField(help_text="In its bundle, from 1 on.")
    label = models.CharField(max_length=300, help_text="The underlying issue, in 5 to 15 words.")
    dimensions = models.TextField(help_text="What sets it apart from the others of its bundle.")
    text = models.TextField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ("bundle", "position")
        constraints = [models.UniqueConstraint(fields=["bundle", "position"], name="candidate_position_unique")]

    def __str__(self) -> str:
        return f"{self.bundle}, {self.position}"


class QualityVote(models.Model):
    """Whether a prompt is fit for experts, by a model or a person, criterion by criterion."""

    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="votes", db_index=False)
    target = models.ForeignKey("generation.Target", null=True, on_delete=models.PROTECT, related_name="+")
    call = models.OneToOneField("generation.Call", null=True, on_delete=models.PROTECT, related_name="quality_vote")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    depth = models.BooleanField()
    open_endedness = models.BooleanField()
    generalisation = models.BooleanField()
    rejections = models.JSONField(default=list, help_text="Codes of what is wrong with it.")
    reason = models.TextField(blank=True)
    passes = models.BooleanField()
    stands = models.BooleanField(
        default=True, help_text="Until the model that took this one's place has voted on the same."
    )
    voted_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("candidate", "id")
        constraints = [
            models.CheckConstraint(
                name="quality_vote_is_somebodys",
                condition=Q(target__isnull=False, call__isnull=False, reviewer=None)
                | Q(target=None, call=None, reviewer__isnull=False),
            ),
            models.UniqueConstraint(fields=["candidate", "target"], name="quality_vote_of_target_unique"),
            models.UniqueConstraint(fields=["candidate", "reviewer"], name="quality_vote_of_reviewer_unique"),
            models.CheckConstraint(
                name="quality_vote_passes_what_meets_every_criterion",
                condition=Q(passes=False) | Q(depth=True, open_endedness=True, generalisation=True, rejections=[]),
            ),
        ]

    def __str__(self) -> str:
        return f"{'pass' if self.passes else 'fail'} for {self.candidate}"


class PairVote(models.Model):
    """Whether two prompts of one scenario ask for the same analytical work, by a model or a person."""

    first = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="+", db_index=False)
    second = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="+")
    target = models.ForeignKey("generation.Target", null=True, on_delete=models.PROTECT, related_name="+")
    call = models.OneToOneField("generation.Call", null=True, on_delete=models.PROTECT, related_name="pair_vote")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    is_equivalent = models.BooleanField()
    reason = models.TextField(blank=True)
    is_swapped = models.BooleanField(default=False, help_text="The second stood before the first.")
    stands = models.BooleanField(
        default=True, help_text="Until the model that took this one's place has voted on the same."
    )
    voted_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("first", "second", "id")
        constraints = [
            models.CheckConstraint(name="pair_vote_in_order", condition=Q(first__lt=F("second"))),
            models.CheckConstraint(
                name="pair_vote_is_somebodys",
                condition=Q(target__isnull=False, call__isnull=False, reviewer=None)
                | Q(target=None, call=None, reviewer__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["first", "second", "target", "is_swapped"], name="pair_vote_of_target_unique"
            ),
            models.UniqueConstraint(fields=["first", "second", "reviewer"], name="pair_vote_of_reviewer_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.first} and {self.second}: {'alike' if self.is_equivalent else 'different'}"


class PromptSample(models.Model):
    """A stratified sample of a study's candidates. The same candidates, votes and rules give the same sample."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    seed = models.PositiveIntegerField(default=42)
    per_source = models.PositiveSmallIntegerField(default=10)
    scheme = models.CharField(max_length=6, default="all", help_text="Whose votes count.")
    least_passes = models.PositiveSmallIntegerField(default=2)
    report = models.JSONField(help_text="By source: eligible, strata, generators, and what fell short.")
    content_sha256 = models.CharField(max_length=64, help_text="Of codes and texts, in order.")
    made_at = models.DateTimeField(db_default=Now(), editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    taken_at = models.DateTimeField(null=True, blank=True, help_text="When it became the study's prompts.")
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("study", "-id")
        constraints = [
            one_of("scheme", ["all", "others"], name="prompt_sample_scheme_known"),
            together("taken_at", "taken_by", name="prompt_sample_taken_at_by"),
        ]

    def __str__(self) -> str:
        return f"sample {self.pk} of {self.study}"


class SampledPrompt(models.Model):
    """A candidate in a sample, under the code that it is to have in the study."""

    sample = models.ForeignKey(PromptSample, on_delete=models.CASCADE, related_name="prompts", db_index=False)
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=24)
    prompt = models.ForeignKey(
        "annotation.Prompt", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ("sample", "position")
        constraints = [
            models.UniqueConstraint(fields=["sample", "position"], name="sampled_prompt_position_unique"),
            models.UniqueConstraint(fields=["sample", "code"], name="sampled_prompt_code_unique"),
            models.UniqueConstraint(fields=["sample", "candidate"], name="sampled_prompt_candidate_unique"),
        ]

    def __str__(self) -> str:
        return self.code


class TextEmbedding(models.Model):
    """A text's place among others, as a model gave it: 32-bit floats, little-endian. Paid for once."""

    method = models.CharField(max_length=200, help_text="Provider and model.")
    sha256 = models.CharField(max_length=64, help_text="Of the text.")
    vector = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["method", "sha256"], name="text_embedding_unique")]

    def __str__(self) -> str:
        return f"{self.method}: {self.sha256[:12]}"


class PromptMap(models.Model):
    """A study's scenarios and prompts of one source in two dimensions; drawn in the background.

    `drawing` is empty until it is drawn; then it holds points (kind, id, x, y) and hull areas by generator.
    """

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    source = models.ForeignKey("generation.Source", on_delete=models.PROTECT, related_name="+")
    method = models.CharField(max_length=200, help_text="How texts became numbers.")
    projection = models.CharField(max_length=8, help_text="How these became two.")
    drawing = models.JSONField(default=dict)
    problem = models.TextField(blank=True, help_text="Why it could not be drawn.")
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    drawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("study", "-id")
        constraints = [one_of("projection", ["pca", "umap"], name="prompt_map_projection_known")]

    def __str__(self) -> str:
        return f"map of {self.source} in {self.study}"
