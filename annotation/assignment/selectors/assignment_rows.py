"""Who has what, as tidy rows for counting again: a query for each kind of row, whatever their number."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.db.models.functions import MD5

from annotation.assignment.core.certificate import Given
from annotation.assignment.core.feasibility import Person
from annotation.assignment.core.item_certificate import Item, Text
from annotation.assignment.core.preferences import people_from
from annotation.assignment.models import AssignmentRepair, WorkGivenOut
from annotation.assignment.selectors.assigning import as_person
from annotation.judging.core.requested_ratings import RatedItem
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.judging.selectors.requested_ratings import requested_ratings_of
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.selectors.prompts import topics_by_prompt
from annotation.texts.models.provenance import Arm, Stimulus
from annotation.texts.selectors.stimuli import IS_OUT
from annotation.writing.models import WritingAssignment


@dataclass(frozen=True)
class Repair:
    """A change of who does what. `moves` are prompt, taken_from, given_to, was_begun."""

    at: datetime
    task: str
    reason: str
    moves: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class History:
    """When work was given out and to whom, by task ("writing", "judging"), and what was repaired since.

    `people` are by pseudonym, with the limits and preferences under which they were given what they have.
    """

    given_out_at: dict[str, datetime]
    people: dict[str, dict[str, Person]]
    repairs: tuple[Repair, ...]

    def added(self, task: str) -> frozenset[tuple[str, str]]:
        """Person and prompt of all that repairs gave."""
        moves = [move for repair in self.repairs if repair.task == task for move in repair.moves]
        return frozenset((move["given_to"], move["prompt"]) for move in moves)

    def relieved(self, task: str) -> frozenset[str]:
        """Whose work repairs took, and who got none again."""
        found: set[str] = set()
        for repair in self.repairs:
            if repair.task == task:
                found |= {move["taken_from"] for move in repair.moves}
                found -= {move["given_to"] for move in repair.moves}
        return frozenset(found - {""})


@dataclass(frozen=True)
class People:
    """Everybody of one role by pseudonym; `absent` take no part any more. `accounts` are numbers of users."""

    all: dict[str, Person]
    absent: frozenset[str]
    accounts: dict[str, int]

    def of(self, names: Iterable[str]) -> dict[str, Person]:
        return {name: self.all[name] for name in sorted(set(names))}


@dataclass(frozen=True)
class Texts:
    """Every text of the study by response, and the human answers that there are to each prompt."""

    by_response: dict[str, Text]
    pools: dict[str, list[str]]


@dataclass(frozen=True)
class Items:
    """Items that judging opened with, and those `standing` for them now, one for each rating.

    That which counts stands, or else that of the judge who is asked for the rating.
    """

    opened_with: list[Item]
    standing: list[Item]


def history(study: Study) -> History:
    given_out_at: dict[str, datetime] = {}
    people: dict[str, dict[str, Person]] = defaultdict(dict)
    for given in WorkGivenOut.objects.filter(study=study):
        given_out_at[given.task] = given.at
        people[given.task] = _by_name(given.people)
    repairs = []
    for made in AssignmentRepair.objects.filter(study=study).order_by("id"):
        repairs.append(Repair(made.at, made.task, made.reason, tuple(made.moves)))
        _take_in(people[made.task], _by_name(made.people), made.moves)
    return History(given_out_at, people, tuple(repairs))


def _by_name(recorded: Sequence[Mapping[str, Any]]) -> dict[str, Person]:
    return {person.name: person for person in people_from(recorded)}


def _take_in(people: dict[str, Person], recorded: dict[str, Person], moves: Iterable[dict[str, Any]]) -> None:
    """A repair's limits are those of what it gave: what was begun before stays against a limit set later."""
    given: dict[str, set[str]] = defaultdict(set)
    for move in moves:
        given[move["given_to"]].add(move["prompt"])
    for name in given.keys() & recorded.keys():
        new, old, prompts = recorded[name], people.get(name, recorded[name]), given[name]
        people[name] = replace(
            new,
            excluded=old.excluded - prompts | new.excluded & prompts,
            unwished=old.unwished - prompts | new.unwished & prompts,
        )


def people(study: Study, role: Role) -> People:
    topics = topics_by_prompt(study)
    members = list(Participation.objects.filter(study=study, role=role).select_related("consent"))
    gone = Participation.objects.filter(Q(left_at__isnull=False) | Q(consent__withdrawn_at__isnull=False))
    return People(
        all={member.pseudonym: as_person(member, topics) for member in members},
        absent=frozenset(gone.filter(study=study, role=role).values_list("pseudonym", flat=True)),
        accounts={member.pseudonym: member.user_id for member in members},
    )


def answers_given(study: Study, *, added: Collection[tuple[str, str]]) -> list[Given]:
    """Who writes what, of what fills a place."""
    rows = WritingAssignment.objects.filter(study=study).exclude(state="cancelled").exclude(IS_OUT).order_by()
    return [
        Given(person, prompt, position, (person, prompt) in added, state == "submitted")
        for person, prompt, position, state in rows.values_list(
            "participation__pseudonym", "prompt__code", "position", "state"
        )
    ]


def items_shown(study: Study) -> Items:
    positions = dict(JudgingItem.objects.filter(study=study).order_by().values_list("pk", "position"))
    answers: dict[int, dict[str, str]] = defaultdict(dict)
    slots = BlindedSlot.objects.filter(item__study=study).order_by()
    for pk, label, response in slots.values_list("item_id", "label", "response_id"):
        answers[pk][label] = str(response)

    def item(rating: RatedItem) -> Item:
        return Item(
            person=rating.judge,
            prompt=rating.prompt,
            position=positions[rating.id],
            is_added=rating.replaces is not None,
            is_done=rating.state == "submitted",
            answers=answers[rating.id],
        )

    ratings = requested_ratings_of(study)
    standing = (rating.counted or rating.holder for rating in ratings)
    return Items(
        standing=[item(rating) for rating in standing if rating.state != "cancelled"],
        opened_with=[item(rating.items[0]) for rating in ratings],
    )


def texts(study: Study) -> Texts:
    by_response: dict[str, Text] = {}
    pools: dict[str, list[str]] = defaultdict(list)
    rows = Stimulus.objects.filter(study=study).order_by().annotate(digest=MD5("response__text"))
    for response, prompt, arm, source, state, digest in rows.values_list(
        "response_id", "prompt__code", "arm", "source_code", "state", "digest"
    ):
        by_response[str(response)] = Text(prompt, arm == Arm.HUMAN, source, digest)
        if arm == Arm.HUMAN and state == "admitted":
            pools[prompt].append(str(response))
    return Texts(by_response, pools)
