"""Whether a study's items and judgments are what its seed, its design and its audit trail say they are.

Every check yields sentences that name judge, prompt, answer and what differs, and never a source: researchers read
them before a study is unblinded.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from analysis.core.submission_trail import SubmissionTrail
from annotation.core.assignment import Infeasible, allot_judges
from annotation.core.blinding import commitment, labels, seeded_order
from annotation.core.judgments import JudgedAnswer, judgment_sha256
from annotation.core.opening import OpenedItem, Origin, items_sha256, origins_hmac
from annotation.core.ranking import competition_ranks, mid_ranks
from annotation.core.rubric import Rubric


@dataclass(frozen=True)
class Ranked:
    """An answer's row of the submitted ranking."""

    composite: float | None
    rank: int
    mid_rank: float


@dataclass(frozen=True)
class Answer:
    """A labelled answer of an item. `arm` and `source` say where it is from, `belongs`: it answers this prompt."""

    label: str
    response: str
    arm: str
    source: str
    belongs: bool
    scores: Mapping[str, int]
    ranked: Ranked | None


@dataclass(frozen=True)
class Plan:
    """What an item is for, and the set of human answers its judge has, with the set's number in the prompt."""

    kind: str
    set_number: int | None
    human_set: frozenset[str]


UNPLANNED = Plan("", None, frozenset())


@dataclass(frozen=True)
class Item:
    """A judge's item. `wording` is the hash of the prompt's text that it shows."""

    judge: str
    prompt: str
    wording: str
    position: int
    state: str
    asks_guess: bool
    plan: Plan
    justification: str
    sha256: str
    trail: SubmissionTrail
    answers: tuple[Answer, ...]

    def __str__(self) -> str:
        return f"Judge {self.judge}, prompt {self.prompt}"

    @property
    def is_unhashed(self) -> bool:
        """It was submitted, and no hash of the judgment was recorded."""
        return self.trail.is_submitted and self.trail.sha256 is None

    @property
    def machine(self) -> frozenset[str]:
        return frozenset(answer.response for answer in self.answers if answer.arm != "human")


@dataclass(frozen=True)
class Design:
    """The parameters that decide what items look like. `rotating`: judges of a prompt take different sets."""

    human: int
    model: int
    each_in_attribution: int
    ratings: int
    guesses: int
    rotating: bool
    rubric: Rubric


@dataclass(frozen=True)
class Opening:
    """What the audit trail says of the study as judging was opened: hashes by prompt, those of texts by response.

    Empty is what was not recorded yet when the study was opened.
    """

    items: Mapping[str, str]
    prompts: Mapping[str, str]
    texts: Mapping[str, str]
    origins: Mapping[str, str]


@dataclass(frozen=True)
class Freezing:
    """The hash of all judgments as they are, as it was kept at closing, and as the audit trail has it."""

    now: str
    kept: str | None
    recorded: str | None


@dataclass(frozen=True)
class Record:
    """Everything there is to check of a study. `texts` are the hashes of the texts as they are, by response.

    `freezing` is `None` where nothing says that the study was closed. `repeated` are steps of the study that the
    audit trail has more than once, `vanished` items that it has and nothing else.
    """

    seed: bytes
    commitment: str
    design: Design
    opening: Opening | None
    items: Sequence[Item]
    texts: Mapping[str, str]
    freezing: Freezing | None
    repeated: Sequence[str]
    vanished: Sequence[str]

    @property
    def is_hashed(self) -> bool:
        """Hashes of the items were recorded when judging opened, and so of every submission since."""
        return self.opening is not None and bool(self.opening.items)

    @property
    def submitted(self) -> list[Item]:
        return [item for item in self.items if item.state == "submitted"]

    @cached_property
    def by_prompt(self) -> dict[str, list[Item]]:
        return _grouped(self.items, lambda item: item.prompt)

    @cached_property
    def by_judge(self) -> dict[str, list[Item]]:
        return _grouped(self.items, lambda item: item.judge)


def _grouped(items: Sequence[Item], name: Callable[[Item], str]) -> dict[str, list[Item]]:
    """Items by name, names in their order, each judge's items in the judge's order."""
    groups: dict[str, list[Item]] = {name(item): [] for item in sorted(items, key=name)}
    for item in sorted(items, key=lambda item: (item.judge, item.position)):
        groups[name(item)].append(item)
    return groups


def differences(record: Record) -> Iterator[str]:
    """In words, each thing that is not as the seed, the design and the audit trail have it."""
    if commitment(record.seed) != record.commitment:
        yield "The seed does not match its commitment."
    if record.freezing is not None:
        yield from _freezing(record.freezing)
    yield from (f"The audit trail has {step} more than once." for step in record.repeated)
    if not record.items and record.opening is None:
        return
    yield from _allotment(record)
    for prompt, items in record.by_prompt.items():
        for item in items:
            yield from _labels(item, record.seed)
            yield from _composition(item, record.design)
        yield from _same_for_all_judges(prompt, items)
        yield from _sets(prompt, items, record)
    if record.opening is None:
        yield "The audit trail does not say what judging was opened with."
    else:
        yield from _opening(record, record.opening)
    for item in record.items:
        yield from _judgment(item, record)
    yield from (f"Item {item} was submitted, and is gone." for item in record.vanished)


def omissions(record: Record) -> Iterator[str]:
    """In words, what could not be compared, because it was not recorded yet when it happened."""
    if record.opening is not None and record.items:
        recorded = {
            "which answers each item shows, and where a guess is asked": record.opening.items,
            "the texts of the prompts": record.opening.prompts,
            "the texts of the answers": record.opening.texts,
            "where the answers are from": record.opening.origins,
        }
        if missing := [what for what, hashes in recorded.items() if not hashes]:
            yield f"Not recorded when judging opened, so not compared: {'; '.join(missing)}."
    for judge, items in record.by_judge.items():
        if unhashed := [item.prompt for item in items if item.is_unhashed]:
            yield f"Judge {judge}, submitted without a recorded hash, so not compared: {', '.join(unhashed)}."


def _freezing(freezing: Freezing) -> Iterator[str]:
    for where, sha256 in (("kept", freezing.kept), ("in the audit trail", freezing.recorded)):
        if sha256 is None:
            yield f"The hash under which the judgments were frozen is missing: the one {where}."
        elif sha256 != freezing.now:
            yield f"The judgments are no longer those that were frozen, by the hash {where}."


# -- who judges what, and under which labels ---------------------------------------------------------------------


def _allotment(record: Record) -> Iterator[str]:
    """Which prompts a judge has, in which order, and on which of them a guess is asked."""
    ratings = record.design.ratings
    try:
        allotted = allot_judges([*record.by_judge], [*record.by_prompt], ratings=ratings, seed=record.seed)
    except Infeasible as infeasible:
        yield f"The items cannot be those of the design. {infeasible}"
        return
    for judge, own in record.by_judge.items():
        if [(item.position, item.prompt) for item in own] != list(enumerate(allotted[judge], start=1)):
            yield f"Judge {judge}: the prompts or their order differ from the seeded ones."
        if not record.is_hashed:
            continue  # it may have opened before guesses were drawn
        order = seeded_order(record.seed, "guesses", judge, items=sorted(allotted[judge]))
        asked = set(order[: record.design.guesses])
        yield from (
            f"{item}: whether a guess is asked differs from the seeded draw."
            for item in own
            if item.asks_guess != (item.prompt in asked)
        )


def _labels(item: Item, seed: bytes) -> Iterator[str]:
    found = {answer.label: answer.response for answer in item.answers}
    if len(found) < 2:
        return  # no order to speak of; that answers are missing is told elsewhere
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


def _same_for_all_judges(prompt: str, items: Sequence[Item]) -> Iterator[str]:
    if len({item.plan.kind for item in items}) > 1 or len({item.machine for item in items}) > 1:
        yield f"Prompt {prompt}: what must be the same for all of its judges differs between them."


def _sets(prompt: str, items: Sequence[Item], record: Record) -> Iterator[str]:
    """Which judge has which set follows from the seed, and no two judges have the same one where sets rotate."""
    with_set = {item.judge: item for item in items if item.plan.set_number is not None}
    order = seeded_order(record.seed, "sets", prompt, items=sorted(with_set))
    for number, judge in enumerate(order, start=1):
        if with_set[judge].plan.set_number != (number if record.design.rotating else 1):
            yield f"{with_set[judge]}: its set differs from the seeded one."
    different = len({item.plan.human_set for item in with_set.values()})
    if with_set and different != (len(with_set) if record.design.rotating else 1):
        yield f"Prompt {prompt}: its sets of answers are not as the design says."


def _opening(record: Record, opening: Opening) -> Iterator[str]:
    """All of it as it was when judging opened, as far as that was recorded."""
    for prompt in sorted({*record.by_prompt, *opening.items}):
        items = record.by_prompt.get(prompt, [])
        if opening.items and _items_sha256(items) != opening.items.get(prompt):
            yield f"Prompt {prompt}: its items are not those that judging was opened with."
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


# -- judgments ---------------------------------------------------------------------------------------------------


def _judgment(item: Item, record: Record) -> Iterator[str]:
    yield from (f"{item}: {step}" for step in item.trail.illegitimate)
    if item.state != "submitted":
        if item.trail.is_submitted or any(answer.ranked for answer in item.answers):
            yield f"{item}: it was submitted and does not count as submitted any more."
        return
    if unranked := [answer.label for answer in item.answers if answer.ranked is None]:
        yield f"{item}: answer {', '.join(unranked)} has no rank."
    yield from _composites(item, record.design.rubric)
    yield from _ranking(item)
    yield from _hashes(item, record)


def _hashes(item: Item, record: Record) -> Iterator[str]:
    """The judgment against the hashes of its submission, one kept with it and one in the audit trail."""
    if not item.trail.is_submitted:
        yield f"{item}: it counts as submitted, and the audit trail does not say that it was."
        return
    if item.is_unhashed:
        if record.is_hashed:
            yield f"{item}: the audit trail has its submission without the hash."
        return
    recomputed = judgment_sha256(
        judge=item.judge,
        prompt=item.prompt,
        rubric=record.design.rubric.sha256,
        answers=[
            JudgedAnswer(answer.label, UUID(answer.response), answer.scores, answer.ranked.rank)
            for answer in item.answers
            if answer.ranked is not None
        ],
        justification=item.justification,
    )
    if recomputed != item.trail.sha256:
        yield f"{item}: the judgment is not the one that was submitted, by its hash in the audit trail."
    if recomputed != item.sha256:
        yield f"{item}: the judgment does not match the hash kept with it."


def _composites(item: Item, rubric: Rubric) -> Iterator[str]:
    """A composite is what the scores come to; where answers are ranked directly there is neither."""
    for answer in item.answers:
        if answer.ranked is None or (answer.ranked.composite is None and not answer.scores):
            continue
        try:
            composite = rubric.composite(answer.scores)
        except ValueError as error:
            yield f"{item}: answer {answer.label}: {error}"
        else:
            if composite != answer.ranked.composite:
                yield f"{item}: answer {answer.label}: its composite is not what its scores come to."


def _ranking(item: Item) -> Iterator[str]:
    ranked = [answer.ranked for answer in item.answers if answer.ranked is not None]
    strengths = [-row.rank if row.composite is None else row.composite for row in ranked]
    expected = zip(competition_ranks(strengths), mid_ranks(strengths), strict=True)
    if [(row.rank, row.mid_rank) for row in ranked] != list(expected):
        yield f"{item}: the ranks are not what the composites come to."
