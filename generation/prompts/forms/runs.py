"""What a coordinator decides about a run that writes, judges or compares prompts."""

from collections.abc import Sequence
from typing import Any

from django import forms

from annotation.study.models.studies import Study
from generation.calls.forms import PlanForm
from generation.calls.models import GenerationRun
from generation.catalogue.models import Target
from generation.prompts.core.diversity import MIXED, ORDERS, STAGES
from generation.prompts.core.quality import SCHEMES
from generation.sources.models import Source

Purpose = GenerationRun.Purpose


class PoolForm(PlanForm):
    """What a run about prompts that are to be is narrowed down to: `only` of `planning.plan_run`."""

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
        sources = Source.objects.filter(uses__study=study).order_by("uses").values_list("pk", "name")
        self.offer("sources", list(sources))
        self.lacks_sources = not sources

    @property
    def asked_for(self) -> dict[str, Any]:
        given = super().asked_for
        narrowed = {name: given.pop(name) for name in self.narrows}
        return {**given, "only": {name: value for name, value in narrowed.items() if value is not None}}

    def clean_sources(self) -> list[int]:
        return sorted(self.cleaned_data["sources"])


class PromptsForm(PoolForm):
    purpose = Purpose.PROMPTS

    scenarios = forms.IntegerField(
        required=False,
        min_value=1,
        label="Only so many scenarios of each source",
        help_text="All, if empty. A trial: a few, spread over the source's strata. A larger number adds to them.",
        widget=forms.NumberInput(attrs={"class": "short"}),
    )
    field_order = ("sources", "scenarios", "targets", "uses_batches")
    narrows = ("sources", "scenarios")


class QualityForm(PoolForm):
    purpose = Purpose.QUALITY

    scheme = forms.ChoiceField(label="Who votes", choices=list(SCHEMES.items()), widget=forms.RadioSelect)
    field_order = ("scheme", "sources", "targets", "uses_batches")
    narrows = ("scheme", "sources")

    @staticmethod
    def usual(study: Study) -> dict[str, Any]:
        return {"scheme": study.quality_voting}


class PairsForm(PoolForm):
    purpose = Purpose.PAIRS

    stage = forms.ChoiceField(label="What is compared", choices=list(STAGES.items()), widget=forms.RadioSelect)
    scheme = forms.ChoiceField(
        label="Which votes on quality count",
        choices=list(SCHEMES.items()),
        help_text="Does not matter before the quality filter.",
        widget=forms.RadioSelect,
    )
    mixed = forms.ChoiceField(
        label="Who compares prompts of two generators", choices=list(MIXED.items()), widget=forms.RadioSelect
    )
    order = forms.ChoiceField(
        label="Which of two prompts stands first", choices=list(ORDERS.items()), widget=forms.RadioSelect
    )
    field_order = ("stage", "scheme", "mixed", "order", "sources", "targets", "uses_batches")
    narrows = ("stage", "scheme", "mixed", "order", "sources")

    @staticmethod
    def usual(study: Study) -> dict[str, Any]:
        return {
            "stage": "after" if study.diversity_after_filter else "before",
            "scheme": study.quality_voting,
            "mixed": study.mixed_pair_evaluators,
            "order": study.pair_order,
        }
