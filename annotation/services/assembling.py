"""Putting judging items together: the only reader of provenance on the way to a judge.

Everything random here follows from the study's seed by HMAC, so that the design can be recomputed by anybody
once the seed is revealed.
"""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db import transaction

from annotation.core.assignment import allot_judges, human_sets
from annotation.core.blinding import labels, seeded_order
from annotation.core.errors import Refused
from annotation.core.opening import OpenedItem, Origin, items_sha256, origins_hmac
from annotation.core.text import sha256_hex
from annotation.models.allocation import HumanSet, ItemPlan, Kind, Stimulus
from annotation.models.judging import BlindedSlot, JudgingItem
from annotation.models.participation import Participation, Role
from annotation.models.people import User
from annotation.models.prompts import PromptVersion
from annotation.models.responses import Response
from annotation.models.seeds import StudySeed
from annotation.models.studies import Study
from annotation.policies.roles import check_coordinator
from annotation.selectors.stimuli import PromptTexts, shortfalls, texts_by_prompt
from annotation.services import studies
from annotation.services.designing import check_late_texts, latest_versions


@transaction.atomic
def open_judging(*, study: Study, by: User) -> int:
    """Assemble every judge's blinded items and open judging; returns the number of items.

    What was opened stays in the audit trail: hashes of the items, of every text shown and of where it is from.

    Raises `Refused` where a text is missing or in quarantine, a late one is undecided, or the judges cannot cover
    the prompts.
    """
    check_coordinator(by, study)
    studies.check_step(study, "open_judging")
    check_late_texts(study)
    texts = texts_by_prompt(study)
    if missing := shortfalls(study, texts):
        first = "; ".join(f"{lack.code}: {lack.lacks}" for lack in missing[:3])
        raise Refused(f"Judging cannot open yet, {len(missing)} things are missing. {first}.")
    seed = bytes(StudySeed.objects.get(study=study).seed)
    judges = {
        p.pseudonym: p for p in Participation.objects.filter(study=study, role=Role.JUDGE, left_at__isnull=True)
    }
    by_code = {prompt.code: prompt for prompt in texts}
    plan = allot_judges(sorted(judges), sorted(by_code), ratings=study.ratings_per_prompt, seed=seed)
    sets = {prompt.code: _human_sets(study, prompt, seed) for prompt in texts}
    items = _create_items(study, judges, plan, seed)
    slots = _plan_and_label(items, by_code, sets, study=study, seed=seed)
    studies.move(
        study,
        "open_judging",
        by=by,
        items=len(items),
        **_as_opened(items, slots, seed),
    )
    return len(items)


def _human_sets(study: Study, prompt: PromptTexts, seed: bytes) -> list[HumanSet | None]:
    """The prompt's sets of human answers, one for each rating; the same set for all where sets are fixed."""
    if prompt.kind == Kind.SOURCE_ATTRIBUTION or not study.human_answers_per_item:
        return [None] * study.ratings_per_prompt
    fixed = study.human_sets == Study.HumanSets.FIXED
    drawn = human_sets(
        [str(text.response) for text in prompt.human],
        size=study.human_answers_per_item,
        ratings=1 if fixed else study.ratings_per_prompt,
        seed=seed,
        context=prompt.code,
    )
    kept: list[HumanSet | None] = []
    for number, members in enumerate(drawn, start=1):
        human_set = HumanSet.objects.create(prompt_id=prompt.prompt_id, number=number)
        human_set.members.set(Stimulus.objects.filter(pk__in=map(UUID, members)))
        kept.append(human_set)
    return kept * study.ratings_per_prompt if fixed else kept


def _create_items(
    study: Study, judges: Mapping[str, Participation], plan: Mapping[str, Sequence[str]], seed: bytes
) -> list[JudgingItem]:
    versions: dict[str, PromptVersion] = latest_versions(study)
    guessed = {
        pseudonym: set(seeded_order(seed, "guesses", pseudonym, items=sorted(codes))[: study.guess_items])
        for pseudonym, codes in plan.items()
    }
    return JudgingItem.objects.bulk_create(
        JudgingItem(
            study=study,
            participation=judges[pseudonym],
            prompt=versions[code].prompt,
            prompt_version=versions[code],
            position=position,
            # Whatever an item is for: asking about ordinary ones only would tell which those are.
            asks_guess=code in guessed[pseudonym],
        )
        for pseudonym, codes in plan.items()
        for position, code in enumerate(codes, start=1)
    )


def _plan_and_label(
    items: Sequence[JudgingItem],
    by_code: Mapping[str, PromptTexts],
    sets: Mapping[str, Sequence[HumanSet | None]],
    *,
    study: Study,
    seed: bytes,
) -> list[BlindedSlot]:
    members = {
        human_set.pk: [str(pk) for pk in human_set.members.values_list("pk", flat=True)]
        for kept in sets.values()
        for human_set in kept
        if human_set
    }
    plans, slots = [], []
    judges_of: dict[str, list[JudgingItem]] = {}
    for item in items:
        judges_of.setdefault(item.prompt.code, []).append(item)
    for code, prompt_items in judges_of.items():
        prompt = by_code[code]
        machine = _machine_answers(study, prompt, seed)
        for item, human_set in zip(_in_seeded_order(prompt_items, code, seed), sets[code], strict=True):
            plans.append(ItemPlan(item=item, kind=prompt.kind, human_set=human_set))
            human = members[human_set.pk] if human_set else []
            labelled = labels(seed, judge=item.participation.pseudonym, prompt=code, responses=[*human, *machine])
            slots += [
                BlindedSlot(item=item, label=label, response_id=UUID(response))
                for label, response in labelled.items()
            ]
    ItemPlan.objects.bulk_create(plans, batch_size=2000)
    return BlindedSlot.objects.bulk_create(slots, batch_size=2000)


def _in_seeded_order(items: Sequence[JudgingItem], code: str, seed: bytes) -> list[JudgingItem]:
    """Which judge takes which set: by seeded order, not by who was listed first."""
    by_judge = {item.participation.pseudonym: item for item in items}
    return [by_judge[pseudonym] for pseudonym in seeded_order(seed, "sets", code, items=sorted(by_judge))]


def _machine_answers(study: Study, prompt: PromptTexts, seed: bytes) -> list[str]:
    """The model answers every judge of this prompt sees: one of each model, or as its calibration kind asks.

    Raises `Refused` where they are too few: an item of another size would tell what it is for.
    """
    each = study.answers_per_target_in_attribution if prompt.kind == Kind.SOURCE_ATTRIBUTION else 1
    wanted = study.answers_per_item if prompt.kind == Kind.SOURCE_ATTRIBUTION else study.model_answers_per_item
    sources = seeded_order(seed, "models", prompt.code, items=sorted(prompt.model))
    replaced = prompt.weak[0].source_code if prompt.kind == Kind.QUALITY_FLOOR else None
    complete = [source for source in sources if source != replaced and len(prompt.model[source]) >= each]
    chosen = [str(text.response) for source in complete for text in prompt.model[source][:each]]
    if replaced:
        chosen.insert(0, str(prompt.weak[0].response))
    if len(chosen) < wanted or wanted % each:
        raise Refused(
            f"{prompt.code}: items show {wanted} model answers, {each} of each model, and {len(complete)} models "
            f"have as many."
        )
    return chosen[:wanted]


def _as_opened(
    items: Sequence[JudgingItem], slots: Sequence[BlindedSlot], seed: bytes
) -> dict[str, dict[str, str]]:
    """What the audit trail keeps: hashes by prompt, those of the texts by response."""
    shown = {slot.response_id for slot in slots}
    texts = Response.objects.filter(pk__in=shown).values_list("pk", "text")
    return {
        "items_sha256": _hashes_of_items(items, slots),
        "prompts_sha256": {item.prompt.code: sha256_hex(item.prompt_version.text) for item in items},
        "texts_sha256": {str(response): sha256_hex(text) for response, text in texts},
        "origins_hmac": _hashes_of_origins(shown, seed),
    }


def _hashes_of_items(items: Sequence[JudgingItem], slots: Sequence[BlindedSlot]) -> dict[str, str]:
    responses: dict[int, dict[str, str]] = {}
    for slot in slots:
        responses.setdefault(slot.item_id, {})[slot.label] = str(slot.response_id)
    opened: dict[str, list[OpenedItem]] = {}
    for item in items:
        judge = item.participation.pseudonym
        opened.setdefault(item.prompt.code, []).append(
            OpenedItem(judge, item.position, item.asks_guess, responses[item.pk])
        )
    return {code: items_sha256(prompt_items) for code, prompt_items in opened.items()}


def _hashes_of_origins(shown: Collection[UUID], seed: bytes) -> dict[str, str]:
    origins: dict[str, list[Origin]] = {}
    for code, response, arm, source in Stimulus.objects.filter(pk__in=shown).values_list(
        "prompt__code", "response_id", "arm", "source_code"
    ):
        origins.setdefault(code, []).append(Origin(str(response), arm, source))
    return {code: origins_hmac(seed, prompt=code, origins=found) for code, found in origins.items()}
