"""What somebody with the database's password can do to a judged study, past every service."""

from collections.abc import Mapping
from io import StringIO
from uuid import UUID

from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F

from annotation.judging.core.judgments import JudgedAnswer, judgment_sha256
from annotation.judging.core.ranking import competition_ranks, mid_ranks
from annotation.judging.models.judging import BlindedSlot, Guess, JudgingItem, RankedSlot, Score
from annotation.platform.core.blinding import labels
from annotation.study.models.prompts import PromptVersion
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import HumanSet, ItemPlan, Stimulus
from tests.factories import SEED

CLARITY = "conceptual_clarity"


def verified(study: Study) -> list[str]:
    """What `verify_blinding` complains of, line by line; empty where it ends well."""
    try:
        call_command("verify_blinding", study.slug, stdout=StringIO())
    except CommandError as error:
        return str(error).splitlines()
    return []


def kind_of(item: JudgingItem) -> str:
    return ItemPlan.objects.get(item=item).kind


def slots(item: JudgingItem) -> list[BlindedSlot]:
    return list(BlindedSlot.objects.filter(item=item).order_by("label"))


def of_arm(item: JudgingItem, arm: str) -> BlindedSlot:
    """The item's first answer from there."""
    from_there = Stimulus.objects.filter(prompt=item.prompt, arm=arm).values("response")
    return BlindedSlot.objects.filter(item=item, response__in=from_there).order_by("label")[0]


def other_human_answer(item: JudgingItem) -> Stimulus:
    """A human answer to the prompt that is not in the item."""
    shown = BlindedSlot.objects.filter(item=item).values("response")
    return Stimulus.objects.filter(prompt=item.prompt, arm="human").exclude(response__in=shown)[0]


def relabel(item: JudgingItem, by_response: Mapping[str, str]) -> None:
    """Give every response its label, by way of labels that are free."""
    found = slots(item)
    for slot, spare in zip(found, "EFGH", strict=False):
        BlindedSlot.objects.filter(pk=slot.pk).update(label=spare)
    for slot in found:
        BlindedSlot.objects.filter(pk=slot.pk).update(label=by_response[str(slot.response_id)])


def in_seeded_order(item: JudgingItem) -> None:
    """Relabel the item as the seed would have it with the responses it has now."""
    responses = [str(slot.response_id) for slot in slots(item)]
    judge = item.participation.pseudonym
    relabel(
        item,
        {r: label for label, r in labels(SEED, judge=judge, prompt=item.prompt.code, responses=responses).items()},
    )


# -- faults ------------------------------------------------------------------------------------------------------


def two_labels_exchanged(item: JudgingItem) -> None:
    a, b, c, d = (str(slot.response_id) for slot in slots(item))
    relabel(item, {a: "B", b: "A", c: "C", d: "D"})


def a_human_answer_swapped_in_seeded_order(item: JudgingItem) -> None:
    slot = of_arm(item, "human")
    BlindedSlot.objects.filter(pk=slot.pk).update(response=other_human_answer(item).response_id)
    in_seeded_order(item)


def a_human_answer_swapped_and_its_set_with_it(item: JudgingItem) -> None:
    slot, other = of_arm(item, "human"), other_human_answer(item)
    members = HumanSet.members.through.objects.filter(humanset=ItemPlan.objects.get(item=item).human_set)
    members.filter(stimulus=slot.response_id).update(stimulus=other)
    BlindedSlot.objects.filter(pk=slot.pk).update(response=other.response_id)
    in_seeded_order(item)


def a_model_answer_swapped_for_all_judges(item: JudgingItem) -> None:
    """With everything that is known of it, so that only the audit trail remembers."""
    shown = of_arm(item, "model").response
    other = Response.objects.create(study=item.study, prompt=item.prompt, text="Longer, better.", word_count=2)
    Stimulus.objects.filter(response=shown).update(response=other)
    for slot in BlindedSlot.objects.filter(response=shown).select_related("item__prompt", "item__participation"):
        BlindedSlot.objects.filter(pk=slot.pk).update(response=other)
        in_seeded_order(slot.item)


def an_answer_of_another_prompt(item: JudgingItem) -> None:
    """The database refuses this; its owner can tell it not to."""
    other = Stimulus.objects.filter(study=item.study, arm="model").exclude(prompt=item.prompt)[0]
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        BlindedSlot.objects.filter(pk=of_arm(item, "model").pk).update(response=other.response_id)
        cursor.execute("SET session_replication_role = origin")


def an_answer_too_many(item: JudgingItem) -> None:
    BlindedSlot.objects.create(item=item, label="E", response_id=other_human_answer(item).response_id)


def a_text_changed(item: JudgingItem) -> None:
    Response.objects.filter(pk=slots(item)[0].response_id).update(text="Something else altogether.")


def another_wording_of_the_prompt(item: JudgingItem) -> None:
    PromptVersion.objects.filter(pk=item.prompt_version_id).update(text="Which of two towns writes better?")


def another_version_of_the_prompt_for_one_judge(item: JudgingItem) -> None:
    other = PromptVersion.objects.create(
        prompt=item.prompt, number=2, text="Which of two towns writes better?", created_by=item.study.created_by
    )
    JudgingItem.objects.filter(pk=item.pk).update(prompt_version=other)


def two_models_exchanged(item: JudgingItem) -> None:
    """Each of the two model answers is said to be the other model's."""
    exchange_origins(*Stimulus.objects.filter(response__in=item.slots.values("response"), arm="model"))


def two_arms_exchanged(item: JudgingItem) -> None:
    """A person's answer is said to be a model's, and the other way round, in the set and in the stimuli."""
    human, model = (of_arm(item, arm).response_id for arm in ("human", "model"))
    HumanSet.members.through.objects.filter(stimulus=human).update(stimulus=model)
    exchange_origins(Stimulus.objects.get(pk=human), Stimulus.objects.get(pk=model))


def exchange_origins(one: Stimulus, other: Stimulus) -> None:
    for stimulus, origin in ((one, other), (other, one)):
        Stimulus.objects.filter(pk=stimulus.pk).update(arm=origin.arm, source_code=origin.source_code)


def two_sets_exchanged(item: JudgingItem) -> None:
    plans = list(ItemPlan.objects.filter(item__prompt=item.prompt).order_by("item"))[:2]
    for plan, other in (plans, plans[::-1]):
        ItemPlan.objects.filter(pk=plan.pk).update(human_set=other.human_set_id)


def another_kind_for_one_judge(item: JudgingItem) -> None:
    ItemPlan.objects.filter(item=item).update(kind="quality_floor")


def another_kind_for_all_judges(item: JudgingItem) -> None:
    ItemPlan.objects.filter(item__prompt=item.prompt).update(kind="quality_floor")


def two_items_in_another_order(item: JudgingItem) -> None:
    own = JudgingItem.objects.filter(participation=item.participation)
    for before, after in ((1, 9), (2, 1), (9, 2)):
        own.filter(position=before).update(position=after)


def another_guess_asked(item: JudgingItem) -> None:
    JudgingItem.objects.filter(pk=item.pk).update(asks_guess=~F("asks_guess"))


def a_score_changed(item: JudgingItem) -> None:
    Score.objects.filter(slot=slots(item)[0], dimension=CLARITY).update(value=10)


def a_score_changed_with_composite_and_ranks(item: JudgingItem) -> None:
    a_score_changed(item)
    ranked = list(RankedSlot.objects.filter(slot__item=item).order_by("slot__label"))
    composites = [
        float(sum(Score.objects.filter(slot=row.slot_id).values_list("value", flat=True))) for row in ranked
    ]
    for row, composite, rank, mid_rank in zip(
        ranked, composites, competition_ranks(composites), mid_ranks(composites), strict=True
    ):
        RankedSlot.objects.filter(pk=row.pk).update(composite=composite, rank=rank, mid_rank=mid_rank)


def a_score_changed_with_all_that_is_kept_beside_it(item: JudgingItem) -> None:
    a_score_changed_with_composite_and_ranks(item)
    JudgingItem.objects.filter(pk=item.pk).update(sha256=hash_of(item))


def a_score_deleted(item: JudgingItem) -> None:
    Score.objects.filter(slot=slots(item)[0], dimension=CLARITY).delete()


def a_rank_changed(item: JudgingItem) -> None:
    RankedSlot.objects.filter(slot=slots(item)[0]).update(rank=F("rank") % 4 + 1)


def a_mid_rank_changed(item: JudgingItem) -> None:
    RankedSlot.objects.filter(slot=slots(item)[0]).update(mid_rank=2.25)


def a_rank_deleted(item: JudgingItem) -> None:
    RankedSlot.objects.filter(slot=slots(item)[0]).delete()


def a_justification_changed(item: JudgingItem) -> None:
    JudgingItem.objects.filter(pk=item.pk).update(justification="I have thought again.")


def a_guess_changed(item: JudgingItem) -> None:
    Guess.objects.filter(slot=slots(item)[0]).update(source="human")


def another_confidence(item: JudgingItem) -> None:
    Guess.objects.filter(slot=slots(item)[0]).update(confidence=1)


def a_guess_deleted(item: JudgingItem) -> None:
    Guess.objects.filter(slot=slots(item)[0]).delete()


def a_submission_undone(item: JudgingItem) -> None:
    RankedSlot.objects.filter(slot__item=item).delete()
    JudgingItem.objects.filter(pk=item.pk).update(
        state="open", leased_until=F("submitted_at"), submitted_at=None, sha256=""
    )


def an_item_deleted(item: JudgingItem) -> None:
    RankedSlot.objects.filter(slot__item=item).delete()
    Score.objects.filter(slot__item=item).delete()
    BlindedSlot.objects.filter(item=item).delete()
    ItemPlan.objects.filter(item=item).delete()
    JudgingItem.objects.filter(pk=item.pk).delete()


def hash_of(item: JudgingItem) -> str:
    """The judgment's hash as its rows are now."""
    return judgment_sha256(
        judge=item.participation.pseudonym,
        prompt=item.prompt.code,
        rubric=item.study.rubric_id,
        answers=[
            JudgedAnswer(
                slot.label,
                UUID(str(slot.response_id)),
                dict(Score.objects.filter(slot=slot).values_list("dimension", "value")),
                RankedSlot.objects.get(slot=slot).rank,
            )
            for slot in slots(item)
        ],
        justification=JudgingItem.objects.get(pk=item.pk).justification,
    )
