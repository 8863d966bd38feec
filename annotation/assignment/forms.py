"""Who leaves, is late or joins, and the reason for giving their work to others."""

from collections.abc import Sequence
from typing import Any

from django import forms

from annotation.assignment.core.repair_plan import Change
from annotation.assignment.selectors.remaining_work import RemainingWork
from annotation.platform.forms.fields import ReasonForm


class RepairForm(forms.Form):
    """Ticked people, by pseudonym; the page sets the boxes beside their names.

    Nobody need be ticked: limits set meanwhile may ask for a change by themselves.
    """

    leaves = forms.MultipleChoiceField(required=False)
    late = forms.MultipleChoiceField(required=False)
    joins = forms.MultipleChoiceField(required=False)

    def __init__(self, task: str, people: Sequence[RemainingWork], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.task = task
        giving = [(share.pseudonym, share.name) for share in people if share.can_give or share.has_left]
        joining = [(share.pseudonym, share.name) for share in people if share.can_join]
        for name, choices in (("leaves", giving), ("late", giving), ("joins", joining)):
            field: Any = self.fields[name]
            field.choices = choices
            field.error_messages["invalid_choice"] = "%(value)s has nothing to give, or takes part already."

    def clean(self) -> dict[str, Any]:
        chosen = self.cleaned_data
        if both := sorted({*chosen.get("leaves", ())} & {*chosen.get("late", ())}):
            raise forms.ValidationError(f"Tick one box for {', '.join(both)}: leaving or being late.")
        return chosen

    @property
    def change(self) -> Change:
        chosen = self.cleaned_data
        return Change(self.task, frozenset(chosen["leaves"]), frozenset(chosen["late"]), frozenset(chosen["joins"]))


class ApplyForm(ReasonForm):
    """`digest` stands for the plan that was looked at."""

    digest = forms.CharField(max_length=64, widget=forms.HiddenInput)
