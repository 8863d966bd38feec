"""Where prompts come from."""

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.platform.models.fields import one_of, together
from generation.sources.core.shapes import SHAPES


class Source(models.Model):
    """A benchmark or a list that was read in and reduced to scenarios, and every step of that.

    It belongs to no study: studies draw on it, and it does not change under the prompts written from it.
    """

    class Kind(models.TextChoices):
        BBQ = "bbq", "BBQ, the bias benchmark for question answering"
        HLE = "hle", "Humanity’s Last Exam"
        CONCEPTS = "concepts", "Social concepts with quotations from documents"
        TABLE = "table", "A table of your own, CSV or JSON Lines"

    slug = models.SlugField(unique=True)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    shape = models.CharField(
        max_length=8, choices=[(shape.name, shape.title) for shape in SHAPES.values()], help_text="Of scenarios."
    )
    code = models.CharField(
        max_length=12,
        validators=[RegexValidator(r"\A[A-Z]{2,12}\Z", "Use 2 to 12 capital letters.")],
        help_text="Stands in prompts' codes, such as BBQ in BBQ_07.",
    )
    name = models.CharField(max_length=120)
    licence = models.CharField(max_length=200, blank=True)
    files = models.JSONField(default=list, help_text="Those read, in order: name, sha256.")
    mapping = models.JSONField(default=dict, blank=True, help_text="Of a table: field of the shape → column.")
    funnel = models.JSONField(help_text="Steps in order: name, kept, removed, rules (name → count).")
    content_sha256 = models.CharField(max_length=64, help_text="Of the scenarios, in order.")
    imported_at = models.DateTimeField(db_default=Now(), editable=False)
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("name", "id")
        constraints = [
            one_of("kind", ["bbq", "hle", "concepts", "table"], name="source_kind_known"),
            one_of("shape", list(SHAPES), name="source_shape_known"),
        ]

    def __str__(self) -> str:
        return self.name


class Scenario(models.Model):
    """One item of a source that prompts are written from. `payload` has the fields of the source's shape."""

    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="scenarios")
    key = models.CharField(max_length=80)
    stratum = models.CharField(max_length=80, help_text="What samples are spread over, such as a category.")
    payload = models.JSONField()

    class Meta:
        ordering = ("source", "stratum", "key")
        constraints = [models.UniqueConstraint(fields=["source", "key"], name="scenario_key_unique")]

    def __str__(self) -> str:
        return self.key


class RemovedItem(models.Model):
    """An item that a step of the reduction removed, and by which of its rules."""

    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="removed", db_index=False)
    step = models.PositiveSmallIntegerField(help_text="Its place in the funnel.")
    rule = models.CharField(max_length=120, blank=True)
    key = models.CharField(max_length=80)
    text = models.TextField()

    class Meta:
        ordering = ("source", "step", "id")
        indexes = [
            models.Index(fields=["source", "step", "id"], name="removed_by_step"),
            models.Index(fields=["source", "step", "rule", "id"], name="removed_by_rule"),
        ]

    def __str__(self) -> str:
        return self.key


class Document(models.Model):
    """A text that concepts quote. Every quotation is looked up in it, mechanically."""

    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="documents")
    title = models.CharField(max_length=120)
    citation = models.CharField(max_length=300)
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    subject = models.OneToOneField(
        "generation.Subject",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="document",
        help_text="Once models were to propose concepts from it.",
    )

    class Meta:
        ordering = ("source", "id")
        constraints = [models.UniqueConstraint(fields=["source", "title"], name="document_title_unique")]

    def __str__(self) -> str:
        return self.title


class ProposedConcept(models.Model):
    """A concept that a model proposes from a document, as it came. Nothing is made of it before a person decides:
    they verify every quotation and take it up, in words of their own, or decline it with a reason.
    """

    class Verdict(models.TextChoices):
        TAKEN = "taken", "Taken up"
        DECLINED = "declined", "Declined"

    call = models.ForeignKey("generation.Call", on_delete=models.PROTECT, related_name="proposed_concepts")
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="proposed_concepts")
    position = models.PositiveSmallIntegerField(help_text="In the reply, from 1.")
    theme = models.CharField(max_length=80, blank=True)
    name = models.CharField(max_length=80)
    interpretation = models.TextField()
    quotes = models.JSONField(help_text="Passages in their order: text, citation.")
    verdict = models.CharField(max_length=8, choices=Verdict.choices, blank=True)
    taken_as = models.CharField(max_length=80, blank=True, help_text="The name of the concept made of it.")
    reason = models.CharField(max_length=400, blank=True, help_text="Why it was declined.")
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("document", "call", "position")
        constraints = [
            models.UniqueConstraint(fields=["call", "position"], name="proposed_concept_position_unique"),
            together("decided_at", "decided_by", name="proposed_concept_decided_at_by"),
            models.CheckConstraint(
                name="proposed_concept_verdict_is_whole",
                condition=Q(verdict="", taken_as="", reason="", decided_at__isnull=True)
                | (Q(verdict="taken", reason="", decided_at__isnull=False) & ~Q(taken_as=""))
                | (Q(verdict="declined", taken_as="", decided_at__isnull=False) & ~Q(reason="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, proposed from {self.document}"


class StudySource(models.Model):
    """A source that a study has prompts written from."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="uses")
    added_at = models.DateTimeField(db_default=Now(), editable=False)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("study", "id")
        constraints = [models.UniqueConstraint(fields=["study", "source"], name="study_source_unique")]

    def __str__(self) -> str:
        return f"{self.source} in {self.study}"
