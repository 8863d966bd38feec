"""Whether a study's items and judgments are what its seed, its design and its audit trail say they are.

Every check yields sentences that name judge, prompt, answer and what differs, and never a source: researchers read
them before a study is unblinded.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from analysis.blinding.core.allocation_check import of_allocation, of_sets
from analysis.blinding.core.blinding_record import Design, Freezing, Item, Opening, Record
from analysis.blinding.core.judgment_check import of_judgment, of_shared_ratings
from analysis.blinding.core.office_check import BEFORE_OFFICES, of_offices
from annotation.assignment.core.opening_hashes import OpenedItem, Origin, items_sha256, origins_hmac
from annotation.platform.core.blinding import commitment, labels


def differences(record: Record) -> Iterator[str]:
    """Each thing, in words, that is not as the seed, the design and the audit trail have it."""
    if commitment(record.seed) != record.commitment:
        yield "The seed does not match its commitment."
    yield from of_offices(record.offices, seed_sha256=record.commitment)
    for freezing in record.freezings:
        if freezing.is_compared:
            yield from _freezing(freezing)
    for brought in record.brought:
        if brought.is_compared and brought.now != brought.recorded:
            yield f"What models said in run {brought.run} is no longer what they had said when it finished."
    yield from (f"Answer {answer}: its text is not the one that was admitted." for answer in record.rewritten)
    yield from (
        f"Answer {answer}: it has the words of an answer under pressure, which no judge may be shown."
        for answer in record.under_pressure
    )
    yield from (f"The audit trail has {step} more than once." for step in record.repeated)
    if not record.items and record.opening is None:
        return
    yield from of_allocation(record)
    for prompt, items in record.by_prompt.items():
        for item in items:
            yield from _labels(item, record.seed)
            yield from _composition(item, record.design)
        yield from _same_for_all_judges(prompt, items, record.design)
        yield from of_sets(prompt, items, record)
    if record.opening is None:
        yield "The audit trail does not say what judging was opened with."
    else:
        yield from _opening(record, record.opening)
    for item in record.items:
        yield from of_judgment(item, record)
    yield from of_shared_ratings(record)
    yield from (f"Item {item} was submitted, and is gone." for item in record.vanished)


def omissions(record: Record) -> Iterator[str]:
    """Everything, in words, that could not be compared, because it was not recorded yet when it happened."""
    if not record.offices.are_published:
        yield BEFORE_OFFICES
    if record.opening is not None and record.items:
        recorded = {
            "who judges what in which order": record.opening.people,
            "which answers each item shows, and where a guess is asked": record.opening.items,
            "the texts of the prompts": record.opening.prompts,
            "the texts of the answers": record.opening.texts,
            "where the answers are from": record.opening.origins,
        }
        if missing := [what for what, hashes in recorded.items() if not hashes]:
            yield f"Not recorded when judging opened, so not compared: {'; '.join(missing)}."
    if unfrozen := [freezing.what for freezing in record.freezings if not freezing.is_compared]:
        yield f"Not frozen when the study was closed, so not compared: {'; '.join(unfrozen)}."
    if unfinished := [str(brought.run) for brought in record.brought if not brought.is_compared]:
        yield f"Not finished, or not recorded when they were, so not compared: run {', '.join(unfinished)}."
    for judge, items in record.by_judge.items():
        if unhashed := [item.prompt for item in items if item.is_unhashed]:
            yield f"Judge {judge}, submitted without a recorded hash, so not compared: {', '.join(unhashed)}."


def _freezing(freezing: Freezing) -> Iterator[str]:
    for where, sha256 in (("kept", freezing.kept), ("in the audit trail", freezing.recorded)):
        if sha256 is None:
            yield f"The hash under which the {freezing.what} were frozen is missing: the one {where}."
        elif sha256 != freezing.now:
            yield f"The {freezing.what} are no longer those that were frozen, by the hash {where}."


def _labels(item: Item, seed: bytes) -> Iterator[str]:
    found = {answer.label: answer.response for answer in item.answers}
    if len(found) < 2:
        return  # no order to speak of; that answers are missing is reported elsewhere
    expected = labels(seed, judge=item.judge, prompt=item.prompt, responses=sorted(found.values()))
    if found != expected:
        wrong = ", ".join(sorted(label for label in found if found[label] != expected.get(label)))
        yield f"{item}: label {wrong} differs from the seeded order."


def _composition(item: Item, design: Design) -> Iterator[str]:
    """Whether the item shows as many answers as the design says, of the prompt, of its set and fit for its kind."""
    if len(item.answers) != design.human + design.model:
        yield f"{item}: {len(item.answers)} answers instead of {design.human + design.model}."
    if foreign := [answer.label for answer in item.answers if not answer.belongs]:
        yield f"{item}: answer {', '.join(foreign)} belongs to another prompt."
    if unfit := [answer.label for answer in item.answers if answer.arm == "maximum"]:
        yield f"{item}: answer {', '.join(unfit)} is one that no judge may see."
    human = frozenset(answer.response for answer in item.answers if answer.arm == "human")
    if human != item.plan.human_set or not _fits_kind(item, design):
        yield f"{item}: its answers are not those of its plan."


def _fits_kind(item: Item, design: Design) -> bool:
    sources = [answer.source for answer in item.answers if answer.arm == "model"]
    weak = sum(answer.arm == "weak" for answer in item.answers)
    each = {sources.count(source) for source in sources}
    if item.plan.kind == "source_attribution":
        return weak == 0 and len(sources) == design.human + design.model and each == {design.each_in_attribution}
    replaced = 1 if item.plan.kind == "quality_floor" else 0
    return weak == replaced and len(sources) == design.model - replaced and each <= {1}


def _same_for_all_judges(prompt: str, items: Sequence[Item], design: Design) -> Iterator[str]:
    """Checks what must be the same for all of a prompt's judges; where an item shows a single answer, by a model,
    the prompt's answers take turns over judges instead.
    """
    shown = Counter(item.machine for item in items)
    in_turn = design.human == 0 and design.model == 1 and max(shown.values()) - min(shown.values()) <= 1
    if len({item.plan.kind for item in items}) > 1 or (len(shown) > 1 and not in_turn):
        yield f"Prompt {prompt}: what must be the same for all of its judges differs between them."


def _opening(record: Record, opening: Opening) -> Iterator[str]:
    """All of it as it was when judging opened or was last repaired, as far as that was recorded."""
    for prompt in sorted({*(record.by_prompt if opening.items else ()), *record.recorded_items}):
        recorded = record.recorded_items.get(prompt)
        if _items_sha256(record.by_prompt.get(prompt, [])) != recorded:
            since = (
                "that judging was opened with" if recorded == opening.items.get(prompt) else "of the last repair"
            )
            yield f"Prompt {prompt}: its items are not those {since}."
    for prompt, items in record.by_prompt.items():
        if opening.prompts and {item.wording for item in items} != {opening.prompts.get(prompt)}:
            yield f"Prompt {prompt}: its own text is not the one that judging was opened with."
        origins = {Origin(a.response, a.arm, a.source) for item in items for a in item.answers}
        if opening.origins and (
            origins_hmac(record.seed, prompt=prompt, origins=origins) != opening.origins.get(prompt)
        ):
            yield f"Prompt {prompt}: its answers are not from where they were from when judging opened."
        for response in sorted(origin.response for origin in origins):
            if opening.texts and record.texts.get(response) != opening.texts.get(response):
                yield f"Prompt {prompt}, answer {response}: its text is not the one that judging was opened with."


def _items_sha256(items: Sequence[Item]) -> str:
    return items_sha256(
        OpenedItem(item.judge, item.position, item.asks_guess, {a.label: a.response for a in item.answers})
        for item in items
    )
