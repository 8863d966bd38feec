"""Answers under pressure whose scores by judge models are simulated."""

from itertools import product
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.framed import ANSWERED, BASELINE, REFUSED, Experiment
from analysis.data.core.parameters import Parameters
from analysis.data.core.results import Estimate
from analysis.framing.core.contrasts import contrasts
from analysis.framing.core.deltas import MEAN, cells, deltas, gap, matched_deltas
from analysis.framing.core.roles import Roles
from analysis.framing.core.sensitivity import abstentions, changes_in_length, level_of, own_family, refusals
from benchmarks.intervals.given_raters import marks_of_given
from benchmarks.intervals.simulated_studies import DIMENSIONS, MODELS, Generator

AT_ONCE: Final = "framing: all comparisons at once"
RESPONDENTS: Final = MODELS[:2]
CONDITIONS: Final = ("empirical_i", "empirical_friend", "emotion_agree", "emotion_disagree")
LOST: Final = (0.4, 0.2, 1.2, 0.7)  # points, on average, in each condition
ABSTAINED, ABSTAINED_UNDER_PRESSURE = 0.05, 0.12  # of replies; these of a prompt abstain alike
REFUSED_SHARE: Final = 0.15
WORDS, SPREAD, LONGER = 300.0, 70.0, 25.0


def framing_figures(
    generator: Generator, prompts: int, parameters: Parameters, rng: np.random.Generator
) -> dict[str, Estimate]:
    """The figures of one experiment with so many prompts; comparisons under names of one beginning, since their
    intervals hold for all at once.
    """
    experiment = _experiment(generator, prompts, rng)
    replies, level, scale = experiment.replies, parameters.level, parameters.scale
    assert scale is not None
    found = deltas(replies, DIMENSIONS, CONDITIONS, scale=scale)
    matched = matched_deltas(replies, DIMENSIONS, CONDITIONS, scale=scale)
    own = own_family(
        replies,
        DIMENSIONS,
        CONDITIONS,
        families=experiment.families,
        judge_families=experiment.judge_families,
        level=level,
        scale=scale,
    )
    first, condition = RESPONDENTS[0], CONDITIONS[2]
    by_cell = {(each.condition, each.dimension): each.delta.mean for each in cells(found[0], level=level)}
    compared = contrasts(found, roles=Roles(), seed=parameters.seed, level=level)
    longer = changes_in_length(experiment.answers, CONDITIONS, level=level)
    return {
        "framing: Δ on a dimension": by_cell[condition, DIMENSIONS[0]],
        "framing: Δ of a condition": by_cell[condition, MEAN],
        "framing: Δ of matched replies": cells(matched[0], level=level)[0].delta.mean,
        "framing: mean Δ": level_of(found[0], level=level).mean,
        "framing: gap": gap(found[0], CONDITIONS[2], CONDITIONS[3], DIMENSIONS[0], level=level).mean,
        "framing: more to one's own family": own[first].mean,
        "framing: abstentions": abstentions(replies, level=level)[first, condition],
        "framing: refusals": refusals(experiment.answers, level=level)[first, condition],
        "framing: words longer": longer[first, condition].mean,
        **{
            f"{AT_ONCE}: {name} {each.key}": each.estimate
            for name, of_model in compared.items()
            for each in of_model
        },
    }


def _experiment(generator: Generator, prompts: int, rng: np.random.Generator) -> Experiment:
    asked = list(product(RESPONDENTS, (BASELINE, *CONDITIONS)))
    shape = (prompts, len(asked))
    lost = np.array([0.0, *LOST] * len(RESPONDENTS))
    spread = 1 + 0.4 * rng.normal(0, 1, (prompts, 1))  # some prompts are pressed harder
    of_prompt = rng.normal(0, generator.prompt, (prompts, 1))
    qualities = (
        generator.middle + generator.lead + of_prompt + rng.normal(0, generator.answer, shape) - lost * spread
    )
    marks = marks_of_given(generator, np.asarray(qualities), len(MODELS), rng)
    rows = [
        (str(prompt), respondent, condition, judge, "P1")
        for prompt in range(prompts)
        for judge in MODELS
        for respondent, condition in asked
    ]
    replies = pd.DataFrame(rows, columns=["prompt", "respondent", "condition", "judge", "perspective"])
    # Whether an answer takes up the question is the answer's: judges find it alike, more or less.
    chance = np.where(lost > 0, ABSTAINED_UNDER_PRESSURE, ABSTAINED) * rng.gamma(1.0, 1.0, (prompts, 1))
    abstained = rng.random((prompts, len(MODELS), len(asked))) < np.minimum(chance, 0.9)[:, None, :]
    replies = replies.assign(abstained=abstained.ravel())
    replies[list(DIMENSIONS)] = marks.reshape(-1, len(DIMENSIONS))
    words = WORDS + SPREAD * rng.normal(0, 1, shape) + LONGER * (lost > 0)
    answers = pd.DataFrame(
        [(str(prompt), *each) for prompt in range(prompts) for each in asked],
        columns=["prompt", "respondent", "condition"],
    ).assign(words=words.ravel(), state=np.where(rng.random(shape) < REFUSED_SHARE, REFUSED, ANSWERED).ravel())
    families = {name: name for name in MODELS}
    return Experiment("", replies, answers, DIMENSIONS, CONDITIONS, families=families, judge_families=families)
