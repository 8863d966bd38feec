"""Raters who are the same in every study, as judge models are: prompts alone are a sample, and intervals hold “with
these raters”.
"""

from typing import Final

import numpy as np
from scipy import stats

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import FloatArray
from benchmarks.intervals.simulated_studies import Generator

STRIDE: Final = 7  # prime to the numbers of raters here: who is severe is not therefore noisy


def given_raters(generator: Generator, number: int) -> tuple[FloatArray, FloatArray]:
    """Their severities, and the standard deviations of the rest: as the generator's judges, at even distances in
    probability.
    """
    places = stats.norm.ppf((np.arange(number) + 0.5) / number)
    noisy = places[np.arange(number) * STRIDE % number]
    return np.asarray(generator.judge * places), np.asarray(generator.rest * np.exp(generator.unlike * noisy))


def marks_of_given(
    generator: Generator,
    qualities: FloatArray,
    raters: int,
    rng: np.random.Generator,
    *,
    who: IntArray | None = None,
) -> FloatArray:
    """Prompts × raters × answers × dimensions, from qualities of prompts × answers: by all of so many raters, or by
    those who rate each prompt (`who`: prompts × raters of each).
    """
    severity, rest = given_raters(generator, raters)
    rated = np.tile(np.arange(raters), (len(qualities), 1)) if who is None else who
    return generator.marks(qualities[:, None, :], (severity[rated], rest[rated]), rng)
