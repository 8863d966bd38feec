"""Functional diversity: how many prompts of a scenario ask for analytical work of their own.

Two prompts are equivalent if they ask for the same work. FD is 1 less the share of equivalent pairs: 1 where no two
prompts of a bundle are alike, 0 where all are. Across two bundles the pairs are those with a prompt of each.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Final, Literal, TypeVar

from annotation.platform.core.text import sha256_hex

Reading = Literal["both", "either"]
Stage = Literal["after", "before"]
Mixed = Literal["third", "all"]
Order = Literal["drawn", "both", "written"]
Key = TypeVar("Key", bound=Hashable)

READINGS: Final[Mapping[str, str]] = {
    "both": "Equivalent where every judge says so",
    "either": "Equivalent where one judge says so",
}
STAGES: Final[Mapping[str, str]] = {
    "after": "Prompts that pass the quality filter",
    "before": "All prompts, before the quality filter",
}
MIXED: Final[Mapping[str, str]] = {
    "third": "Models that wrote neither prompt",
    "all": "All models, the two that wrote the prompts too",
}
"""Who compares the prompts of two generators."""
ORDERS: Final[Mapping[str, str]] = {
    "drawn": "Drawn for each pair and model, so that about half have each",
    "both": "Both: a model compares each pair twice",
    "written": "Always the one that was written first",
}
"""Which of two prompts a model is shown first."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What is compared within the prompts of one generator for a scenario, or across those of two.

    `generators` are one id or two, the lesser first; `pairs` (at least one) are to be compared by as many models as
    `evaluators` says, of which `votes` have come; `equivalent` counts pairs by reading.
    """

    source: int
    scenario: int
    generators: tuple[int, ...]
    pairs: int
    evaluators: int
    votes: int
    equivalent: Mapping[Reading, int]

    @property
    def wanted(self) -> int:
        return self.pairs * self.evaluators

    @property
    def is_complete(self) -> bool:
        """Whether every verdict is there: before that, pairs that are alike cannot be told from those unjudged."""
        return self.votes == self.wanted

    def diversity(self, reading: Reading) -> float:
        """FD of a complete cell, 0 to 1."""
        return 1 - self.equivalent[reading] / self.pairs


@dataclass(frozen=True, slots=True)
class Diversity:
    """Mean FD over `n` scenarios, 0 to 1, with its standard error, which takes two scenarios at least.

    `left_out` are scenarios whose pairs are not all compared yet.
    """

    mean: float | None
    se: float | None
    n: int
    left_out: int


def evaluators(models: Iterable[int], generators: Collection[int], *, mixed: Mixed) -> list[int]:
    """Which of the models compare prompts of these generators, one or two: none judges its own prompts unless
    `mixed` allows it.
    """
    everybody = len(set(generators)) == 2 and mixed == "all"
    return [model for model in models if everybody or model not in generators]


def orders_shown(order: Order, *, seed: int, model: str, pair: tuple[str, str]) -> tuple[bool, ...]:
    """Whether the second prompt stands before the first, for each time that the model compares the pair.

    What is drawn depends on the study's seed, the model's name and the hashes of both texts alone.
    """
    if order == "both":
        return (False, True)
    drawn = sha256_hex("\x1f".join((str(seed), model, *pair)))
    return (order == "drawn" and int(drawn[0], 16) % 2 == 1,)


def within(cells: Iterable[Cell], reading: Reading) -> dict[tuple[int | None, int], Diversity]:
    """Diversity within a generator, by source, None for all, and generator."""
    return _by_key(
        (((source, cell.generators[0]), cell) for source, cell in _by_source(cells, generators=1)), reading
    )


def across(cells: Iterable[Cell], reading: Reading) -> dict[int | None, Diversity]:
    """Diversity across generators by source, None for all: the mean over the pairs of generators in each scenario,
    then over scenarios.
    """
    return _by_key(_by_source(cells, generators=2), reading)


def across_pairs(cells: Iterable[Cell], reading: Reading) -> dict[tuple[int | None, tuple[int, ...]], Diversity]:
    """Diversity by source, None for all, and pair of generators, the lesser id first."""
    return _by_key((((source, cell.generators), cell) for source, cell in _by_source(cells, generators=2)), reading)


def _by_source(cells: Iterable[Cell], *, generators: int) -> Iterator[tuple[int | None, Cell]]:
    for cell in cells:
        if len(cell.generators) == generators:
            yield cell.source, cell
            yield None, cell


def _by_key(keyed: Iterable[tuple[Key, Cell]], reading: Reading) -> dict[Key, Diversity]:
    grouped: defaultdict[Key, list[Cell]] = defaultdict(list)
    for key, cell in keyed:
        grouped[key].append(cell)
    return {key: _diversity(group, reading) for key, group in grouped.items()}


def _diversity(cells: Iterable[Cell], reading: Reading) -> Diversity:
    """A scenario counts once all its cells are complete, with the mean of theirs."""
    by_scenario: defaultdict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        by_scenario[cell.scenario].append(cell)
    values = [
        sum(cell.diversity(reading) for cell in scenario) / len(scenario)
        for scenario in by_scenario.values()
        if all(cell.is_complete for cell in scenario)
    ]
    n, left_out = len(values), len(by_scenario) - len(values)
    if n == 0:
        return Diversity(None, None, n, left_out)
    mean = fsum(values) / n
    se = sqrt(fsum((value - mean) ** 2 for value in values) / (n - 1) / n) if n > 1 else None
    return Diversity(mean, se, n, left_out)
