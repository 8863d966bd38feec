"""A prompt from its first wording to its present one, through the rounds of a pilot."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from annotation.study.models.prompts import Prompt, PromptVersion
from annotation.study.models.studies import Study
from annotation.writing.models import RewordingDecision, WritingAssignment


@dataclass(frozen=True)
class Feedback:
    """What a writer said about a wording, and what was decided about it; `decision` is empty before that.

    `wording` is what the next round asks where a coordinator wrote it.
    """

    assignment: int
    feedback: str
    proposed_rewrite: str
    decision: str
    reason: str
    wording: str


@dataclass(frozen=True)
class Wording:
    """A wording, the round that first had it, and in `feedback` what writers of that round said about it.

    `led_to_it` is the feedback on the wording before that it follows from.
    """

    number: int
    text: str
    reason: str
    created_at: datetime
    round: Study
    led_to_it: Feedback | None
    feedback: tuple[Feedback, ...]


@dataclass(frozen=True)
class NextRound:
    """How far a round is on its way to the next: remarks on its prompts, and how many are decided about."""

    remarks: int
    decided: int
    is_set_up: bool

    @property
    def is_decided(self) -> bool:
        return self.decided == self.remarks


def next_round_of(study: Study) -> NextRound | None:
    """None where writers are not asked about single prompts."""
    if not study.has_writing or study.feedback != Study.Feedback.EACH:
        return None
    said = WritingAssignment.objects.filter(study=study).exclude(feedback="", proposed_rewrite="")
    found = said.aggregate(remarks=Count("pk"), decided=Count("rewording"))
    clones = Study.objects.filter(cloned_from=study, removed_at__isnull=True)
    return NextRound(**found, is_set_up=clones.exists())


def rewording_of(assignment: WritingAssignment) -> RewordingDecision | None:
    return RewordingDecision.objects.filter(assignment=assignment).first()


def accepted_rewordings(study: Study) -> dict[int, RewordingDecision]:
    """What the next round of a study words anew, by the id of the prompt's present version."""
    accepted = RewordingDecision.objects.filter(assignment__study=study).exclude(wording="")
    return {decision.prompt_version_id: decision for decision in accepted}


def history_of(prompt: Prompt) -> tuple[Wording, ...]:
    """Every wording the prompt had in this round and in those before, the first one first."""
    versions = PromptVersion.objects.filter(prompt=prompt).select_related("prompt__study").order_by("number")
    return tuple(_wording(version) for version in versions)


def _wording(version: PromptVersion) -> Wording:
    same = list(_same(version))
    first = same[-1]
    said = _feedback_on(same)
    return Wording(
        number=version.number,
        text=version.text,
        reason=version.reason,
        created_at=version.created_at,
        round=first.prompt.study,
        led_to_it=_origin(first),
        feedback=tuple(said),
    )


def _same(version: PromptVersion) -> Iterator[PromptVersion]:
    """The version and those of earlier rounds that it repeats."""
    present: PromptVersion | None = version
    while present is not None:
        yield present
        earlier: PromptVersion | None = present.carried_from
        present = earlier if earlier is not None and earlier.sha256 == present.sha256 else None


def _origin(first: PromptVersion) -> Feedback | None:
    """The feedback that a wording follows from; None for one that a coordinator wrote of their own accord."""
    made = RewordingDecision.objects.filter(prompt_version=first.carried_from_id, wording=first.text)
    decision = made.select_related("assignment").first() if first.carried_from_id else None
    return _feedback(decision.assignment, decision) if decision else None


def _feedback_on(versions: list[PromptVersion]) -> Iterator[Feedback]:
    answers = WritingAssignment.objects.filter(prompt_version__in=versions).select_related("rewording")
    for answer in answers.exclude(feedback="", proposed_rewrite="").order_by("id"):
        yield _feedback(answer, getattr(answer, "rewording", None))


def _feedback(answer: WritingAssignment, decision: RewordingDecision | None) -> Feedback:
    return Feedback(
        assignment=answer.pk,
        feedback=answer.feedback,
        proposed_rewrite=answer.proposed_rewrite,
        decision=decision.get_decision_display() if decision else "",
        reason=decision.reason if decision else "",
        wording=decision.wording if decision and decision.decision == RewordingDecision.Decision.EDITED else "",
    )
