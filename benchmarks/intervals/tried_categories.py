"""Ratings that are categories, consensus scores, and shares of clustered things: simulated, with these raters."""

from typing import Final

import numpy as np
import pandas as pd

from analysis.agreement.core.categories import COEFFICIENTS, coefficient_estimate
from analysis.agreement.core.dimensions import of_consensus
from analysis.benchmarks.core.cluster_shares import Resamples
from analysis.data.core.parameters import Parameters
from analysis.data.core.results import Estimate
from analysis.data.core.study_pool import POOL_DIVERSITY
from analysis.data.core.study_tables import StudyTables
from analysis.pool.core.pool_report import pool_report
from annotation.platform.core.category_agreement import category_agreement
from benchmarks.intervals.given_raters import given_raters
from benchmarks.intervals.simulated_studies import Generator, judged

RATERS, EACH = 15, 5
BOUNDS: Final = (4.0, 7.0)  # of a mark, where the next category begins
QUESTIONS: Final = 8  # of a story, on average
PAIRS, EVALUATORS = 10, 3  # of a scenario's prompts by one generator; who vote on whether they are alike


def category_figures(
    generator: Generator, prompts: int, parameters: Parameters, rng: np.random.Generator
) -> dict[str, Estimate]:
    """The figures of one study with so many prompts, stories or scenarios."""
    who = rng.permuted(np.tile(np.arange(RATERS), (prompts, 1)), axis=1)[:, :EACH]
    frame = judged(generator, generator.qualities(prompts, rng), who, given_raters(generator, RATERS), rng)
    dimension = "clarity"
    values = np.searchsorted(BOUNDS, frame[dimension]).astype(float)
    found = category_agreement(
        values.tolist(),
        frame["true_id"].tolist(),
        frame["judge_id"].tolist(),
        frame["prompt_id"].tolist(),
        offered=range(len(BOUNDS) + 1),
    )
    correlations, components = of_consensus(
        frame, draws=parameters.draws, seed=parameters.seed, level=parameters.level
    )
    return {
        **{
            f"categories: {name.replace('_', ' ')}": coefficient_estimate(
                name, getattr(found, name), n=found.n, level=parameters.level
            )
            for name in COEFFICIENTS
        },
        "consensus: r of dimensions": correlations[0].r,
        "consensus: first component": components[0].share,
        **_audit(generator, prompts, parameters, rng),
        "pool: functional diversity": _diversity(generator, prompts, parameters, rng),
    }


def _audit(
    generator: Generator, stories: int, parameters: Parameters, rng: np.random.Generator
) -> dict[str, Estimate]:
    """Right answers to questions of stories, once as published and once rephrased."""
    sizes = rng.poisson(QUESTIONS - 1, stories) + 1
    clusters = np.repeat(np.arange(stories), sizes)
    ease = (generator.middle + rng.normal(0, 1 + generator.unlike, stories))[clusters] + rng.normal(
        0, 1, clusters.size
    )
    right = [(ease + rng.normal(0, 1, clusters.size) > bound).astype(float) for bound in (3.5, 4.0)]
    resamples = Resamples.drawn(stories, draws=parameters.draws, seed=parameters.seed, level=parameters.level)
    weights = np.ones(clusters.size)
    one, other = (resamples.share(each, weights, clusters) for each in right)
    return {
        "audit: share of right answers": resamples.estimate("score", one),
        "audit: difference of two shares": resamples.difference("difference", other, one),
    }


def _diversity(generator: Generator, scenarios: int, parameters: Parameters, rng: np.random.Generator) -> Estimate:
    chance = rng.beta(2, 2 + generator.middle, scenarios)
    rows = pd.DataFrame(
        {
            "source": "S",
            "scenario": [str(scenario) for scenario in range(scenarios)],
            "generators": "gpt",
            "pairs": float(PAIRS),
            "evaluators": float(EVALUATORS),
            "votes": float(PAIRS * EVALUATORS),
            "equivalent_both": rng.binomial(PAIRS, chance).astype(float),
            "equivalent_either": rng.binomial(PAIRS, chance).astype(float),
        }
    )
    tables = StudyTables(pd.DataFrame(), pool_diversity=rows[[each for each in POOL_DIVERSITY if each in rows]])
    return pool_report(tables, level=parameters.level).diversity[0].both
