"""What is asked about a member of a study, and what a member is asked who withdraws their consent."""

from typing import Any, Final

from django import forms

from annotation.people.core.limits import MAX_CAPACITY, Limits
from annotation.platform.forms.fields import TopicsField
from annotation.platform.services.clock import database_today
from annotation.study.models.participation import Participation

# What matters where prompts and texts are given out.
OF_PROMPTS: Final = ("institution", "capacity", "prefers", "excludes")


class LimitsForm(forms.Form):
    """What somebody can take and would rather take; every field may stay empty."""

    institution = forms.CharField(
        max_length=160,
        required=False,
        label="Institution",
        help_text="For assignment alone: where it can be avoided, judges do not get their colleagues’ texts.",
    )
    capacity = forms.IntegerField(
        min_value=0,
        max_value=MAX_CAPACITY,
        required=False,
        label="Most prompts",
        help_text="Empty for no limit.",
    )
    available_from = forms.DateField(
        required=False, label="Has time from", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    available_until = forms.DateField(
        required=False,
        label="Has time until",
        help_text="The last day.",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    prefers = TopicsField(
        label="Rather gets",
        help_text="Codes, domains or disciplines of prompts, separated by semicolons, such as “BBQ; Law”.",
    )
    excludes = TopicsField(label="Never gets", help_text="Named in the same way.")

    @classmethod
    def of(cls, member: Participation, data: Any = None) -> "LimitsForm":
        """The form as it is filled in for `member` now, or with what was sent in the place of that."""
        form = cls(data, initial={name: getattr(member, name) for name in cls.base_fields})
        if member.study.audits_benchmarks:
            for name in OF_PROMPTS:
                del form.fields[name]
        return form

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        first, last = data.get("available_from"), data.get("available_until")
        if last and last < database_today() and last != self.initial.get("available_until"):
            self.add_error("available_until", "This day is over. Choose today or a later day.")
        elif first and last and last < first:
            self.add_error("available_until", "The last day is before the first.")
        return data

    @property
    def is_filled_in(self) -> bool:
        return self.is_bound or any(value not in (None, "", []) for value in self.initial.values())

    def limits(self) -> Limits:
        return Limits(**{**self.initial, **self.cleaned_data})


class WithdrawalForm(forms.Form):
    understood = forms.BooleanField(
        label="I withdraw my consent. I know that I cannot give it again on this page.",
        error_messages={"required": "Tick the box to withdraw your consent. Nothing has changed so far."},
    )
