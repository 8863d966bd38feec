"""What a coordinator decides about a sample of prompts."""

from typing import Any

from django import forms

from annotation.study.models.studies import Study
from generation.prompts.core.quality import SCHEMES


class FilterRuleForm(forms.Form):
    """Whose votes let a prompt pass; at first as the study's design says."""

    scheme = forms.ChoiceField(label="Who votes", choices=list(SCHEMES.items()), widget=forms.RadioSelect)
    least_passes = forms.IntegerField(
        label="Passes a prompt needs",
        min_value=1,
        max_value=10,
        widget=forms.NumberInput(attrs={"class": "short"}),
    )

    def __init__(self, study: Study, data: Any = None, **options: Any) -> None:
        at_first = {
            "scheme": study.quality_voting,
            "least_passes": study.quality_passes_needed,
            "per_source": study.prompts_per_source,
            "seed": study.sampling_seed,
        }
        super().__init__(data, initial=at_first, **options)


class SampleForm(FilterRuleForm):
    """The arguments of `samples.make_sample`."""

    per_source = forms.IntegerField(
        label="Prompts from each source",
        min_value=1,
        max_value=500,
        widget=forms.NumberInput(attrs={"class": "short"}),
    )
    seed = forms.IntegerField(
        label="Seed",
        min_value=0,
        max_value=2**31 - 1,
        help_text="Decides whatever the rule leaves to chance. The same seed draws the same prompts.",
        widget=forms.NumberInput(attrs={"class": "short"}),
    )
    field_order = ("per_source", "seed", "scheme", "least_passes")
