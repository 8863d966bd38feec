"""What a coordinator makes of feedback on a prompt."""

from typing import Any, Final

from django import forms

from annotation.platform.forms.fields import ReasonForm, WrittenField
from annotation.study.core.prompt_import import MAX_TEXT_LENGTH
from annotation.writing.models import RewordingDecision, WritingAssignment

REWORD: Final = "reword"


class RewordingForm(ReasonForm):
    """Gives `wording`, empty where the prompt stays as it is, and `reason`."""

    decision = forms.ChoiceField(
        choices=[(REWORD, "Reword the prompt in the next round"), ("decline", "Leave the prompt as it is")],
        label="Decision",
        widget=forms.RadioSelect,
    )
    wording = WrittenField(
        required=False,
        max_length=MAX_TEXT_LENGTH,
        label="Wording in the next round",
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
    )
    field_order = ("decision", "wording", "reason")

    def __init__(self, data: Any = None, *, assignment: WritingAssignment, made: RewordingDecision | None) -> None:
        proposed = assignment.proposed_rewrite or assignment.prompt_version.text
        initial: dict[str, str] = {"wording": proposed}
        if made is not None:
            initial = {
                "decision": REWORD if made.wording else "decline",
                "wording": made.wording or proposed,
                "reason": made.reason,
            }
        super().__init__(data, initial=initial)
        shown = (
            "The wording that was proposed" if assignment.proposed_rewrite else "What the prompt asks at present"
        )
        self.fields["wording"].help_text = f"{shown}, for you to change. It is used only if the prompt is reworded."
        self.fields[
            "reason"
        ].help_text = (
            "The writer reads it on the receipt. It goes with the wording into the next round, and into a release."
        )

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if cleaned.pop("decision", None) != REWORD:
            cleaned["wording"] = ""
        elif not cleaned.get("wording") and "wording" not in self.errors:
            self.add_error("wording", "Say how the prompt is to be worded.")
        return cleaned
