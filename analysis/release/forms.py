"""Asking for a release."""

from django import forms

from analysis.release.services.releases import LARGEST_K, SMALLEST_K


class ReleaseForm(forms.Form):
    k = forms.IntegerField(
        label="People who must be alike",
        initial=5,
        min_value=SMALLEST_K,
        max_value=LARGEST_K,
        help_text="What they say of themselves is made coarser until each combination holds for this many people. "
        "Where fewer write, or fewer judge, nothing that they say is published.",
    )
