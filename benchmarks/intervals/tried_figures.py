"""The figures of a simulated study whose intervals are tried, and what is true of them."""

from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd

from analysis.agreement.core.agreement_by_scope import Agreement, agreement_by_scope
from analysis.agreement.core.agreement_resampler import AgreementResampler
from analysis.agreement.core.column_alpha import alpha_of
from analysis.agreement.core.dimensions import components, correlations
from analysis.agreement.core.evaluators import OVERALL, EvaluatorResampler, agreement_on
from analysis.agreement.core.intraclass import COEFFICIENTS
from analysis.agreement.core.judges import severities
from analysis.agreement.core.overall_intraclass import overall_intraclass
from analysis.agreement.core.rubric import rubric
from analysis.blinding.core.blinding_index import BlindingIndices, Guesses, blinding_indices
from analysis.data.core.judgment_frame import JUDGMENT, mean_of_dimensions
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.ranks import ranked
from analysis.data.core.results import Estimate
from analysis.data.core.study_tables import StudyTables
from analysis.outcomes.core.calibration import QUALITY_FLOOR, quality_floor
from analysis.outcomes.core.outcomes_by_scope import AllOutcomes, all_outcomes
from analysis.sections.core.inputs import Unblinded
from annotation.study.core.rubric import Band, Scale
from benchmarks.intervals.simulated_studies import SCALE, SHOWN, WEAK, Generator, Study, a_population, guesses

RUBRIC: Final = Scale(1, 10, 1, tuple(Band(str(at), str(at), at, at + 2) for at in (1, 4, 7)))
OTHERS: Final = 1_000_000  # a judge's number, behind all
POPULATION: Final = 1_000  # prompts of one
POPULATIONS: Final = 60  # together off by a fortieth of what α varies by between studies of 30 prompts
_NO_TABLES: Final = StudyTables(pd.DataFrame())
PUBLISHED: Final = (
    "as published: W",
    "as published: τ-b",
    "as published: same first",
    "as published: same ranking",
)
# What differs from study to study by its judges or its first prompt: true are what their parameters say.
OF_THE_STUDY: Final = ("one prompt: W", "one prompt: τ-b", "one prompt: lead", "a judge's severity")
# What no one population has, but studies of the design: true is the mean over them all.
OF_THE_DESIGN: Final = (
    *("W, plain", "W, tie-corrected", "W, ranked by all", "τ-b, within prompts", "τ-b, pooled"),
    *("same first", "same ranking", *PUBLISHED),
    *(f"ICC over all, {kind}" for kind in ("random", "fixed", "random mean", "fixed mean")),
    *("mean r of judges", "r within prompts", "prompts led by models"),
)


def published_of(study: Study, parameters: Parameters) -> dict[str, Estimate]:
    """Those that are other figures in paper-compatible mode; all others are made as by default."""
    found = _agreement(agreement_by_scope(_inputs(study.frame, parameters), is_tested=False)[WHOLE])
    return {name: found[name] for name in (*PUBLISHED, "W, plain", "α of ranks")}


def figures_of(study: Study, parameters: Parameters) -> dict[str, Estimate]:
    """All of them."""
    given = _inputs(study.frame, parameters)
    outcomes = all_outcomes(given)
    hang = rubric(given)
    blinding = blinding_indices(Guesses(study.guesses, study.guesses))
    return {
        **_agreement(agreement_by_scope(given, is_tested=False)[WHOLE]),
        **_over_all(given),
        "r of dimensions": hang.correlations[0].r,
        "first component": hang.components[0].share,
        **_judges(given),
        **_ranks(outcomes),
        **_outcomes(outcomes),
        **_floor(study.floor),
        "a judge's severity": _severity(study.frame, mean_of_dimensions(study.frame)),
        **_blinding(blinding),
    }


def true_of(study: Study) -> dict[str, float]:
    """The figures of the study alone."""
    of_prompt, of_judges = study.expected()
    # Other prompts have others of the study's judges.
    first = np.unique(study.who)[0]
    others = np.delete(of_judges, first)
    return {**of_prompt, "a judge's severity": float(of_judges[first] - others.mean())}


def true_of_population(
    generator: Generator, each: int, parameters: Parameters, rng: np.random.Generator
) -> dict[str, float]:
    """What is true of a large part of everything that studies with `each` judges to a prompt are drawn from, but
    for figures that only a study or a design has. The mean over `POPULATIONS` is what is true of it all.
    """
    frame, floor = a_population(generator, POPULATION, each, rng)
    given = _inputs(frame, replace(parameters, draws=0))
    standard = given.standard
    if parameters.mode == "paper":
        alpha = alpha_of(standard, standard["rank"].to_numpy(dtype=float), "ordinal").value
        return {} if alpha is None else {"α of ranks": alpha}
    prompts, judges = (np.ones((1, standard[column].nunique())) for column in JUDGMENT)
    resampler = AgreementResampler.of(standard)
    drawn = resampler.of_judges(judges)(prompts)
    banded = EvaluatorResampler.of(standard, mean_of_dimensions(standard).to_numpy(dtype=float), RUBRIC.bands)
    blinding = blinding_indices(Guesses(*2 * (guesses(POPULATION, rng),)))
    outcomes = all_outcomes(given)
    found = {
        "r of dimensions": correlations(standard)[0].r,
        "first component": components(standard)[0].share,
        "same band": (bands := banded.estimates(standard))["same_band"],
        "α of bands": bands["band_alpha"],
        **_ranks(outcomes),
        **_outcomes(outcomes),
        **_floor(floor),
        **_blinding(blinding),
    }
    return {
        "α of ranks": float(drawn["alpha_ordinal"][0]),
        "α of scores": float(drawn["alpha_interval"][0]),
        **{_icc(name): float(drawn[name][0]) for name in COEFFICIENTS},
        **{name: figure.value for name, figure in found.items() if figure.value is not None},
    }


def _inputs(frame: pd.DataFrame, parameters: Parameters) -> Unblinded:
    counted, _ = ranked(frame, parameters)
    return Unblinded(
        ranked=counted,
        standard=counted,
        scopes={WHOLE: counted},
        scale=RUBRIC,
        parameters=replace(parameters, scale=SCALE),
        tables=replace(_NO_TABLES, judgments=frame),
    )


def _agreement(found: Agreement) -> dict[str, Estimate]:
    summary = found.summary
    one = (
        {"one prompt: W": found.prompts[0].w_common, "one prompt: τ-b": found.prompts[0].tau_b}
        if found.prompts
        else {}
    )
    published = (
        {
            "as published: W": found.published.w.mean,
            "as published: τ-b": found.published.tau_b,
            "as published: same first": found.published.top_1,
            "as published: same ranking": found.published.full,
        }
        if found.published
        else {}
    )
    return {
        **published,
        "W, plain": summary.w.mean,
        "W, tie-corrected": summary.w_tie_corrected.mean,
        "W, ranked by all": summary.w_common.mean,
        "τ-b, within prompts": summary.tau_b.mean,
        "τ-b, pooled": summary.tau_b_pooled,
        "α of ranks": summary.alpha_ordinal,
        "α of scores": summary.alpha_interval,
        "same first": summary.top_1,
        "same ranking": summary.full,
        **{_icc(name): icc for name, icc in found.icc.items()},
        **one,
    }


def _over_all(given: Unblinded) -> dict[str, Estimate]:
    """Two judges share answers to few prompts: how far what differs between prompts counts is the design's."""
    asked = given.parameters
    found = overall_intraclass(given.standard, draws=asked.draws, seed=asked.seed, level=asked.level)
    return {f"ICC over all, {name.replace('_', ' ')}": icc for name, icc in found.items()}


def _judges(given: Unblinded) -> dict[str, Estimate]:
    """Of mean scores; those of single dimensions are made in the same way."""
    asked, rows = given.parameters, given.standard
    drawn = {"draws": asked.draws, "seed": asked.seed}
    found = agreement_on(OVERALL, rows, mean_of_dimensions(rows), RUBRIC.bands, **drawn, level=asked.level)
    return {
        "mean r of judges": found.r,
        "r within prompts": found.r_within,
        "same band": found.same_band,
        "α of bands": found.band_alpha,
    }


def _ranks(found: AllOutcomes) -> dict[str, Estimate]:
    source = found.outcomes[WHOLE].sources[0]
    return {"mean rank, shared means": source.mid_rank.mean, "mean rank, competition": source.competition_rank.mean}


def _outcomes(found: AllOutcomes) -> dict[str, Estimate]:
    whole = found.outcomes[WHOLE]
    people = next(head for head in whole.heads if head.other == "human")
    assert whole.strengths.ties is not None
    return {
        "mean score, a model": whole.sources[0].score.mean,
        "mean score, people": next(each for each in whole.sources if each.source == "human").score.mean,
        "mean score, a dimension": whole.card[0].score.mean,
        "first places of a model": whole.sources[0].first,
        "lead of models": whole.lead,
        "model preferred": whole.pairs.preference,
        "one model to another": whole.heads[0].preference,
        "one model to people": people.preference,
        "model first, shared too": whole.first.any_first,
        "model first, by shares": whole.first.fractional,
        "prompts led by models": whole.led_by_models,
        "strength, Davidson": whole.strengths.items[0].log_strength,
        "ν of ties": whole.strengths.ties,
        "strength, Plackett–Luce": whole.plackett_luce.items[0].log_strength,
        "one prompt: lead": found.prompts[0].lead,
    }


def _blinding(found: BlindingIndices) -> dict[str, Estimate]:
    return {"Bang, people": found.bang[0], "Bang, models": found.bang[1], "James": found.james}


def _icc(name: str) -> str:
    return f"ICC, {name.replace('_', ' ')}"


def _floor(judgments: pd.DataFrame) -> dict[str, Estimate]:
    frame = judgments.assign(item_type=QUALITY_FLOOR)
    found = quality_floor(frame, frame["true_id"] % SHOWN.size == WEAK, scale=SCALE)
    return {"weak answer last": found.last, "weak answer's gap": found.gap}


def _severity(frame: pd.DataFrame, scores: "pd.Series[float]") -> Estimate:
    """Of the judge who is first in the alphabet."""
    own = frame["judge_id"] == frame["judge_id"].min()
    judges = frame["judge_id"].where(own, OTHERS)
    return severities(frame.assign(judge_id=judges), scores, scale=SCALE)[0].lead.mean
