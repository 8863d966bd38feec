"""A study's work as a repair finds it: who has what, who can have more, and what each prompt asks for."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import datetime

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from annotation.assignment.core.feasibility import Person
from annotation.assignment.core.repair_plan import JUDGING, WRITING, Change, Piece, Situation
from annotation.assignment.selectors.assigning import people_for
from annotation.assignment.selectors.assignment_rows import history
from annotation.judging.core.requested_ratings import RatedItem
from annotation.judging.models.judging import JudgingItem
from annotation.judging.policies import reopens_until
from annotation.judging.selectors.requested_ratings import requested_ratings_of
from annotation.study.models.participation import Participation, Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.texts.selectors.stimuli import IS_OUT
from annotation.writing.models import Draft, WritingAssignment
from annotation.writing.selectors.rejected_answers import waived_by_prompt


def situation_of(study: Study, change: Change, *, now: datetime) -> Situation:
    """All work of the change's task.

    Who has left or withdrawn their consent gives up their work as if the change named them. Who has no work is
    given some only where they join.
    """
    return _of_judging(study, change, now) if change.task == JUDGING else _of_writing(study, change, now)


def _giving_up(study: Study, role: Role, change: Change) -> frozenset[str]:
    gone = Participation.objects.filter(
        Q(left_at__isnull=False) | Q(consent__withdrawn_at__isnull=False), study=study, role=role
    )
    return change.leaves | change.late | frozenset(gone.values_list("pseudonym", flat=True))


def _people(
    study: Study, role: Role, change: Change, pieces: Collection[Piece], now: datetime
) -> tuple[frozenset[str], list[Person]]:
    """Who gives up their work, and who can have work from now on."""
    giving_up = _giving_up(study, role, change)
    here = ({piece.holder for piece in pieces} | change.joins) - giving_up
    return giving_up, [
        person for person in people_for(study, role=role, today=timezone.localdate(now)) if person.name in here
    ]


# -- judging -----------------------------------------------------------------------------------------------------


def _of_judging(study: Study, change: Change, now: datetime) -> Situation:
    pieces = tuple(_items(study, now))
    giving_up, people = _people(study, Role.JUDGE, change, pieces, now)
    guessers = begun_to_guess(study)
    codes = Prompt.objects.filter(study=study).values_list("code", flat=True)
    return Situation(
        people=tuple(replace(person, capacity=0) if person.name in guessers else person for person in people),
        giving_up=giving_up,
        joining=change.joins,
        pieces=pieces,
        wanted=dict.fromkeys(codes, study.ratings_per_prompt),
    )


def begun_to_guess(study: Study) -> set[str]:
    """Judges, by pseudonym, who take no other item: guesses come after the last one."""
    guessed = JudgingItem.objects.filter(study=study, guessed_at__isnull=False)
    return set(guessed.values_list("participation__pseudonym", flat=True))


def _items(study: Study, now: datetime) -> Iterator[Piece]:
    """The item that has each place: the one that counts, or else its last judge's. Others do not count.

    What counts fills its place for good once it cannot be taken back any more.
    """
    for rating in requested_ratings_of(study):
        here = rating.counted or rating.holder
        for item in rating.items:
            if item.state != "cancelled":
                yield Piece(
                    id=item.id,
                    prompt=item.prompt,
                    holder=item.judge,
                    is_begun=item.state != "assigned",
                    is_done=item.submitted_at is not None,
                    counts=item == here,
                    is_needless=item.state == "assigned" and item != here and _is_final(here, study, now),
                )


def _is_final(rating: RatedItem, study: Study, now: datetime) -> bool:
    at, minutes = rating.submitted_at, study.reopen_minutes
    return at is not None and reopens_until(submitted_at=at, reopen_minutes=minutes) < now


# -- writing -----------------------------------------------------------------------------------------------------


def _of_writing(study: Study, change: Change, now: datetime) -> Situation:
    pieces = tuple(_answers(study))
    if study.every_writer_answers_every_prompt:
        # Whose work went to others need not answer every prompt any more, unless they join again.
        change = replace(change, late=change.late | history(study).relieved(WRITING) - change.joins)
    giving_up, people = _people(study, Role.WRITER, change, pieces, now)
    situation = Situation(tuple(people), giving_up, change.joins, pieces, wanted={})
    codes = list(Prompt.objects.filter(study=study).values_list("code", flat=True))
    everybody = study.every_writer_answers_every_prompt
    waived = waived_by_prompt(study)
    each = {code: study.answers_per_prompt - waived[code] for code in codes}
    wanted = _everybody(situation, codes) if everybody else each
    return replace(situation, wanted=wanted)


def answers_wanted(study: Study, *, now: datetime) -> Mapping[str, int]:
    """How many answers each prompt is to have, with the people who take part `now`."""
    return _of_writing(study, Change(WRITING), now).wanted


def _answers(study: Study) -> Iterator[Piece]:
    """An answer that is being written counts as done: its clock brings it to an end, or the desk does.

    One that has lapsed, or was given back, is begun.
    """
    drafts = Draft.objects.filter(assignment=OuterRef("pk"))
    assignments = WritingAssignment.objects.filter(study=study).exclude(state="cancelled").order_by()
    for pk, prompt, writer, state, is_out, has_draft in assignments.annotate(
        is_out=IS_OUT, has_draft=Exists(drafts)
    ).values_list("pk", "prompt__code", "participation__pseudonym", "state", "is_out", "has_draft"):
        yield Piece(
            id=pk,
            prompt=prompt,
            holder=writer,
            is_begun=has_draft,
            is_done=state in ("writing", "submitted"),
            counts=not is_out,
        )


def _everybody(situation: Situation, codes: Collection[str]) -> dict[str, int]:
    """What is asked for where every writer answers every prompt: one answer of each, and of those who are gone,
    what is done.
    """
    staying = Counter(
        piece.prompt
        for piece in situation.counting
        if situation.stays(piece) and piece.holder not in situation.names
    )
    without = Counter(
        piece.prompt for piece in situation.pieces if not piece.counts and piece.holder in situation.names
    )
    return {code: len(situation.people) + staying[code] - without[code] for code in codes}
