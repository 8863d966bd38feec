"""Who has what, as tidy rows for counting again: a query for each kind of row, whatever their number."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.db.models.functions import MD5

from annotation.core.allotment import Person
from annotation.core.certificate import Given
from annotation.core.item_certificate import Item, Text
from annotation.models.allocation import Arm, Stimulus
from annotation.models.audit import AuditEvent
from annotation.models.judging import BlindedSlot, JudgingItem
from annotation.models.participation import Participation, Role
from annotation.models.studies import Study
from annotation.models.writing import WritingAssignment
from annotation.selectors.assigning import as_person, topics_by_prompt
from annotation.selectors.places import places_of

GIVEN_OUT = {"writing.assigned": "writing", "study.open_judging": "judging"}
REPAIRED = "assignment.repaired"


@dataclass(frozen=True)
class Repair:
    """A change of who does what, as the audit trail has it. `moves` are prompt, taken_from, given_to, was_begun."""

    at: datetime
    task: str
    reason: str
    moves: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class History:
    """When work was given out and to whom, by task ("writing", "judging"), and what was repaired since.

    `people` are empty for studies whose work was given out before they were recorded.
    """

    given_out_at: dict[str, datetime]
    people: dict[str, tuple[str, ...]]
    repairs: tuple[Repair, ...]

    def added(self, task: str) -> frozenset[tuple[str, str]]:
        """Person and prompt of all that repairs gave."""
        moves = [move for repair in self.repairs if repair.task == task for move in repair.moves]
        return frozenset((move["given_to"], move["prompt"]) for move in moves)


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


def history(study: Study) -> History:
    rows = AuditEvent.objects.filter(study=study, verb__in=(*GIVEN_OUT, REPAIRED)).order_by("id")
    given_out_at: dict[str, datetime] = {}
    people: dict[str, tuple[str, ...]] = {}
    repairs = []
    for verb, at, drawn, task, reason, moves in rows.values_list(
        "verb", "at", "detail__people", "detail__task", "detail__reason", "detail__moves"
    ):
        if verb == REPAIRED:
            repairs.append(Repair(at, task, reason, tuple(moves)))
        else:
            given_out_at[GIVEN_OUT[verb]] = at
            people[GIVEN_OUT[verb]] = tuple(person["name"] for person in drawn or ())
    return History(given_out_at, people, tuple(repairs))


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
    """Who writes what. What was taken back, or written and rejected or withdrawn since, fills no place."""
    out = Stimulus.objects.filter(study=study, state__in=("rejected", "withdrawn"))
    kept = WritingAssignment.objects.filter(study=study).exclude(state="cancelled")
    rows = kept.exclude(response__in=out.values("response")).order_by()
    return [
        Given(person, prompt, position, (person, prompt) in added, state == "submitted")
        for person, prompt, position, state in rows.values_list(
            "participation__pseudonym", "prompt__code", "position", "state"
        )
    ]


def items_shown(study: Study) -> list[Item]:
    """The item that stands for each rating: the one that counts, else that of the judge who is asked for it now."""
    positions = dict(JudgingItem.objects.filter(study=study).order_by().values_list("pk", "position"))
    answers: dict[int, dict[str, str]] = defaultdict(dict)
    slots = BlindedSlot.objects.filter(item__study=study).order_by()
    for item, label, response in slots.values_list("item_id", "label", "response_id"):
        answers[item][label] = str(response)
    standing = [place.counted or place.holder for place in places_of(study)]
    return [
        Item(
            person=rating.judge,
            prompt=rating.prompt,
            position=positions[rating.id],
            is_added=rating.replaces is not None,
            is_done=rating.state == "submitted",
            answers=answers[rating.id],
        )
        for rating in standing
        if rating.state != "cancelled"
    ]


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
