"""What a coordinator decides about a run that asks for answers."""

from django import forms

from generation.calls.forms import PlanForm
from generation.calls.models import GenerationRun


class AnswersForm(PlanForm):
    purpose = GenerationRun.Purpose.ANSWERS
    expected_in = "model_targets_expected"

    track = forms.ChoiceField(
        label="Which answers",
        choices=GenerationRun.Track.choices,
        initial=GenerationRun.Track.MATCHED,
        widget=forms.RadioSelect,
    )
    field_order = ("track", "targets", "uses_batches")
