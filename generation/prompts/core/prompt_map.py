"""A map of the prompts written from one source: where scenarios and prompts lie, and how far generators spread.

Coordinates are from −1 to 1 on the longer side and keep the proportions, so that areas and distances compare.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist, fsum
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import scipy

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


def convex_hull(places: Sequence[Point]) -> tuple[list[Point], float]:
    """The corners of the hull, anticlockwise from the leftmost (of these the lowest), and its area.

    Places on a side are no corners; of places on one line the two ends are left, and the area is 0.
    """
    ordered = sorted(set(places))
    try:
        hull = scipy.spatial.ConvexHull(np.array(ordered).reshape(-1, 2))
    except (scipy.spatial.QhullError, ValueError):  # fewer than three places, or all on one line
        return ordered[:1] + ordered[1:][-1:], 0.0
    corners = hull.vertices.tolist()
    first = corners.index(min(corners))  # the places are in order
    return [ordered[corner] for corner in corners[first:] + corners[:first]], float(hull.volume)


def _fitted(places: Vectors) -> list[Point]:
    low, high = places.min(axis=0), places.max(axis=0)
    half = (high - low).max() / 2 or 1.0
    fitted = np.round((places - (low + high) / 2) / half, DECIMALS) + 0.0  # no −0
    return [(x, y) for x, y in fitted.tolist()]


def _spreads(whole: Drawing, families: Mapping[int, str]) -> list[Spread]:
    own = [[prompt for prompt in whole.prompts if prompt.generator == number] for number in range(len(families))]
    hulls = [convex_hull([(prompt.x, prompt.y) for prompt in prompts]) for prompts in own]
    largest = max((size for _, size in hulls), default=0.0)
    return [
        Spread(
            target,
            family,
            prompts=len(prompts),
            hull=hull,
            share=round(size / largest, DECIMALS) if largest else None,
            arm=round(fsum(map(whole.arm, prompts)) / len(prompts), DECIMALS) if prompts else 0.0,
        )
        for (target, family), prompts, (hull, size) in zip(families.items(), own, hulls, strict=True)
    ]
