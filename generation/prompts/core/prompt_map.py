"""A map of the prompts written from one source: where scenarios and prompts lie, and how far generators spread.

Coordinates are from −1 to 1 on the longer side and keep the proportions, so that areas and distances compare.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import dist, fsum
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

DECIMALS: Final = 4

Point = tuple[float, float]
Vectors = npt.NDArray[np.float64]  # a row for each text


class ScenarioPoint(NamedTuple):
    """`stratum` is its place in the drawing's strata."""

    id: int
    key: str
    stratum: int
    x: float
    y: float


class PromptPoint(NamedTuple):
    """`scenario` and `generator` are their places in the drawing; `position` counts in its bundle, from 1."""

    id: int
    scenario: int
    generator: int
    position: int
    x: float
    y: float


class Spread(NamedTuple):
    """How far a generator's prompts spread.

    `hull` is their convex hull; `share` its area, the largest of all generators' being 1, None where no hull has an
    area; `arm` the mean distance of a prompt from its scenario.
    """

    target: int
    family: str
    prompts: int
    hull: Sequence[Point]
    share: float | None
    arm: float


@dataclass(frozen=True)
class Drawing:
    """A map as it is kept: JSON has the points as lists, in the order of their fields."""

    generators: Sequence[Spread]
    strata: Sequence[str]
    scenarios: Sequence[ScenarioPoint]
    prompts: Sequence[PromptPoint]

    def kept(self) -> dict[str, Any]:
        return dict(vars(self))

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Self:
        """The drawing that was kept."""
        return cls(
            generators=[Spread(*row) for row in kept["generators"]],
            strata=kept["strata"],
            scenarios=[ScenarioPoint(*row) for row in kept["scenarios"]],
            prompts=[PromptPoint(*row) for row in kept["prompts"]],
        )

    def arm(self, prompt: PromptPoint) -> float:
        """How far the prompt is from its scenario."""
        return dist(self.scenarios[prompt.scenario][-2:], prompt[-2:])


@dataclass(frozen=True, slots=True)
class MappedScenario:
    id: int
    key: str
    stratum: str


@dataclass(frozen=True, slots=True)
class MappedPrompt:
    id: int
    scenario: int
    target: int
    position: int


def drawing(
    scenarios: Sequence[MappedScenario],
    prompts: Sequence[MappedPrompt],
    families: Mapping[int, str],
    places: Vectors,
) -> Drawing:
    """The map. `families` names the generators by target; `places` are the scenarios', then the prompts'."""
    fitted = _fitted(places)
    strata = sorted({scenario.stratum for scenario in scenarios})
    numbers = {scenario.id: number for number, scenario in enumerate(scenarios)}
    generators = {target: number for number, target in enumerate(families)}
    whole = Drawing(
        generators=(),
        strata=strata,
        scenarios=[
            ScenarioPoint(scenario.id, scenario.key, strata.index(scenario.stratum), *place)
            for scenario, place in zip(scenarios, fitted[: len(scenarios)], strict=True)
        ],
        prompts=[
            PromptPoint(prompt.id, numbers[prompt.scenario], generators[prompt.target], prompt.position, *place)
            for prompt, place in zip(prompts, fitted[len(scenarios) :], strict=True)
        ],
    )
    return replace(whole, generators=_spreads(whole, families))


def convex_hull(places: Sequence[Point]) -> list[Point]:
    """The corners of the hull, anticlockwise from the leftmost (of these the lowest); those on a side are none."""
    ordered = sorted(set(places))
    if len(ordered) < 3:
        return ordered
    return _chain(ordered)[:-1] + _chain(ordered[::-1])[:-1]


def area(corners: Sequence[Point]) -> float:
    """The area of a polygon whose corners are given in order."""
    closed = [*corners, *corners[:1]]
    return abs(fsum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise(closed))) / 2


def _fitted(places: Vectors) -> list[Point]:
    low, high = places.min(axis=0), places.max(axis=0)
    half = (high - low).max() / 2 or 1.0
    fitted = np.round((places - (low + high) / 2) / half, DECIMALS) + 0.0  # no −0
    return [(x, y) for x, y in fitted.tolist()]


def _spreads(whole: Drawing, families: Mapping[int, str]) -> list[Spread]:
    own = [[prompt for prompt in whole.prompts if prompt.generator == number] for number in range(len(families))]
    hulls = [convex_hull([(prompt.x, prompt.y) for prompt in prompts]) for prompts in own]
    areas = [area(hull) for hull in hulls]
    largest = max(areas, default=0)
    return [
        Spread(
            target,
            family,
            prompts=len(prompts),
            hull=hull,
            share=round(size / largest, DECIMALS) if largest else None,
            arm=round(fsum(map(whole.arm, prompts)) / len(prompts), DECIMALS) if prompts else 0.0,
        )
        for (target, family), prompts, hull, size in zip(families.items(), own, hulls, areas, strict=True)
    ]


def _chain(ordered: Sequence[Point]) -> list[Point]:
    """The places from the first to the last that one passes when one only ever turns left."""
    chain: list[Point] = []
    for place in ordered:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], place) <= 0:
            chain.pop()
        chain.append(place)
    return chain


def _turn(a: Point, b: Point, c: Point) -> float:
    """Positive where the way from `a` over `b` to `c` turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
