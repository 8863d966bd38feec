"""A study's own wording of a template."""

from django import forms

from generation.catalogue.core.prompt_templates import LONGEST
from generation.catalogue.services.templates import LONGEST_ORIGIN


class TemplateForm(forms.Form):
    text = forms.CharField(
        max_length=LONGEST,
        strip=False,
        label="Wording",
        widget=forms.Textarea(attrs={"rows": 16, "class": "mono", "spellcheck": "false"}),
    )
    origin = forms.CharField(
        max_length=LONGEST_ORIGIN,
        label="Where it comes from",
        help_text="For instance the paper and its page. Kept with the wording.",
    )
