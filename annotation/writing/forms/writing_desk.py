"""What a coordinator fills in at the writing desk."""

from typing import Any

from django import forms

from annotation.platform.forms.fields import ReasonForm
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.writing.models import WritingAssignment
from annotation.writing.selectors.writing_desk import writers
from annotation.writing.services.writing_desk import MAX_MINUTES


class GrantTimeForm(ReasonForm):
    """Asks for minutes and gives `seconds`."""

    minutes = forms.IntegerField(min_value=1, max_value=MAX_MINUTES, label="Minutes more")
    field_order = ("minutes", "reason")

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if "minutes" in cleaned:
            cleaned["seconds"] = 60 * cleaned.pop("minutes")
        return cleaned


class ReopenForm(ReasonForm):
    minutes = forms.IntegerField(
        min_value=1,
        max_value=MAX_MINUTES,
        required=False,
        label="Minutes",
        help_text="From when the writer starts again.",
        error_messages={"required": "Say how many minutes the writer has."},
    )
    field_order = ("minutes", "reason")

    def __init__(self, *args: Any, usual_minutes: int | None, **options: Any) -> None:
        """`usual_minutes` are the study's for an answer, proposed and needed; None where there is no limit."""
        super().__init__(*args, **options)
        minutes = self.fields["minutes"]
        minutes.initial, minutes.required = usual_minutes, usual_minutes is not None
        self.fields["reason"].help_text = (
            "The writer reads it beside the answer, and by mail unless such mails are off. Kept in the audit "
            "trail, next to your name."
        )


class LateTextForm(ReasonForm):
    decision = forms.ChoiceField(choices=[("use", "Use it"), ("leave", "Leave it")])


class ExtraMinutesForm(ReasonForm):
    writer = forms.ModelChoiceField(Participation.objects.none(), label="Writer", empty_label="Choose a writer")
    minutes = forms.IntegerField(
        min_value=0,
        max_value=MAX_MINUTES,
        label="Extra minutes for each answer",
        help_text="For answers not yet started, in place of what was granted before.",
    )
    field_order = ("writer", "minutes", "reason")

    def __init__(self, study: Study, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        writer: Any = self.fields["writer"]
        writer.queryset = writers(study).order_by("pseudonym")
        writer.label_from_instance = lambda person: f"{person.pseudonym} · {person.user.name}"


class OutageForm(ReasonForm):
    """The answers are those ticked; the outage is named by its beginning."""

    began_at = forms.DateTimeField(widget=forms.HiddenInput)
    answers = forms.ModelMultipleChoiceField(
        WritingAssignment.objects.none(),
        widget=forms.MultipleHiddenInput,
        error_messages={"required": "Tick at least one answer."},
    )
    decision = forms.ChoiceField(choices=[("approve", "Credit"), ("decline", "Do not credit")])

    def __init__(self, study: Study, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        answers: Any = self.fields["answers"]
        answers.queryset = WritingAssignment.objects.filter(study=study)
