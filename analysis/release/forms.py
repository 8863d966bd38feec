"""Asking for a release."""

from django import forms

from analysis.release.core.licences import LICENCES
from analysis.release.services.releases import MAX_K, MIN_K


class ReleaseForm(forms.Form):
    k = forms.IntegerField(
        label="People who must be alike",
        initial=5,
        min_value=MIN_K,
        max_value=MAX_K,
        help_text="What they say of themselves is made coarser until each combination holds for this many people. "
        "Where fewer have a role, nothing that they say is published.",
    )
    licence = forms.ChoiceField(
        label="Licence",
        required=False,
        choices=[("", "None named"), *((spdx, f"{each.name} ({spdx})") for spdx, each in LICENCES.items())],
        help_text="Under which others may use the data; the files name it for people and for machines.",
    )
