"""How any source becomes scenarios: named steps over items, each of which says what it removed, by which rule."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from annotation.platform.core.errors import Refused
from annotation.platform.core.sealing import canonical_json

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Removed:
    """An item that a step removed. `rule` is empty where the step is a single rule."""

    key: str
    text: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """How many items a step kept and how many of the previous step's it removed, in all and by rule.

    `admitted` is for a step that keeps what any of several groups lets in: how many each let in, alone or not.
    """

    name: str
    kept: int
    removed: int
    rules: Mapping[str, int] = field(default_factory=dict)
    admitted: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scenario:
    """What prompts are written from. `key` is unique in its source and stable; samples are spread over `stratum`;
    `payload` can be stored as JSON and has the fields of the source's shape.
    """

    key: str
    stratum: str
    payload: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Reduction:
    """The steps in their order, the first of which counts all items; what each removed; and what was left."""

    steps: tuple[Step, ...]
    scenarios: tuple[Scenario, ...]
    removed: tuple[Sequence[Removed], ...]


class Funnel(Generic[Item]):
    """Items on their way through the steps. They are taken one at a time, so that only what is kept is held."""

    def __init__(self, name: str, items: Iterable[Item], told: Callable[[Item], tuple[str, str]]) -> None:
        """`told` gives an item's key and its text, for those who look at what was removed."""
        self._told = told
        self._items = items
        self._names = [name]
        self._uncounted: set[str] = set()
        self._removed: list[list[Removed]] = [[]]

    def narrow(self, name: str, rule_against: Callable[[Item], str | None], *, counts_by_rule: bool = True) -> None:
        """Add a step. `rule_against` names the rule that removes an item, or returns None for one that stays.

        Rules of which there are hundreds are kept with each item alone: `counts_by_rule` is False.
        """
        if not counts_by_rule:
            self._uncounted.add(name)
        removed: list[Removed] = []
        self._names.append(name)
        self._removed.append(removed)
        self._items = self._kept(self._items, rule_against, removed)

    def _kept(
        self, items: Iterable[Item], rule_against: Callable[[Item], str | None], removed: list[Removed]
    ) -> Iterator[Item]:
        for item in items:
            rule = rule_against(item)
            if rule is None:
                yield item
            else:
                removed.append(Removed(*self._told(item), rule))

    def items(self) -> list[Item]:
        """The items that the steps so far keep, in their order."""
        self._items = [*self._items]
        return self._items

    def reduction(
        self, scenarios: Iterable[Scenario], admitted: Mapping[str, Mapping[str, int]] | None = None
    ) -> Reduction:
        """What all of it comes to. `admitted` is by the name of a step."""
        kept = len(self.items())
        steps: list[Step] = []
        for name, removed in zip(reversed(self._names), reversed(self._removed), strict=True):
            rules = Counter(one.rule for one in removed if one.rule and name not in self._uncounted)
            steps.append(Step(name, kept, len(removed), rules, (admitted or {}).get(name, {})))
            kept += len(removed)
        return Reduction(tuple(reversed(steps)), tuple(scenarios), tuple(self._removed))


def each_once(items: Iterable[Item], name: Callable[[Item], str]) -> Iterator[Item]:
    """The items as they come. Raises `Refused` at the second of one name, as when there are a file and its copy."""
    seen: set[str] = set()
    for item in items:
        if name(item) in seen:
            raise Refused(f"{name(item)} occurs twice; is there a file and its copy?")
        seen.add(name(item))
        yield item


def fingerprint(scenarios: Iterable[Scenario]) -> str:
    """SHA-256, in hex, of the scenarios, in whatever order they come."""
    rows = [
        {"key": scenario.key, "stratum": scenario.stratum, "payload": dict(scenario.payload)}
        for scenario in sorted(scenarios, key=lambda scenario: scenario.key)
    ]
    return hashlib.sha256(canonical_json(rows)).hexdigest()
