"""What a coordinator decides about a run that writes, judges or compares prompts."""

from typing import Any

from django import forms

from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.prompts.core.diversity import MIXED, ORDERS, STAGES
from generation.prompts.core.quality import SCHEMES
from generation.sources.forms.runs import SourcesForm

Purpose = GenerationRun.Purpose


class PromptsForm(SourcesForm):
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


class QualityForm(SourcesForm):
    purpose = Purpose.QUALITY

    scheme = forms.ChoiceField(label="Who votes", choices=list(SCHEMES.items()), widget=forms.RadioSelect)
    field_order = ("scheme", "sources", "targets", "uses_batches")
    narrows = ("scheme", "sources")

    @staticmethod
    def usual(study: Study) -> dict[str, Any]:
        return {"scheme": study.quality_voting}


class PairsForm(SourcesForm):
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
