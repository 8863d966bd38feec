"""A study's work as a repair finds it: who has what, who can have more, and what each prompt asks for."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date

from django.db.models import Exists, OuterRef, Q

from annotation.core.allotment import Person
from annotation.core.repair_plan import JUDGING, Change, Piece, Situation
from annotation.core.wishes import answers_of_colleagues
from annotation.models.allocation import Arm, HumanSet, ItemPlan, Stimulus
from annotation.models.judging import JudgingItem
from annotation.models.participation import Participation, Role
from annotation.models.prompts import Prompt
from annotation.models.studies import Study
from annotation.models.writing import Draft, WritingAssignment
from annotation.selectors.assigning import colleagues, people_for
from annotation.selectors.places import places_of


def situation_of(study: Study, change: Change, *, today: date) -> Situation:
    """All work of the change's task.

    Who has left or withdrawn their consent gives up their work as if the change named them. Who has no work is
    given some only where they join.
    """
    return _of_judging(study, change, today) if change.task == JUDGING else _of_writing(study, change, today)


def _giving_up(study: Study, role: Role, change: Change) -> frozenset[str]:
    gone = Participation.objects.filter(
        Q(left_at__isnull=False) | Q(consent__withdrawn_at__isnull=False), study=study, role=role
    )
    return change.leaves | change.late | frozenset(gone.values_list("pseudonym", flat=True))


def _people(
    study: Study, role: Role, change: Change, pieces: Collection[Piece], today: date
) -> tuple[frozenset[str], list[Person]]:
    """Who gives up their work, and who can have work from now on."""
    giving_up = _giving_up(study, role, change)
    here = ({piece.holder for piece in pieces} | change.joins) - giving_up
    return giving_up, [person for person in people_for(study, role=role, today=today) if person.name in here]


# -- judging -----------------------------------------------------------------------------------------------------


def _of_judging(study: Study, change: Change, today: date) -> Situation:
    avoids = _avoided(study)
    pieces = tuple(_items(study, sets=bool(avoids)))
    giving_up, people = _people(study, Role.JUDGE, change, pieces, today)
    guessers = set(
        JudgingItem.objects.filter(study=study, guessed_at__isnull=False).values_list(
            "participation__pseudonym", flat=True
        )
    )
    codes = Prompt.objects.filter(study=study).values_list("code", flat=True)
    return Situation(
        # Guesses come after the last item: who has begun to guess takes no other one.
        people=tuple(replace(person, capacity=0) if person.name in guessers else person for person in people),
        giving_up=giving_up,
        joining=change.joins,
        pieces=pieces,
        wanted=dict.fromkeys(codes, study.ratings_per_prompt),
        avoids=avoids,
    )


def _items(study: Study, *, sets: bool) -> Iterator[Piece]:
    """Of each place the item that has it: the one that counts, or else its last judge's. Others do not count."""
    answers = _human_answers(study) if sets else {}
    for place in places_of(study):
        here = place.counted or place.holder
        for item in place.items:
            if item.state != "cancelled":
                yield Piece(
                    id=item.id,
                    prompt=item.prompt,
                    holder=item.judge,
                    is_begun=item.state != "assigned",
                    is_done=item.submitted_at is not None,
                    counts=item == here,
                    answers=answers.get(item.id, frozenset()),
                )


def _human_answers(study: Study) -> dict[int, frozenset[str]]:
    members: dict[int | None, set[str]] = defaultdict(set)
    of_study = HumanSet.members.through.objects.filter(humanset__prompt__study=study)
    for human_set, response in of_study.values_list("humanset_id", "stimulus_id"):
        members[human_set].add(str(response))
    plans = ItemPlan.objects.filter(item__study=study).values_list("item_id", "human_set_id")
    return {item: frozenset(members[human_set]) for item, human_set in plans}


def _avoided(study: Study) -> dict[str, frozenset[str]]:
    houses = colleagues(study)
    if not houses:
        return {}
    human = Stimulus.objects.filter(study=study, arm=Arm.HUMAN).values_list("response_id", "source_code")
    return answers_of_colleagues(houses, {str(response): writer for response, writer in human})


# -- writing -----------------------------------------------------------------------------------------------------


def _of_writing(study: Study, change: Change, today: date) -> Situation:
    pieces = tuple(_answers(study))
    giving_up, people = _people(study, Role.WRITER, change, pieces, today)
    situation = Situation(tuple(people), giving_up, change.joins, pieces, wanted={}, avoids={})
    codes = list(Prompt.objects.filter(study=study).values_list("code", flat=True))
    wanted = dict.fromkeys(codes, study.answers_per_prompt)
    if study.every_writer_answers_every_prompt:
        wanted = _everybody(situation, codes)
    return replace(situation, wanted=wanted)


def _answers(study: Study) -> Iterator[Piece]:
    """An answer that is being written counts as done: its clock brings it to an end, or the desk does.

    One that has lapsed, or was given back, is begun. A text that was rejected or withdrawn fills no place.
    """
    out = Stimulus.objects.filter(response=OuterRef("response"), state__in=("rejected", "withdrawn"))
    drafts = Draft.objects.filter(assignment=OuterRef("pk"))
    assignments = WritingAssignment.objects.filter(study=study).exclude(state="cancelled").order_by()
    for pk, prompt, writer, state, is_out, has_draft in assignments.annotate(
        is_out=Exists(out), has_draft=Exists(drafts)
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
    """Where every writer answers every prompt: one answer of each, and of those who are gone, what is done."""
    staying = Counter(
        piece.prompt
        for piece in situation.counting
        if situation.stays(piece) and piece.holder not in situation.names
    )
    without = Counter(
        piece.prompt for piece in situation.pieces if not piece.counts and piece.holder in situation.names
    )
    return {code: len(situation.people) + staying[code] - without[code] for code in codes}
