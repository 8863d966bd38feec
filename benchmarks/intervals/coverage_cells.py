"""Which studies coverage is tried on: a design, a generator and a kind of study, and what is true of these."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from analysis.data.core.parameters import Parameters
from analysis.data.core.results import Estimate
from benchmarks.intervals.simulated_studies import GENERATORS, SCALE, Design, Generator, a_study
from benchmarks.intervals.tried_categories import EACH, RATERS, category_figures
from benchmarks.intervals.tried_figures import figures_of, published_of, true_of, true_of_population
from benchmarks.intervals.tried_framing import framing_figures
from benchmarks.intervals.tried_panel import panel_figures
from benchmarks.intervals.tried_trials import trial_figures

DESIGNS: Final = (Design(9, 15, 5), Design(10, 5, 5), Design(26, 15, 5), Design(30, 45, 10))
PAPER: Final = "paper"
JUDGED: Final = ("default", PAPER)
MODELS_BY_PROMPTS: Final = tuple(Design(prompts, 3, 3) for prompts in (9, 26))
# Whose raters are the same in every study; prompts alone are a sample.
GIVEN: Final[Mapping[str, Callable[[Generator, int, Parameters, np.random.Generator], dict[str, Estimate]]]] = {
    "panel": panel_figures,
    "framing": framing_figures,
    "trials": trial_figures,
    "categories": category_figures,
}
DESIGNS_OF: Final[Mapping[str, Sequence[Design]]] = {
    **dict.fromkeys(JUDGED, DESIGNS),
    **dict.fromkeys(GIVEN, MODELS_BY_PROMPTS),
    "categories": tuple(Design(each.prompts, RATERS, EACH) for each in MODELS_BY_PROMPTS),
}
# Of a population of given raters: bias is gone from so many prompts, and leaving out one at a time is quick. Of as
# many populations the mean is off by a fortieth of what a study of 26 prompts varies by.
PROMPTS_OF_GIVEN, POPULATIONS_OF_GIVEN = 150, 280
SURE: Final = Design(26, 15, 5)  # from so many prompts, judges and judgments on, figures have intervals


@dataclass(frozen=True)
class Tried:
    """What the analysis of one study found of a figure, and what is true if that is the study's own; NaN where
    there is none.
    """

    value: float
    low: float
    high: float
    true: float


@dataclass(frozen=True)
class Cell:
    """Studies of one design, from one generator, of one kind."""

    design: Design
    generator: str
    kind: str

    def __str__(self) -> str:
        return f"{self.design} | {self.generator} | {self.kind}"

    @property
    def is_sure(self) -> bool:
        """Whether every figure has an interval; raters who are no sample need not be many."""
        judges = self.design.judges or 0
        return self.design.prompts >= SURE.prompts and (self.kind in GIVEN or judges >= (SURE.judges or 0))

    def trial(self, number: int, *, draws: int, seed: int) -> dict[str, Tried]:
        """What is found in study `number`; of the kind “paper” of the figures alone that are others there."""
        generator, rng = GENERATORS[self.generator], np.random.default_rng((seed, number))
        parameters = Parameters(mode=PAPER if self.kind == PAPER else "default", draws=draws, seed=number)
        if self.kind in GIVEN:
            given = GIVEN[self.kind](generator, self.design.prompts, replace(parameters, scale=SCALE), rng)
            return {name: _tried(figure, np.nan) for name, figure in given.items()}
        study = a_study(self.design, generator, rng)
        if self.kind == PAPER:
            return {name: _tried(figure, np.nan) for name, figure in published_of(study, parameters).items()}
        figures, true = figures_of(study, parameters), true_of(study)
        return {name: _tried(figure, true.get(name, np.nan)) for name, figure in figures.items()}


def _tried(figure: Estimate, true: float) -> Tried:
    found, value = figure.interval, np.nan if figure.value is None else figure.value
    low, high = (
        (np.nan, np.nan) if found is None or found.low is None or found.high is None else (found.low, found.high)
    )
    return Tried(value, low, high, true)


def true_of_one(name: str, each: int, kind: str, seed: int, number: int) -> dict[str, float]:
    generator, rng = GENERATORS[name], np.random.default_rng((seed, number))
    if kind in GIVEN:
        given = GIVEN[kind](generator, PROMPTS_OF_GIVEN, Parameters(draws=1, scale=SCALE), rng)
        return {name: figure.value for name, figure in given.items() if figure.value is not None}
    return true_of_population(generator, each, Parameters(mode=PAPER if kind == PAPER else "default"), rng)
