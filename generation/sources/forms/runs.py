"""What a coordinator decides about a run that asks about sources."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, QuerySet

from annotation.study.models.studies import Study
from generation.calls.forms import PlanForm
from generation.calls.models import GenerationRun
from generation.catalogue.models import Target
from generation.sources.core.concept_proposals import MAX_CONCEPTS, USUAL
from generation.sources.models import Document, Source


class SourcesForm(PlanForm):
    """A run that is narrowed down to some of the study's sources: `only` of `planning.plan_run`."""

    sources = forms.TypedMultipleChoiceField(
        coerce=int,
        label="Sources",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one source."},
    )
    field_order: Sequence[str] = ("sources", "targets", "uses_batches")
    narrows: Sequence[str] = ("sources",)

    def __init__(self, study: Study, targets: Sequence[Target], data: Any = None) -> None:
        super().__init__(study, targets, data)
        sources = self.asks_about(Source.objects.filter(uses__study=study))
        self.offer("sources", list(sources.order_by("uses").values_list("pk", "name")))
        self.lacks_sources = not sources

    @staticmethod
    def asks_about(sources: QuerySet[Source]) -> QuerySet[Source]:
        """The study's sources that such a run can be about."""
        return sources

    @property
    def asked_for(self) -> dict[str, Any]:
        given = super().asked_for
        narrowed = {name: given.pop(name) for name in self.narrows}
        return {**given, "only": {name: value for name, value in narrowed.items() if value is not None}}

    def clean_sources(self) -> list[int]:
        return sorted(self.cleaned_data["sources"])


class ConceptsForm(SourcesForm):
    purpose = GenerationRun.Purpose.CONCEPTS
    without_sources = "Models propose concepts from documents, and no source of the study has one yet."

    number = forms.IntegerField(
        min_value=1,
        max_value=MAX_CONCEPTS,
        initial=USUAL,
        label="Concepts of each document, at most",
        help_text="Each model reads each document once. Somebody verifies every quotation before a concept counts.",
        widget=forms.NumberInput(attrs={"class": "short"}),
    )
    field_order = ("sources", "number", "targets", "uses_batches")
    narrows = ("sources", "number")

    @staticmethod
    def asks_about(sources: QuerySet[Source]) -> QuerySet[Source]:
        documents = Document.objects.filter(source=OuterRef("pk"))
        return sources.filter(Exists(documents), kind=Source.Kind.CONCEPTS)
