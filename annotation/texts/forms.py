"""What a coordinator says about a text in quarantine."""

from django import forms

from annotation.platform.core.limits import ANSWER_CHARACTERS
from annotation.platform.forms.fields import ReasonForm


class DecisionForm(ReasonForm):
    verb = forms.ChoiceField(
        choices=[("clear", "Clear"), ("read_again", "Read again"), ("reject", "Reject")],
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose whether judges may see the text."),
    )


class EditForm(ReasonForm):
    text = forms.CharField(
        label="The text as judges may see it",
        max_length=ANSWER_CHARACTERS,
        help_text="Take out or reword what gives the source away, and no more: judges score these words.",
        widget=forms.Textarea(attrs={"rows": 24, "class": "reading", "spellcheck": "true"}),
    )
    is_rest_harmless = forms.BooleanField(
        required=False,
        label="What the scan still finds gives nothing away",
        help_text="Tick this only where the scan is mistaken, as about a scholar called Claude.",
    )
    field_order = ("text", "is_rest_harmless", "reason")
