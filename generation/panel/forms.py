"""What a coordinator decides about a run that asks for scores."""

from typing import Any

from django import forms

from annotation.study.models.protocol import PanelRules
from annotation.study.models.studies import Study
from generation.calls.forms import PlanForm
from generation.calls.models import GenerationRun


class PanelForm(PlanForm):
    purpose = GenerationRun.Purpose.PANEL
    expected_in = "panel_judge_models"

    mode = forms.ChoiceField(
        label="What the panel gives", choices=PanelRules.PanelMode.choices, widget=forms.RadioSelect
    )
    presentation = forms.ChoiceField(
        label="What it sees",
        choices=GenerationRun.Presentation.choices,
        initial=GenerationRun.Presentation.ALONE,
        help_text="Has no effect on scores inferred from justifications, for which no answer is shown.",
        widget=forms.RadioSelect,
    )
    field_order = ("mode", "presentation", "targets", "uses_batches")

    @staticmethod
    def usual(study: Study) -> dict[str, Any]:
        return {"mode": study.panel_mode}

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if cleaned.get("mode") == "inferred":
            cleaned["presentation"] = GenerationRun.Presentation.AS_JUDGED
        return cleaned
