"""Repairing a study's assignment, and what there is afterwards."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from annotation.assignment.core.repair_plan import JUDGING, WRITING, Change, Move, RepairPlan
from annotation.assignment.services import repairing
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import ItemPlan
from annotation.writing.models import WritingAssignment
from tests.factories import a_judging_study, coordinator_of

REASON = "Agreed by mail."


def a_shared_study(judges: int = 4, *, prompts: int = 4, ratings: int = 2, **parameters: Any) -> Study:
    """A judging study whose judges share the prompts: each has `prompts` × `ratings` / `judges` items.

    Two of four human answers and two models' make an item.
    """
    return a_judging_study(2, 2, judges, prompts=prompts, ratings_per_prompt=ratings, **parameters)


def change(
    study: Study, *, leaves: Iterable[object] = (), late: Iterable[object] = (), joins: Iterable[object] = ()
) -> Change:
    """A change of the work that goes on; people are given as participations."""
    task = WRITING if study.state == WRITING else JUDGING
    return Change(task, *(frozenset(named(who)) for who in (leaves, late, joins)))


def named(people: Iterable[object]) -> list[str]:
    return [person.pseudonym if isinstance(person, Participation) else str(person) for person in people]


def planned(study: Study, **people: Iterable[object]) -> RepairPlan:
    return repairing.plan(study=study, change=change(study, **people))


def applied(study: Study, plan: RepairPlan) -> tuple[Move, ...]:
    return repairing.apply(
        study=study, change=plan.change, digest=plan.digest, reason=REASON, by=coordinator_of(study)
    )


def repaired(study: Study, **people: Iterable[object]) -> RepairPlan:
    """The plan, after it was made."""
    plan = planned(study, **people)
    applied(study, plan)
    return plan


def live(study: Study) -> list[JudgingItem]:
    """Items that were not taken back, by judge and position."""
    items = JudgingItem.objects.filter(study=study).exclude(state="cancelled")
    return list(items.select_related("participation__user", "study", "prompt", "prompt_version"))


def held(study: Study) -> dict[str, list[str]]:
    """Writer → prompts of the answers that were not taken back, in order."""
    found: dict[str, list[str]] = {}
    assignments = WritingAssignment.objects.filter(study=study).exclude(state="cancelled")
    for writer, prompt in assignments.values_list("participation__pseudonym", "prompt__code"):
        found.setdefault(writer, []).append(prompt)
    return found


def ratings_by_prompt(study: Study) -> Counter[str]:
    """How many different judges have an item on each prompt that nobody else has taken over."""
    holders = {
        (item.prompt.code, item.participation_id) for item in live(study) if not hasattr(item, "replacement")
    }
    return Counter(prompt for prompt, _ in holders)


def shown(item: JudgingItem) -> frozenset[str]:
    """The answers of an item, by response."""
    return frozenset(str(pk) for pk in BlindedSlot.objects.filter(item=item).values_list("response_id", flat=True))


def labels_of(item: JudgingItem) -> dict[str, str]:
    return {slot.label: str(slot.response_id) for slot in BlindedSlot.objects.filter(item=item)}


def plan_of(item: JudgingItem) -> tuple[str, int | None]:
    """What the item is for, and its set of human answers."""
    plan = ItemPlan.objects.get(item=item)
    return plan.kind, plan.human_set_id
