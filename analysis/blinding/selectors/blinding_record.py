"""A study's items with their sources, plans and audit rows, for checking: a query for each kind of row, whatever
the number of items. What is read here is compared and never shown."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import F

from analysis.blinding.core.blinding_record import (
    JUDGMENTS,
    UNPLANNED,
    Answer,
    Brought,
    Design,
    Freezing,
    Item,
    Opening,
    Plan,
    Ranked,
    Record,
    Repair,
)
from analysis.blinding.core.submission_log import Step, read_log
from analysis.blinding.selectors.frozen_hashes import freezings
from analysis.blinding.selectors.office_record import office_record
from analysis.frozen.models import Freeze
from annotation.assignment.core.preferences import people_from
from annotation.assignment.core.repair_plan import JUDGING, Move
from annotation.judging.models.judging import BlindedSlot, JudgingItem, RankedSlot, Score
from annotation.judging.selectors.requested_ratings import shared_ratings
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.study.models.participation import Participation, Role
from annotation.study.models.prompts import PromptVersion
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.texts.models.provenance import Arm, HumanSet, ItemPlan, Stimulus
from annotation.texts.models.seeds import StudySeed
from generation.calls.models import GenerationRun
from generation.calls.services.purposes import purpose_of
from generation.framing.selectors.strays import framed_answers_among_responses

# What the trail has of a study's judging, and all that it is compared with.
STEPS_OF_STUDY = (AuditVerb.STUDY_OPEN_JUDGING, AuditVerb.STUDY_CLOSE, AuditVerb.STUDY_FROZEN)
STEPS_OF_TEXT = (AuditVerb.TEXT_ADMITTED, AuditVerb.TEXT_EDIT)
STEPS_OF_ITEM = (AuditVerb.ITEM_SUBMITTED, AuditVerb.ITEM_REOPENED)
CLOSED = ("closed", "unblinded", "released")


class Event(NamedTuple):
    """A row of the audit trail."""

    verb: str
    subject: str
    actor: int | None
    detail: dict[str, Any]


def blinding_record(study: Study) -> Record:
    """Everything that `differences` checks. Raises `StudySeed.DoesNotExist` before the design is locked."""
    kept = StudySeed.objects.get(study=study)
    events = _events(study)
    steps = _steps(events)
    sets = _sets(study)
    items = _items(study, steps, sets)
    return Record(
        seed=bytes(kept.seed),
        commitment=kept.commitment,
        design=Design(
            human=study.human_answers_per_item,
            model=study.model_answers_per_item,
            each_in_attribution=study.answers_per_target_in_attribution,
            ratings=study.ratings_per_prompt,
            guesses=study.guess_items,
            rotating=study.human_sets == Study.HumanSets.ROTATING,
            rubric=rubric_by_hash(study.rubric_id),
        ),
        opening=_opening(events),
        repairs=_repairs(study, events),
        items=list(items.values()),
        shared=shared_ratings(study),
        sets=_by_prompt(sets),
        admitted=_admitted(study),
        texts=_texts(items),
        freezings=_freezings(study, events),
        brought=_brought(study, events),
        rewritten=_rewritten(study, events),
        under_pressure=framed_answers_among_responses(study),
        repeated=[step for step in STEPS_OF_STUDY if sum(event.verb == step for event in events) > 1],
        vanished=[item for item in steps if item not in items],
        offices=office_record(study),
    )


def _events(study: Study) -> list[Event]:
    """Events in the order of their seals: an id can be chosen by whoever adds an event, its place in the chain
    cannot.
    """
    verbs = (
        *STEPS_OF_STUDY,
        *STEPS_OF_ITEM,
        *STEPS_OF_TEXT,
        AuditVerb.ASSIGNMENT_REPAIRED,
        AuditVerb.RUN_FINISHED,
    )
    rows = AuditEvent.objects.filter(study=study, verb__in=verbs).order_by("seal__number", "id")
    return [Event(*row) for row in rows.values_list("verb", "subject", "actor_id", "detail")]


def _first(events: Sequence[Event], verb: str) -> Event | None:
    """The first event of a step that is taken once; one added later counts for nothing."""
    return next((event for event in events if event.verb == verb), None)


def _opening(events: Sequence[Event]) -> Opening | None:
    opened = _first(events, AuditVerb.STUDY_OPEN_JUDGING)
    return opened and Opening(
        items=opened.detail.get("items_sha256", {}),
        prompts=opened.detail.get("prompts_sha256", {}),
        texts=opened.detail.get("texts_sha256", {}),
        origins=opened.detail.get("origins_hmac", {}),
        people=people_from(opened.detail.get("people", ())),
        colleagues=opened.detail.get("colleagues", {}),
    )


def _repairs(study: Study, events: Sequence[Event]) -> list[Repair]:
    """Repairs of judging, in the order of their seals."""
    coordinators = Participation.objects.filter(study=study, role=Role.COORDINATOR)
    users = set(coordinators.values_list("user_id", flat=True))
    repairs = []
    is_closed = False
    for event in events:
        is_closed = is_closed or event.verb == AuditVerb.STUDY_CLOSE
        if event.verb == AuditVerb.ASSIGNMENT_REPAIRED and event.detail.get("task") == JUDGING:
            repairs.append(_repair(event, users, is_late=is_closed))
    return repairs


def _repair(event: Event, coordinators: Collection[int | None], *, is_late: bool) -> Repair:
    try:
        moves = [Move(**move) for move in event.detail["moves"]]
        items, people = dict(event.detail["items_sha256"]), people_from(event.detail["people"])
    except (KeyError, TypeError, ValueError):
        return Repair((), {}, (), "that does not say what it moved")
    wrong = "made after the study was closed" if is_late else ""
    if event.actor not in coordinators:
        wrong = "made by somebody who does not coordinate the study"
    elif items.keys() != {move.prompt for move in moves}:
        wrong = "with hashes of other prompts than those it moved"
    return Repair(moves, items, people, wrong)


def _steps(events: Sequence[Event]) -> dict[str, list[Step]]:
    """What was done with each item, by the item's number as the trail has it."""
    steps: dict[str, list[Step]] = defaultdict(list)
    is_closed = False
    for number, event in enumerate(events):
        is_closed = is_closed or event.verb == AuditVerb.STUDY_CLOSE
        if event.verb in STEPS_OF_ITEM:
            submits = event.verb == AuditVerb.ITEM_SUBMITTED
            step = Step(number, submits, event.actor, is_closed, event.detail.get("sha256"))
            steps[event.subject].append(step)
    return steps


def _freezings(study: Study, events: Sequence[Event]) -> list[Freezing]:
    is_frozen = Freeze.objects.filter(study=study).exists()
    event = _first(events, AuditVerb.STUDY_FROZEN)
    if not is_frozen and event is None and study.state not in CLOSED:
        return []
    recorded = {JUDGMENTS: event.detail.get("sha256"), **event.detail.get("tables", {})} if event else {}
    return freezings(study, recorded=recorded)


def _brought(study: Study, events: Sequence[Event]) -> list[Brought]:
    """What was brought in by runs whose replies are analysed. One may finish again, after more was asked in it: the
    last end counts.
    """
    ends = (event for event in events if event.verb == AuditVerb.RUN_FINISHED)
    recorded = {event.subject: event.detail.get("brought_sha256", "") for event in ends}
    runs = GenerationRun.objects.filter(study=study).order_by("pk")
    found = ((run, purpose_of(run).brought_sha256(run)) for run in runs)
    return [
        Brought(run.known_as, run.state == "finished", now, recorded.get(str(run.pk), ""))
        for run, now in found
        if now
    ]


def _rewritten(study: Study, events: Sequence[Event]) -> list[str]:
    """Answers that no judge is given and whose text was rewritten; the texts of all others are compared with those
    of the opening.
    """
    recorded = {
        event.subject: event.detail.get("sha256_after") or event.detail.get("sha256")
        for event in events
        if event.verb in STEPS_OF_TEXT
    }
    late = Stimulus.objects.filter(study=study, arm=Arm.MAXIMUM, state="admitted")
    texts = late.order_by("pk").values_list("response_id", "response__text")
    return [str(pk) for pk, text in texts if recorded.get(str(pk), sha := sha256_hex(text)) not in (None, sha)]


class HumanAnswers(NamedTuple):
    """A prompt's set of human answers."""

    prompt: str
    number: int
    members: set[str]


def _sets(study: Study) -> dict[int, HumanAnswers]:
    """Every set by its id, in the order of numbers."""
    sets = {
        pk: HumanAnswers(prompt, number, set())
        for pk, prompt, number in HumanSet.objects.filter(prompt__study=study)
        .order_by("number")
        .values_list("pk", "prompt__code", "number")
    }
    members = HumanSet.members.through.objects.filter(humanset__prompt__study=study)
    for human_set, stimulus in members.values_list("humanset_id", "stimulus_id"):
        sets[human_set].members.add(str(stimulus))
    return sets


def _by_prompt(sets: Mapping[int, HumanAnswers]) -> dict[str, list[frozenset[str]]]:
    by_prompt: dict[str, list[frozenset[str]]] = defaultdict(list)
    for human_set in sets.values():
        by_prompt[human_set.prompt].append(frozenset(human_set.members))
    return by_prompt


def _admitted(study: Study) -> dict[str, list[str]]:
    """The human answers of each prompt that sets are drawn from."""
    admitted: dict[str, list[str]] = defaultdict(list)
    human = Stimulus.objects.filter(study=study, arm=Arm.HUMAN, state="admitted")
    for prompt, response in human.values_list("prompt__code", "response_id"):
        admitted[prompt].append(str(response))
    return admitted


def _items(study: Study, steps: Mapping[str, Sequence[Step]], sets: Mapping[int, HumanAnswers]) -> dict[str, Item]:
    plans, answers, wordings = _plans(study, sets), _answers(study), _wordings(study)
    rows = JudgingItem.objects.filter(study=study).values(
        "pk",
        "replaces",
        "position",
        "state",
        "asks_guess",
        "justification",
        "sha256",
        person=F("participation__user_id"),
        judge=F("participation__pseudonym"),
        code=F("prompt__code"),
        version=F("prompt_version_id"),
    )
    return {
        str(row["pk"]): Item(
            id=str(row["pk"]),
            replaces=str(row["replaces"]) if row["replaces"] else None,
            judge=row["judge"],
            prompt=row["code"],
            wording=wordings[row["version"]],
            position=row["position"],
            state=row["state"],
            asks_guess=row["asks_guess"],
            plan=plans.get(row["pk"], UNPLANNED),
            justification=row["justification"],
            sha256=row["sha256"],
            submissions=read_log(steps.get(str(row["pk"]), ()), judge=row["person"]),
            answers=tuple(answers[row["pk"]]),
        )
        for row in rows
    }


def _plans(study: Study, sets: Mapping[int, HumanAnswers]) -> dict[int, Plan]:
    plans = {}
    for item, kind, pk in ItemPlan.objects.filter(item__study=study).values_list("item_id", "kind", "human_set_id"):
        human_set = sets[pk] if pk else None
        members = frozenset(human_set.members) if human_set else frozenset[str]()
        plans[item] = Plan(kind, human_set and human_set.number, members)
    return plans


def _answers(study: Study) -> dict[int, list[Answer]]:
    """Each item's answers in the order of their labels."""
    made_by = {
        response: (arm, source)
        for response, arm, source in Stimulus.objects.filter(study=study).values_list(
            "response_id", "arm", "source_code"
        )
    }
    scores: dict[UUID, dict[str, int]] = defaultdict(dict)
    for slot, dimension, value in (
        Score.objects.filter(slot__item__study=study).order_by().values_list("slot_id", "dimension", "value")
    ):
        scores[slot][dimension] = value
    ranked = {
        slot: Ranked(composite, rank, mid_rank)
        for slot, composite, rank, mid_rank in RankedSlot.objects.filter(slot__item__study=study).values_list(
            "slot_id", "composite", "rank", "mid_rank"
        )
    }
    answers: dict[int, list[Answer]] = defaultdict(list)
    slots = BlindedSlot.objects.filter(item__study=study).order_by("item_id", "label")
    for slot, item, label, response, prompt, answered in slots.values_list(
        "pk", "item_id", "label", "response_id", "item__prompt_id", "response__prompt_id"
    ):
        arm, source = made_by.get(response, ("", ""))
        answers[item].append(
            Answer(label, str(response), arm, source, prompt == answered, scores[slot], ranked.get(slot))
        )
    return answers


def _wordings(study: Study) -> dict[int, str]:
    """The hash of every version of a prompt that an item shows, by version."""
    shown = PromptVersion.objects.filter(pk__in=JudgingItem.objects.filter(study=study).values("prompt_version"))
    return {version: sha256_hex(text) for version, text in shown.values_list("pk", "text")}


def _texts(items: Mapping[str, Item]) -> dict[str, str]:
    shown = {answer.response for item in items.values() for answer in item.answers}
    texts = Response.objects.filter(pk__in=shown).values_list("pk", "text")
    return {str(response): sha256_hex(text) for response, text in texts}
