"""What a coordinator decides about a run: what it is to ask, and how much it may spend."""

from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, Decimal
from typing import Any, Final

from django import forms

from annotation.models.protocol import PanelRules
from annotation.models.studies import Study
from generation.models.runs import GenerationRun
from generation.models.targets import Target
from generation.providers.catalogue import catalogue

Purpose = GenerationRun.Purpose


class PlanForm(forms.Form):
    """What a run is to ask of which of `models`. Its fields are arguments of `planning.plan_run`.

    `expected` is how many models the study's design has for this purpose.
    """

    purpose: Purpose
    expected_in: str

    targets = forms.MultipleChoiceField(
        label="Models",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one model."},
    )
    uses_batches = forms.BooleanField(
        required=False,
        label="Send in batches, where the provider takes them",
        help_text="At half price, answered within a day rather than at once.",
    )

    def __init__(self, study: Study, targets: Sequence[Target], data: Any = None) -> None:
        super().__init__(data, auto_id=f"{self.purpose}-%s", initial={"mode": study.panel_mode})
        self.models = [target for target in targets if target.role == self.purpose]
        self.expected: int = getattr(study, self.expected_in)
        field: Any = self.fields["targets"]
        field.choices = [(target.pk, _named(target)) for target in self.models]
        field.initial = [target.pk for target in self.models]

    @property
    def asked_for(self) -> dict[str, Any]:
        chosen = [target for target in self.models if str(target.pk) in self.cleaned_data["targets"]]
        return {**self.cleaned_data, "purpose": self.purpose, "targets": chosen}


def _named(target: Target) -> str:
    """With whether its answers may come in batches."""
    endpoint = catalogue().endpoints.get(target.provider)
    batches = " (takes batches)" if endpoint and endpoint.batches else ""
    return f"{target.family}, {target.model_id}{batches}"


class AnswersForm(PlanForm):
    purpose = Purpose.ANSWERS
    expected_in = "model_targets_expected"

    track = forms.ChoiceField(
        label="Which answers",
        choices=GenerationRun.Track.choices,
        initial=GenerationRun.Track.MATCHED,
        widget=forms.RadioSelect,
    )
    field_order = ("track", "targets", "uses_batches")


class PanelForm(PlanForm):
    purpose = Purpose.PANEL
    expected_in = "panel_judge_models"

    mode = forms.ChoiceField(
        label="What the panel gives", choices=PanelRules.PanelMode.choices, widget=forms.RadioSelect
    )
    presentation = forms.ChoiceField(
        label="What it sees",
        choices=GenerationRun.Presentation.choices,
        initial=GenerationRun.Presentation.ALONE,
        help_text="Does not matter for scores inferred from justifications: no answer is shown for those.",
        widget=forms.RadioSelect,
    )
    field_order = ("mode", "presentation", "targets", "uses_batches")

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if cleaned.get("mode") == "inferred":
            cleaned["presentation"] = GenerationRun.Presentation.AS_JUDGED
        return cleaned


PLAN_FORMS: Final[Mapping[str, type[PlanForm]]] = {form.purpose: form for form in (AnswersForm, PanelForm)}


class CapForm(forms.Form):
    """The most a run may spend in all; `usual` is proposed, to the next cent."""

    spend_cap = forms.DecimalField(
        label="Spend at most, in $",
        min_value=0,
        max_digits=9,
        decimal_places=2,
        widget=forms.NumberInput(attrs={"class": "short"}),
    )

    def __init__(self, data: Any = None, *, usual: Decimal | None = None) -> None:
        super().__init__(data)
        if usual is not None:
            self.initial["spend_cap"] = usual.quantize(Decimal("0.01"), ROUND_CEILING)
