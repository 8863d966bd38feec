"""What writers said, as the coordinator reads it: by pseudonym."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.writing.models import RewordingDecision, WritingAssignment

DECISIONS = {decision.value: str(decision.label) for decision in RewordingDecision.Decision}


@dataclass(frozen=True)
class PromptRemark:
    """Feedback on a prompt and a proposed wording of it; either may be empty, but not both.

    `decision` says what a coordinator decided about the next round's wording, and is empty before that.
    """

    pseudonym: str
    prompt_code: str
    feedback: str
    proposed_rewrite: str
    assignment: int
    decision: str


@dataclass(frozen=True)
class GeneralRemark:
    pseudonym: str
    feedback: str
    given_at: datetime | None


@dataclass(frozen=True)
class Remarks:
    """`on_prompts` in the prompts' order; `general` in the order they were given."""

    on_prompts: tuple[PromptRemark, ...]
    general: tuple[GeneralRemark, ...]


def remarks_of(study: Study) -> Remarks:
    """Everything the study's writers said about its prompts and about the study as a whole."""
    on_prompts = (
        WritingAssignment.objects.filter(study=study)
        .exclude(Q(feedback="") & Q(proposed_rewrite=""))
        .order_by("prompt__position", "participation__pseudonym")
        .values_list(
            "participation__pseudonym",
            "prompt__code",
            "feedback",
            "proposed_rewrite",
            "pk",
            "rewording__decision",
        )
    )
    general = (
        Participation.objects.filter(study=study)
        .exclude(feedback="")
        .order_by("feedback_at", "id")
        .values_list("pseudonym", "feedback", "feedback_at")
    )
    return Remarks(
        on_prompts=tuple(
            PromptRemark(pseudonym, code, feedback, rewrite, pk, DECISIONS.get(decision, ""))
            for pseudonym, code, feedback, rewrite, pk, decision in on_prompts
        ),
        general=tuple(GeneralRemark(*line) for line in general),
    )
