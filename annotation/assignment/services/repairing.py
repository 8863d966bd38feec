"""Repairing an assignment: somebody leaves, is late or comes later, and their share of the work changes hands.

What is begun or done stays as it is. `plan` says what would happen and saves nothing; `apply` does just that, or
nothing where things have changed meanwhile.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from django.db import transaction
from django.db.models import Max, QuerySet

from annotation.assignment.core.preferences import recorded
from annotation.assignment.core.repair_plan import (
    JUDGING,
    Change,
    Move,
    RepairPlan,
    Situation,
    repair_plan,
)
from annotation.assignment.models import AssignmentRepair
from annotation.assignment.selectors.assigning import ROLES
from annotation.assignment.selectors.repairing import situation_of
from annotation.assignment.services.assembling import asked_to_guess, hashes_of_items, labelled
from annotation.assignment.services.designing import add_assignments
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.people.services import people
from annotation.platform.core.blinding import seeded_order
from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import JUDGING as ITEM
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from annotation.texts.models.provenance import ItemPlan
from annotation.texts.models.seeds import StudySeed
from annotation.writing.models import WritingAssignment
from annotation.writing.services import writing_desk


def plan(*, study: Study, change: Change) -> RepairPlan:
    """What the repair would do.

    Raises `Refused` where it is not the time for it or somebody cannot take part in it, and `Infeasible` where no
    assignment fits.
    """
    return _planned(study, change)[0]


def _planned(study: Study, change: Change) -> tuple[RepairPlan, Situation]:
    if study.state != change.task:
        raise Refused(f"Work can change hands while {change.task} goes on. The study is “{study.state}”.")
    _check_known(study, change)
    situation = situation_of(study, change, now=database_now())
    if not situation.pieces:
        raise Refused("Nothing has been assigned yet, so nothing can change hands.")
    if unable := change.joins - situation.names:
        raise Refused(
            f"Nothing can be given to {', '.join(sorted(unable))}: they have no time any more, or are gone."
        )
    seed = bytes(StudySeed.objects.get(study=study).seed)
    made_before = AssignmentRepair.objects.filter(study=study).count()
    planned = repair_plan(change, situation, seed=seed, made_before=made_before)
    if lost := sorted({move.prompt for move in planned.moves if change.task == JUDGING and move.of is None}):
        raise Refused(
            f"Fewer items than judging was opened with: {', '.join(lost)}. A repair gives places on and adds none, "
            f"so nothing was moved. “verify_blinding” tells what was changed."
        )
    return planned, situation


def _check_known(study: Study, change: Change) -> None:
    role = ROLES[change.task]
    members = Participation.objects.filter(study=study, role=role).values_list("pseudonym", flat=True)
    if unknown := (change.leaves | change.late | change.joins) - set(members):
        raise Refused(f"The study has no {role.label.lower()} {', '.join(sorted(unknown))}.")
    if both := change.joins & (change.leaves | change.late):
        raise Refused(f"{', '.join(sorted(both))} cannot give work up and take a share at once.")


@transaction.atomic
def apply(*, study: Study, change: Change, digest: str, reason: str, by: User) -> tuple[Move, ...]:
    """Make the repair whose plan has this digest, and let who `leaves` leave; returns the moves.

    Applying it again changes nothing. Raises `Refused` where the plan is another one by now.
    """
    check_coordinator(by, study)
    reason = audit.stated(reason)
    _lock(study, change.task)
    if made := AssignmentRepair.objects.filter(study=study, digest=digest).first():
        return tuple(Move(**move) for move in made.moves)
    planned, situation = _planned(study, change)
    if planned.digest != digest or planned.problems:
        raise Refused("Things have changed since you looked. Nothing was moved; look at the plan again.")
    if not planned.moves and not change.leaves:
        raise Refused("There is nothing to move.")
    hashes = _moved(study, change, planned.moves, reason=reason, by=by)
    told = {
        "reason": reason,
        "digest": digest,
        "moves": [asdict(move) for move in planned.moves],
        "people": recorded(situation.people),
    }
    AssignmentRepair.objects.create(study=study, task=change.task, **told)
    audit.record(
        verb=AuditVerb.ASSIGNMENT_REPAIRED,
        by=by,
        study=study,
        subject=study.slug,
        **told,
        **change.as_recorded,
        items_sha256=hashes,
    )
    for leaver in Participation.objects.filter(study=study, pseudonym__in=change.leaves).select_related("study"):
        people.leave(participation=leaver, reason=reason, by=by)
    return planned.moves


def _moved(study: Study, change: Change, moves: Sequence[Move], *, reason: str, by: User) -> dict[str, str]:
    """Make the moves; returns the hashes of what judges see on the prompts concerned."""
    seed = bytes(StudySeed.objects.get(study=study).seed)
    if change.task == JUDGING:
        return _move_items(study, moves, seed)
    _move_answers(study, moves, seed, reason=reason, by=by)
    return {}


def _lock(study: Study, task: str) -> None:
    """Nobody begins anything until the transaction ends. Items come first, as where a judge opens one.

    Raises `Refused` where a judge is at an item that was added or taken back meanwhile: they may be waiting for the
    study in their turn.
    """
    unfinished = JudgingItem.objects.none()
    if task == JUDGING:
        unfinished = JudgingItem.objects.filter(study=study).exclude(state__in=("submitted", "cancelled"))
    locks = unfinished.order_by("pk").values_list("pk")
    list(locks.select_for_update(no_key=True))
    studies.lock_for_update(study)
    if len(locks.select_for_update(no_key=True, skip_locked=True)) < unfinished.count():
        raise Refused("A judge is opening an item at this moment. Nothing was moved; look at the plan again.")


def _received(moves: Sequence[Move], work: str, seed: bytes) -> Iterator[tuple[str, list[Move]]]:
    """Each person with what they are given, in seeded order."""
    received: dict[str, dict[str, Move]] = defaultdict(dict)
    for move in moves:
        if move.given_to:
            received[move.given_to][move.prompt] = move
    for person, own in received.items():
        order = seeded_order(seed, "prompts of a person", work, person, items=sorted(own))
        yield person, [own[prompt] for prompt in order]


def _last_positions(work: QuerySet[JudgingItem] | QuerySet[WritingAssignment]) -> dict[str, int]:
    rows = work.order_by().values_list("participation__pseudonym")
    return dict(rows.annotate(Max("position")))


# -- answers -----------------------------------------------------------------------------------------------------


def _move_answers(study: Study, moves: Sequence[Move], seed: bytes, *, reason: str, by: User) -> None:
    taken = WritingAssignment.objects.filter(pk__in=[move.of for move in moves if move.of])
    for assignment in taken.select_related("study").order_by("pk"):
        writing_desk.cancel(assignment=assignment, reason=reason, by=by)
    given = {writer: [move.prompt for move in own] for writer, own in _received(moves, "answers", seed)}
    add_assignments(study, given, after=_last_positions(WritingAssignment.objects.filter(study=study)))


# -- items -------------------------------------------------------------------------------------------------------


def _move_items(study: Study, moves: Sequence[Move], seed: bytes) -> dict[str, str]:
    """Cancel what is not begun and give each place to its new judge; returns the new hashes of items by prompt."""
    cancelled = [move.of for move in moves if move.of and not move.was_begun]
    JudgingItem.objects.filter(pk__in=cancelled).update(state=ITEM.after("cancel", "assigned"))
    _copy_answers(JudgingItem.objects.bulk_create(_replacements(study, moves, seed)), seed)
    items = JudgingItem.objects.filter(study=study, prompt__code__in={move.prompt for move in moves})
    slots = BlindedSlot.objects.filter(item__in=items)
    return hashes_of_items(items.select_related("participation", "prompt"), slots)


def _replacements(study: Study, moves: Sequence[Move], seed: bytes) -> Iterator[JudgingItem]:
    judges = {p.pseudonym: p for p in Participation.objects.filter(study=study, role=Role.JUDGE)}
    replaced = JudgingItem.objects.select_related("prompt").in_bulk([move.of for move in moves if move.of])
    last = _last_positions(JudgingItem.objects.filter(study=study))
    for judge, own in _received(moves, "ratings", seed):
        prompts = [move.prompt for move in own]
        guessed = () if judge in last else asked_to_guess(study, judge, prompts, seed)
        for position, move in enumerate(own, start=last.get(judge, 0) + 1):
            before = replaced[move.of]
            yield JudgingItem(
                study=study,
                participation=judges[judge],
                prompt=before.prompt,
                prompt_version_id=before.prompt_version_id,
                position=position,
                asks_guess=move.prompt in guessed,
                replaces=before,
            )


def _copy_answers(items: Sequence[JudgingItem], seed: bytes) -> None:
    """A replacement is for the same, with the same answers, under labels of its own judge."""
    by_replaced = {item.replaces_id: item for item in items}
    plans = ItemPlan.objects.filter(item__in=by_replaced)
    ItemPlan.objects.bulk_create(
        ItemPlan(item=by_replaced[plan.item_id], kind=plan.kind, human_set_id=plan.human_set_id) for plan in plans
    )
    answers: dict[int, list[str]] = defaultdict(list)
    for item, response in BlindedSlot.objects.filter(item__in=by_replaced).values_list("item_id", "response_id"):
        answers[item].append(str(response))
    slots = (slot for item, shown in answers.items() for slot in labelled(by_replaced[item], shown, seed))
    BlindedSlot.objects.bulk_create(slots, batch_size=2000)
