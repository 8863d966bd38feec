"""Constitutional trials whose scores by evaluators, conclusions and guesses are simulated."""

from itertools import product
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.parameters import Parameters
from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import Estimate, FloatArray
from analysis.data.core.trials import COLUMNS, GUESSES, POINTS, UNKNOWN, AskedScale, TrialDesign, Trials
from analysis.trials.core.approach_agreement import measure_agreement
from analysis.trials.core.conclusions import conclusions
from analysis.trials.core.conditions import contrasts, controls, predictions
from analysis.trials.core.halo import halo_difference, halos
from analysis.trials.core.recognition import recognised
from analysis.trials.core.rubric_diagnostics import CONSENSUS, lengths, links, severities
from analysis.trials.core.score_table import MEAN, score_tables
from benchmarks.intervals.given_raters import marks_of_given
from benchmarks.intervals.simulated_studies import DIMENSIONS, MODELS, Generator

BASELINE, UNDER, CONTROL = "none", "constitution", "denial"
CONDITIONS: Final = (BASELINE, UNDER, CONTROL)
ADDED: Final = (0.0, 0.4, -2.0)  # points of the generator's scale
RESPONDENTS: Final = MODELS[:2]
REPLICATES: Final = 2  # answers to one condition in a case
INTEGRITY: Final = DIMENSIONS[0]
DESIGN: Final = TrialDesign(BASELINE, (CONTROL,), INTEGRITY)
APPROACHES: Final = ("both", "each")
TO_POINTS: Final = 10.0  # of 100 a point of the generator's scale
FAILED: Final = 0.03  # of ratings
RECOMMENDED: Final = (0.6, 0.25, 0.15)  # how often answers recommend the first thing, the second or the third
KEPT: Final = 0.5  # answers to one condition that recommend what their case does
CODED_ALIKE: Final = 0.85
JUDGES, GUESSED = 12, 10
WORDS, SPREAD = 300.0, 70.0


def trial_figures(
    generator: Generator, scenarios: int, parameters: Parameters, rng: np.random.Generator
) -> dict[str, Estimate]:
    """The figures of trials with so many scenarios."""
    trials = _trials(generator, scenarios, rng)
    level = parameters.level
    whole = score_tables(trials)
    points, of_each = (table.limited_to((table.answers["condition"] != CONTROL).to_numpy()) for table in whole)
    agreement = measure_agreement(points, MEAN, level)
    on_one = measure_agreement(points, INTEGRITY, level)
    over = {each.over: each.r for each in links(points, level)}
    coded = conclusions(points.answers, draws=1, seed=0, level=level, coders=trials.coders)
    assert coded.beyond is not None
    return {
        "trials: difference from the baseline": next(contrasts(whole[0], DESIGN, level)).difference,
        "trials: mean of a condition": next(predictions(whole[0], DESIGN, level)).mean,
        "trials: difference of a control": next(controls(whole[0], DESIGN, level)).difference,
        "trials: r of evaluators": agreement.pearson,
        "trials: Spearman's r of evaluators": agreement.spearman,
        "trials: α of scores": agreement.alpha_ordinal,
        "trials: ICC, random": agreement.icc_random,
        "trials: ICC, fixed": agreement.icc_fixed,
        "trials: α on a dimension": on_one.alpha_ordinal,
        "trials: same band": agreement.share,
        "trials: AC1": agreement.ac1,
        "trials: AC2": agreement.ac2,
        "trials: halo": halos(points, level)[0].halo,
        "trials: difference in halo": halo_difference(points, of_each, level).difference,
        "trials: r of dimensions": over["ratings"],
        "trials: r of dimensions, consensus": over[CONSENSUS],
        "trials: severity of an evaluator": next(severities(points, level)).above,
        "trials: r with length": next(lengths(points, level)).r,
        "trials: other conclusion, conditions": coded.differ,
        "trials: other conclusion, repeats": coded.repeats,
        "trials: more other conclusions": coded.beyond,
        "trials: κ of two coders": coded.kappa,
        "trials: index of recognition": next(recognised(trials, DESIGN, level)).index,
    }


def _trials(generator: Generator, scenarios: int, rng: np.random.Generator) -> Trials:
    asked = list(product(RESPONDENTS, CONDITIONS, range(REPLICATES)))
    added = np.array([ADDED[CONDITIONS.index(condition)] for _, condition, _ in asked])
    shape = (scenarios, len(asked))
    # What a condition adds differs from scenario to scenario.
    differs = rng.normal(0, generator.prompt, (scenarios, len(CONDITIONS)))
    places = [CONDITIONS.index(condition) for _, condition, _ in asked]
    qualities = generator.middle + added + differs[:, places] + rng.normal(0, generator.prompt, (scenarios, 1))
    qualities = qualities + rng.normal(0, generator.answer, shape)
    names = [[f"{scenario}-{place}" for place in range(len(asked))] for scenario in range(scenarios)]
    head = pd.DataFrame(
        [
            (answer, str(scenario), model, condition)
            for scenario, of_scenario in enumerate(names)
            for answer, (model, condition, _) in zip(of_scenario, asked, strict=True)
        ],
        columns=["answer", "scenario", "model", "condition"],
    )
    codes = _codes(scenarios, asked, rng)
    answers = head["answer"].tolist()
    return Trials(
        frame=pd.concat([_rated(generator, qualities, name, head, rng) for name in APPROACHES], ignore_index=True),
        conclusions=dict(zip(answers, _words(codes), strict=True)),
        coders={
            answer: {"P1": one, "P2": other}
            for answer, one, other in zip(answers, _words(codes), _words(_coded_anew(codes, rng)), strict=True)
        },
        words=dict(zip(answers, (WORDS + SPREAD * rng.normal(0, 1, len(answers))).round().tolist(), strict=True)),
        guesses=_guesses(rng),
        scales={name: AskedScale(*POINTS) for name in APPROACHES},
    )


def _rated(
    generator: Generator, qualities: FloatArray, approach: str, head: pd.DataFrame, rng: np.random.Generator
) -> pd.DataFrame:
    """An approach's ratings, a block of all answers for each evaluator and dimension."""
    marks = TO_POINTS * marks_of_given(generator, qualities, len(MODELS), rng)
    blocks = []
    for place, evaluator in enumerate(MODELS):
        for column, dimension in enumerate(DIMENSIONS):
            values = marks[:, place, :, column].ravel()
            has_failed = rng.random(values.size) < FAILED
            blocks.append(
                head.assign(
                    approach=approach,
                    evaluator=evaluator,
                    replicate=1,
                    dimension=dimension,
                    value=np.where(has_failed, np.nan, values),
                    status=np.where(has_failed, "failed", "ok"),
                )
            )
    return pd.concat(blocks, ignore_index=True)[list(COLUMNS)]


def _codes(scenarios: int, asked: "list[tuple[str, str, int]]", rng: np.random.Generator) -> IntArray:
    """What answers recommend, scenarios × answers: as others in their case do, or as they happen to."""
    kinds = len(RECOMMENDED)
    usual = rng.choice(kinds, (scenarios, len(RESPONDENTS)), p=RECOMMENDED)
    of_condition = rng.choice(kinds, (scenarios, len(RESPONDENTS), len(CONDITIONS)), p=RECOMMENDED)
    keeps = rng.random((scenarios, len(asked)))
    cases = [RESPONDENTS.index(model) for model, _, _ in asked]
    conditions = [CONDITIONS.index(condition) for _, condition, _ in asked]
    alone = rng.choice(kinds, (scenarios, len(asked)), p=RECOMMENDED)
    found = np.where(keeps < KEPT, usual[:, cases], of_condition[:, cases, conditions])
    return np.asarray(np.where(keeps > 0.8, alone, found))


def _coded_anew(codes: IntArray, rng: np.random.Generator) -> IntArray:
    others = rng.choice(len(RECOMMENDED), codes.shape)
    return np.asarray(np.where(rng.random(codes.shape) < CODED_ALIKE, codes, others))


def _words(codes: IntArray) -> list[str]:
    return [f"C{code}" for code in codes.ravel()]


def _guesses(rng: np.random.Generator) -> pd.DataFrame:
    """Judges are the sample; some tell conditions better than others."""
    named = (BASELINE, UNDER)
    better = rng.beta(3, 3, (JUDGES, 1))
    truth = rng.integers(0, len(named), (JUDGES, GUESSED))
    luck = rng.random((JUDGES, GUESSED))
    guess = np.where(luck < 0.3 + 0.5 * better, truth, 1 - truth)
    said = np.where(rng.random((JUDGES, GUESSED)) < 0.15, len(named), guess)
    names = np.array([*named, UNKNOWN])
    judges = np.repeat([f"J{judge}" for judge in range(JUDGES)], GUESSED)
    return pd.DataFrame(dict(zip(GUESSES, (judges, names[truth.ravel()], names[said.ravel()]), strict=True)))
