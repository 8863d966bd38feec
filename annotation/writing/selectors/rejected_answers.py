"""Answers whose text was rejected: which of them are missed, and what can be done about each.

Pages name writers here. Once writing has closed, texts are decided about without knowing whose they are, and who
reads that the others of a prompt were rejected knows by elimination whose text waits. So from then on a rejected
answer counts as handed in until no text of its prompt waits to be read or decided about.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)

from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import has_withdrawn
from annotation.texts.models.provenance import Stimulus
from annotation.texts.selectors.stimuli import IS_OUT, WAITING, human_shortfall
from annotation.writing.core.vacancies import Standing, vacancies
from annotation.writing.models import WaivedAnswer, WritingAssignment

STATES: Final = {
    "assigned": "Not started",
    "writing": "Being written",
    "submitted": "Handed in",
    "lapsed": "Lapsed",
    "cancelled": "Assignment withdrawn",
    "rejected": "Text rejected",
    "waived": "Done without",
    "withdrawn": "Text withdrawn",
}
"""Where an answer stands, in words: the state of its assignment, or what became of the text that was handed in."""


_GONE: Final = ExpressionWrapper(
    Q(participation__left_at__isnull=False) | Q(participation__consent__withdrawn_at__isnull=False),
    output_field=BooleanField(),
)


def _text_is(state: str) -> Exists:
    return Exists(Stimulus.objects.filter(response=OuterRef("response"), state=state))


_FILLS_NO_PLACE: Final = ("cancelled", "rejected", "waived", "withdrawn")
_IS_TOLD: Final = Q(study__state="writing") | ~Exists(
    Stimulus.objects.filter(prompt=OuterRef("prompt"), state__in=WAITING)
)
IS_TOLD_OUT: Final = Q(_text_is("withdrawn")) | (Q(_text_is("rejected")) & _IS_TOLD)
"""Whether the text was withdrawn, or rejected and that may be told beside its writer's name."""
STANDING: Final = Case(
    When(Q(Exists(WaivedAnswer.objects.filter(assignment=OuterRef("pk")))) & _IS_TOLD, then=Value("waived")),
    When(Q(_text_is("rejected")) & _IS_TOLD, then=Value("rejected")),
    When(_text_is("withdrawn"), then=Value("withdrawn")),
    default=F("state"),
)
"""The key of `STATES` for an assignment, as far as it may be told."""


def standing_of(assignment: WritingAssignment) -> str:
    standing: str = WritingAssignment.objects.filter(pk=assignment.pk).values_list(STANDING, flat=True).get()
    return standing


@dataclass(frozen=True)
class RejectedAnswer:
    """An answer whose text is missed. `others` are writers who take part and have not been given its prompt.

    Its writer `is_gone` where they have left or withdrawn.
    `shortfall` says what judging would lack without it, in words; it is empty where the study can do without.
    """

    id: int
    pseudonym: str
    name: str
    is_gone: bool
    prompt_code: str
    others: int
    shortfall: str


def vacant_answers(study: Study) -> frozenset[int]:
    """Ids of the assignments whose place nobody fills: text rejected or withdrawn, or the writer gone."""
    everybody = study.every_writer_answers_every_prompt
    rows = WritingAssignment.objects.filter(study=study).order_by("id")
    return vacancies(
        (
            Standing(
                answer=pk,
                prompt=prompt,
                stands=standing not in _FILLS_NO_PLACE,
                # Where every writer answers every prompt, nobody takes a place over from who is gone.
                is_to_replace=(not gone and standing != "cancelled")
                if everybody
                else gone or standing != "cancelled",
                is_waived=standing == "waived",
            )
            for pk, prompt, standing, gone in rows.values_list("pk", "prompt__code", STANDING, _GONE)
        ),
        wanted=None if everybody else study.answers_per_prompt,
    )


def missed_answers(study: Study) -> QuerySet[WritingAssignment]:
    """The rejected ones that are missed, by prompt, also of writers who are gone."""
    return _rejected(study).filter(pk__in=vacant_answers(study))


def rejected_answers(study: Study) -> list[RejectedAnswer]:
    """A line for each of `missed_answers`."""
    return _lines(study, missed_answers(study))


def rejected_answer(assignment: WritingAssignment) -> RejectedAnswer | None:
    """This answer, if its text was rejected and is missed."""
    if assignment.pk not in vacant_answers(assignment.study):
        return None
    return next(iter(_lines(assignment.study, _rejected(assignment.study).filter(pk=assignment.pk))), None)


def _rejected(study: Study) -> QuerySet[WritingAssignment]:
    answers = WritingAssignment.objects.filter(_IS_TOLD, _text_is("rejected"), study=study)
    return answers.select_related("study", "participation__user", "participation__consent", "prompt").order_by(
        "prompt__position", "pk"
    )


def is_gone(writer: Participation) -> bool:
    return writer.left_at is not None or has_withdrawn(writer)


def _lines(study: Study, answers: Iterable[WritingAssignment]) -> list[RejectedAnswer]:
    """Lines, in three queries beside that of the answers, however many there are."""
    writers = Participation.objects.filter(
        study=study, role=Role.WRITER, left_at__isnull=True, consent__withdrawn_at__isnull=True
    )
    given = WritingAssignment.objects.filter(study=study, participation__in=writers).exclude(state="cancelled")
    number, busy, kept = writers.count(), _by_prompt(given, "participation"), _by_prompt(_kept(study), "pk")
    return [
        RejectedAnswer(
            id=answer.pk,
            pseudonym=answer.participation.pseudonym,
            name=answer.participation.user.name,
            is_gone=is_gone(answer.participation),
            prompt_code=answer.prompt.code,
            others=number - busy.get(answer.prompt_id, 0),
            shortfall=human_shortfall(study, kept.get(answer.prompt_id, 0)),
        )
        for answer in answers
    ]


def _by_prompt(assignments: QuerySet[WritingAssignment], counted: str) -> dict[int, int]:
    """How many different ones each prompt has."""
    return dict(assignments.order_by().values_list("prompt").annotate(Count(counted, distinct=True)))


def shortfall_without(answer: WritingAssignment) -> str:
    """What judging would lack if the answer's prompt got no more human answers than are handed in or, while
    writing is open, under way. Nobody who is gone starts another.
    """
    return human_shortfall(answer.study, _kept(answer.study).filter(prompt=answer.prompt).count())


def _kept(study: Study) -> QuerySet[WritingAssignment]:
    """The answers that are handed in or, while writing is open, under way, and whose text nobody has taken out."""
    states = ["submitted", "assigned", "writing"] if study.state == "writing" else ["submitted"]
    kept = WritingAssignment.objects.filter(study=study, state__in=states).exclude(Q(IS_OUT))
    never_started = WritingAssignment.objects.filter(Q(_GONE), study=study, state="assigned")
    return kept.exclude(pk__in=never_started)


def waived_by_prompt(study: Study) -> Counter[str]:
    """How many answers the study does without, by the prompt's code."""
    waived = WaivedAnswer.objects.filter(assignment__study=study)
    return Counter(waived.values_list("assignment__prompt__code", flat=True))
