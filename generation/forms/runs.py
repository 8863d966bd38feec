"""What a coordinator decides about a run: what it is to ask, and how much it may spend."""

from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, Decimal
from typing import Any, Final

from django import forms

from annotation.models.protocol import PanelRules
from annotation.models.studies import Study
from generation.models.runs import GenerationRun
from generation.models.targets import Target

Purpose = GenerationRun.Purpose


class PlanForm(forms.Form):
    """What a run is to ask of which of `targets`. Its fields are arguments of `planning.plan_run`."""

    purpose: Purpose

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
        self._targets = {str(target.pk): target for target in targets if target.role == self.purpose}
        field: Any = self.fields["targets"]
        field.choices = [(key, f"{target.family}, {target.model_id}") for key, target in self._targets.items()]
        field.initial = list(self._targets)

    @property
    def has_targets(self) -> bool:
        return bool(self._targets)

    @property
    def asked_for(self) -> dict[str, Any]:
        chosen = [self._targets[key] for key in self.cleaned_data["targets"]]
        return {**self.cleaned_data, "purpose": self.purpose, "targets": chosen}


class AnswersForm(PlanForm):
    purpose = Purpose.ANSWERS

    track = forms.ChoiceField(
        label="Which answers",
        choices=GenerationRun.Track.choices,
        initial=GenerationRun.Track.MATCHED,
        widget=forms.RadioSelect,
    )
    field_order = ("track", "targets", "uses_batches")


class PanelForm(PlanForm):
    purpose = Purpose.PANEL

    mode = forms.ChoiceField(
        label="What the panel gives", choices=PanelRules.PanelMode.choices, widget=forms.RadioSelect
    )
    presentation = forms.ChoiceField(
        label="What it sees",
        choices=GenerationRun.Presentation.choices,
        initial=GenerationRun.Presentation.ALONE,
        widget=forms.RadioSelect,
    )
    field_order = ("mode", "presentation", "targets", "uses_batches")


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
