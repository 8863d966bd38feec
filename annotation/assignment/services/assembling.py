"""Assembling judging items: the only code on the way to a judge that reads provenance.

Everything random here follows from the study's seed by HMAC, so that the design can be recomputed by anybody
once the seed is revealed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from annotation.assignment.core.human_sets import human_sets, sets_for
from annotation.assignment.core.opening_hashes import OpenedItem, Origin, items_sha256, origins_hmac
from annotation.assignment.core.preferences import answers_of_colleagues, recorded
from annotation.assignment.core.repair_plan import JUDGING
from annotation.assignment.models import WorkGivenOut
from annotation.assignment.selectors.assigning import colleagues
from annotation.assignment.services.designing import check_late_texts, design_of, tell_of_work
from annotation.benchmarks.services.giving_out import give_out
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.platform.core.blinding import labels, seeded_order
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.models.participation import Participation, Role
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.selectors.prompts import latest_by_code
from annotation.study.services import studies
from annotation.texts.models.provenance import HumanSet, ItemPlan, Kind, Stimulus
from annotation.texts.models.seeds import StudySeed
from annotation.texts.selectors.preflight import preflight
from annotation.texts.selectors.stimuli import PromptTexts, shortfalls, texts_by_prompt

# A set of human answers, by their ids; without one where an item shows none.
_Set = tuple[HumanSet | None, tuple[str, ...]]


@transaction.atomic
def open_judging(*, study: Study, by: User, reason: str = "", seen: str | None = None) -> int:
    """Assemble every judge's blinded items and open judging; returns the number of items.

    Where nobody judges there are none: the texts are fixed, and models may score them. An audit of benchmarks gives
    every question to two annotators.

    What was opened stays in the audit trail: hashes of the items, of every text shown and of where it is from, who
    could take what, and which judges and writers are of the same institution.

    Raises `Refused` where a text is missing or in quarantine, a late one is undecided, or the judges cannot cover
    the prompts; and, without a `reason`, where a look at the texts warns. The reason is kept with the warnings.
    `seen`, where it is given, is the hash of the warnings that were shown; others than these are refused as well.
    """
    check_coordinator(by, study)
    studies.check_step(study, "open_judging")
    check_late_texts(study)
    texts = texts_by_prompt(study)
    if missing := shortfalls(study):
        first = "; ".join(f"{lack.code}: {lack.lacks}" for lack in missing[:3])
        raise Refused(f"Judging cannot open yet, {len(missing)} things are missing. {first}.")
    found = None if study.audits_benchmarks else preflight(study)
    warnings = found.warnings if found else ()
    if found and seen not in (None, found.warnings_sha256):
        raise Refused("The warnings have changed since you looked. Read them again: nothing was opened.")
    if warnings and not reason.strip():
        raise Refused(f"{' '.join(warnings)} Say why judging opens all the same.", field="reason")
    seed = bytes(StudySeed.objects.get(study=study).seed)
    kept: dict[str, Any] = {"reason": audit.stated(reason), "warnings": warnings} if warnings else {}
    if not study.has_judging:
        if study.audits_benchmarks:
            kept["reviews"] = give_out(study, seed, by=by)
        studies.move(
            study, "open_judging", by=by, items=0, people=[], colleagues={}, **kept, **_as_opened((), (), seed)
        )
        return 0
    design, houses = design_of(study, Role.JUDGE, each=study.ratings_per_prompt), colleagues(study)
    items = _create_items(study, design.allocation.prompts, seed)
    slots = _plan_and_label(items, texts, houses, study=study, seed=seed)
    people = recorded(design.people)
    WorkGivenOut.objects.create(study=study, task=JUDGING, people=people)
    studies.move(
        study,
        "open_judging",
        by=by,
        items=len(items),
        people=people,
        colleagues=houses,
        **kept,
        **_as_opened(items, slots, seed),
    )
    tell_of_work(study, Role.JUDGE, design.allocation.prompts, by=by)
    return len(items)


def _human_sets(study: Study, prompt: PromptTexts, seed: bytes) -> list[_Set]:
    """The prompt's sets of human answers, one for each rating; the same set for all where sets are fixed."""
    if prompt.kind == Kind.SOURCE_ATTRIBUTION or not study.human_answers_per_item:
        return [(None, ())] * study.ratings_per_prompt
    drawn = human_sets(
        [str(text.response) for text in prompt.human],
        size=study.human_answers_per_item,
        ratings=study.ratings_per_prompt if study.sets_rotate else 1,
        seed=seed,
        context=prompt.code,
    )
    kept = HumanSet.objects.bulk_create(
        HumanSet(prompt_id=prompt.prompt_id, number=number) for number, _ in enumerate(drawn, start=1)
    )
    sets: list[_Set] = list(zip(kept, drawn, strict=True))
    membership = HumanSet.members.through
    membership.objects.bulk_create(
        membership(humanset=human_set, stimulus_id=UUID(member))
        for human_set, members in sets
        for member in members
    )
    return sets if study.sets_rotate else sets * study.ratings_per_prompt


def _create_items(study: Study, plan: Mapping[str, Sequence[str]], seed: bytes) -> list[JudgingItem]:
    judges = {p.pseudonym: p for p in Participation.objects.filter(study=study, role=Role.JUDGE)}
    versions = latest_by_code(study)
    guessed = {judge: asked_to_guess(study, judge, codes, seed) for judge, codes in plan.items()}
    return JudgingItem.objects.bulk_create(
        JudgingItem(
            study=study,
            participation=judges[pseudonym],
            prompt=versions[code].prompt,
            prompt_version=versions[code],
            position=position,
            asks_guess=code in guessed[pseudonym],
        )
        for pseudonym, codes in plan.items()
        for position, code in enumerate(codes, start=1)
    )


def asked_to_guess(study: Study, judge: str, codes: Iterable[str], seed: bytes) -> frozenset[str]:
    """The first items of a judge on which they finally guess who wrote what.

    Whatever an item is for: asking about ordinary ones only would tell which those are.
    """
    return frozenset(seeded_order(seed, "guesses", judge, items=sorted(codes))[: study.guess_items])


def _plan_and_label(
    items: Sequence[JudgingItem],
    texts: Iterable[PromptTexts],
    houses: Mapping[str, Sequence[str]],
    *,
    study: Study,
    seed: bytes,
) -> list[BlindedSlot]:
    items_of: dict[str, list[JudgingItem]] = {}
    for item in items:
        items_of.setdefault(item.prompt.code, []).append(item)
    plans: list[ItemPlan] = []
    slots: list[BlindedSlot] = []
    for place, prompt in enumerate(texts):
        machine = _machine_answers(study, prompt, seed)
        sets = _human_sets(study, prompt, seed)
        by_judge = {item.participation.pseudonym: item for item in items_of[prompt.code]}
        avoids = answers_of_colleagues(houses, {str(text.response): text.source_code for text in prompt.human})
        taken = sets_for(
            sorted(by_judge), [members for _, members in sets], avoids=avoids, seed=seed, context=prompt.code
        )
        single = single_answers(sorted(by_judge), machine, place, seed) if study.judges_single_answers else {}
        for judge, number in taken.items():
            human_set, members = sets[number]
            plans.append(ItemPlan(item=by_judge[judge], kind=prompt.kind, human_set=human_set))
            slots += labelled(by_judge[judge], single.get(judge) or [*members, *machine], seed)
    ItemPlan.objects.bulk_create(plans, batch_size=2000)
    return BlindedSlot.objects.bulk_create(slots, batch_size=2000)


def labelled(item: JudgingItem, responses: Collection[str], seed: bytes) -> list[BlindedSlot]:
    """The answers of an item under the labels that the seed draws for its judge."""
    drawn = labels(seed, judge=item.participation.pseudonym, prompt=item.prompt.code, responses=[*responses])
    return [BlindedSlot(item=item, label=label, response_id=UUID(response)) for label, response in drawn.items()]


def _machine_answers(study: Study, prompt: PromptTexts, seed: bytes) -> list[str]:
    """The model answers every judge of this prompt sees: one of each model, or as its calibration kind asks.

    Raises `Refused` where they are too few: an item of another size would tell what it is for. So would the
    prompt's code in the refusal.
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
        raise Refused("Judging cannot open yet: a prompt has fewer model answers than its items show.")
    if study.judges_single_answers and prompt.kind == Kind.STANDARD:
        return [str(prompt.model[source][0].response) for source in sorted(complete)]
    return chosen[:wanted]


def single_answers(
    judges: Sequence[str], answers: Sequence[str], place: int, seed: bytes
) -> dict[str, tuple[str, ...]]:
    """Which of a prompt's answers each judge sees, where an item shows one: all of them equally often, give or take
    one. `place` is the prompt's number: from one prompt to the next everybody goes on to the next answer, so that
    judges who judge all prompts see answers of each source equally often, too.
    """
    order = seeded_order(seed, "single answers", items=judges)
    return {judge: (answers[(place + turn) % len(answers)],) for turn, judge in enumerate(order)}


def _as_opened(
    items: Sequence[JudgingItem], slots: Sequence[BlindedSlot], seed: bytes
) -> dict[str, dict[str, str]]:
    """What the audit trail keeps: hashes by prompt, those of the texts by response."""
    shown = {slot.response_id for slot in slots}
    texts = Response.objects.filter(pk__in=shown).values_list("pk", "text")
    return {
        "items_sha256": hashes_of_items(items, slots),
        "prompts_sha256": {item.prompt.code: sha256_hex(item.prompt_version.text) for item in items},
        "texts_sha256": {str(response): sha256_hex(text) for response, text in texts},
        "origins_hmac": _hashes_of_origins(shown, seed),
    }


def hashes_of_items(items: Iterable[JudgingItem], slots: Iterable[BlindedSlot]) -> dict[str, str]:
    """The hash of all items of each prompt, as the audit trail keeps it."""
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
