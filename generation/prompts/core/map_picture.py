"""A map as paths of SVG: what a template draws."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generation.prompts.core.prompt_map import Drawing, Point, PromptPoint, ScenarioPoint

SIZE: Final = 900  # of the picture's sides
MARGIN: Final = 20
CAPTION: Final = 82
LINE: Final = 22
NEAR_THE_EDGE: Final = 0.5  # of the coordinates, which go from −1 to 1
MAX_LABELS: Final = 60  # of more scenarios, those of a stratum have labels
# A generator has a shape and a colour, drawn around where the pen is; those after the last begin again.
MARKS: Final = (
    "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
    "m-3.1-3.1h6.2v6.2h-6.2z",
    "m0-4.2l3.9 6.9h-7.8z",
    "m0-4.6l4.6 4.6l-4.6 4.6l-4.6-4.6z",
    "m-1.4-4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8z",
    "m0 4.2l3.9-6.9h-7.8z",
)
# The light colours of base.css, since a picture stands alone.
COLOURS: Final = ("#2675c5", "#ba6802", "#005033", "#5d084c", "#4f4904", "#858585")
PAPER: Final = "#fffdf8"
INK: Final = "#27231d"


@dataclass(frozen=True)
class Shown:
    """What of a map is to be seen: generators by their places in the drawing, a stratum or all of them."""

    generators: frozenset[int]
    stratum: int | None = None
    arms: bool = True
    hulls: bool = True

    def prompts(self, drawing: Drawing) -> list[PromptPoint]:
        return [
            prompt
            for prompt in drawing.prompts
            if prompt.generator in self.generators and self._has(drawing.scenarios[prompt.scenario])
        ]

    def scenarios(self, drawing: Drawing) -> list[ScenarioPoint]:
        return [scenario for scenario in drawing.scenarios if self._has(scenario)]

    def _has(self, scenario: ScenarioPoint) -> bool:
        return self.stratum is None or scenario.stratum == self.stratum


@dataclass(frozen=True, slots=True)
class GeneratorPicture:
    """The paths of one generator; `mark` is one of its `marks`."""

    family: str
    colour: str
    mark: str
    marks: str
    arms: str
    hull: str


@dataclass(frozen=True, slots=True)
class Label:
    """A scenario's key and the middle of its ring, beside which it stands, `is_left` where the edge is near."""

    text: str
    x: str
    y: str
    is_left: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """`labels` are of all scenarios that are shown; empty where they are too many to be read."""

    generators: tuple[GeneratorPicture, ...]
    scenarios: str
    labels: tuple[Label, ...] = ()
    scenario: str = MARKS[0]
    ink: str = INK
    paper: str = PAPER

    @property
    def height(self) -> int:
        """The height with the title and the legend, a line for each generator."""
        return SIZE + CAPTION + LINE * len(self.generators)


def number_of(generator: int) -> int:
    """Which colour and shape a generator has, from 1."""
    return generator % len(MARKS) + 1


def picture(drawing: Drawing, shown: Shown) -> Picture:
    """The parts of the drawing that are shown, in a square of `SIZE`, the second coordinate upwards."""
    prompts = shown.prompts(drawing)
    own = {place: [prompt for prompt in prompts if prompt.generator == place] for place in sorted(shown.generators)}
    return Picture(
        tuple(_generator(drawing, place, prompts, shown) for place, prompts in own.items()),
        _marks([scenario[-2:] for scenario in shown.scenarios(drawing)], MARKS[0]),
        _labels(shown.scenarios(drawing)),
    )


def _labels(scenarios: Sequence[ScenarioPoint]) -> tuple[Label, ...]:
    if len(scenarios) > MAX_LABELS:
        return ()
    middles = ((each, _at(each[-2:]).partition(" ")) for each in scenarios)
    return tuple(Label(each.key, x, y, each.x > NEAR_THE_EDGE) for each, (x, _, y) in middles)


def _generator(drawing: Drawing, place: int, prompts: Sequence[PromptPoint], shown: Shown) -> GeneratorPicture:
    spread, number = drawing.generators[place], number_of(place)
    arms = [(drawing.scenarios[prompt.scenario][-2:], prompt[-2:]) for prompt in prompts if shown.arms]
    return GeneratorPicture(
        spread.family,
        COLOURS[number - 1],
        mark=MARKS[number - 1],
        marks=_marks([prompt[-2:] for prompt in prompts], MARKS[number - 1]),
        arms="".join(map(_line, arms)),
        hull=f"{_line(spread.hull)}z" if shown.hulls and spread.hull else "",
    )


def _marks(places: Sequence[Point], mark: str) -> str:
    return "".join(f"M{_at(place)}{mark}" for place in places)


def _line(places: Sequence[Point]) -> str:
    return "M" + "L".join(map(_at, places))


def _at(place: Point) -> str:
    x, y = place
    reach = SIZE / 2 - MARGIN
    return f"{SIZE / 2 + x * reach:.1f} {SIZE / 2 - y * reach:.1f}"
