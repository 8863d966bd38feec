"""A study's items, plans and audit rows, as far as its blinding can be checked on them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from analysis.blinding.core.office_check import Offices
from analysis.blinding.core.submission_log import SubmissionLog
from annotation.assignment.core.feasibility import Person
from annotation.assignment.core.repair_plan import Move
from annotation.judging.core.requested_ratings import RequestedRating
from annotation.study.core.rubric import Rubric


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
JUDGMENTS: Final = "judgments"


@dataclass(frozen=True)
class Item:
    """A judge's item. `wording` is the hash of the prompt's text that it shows, `replaces` the id of an item."""

    id: str
    replaces: str | None
    judge: str
    prompt: str
    wording: str
    position: int
    state: str
    asks_guess: bool
    plan: Plan
    justification: str
    sha256: str
    submissions: SubmissionLog
    answers: tuple[Answer, ...]

    def __str__(self) -> str:
        return f"Judge {self.judge}, prompt {self.prompt}"

    @property
    def is_unhashed(self) -> bool:
        """Whether it was submitted and no hash of the judgment was recorded."""
        return self.submissions.is_submitted and self.submissions.sha256 is None

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

    `people` are the judges with what they could take, `colleagues` judge → writers of the same institution. Empty
    is what was not recorded yet when the study was opened.
    """

    items: Mapping[str, str]
    prompts: Mapping[str, str]
    texts: Mapping[str, str]
    origins: Mapping[str, str]
    people: Sequence[Person]
    colleagues: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Repair:
    """A repair as the audit trail has it, with the new hashes of items by prompt.

    `people` are those who could have work then. `wrong` says why a coordinator could not have made it; it
    counts for nothing then.
    """

    moves: Sequence[Move]
    items: Mapping[str, str]
    people: Sequence[Person]
    wrong: str


@dataclass(frozen=True)
class Freezing:
    """The hash of `what` was collected: as it is now, as it was kept at closing, and as the audit trail has it."""

    what: str
    now: str
    kept: str | None
    recorded: str | None

    @property
    def is_compared(self) -> bool:
        """Judgments have always been frozen by hash; anything else is let pass where nothing has a hash of it."""
        return self.what == JUDGMENTS or self.kept is not None or self.recorded is not None


@dataclass(frozen=True)
class Brought:
    """What models said in a run that is analysed: its hash now, and as the audit trail has it of the run's end.

    `recorded` is "" where the trail has none.
    """

    run: int
    is_finished: bool
    now: str
    recorded: str

    @property
    def is_compared(self) -> bool:
        """A run that goes on, or goes on again, has brought more than was recorded."""
        return self.is_finished and bool(self.recorded)


@dataclass(frozen=True)
class Record:
    """Everything there is to check of a study. `texts` are the hashes of the texts as they are, by response.

    `sets` are the human answers of each set by prompt, in the order of the sets' numbers, `admitted` all that there
    are; `shared` are the places that several judges have had, and `repairs` come in their order. There are no
    `freezings` where nothing says that the study was closed. `brought` are the runs whose replies are analysed,
    `rewritten` the answers for no judge whose texts are not those that were admitted, `under_pressure` those
    that have the words of an answer to a rewritten prompt.
    `repeated` are steps of the study that the audit trail has more than once, `vanished` items that it has and
    nothing else. `offices` are those who alone can unblind.
    """

    seed: bytes
    commitment: str
    design: Design
    opening: Opening | None
    repairs: Sequence[Repair]
    items: Sequence[Item]
    shared: Sequence[RequestedRating]
    sets: Mapping[str, Sequence[frozenset[str]]]
    admitted: Mapping[str, Sequence[str]]
    texts: Mapping[str, str]
    freezings: Sequence[Freezing]
    brought: Sequence[Brought]
    rewritten: Sequence[str]
    under_pressure: Sequence[str]
    repeated: Sequence[str]
    vanished: Sequence[str]
    offices: Offices

    @property
    def is_hashed(self) -> bool:
        """Hashes of the items were recorded when judging opened, and so of every submission since."""
        return self.opening is not None and bool(self.opening.items)

    @property
    def submitted(self) -> list[Item]:
        return [item for item in self.items if item.state == "submitted"]

    @cached_property
    def recorded_items(self) -> dict[str, str]:
        """The hashes of items by prompt that were recorded last."""
        recorded = dict(self.opening.items) if self.opening else {}
        for repair in self.repairs:
            recorded |= {} if repair.wrong else repair.items
        return recorded

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
