"""What a coder says of an answer."""

from collections.abc import Sequence
from typing import Any

from django import forms

from generation.trials.core.coding import MAX_CATEGORY
from generation.trials.models import TrialScenario

NOTHING_SAID = "Say what the answer recommends."


class CodeForm(forms.Form):
    """One of the scenario's categories, or a new one; `named` is which."""

    category = forms.ChoiceField(
        label="The answer recommends", required=False, widget=forms.RadioSelect, choices=()
    )
    another = forms.CharField(
        label="Something else",
        required=False,
        max_length=MAX_CATEGORY,
        help_text="A few words for what it recommends; they become a category of the scenario.",
    )

    def __init__(self, categories: Sequence[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["category"].choices = [(each, each) for each in categories]  # type: ignore[attr-defined]
        if not categories:
            del self.fields["category"]
            self.fields["another"].label = "The answer recommends"
            self.fields["another"].required = True
            self.fields["another"].error_messages["required"] = NOTHING_SAID

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not (data.get("category") or data.get("another", "").strip()):
            self.add_error("another", NOTHING_SAID)
        return data

    @property
    def named(self) -> str:
        return str(self.cleaned_data["another"].strip() or self.cleaned_data.get("category", ""))


class CategoriesForm(forms.Form):
    """The categories of a scenario, one in each line."""

    categories = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One in each line. Coders may find others.",
    )

    def __init__(self, scenario: TrialScenario, *args: Any, **kwargs: Any) -> None:
        kwargs |= {
            "initial": {"categories": "\n".join(scenario.categories)},
            "prefix": f"scenario-{scenario.pk}",
        }
        super().__init__(*args, **kwargs)
        self.fields["categories"].label = scenario.title

    @property
    def names(self) -> list[str]:
        return [line.strip() for line in self.cleaned_data["categories"].splitlines() if line.strip()]
