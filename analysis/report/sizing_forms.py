"""What trials of some other size would be made of."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms

from analysis.trials.core.sizing import Asked

_SHORT: Final = {"class": "short"}
_COUNTS: Final = {
    "scenarios": ("Scenarios", 2, 5_000, ""),
    "cases": (
        "Cases",
        2,
        20_000,
        "A case is a scenario and a model that answers it: at least one for each scenario.",
    ),
    "conditions": ("Conditions", 2, 8, "With the one that has no framework."),
    "controls": ("Positive controls to a case", 0, 4, ""),
    "answers": ("Answers to a case under each condition", 1, 10, ""),
    "evaluators": ("Models that evaluate", 1, 50, ""),
    "repeats": ("Times each evaluator scores an answer", 1, 10, ""),
    "ratings": ("People who judge a case", 0, 50, ""),
}
_AMOUNTS: Final = {
    "answer_price": ("An answer costs, in $", 0, 100),
    "score_price": ("An evaluator’s call costs, in $", 0, 100),
    "seconds": ("Seconds a call takes", 0, 3600),
    "minutes": ("Minutes a person takes for a case", 0, 480),
    "margin": ("Margin of equal integrity, in points", 0.1, 100),
    "smallest_effect": ("Smallest difference that matters, in points", 0.1, 100),
}


class SizingForm(forms.Form):
    """Factors of a study of trials; `approaches` are letters, names and the calls that an answer takes.

    `sources` say where what stands in a field at first is from. `needs_spread`: nothing was
    found yet that tells how much scenarios differ, so that it is assumed.
    """

    def __init__(
        self,
        approaches: Sequence[tuple[str, str, int]],
        data: Mapping[str, Any] | None,
        *,
        sources: Mapping[str, str],
        needs_spread: bool,
    ) -> None:
        super().__init__(data)
        self.calls = {letter: number for letter, _, number in approaches}
        for name, (label, least, most, help_text) in _COUNTS.items():
            self.fields[name] = forms.IntegerField(
                label=label,
                min_value=least,
                max_value=most,
                help_text=help_text,
                widget=forms.NumberInput(attrs=_SHORT),
            )
        for name, (label, lowest, highest) in _AMOUNTS.items():
            self.fields[name] = forms.FloatField(
                label=label,
                min_value=lowest,
                max_value=highest,
                help_text=sources.get(name, ""),
                widget=forms.NumberInput(attrs={**_SHORT, "step": "any"}),
            )
        if needs_spread:
            self.fields["sd"] = forms.FloatField(
                label="Scenarios differ by, in points (assumed)",
                min_value=0.1,
                max_value=50,
                help_text="The standard deviation over scenarios of a condition less the baseline. What was found "
                "takes its place once there are results.",
                widget=forms.NumberInput(attrs={**_SHORT, "step": "any"}),
            )
        self.fields["approaches"] = forms.MultipleChoiceField(
            label="Approaches",
            choices=[(letter, f"{letter}: {name}") for letter, name, _ in approaches],
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if not self.errors and data["cases"] < data["scenarios"]:
            self.add_error("cases", "There are at least as many cases as scenarios.")
        return data

    @property
    def asked(self) -> Asked:
        said = self.cleaned_data
        names = [name for name in (*_COUNTS, *_AMOUNTS) if name not in ("scenarios", "margin", "smallest_effect")]
        calls = {letter: self.calls[letter] for letter in said["approaches"]}
        return Asked(calls=calls, **{name: said[name] for name in names})
