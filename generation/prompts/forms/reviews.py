"""What a person says of a prompt, in the terms in which models are asked, and of two prompts beside each other."""

from typing import Any, Final

from django import forms

from annotation.platform.forms.fields import WrittenField
from generation.prompts.core.quality import CRITERIA, REJECTIONS
from generation.prompts.services.reviews import MAX_REASON_LENGTH

_MEANS: Final = {
    "depth": "A good answer takes more than common sense: it weighs what pulls in different directions.",
    "open_endedness": "Well-informed people could defend different answers. It asks for no fact or definition.",
    "generalisation": "What it asks reaches beyond one case, person or wording.",
}


class YesOrNo(forms.TypedChoiceField):
    """Two buttons, of which neither is chosen beforehand."""

    def __init__(self, *, yes: str, no: str, **options: Any) -> None:
        super().__init__(
            choices=[("yes", yes), ("no", no)],
            coerce=lambda value: value == "yes",
            widget=forms.RadioSelect(attrs={"data-answer": ""}),
            error_messages={"required": "Choose one of the two."},
            **options,
        )

    def prepare_value(self, value: Any) -> Any:
        return {True: "yes", False: "no"}.get(value, value)


class ReviewForm(forms.Form):
    """Named as the fields of a vote."""

    depth = YesOrNo(yes="Met", no="Not met", label=CRITERIA["depth"], help_text=_MEANS["depth"])
    open_endedness = YesOrNo(
        yes="Met", no="Not met", label=CRITERIA["open_endedness"], help_text=_MEANS["open_endedness"]
    )
    generalisation = YesOrNo(
        yes="Met", no="Not met", label=CRITERIA["generalisation"], help_text=_MEANS["generalisation"]
    )
    rejections = forms.MultipleChoiceField(
        choices=list(REJECTIONS.items()),
        required=False,
        label="Reasons to reject it",
        widget=forms.CheckboxSelectMultiple,
    )
    reason = WrittenField(
        max_length=MAX_REASON_LENGTH,
        required=False,
        label="In your words",
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class ComparisonForm(forms.Form):
    is_equivalent = YesOrNo(
        yes="Yes, an expert who has answered one has little left to do for the other",
        no="No, a good answer to one would miss the other",
        label="Do they ask for the same analytical work?",
        help_text="Other words or another scene make no difference. A shared theme alone is not enough.",
    )
    reason = WrittenField(
        max_length=MAX_REASON_LENGTH,
        required=False,
        label="In your words",
        widget=forms.Textarea(attrs={"rows": 3}),
    )
