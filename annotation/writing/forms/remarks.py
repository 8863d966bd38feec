"""What writers say afterwards."""

from collections.abc import Mapping

from django import forms

from annotation.study.models.participation import Participation
from annotation.writing.models import WritingAssignment
from annotation.writing.policies.remarks import can_give_feedback, can_give_general_feedback, can_remark

MAX_CHARACTERS = 10_000

Data = Mapping[str, object] | None


def _remark(label: str, help_text: str, *, rows: int = 4) -> forms.CharField:
    return forms.CharField(
        required=False,
        max_length=MAX_CHARACTERS,
        label=label,
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": rows}),
    )


class PromptFeedbackForm(forms.Form):
    feedback = _remark(
        "What do you think of this question?",
        "Was it clear? Could it be answered well in the time? The coordinator reads this; judges never do.",
    )
    proposed_rewrite = _remark(
        "How would you word it?",
        "The question as you would have asked it. A later round of the study may ask it in these words.",
    )

    def __init__(self, data: Data = None, *, assignment: WritingAssignment) -> None:
        said = {"feedback": assignment.feedback, "proposed_rewrite": assignment.proposed_rewrite}
        super().__init__(data, initial=said)
        if not assignment.study.allow_prompt_rewrites:
            del self.fields["proposed_rewrite"]


class ProcessCommentForm(forms.Form):
    comment = _remark(
        "Is there anything to say about how it was written?",
        "For instance that you pasted your own notes, or were called away. It is kept beside the record.",
        rows=3,
    )

    def __init__(self, data: Data = None, *, assignment: WritingAssignment) -> None:
        super().__init__(data, initial={"comment": assignment.process_comment})


class GeneralFeedbackForm(forms.Form):
    feedback = _remark(
        "What do you think of the study?",
        "The questions, the time, the room, anything that should be done differently. The coordinator reads this; "
        "judges never do.",
    )

    def __init__(self, data: Data = None, *, participation: Participation) -> None:
        super().__init__(data, initial={"feedback": participation.feedback})


def forms_of_receipt(assignment: WritingAssignment) -> dict[str, forms.Form | None]:
    """What a writer may say about an answer on its receipt; None for what cannot be said, or not any more."""
    return {
        "feedback_form": PromptFeedbackForm(assignment=assignment) if can_give_feedback(assignment) else None,
        "comment_form": ProcessCommentForm(assignment=assignment) if can_remark(assignment) else None,
    }


def form_of_home(participation: Participation) -> GeneralFeedbackForm | None:
    """What a writer may say once all their answers are done; None before that, and once writing is closed."""
    asks = can_give_general_feedback(participation)
    return GeneralFeedbackForm(participation=participation) if asks else None
