"""The whole analysis of a frame of judgments: every figure with its interval, or the reason why there is none.

`analyse` and `analyse_masked` compute; pages, tables, figures and files are views of what they return and compute
nothing. The same frame and parameters give the same report to the last digit.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, Literal

import numpy as np
import pandas as pd

from analysis.core.agreement import (
    AgreementResampler,
    AgreementSummary,
    PromptAgreement,
    agreement_by_prompt,
    agreement_summary,
)
from analysis.core.calibration import Attribution, QualityFloor, quality_floor, source_attribution
from analysis.core.concordance import mean_permutation_p
from analysis.core.crossed import crossed_mean, error_with_more_judges
from analysis.core.dimensions import Component, Correlation, components, correlations
from analysis.core.judges import Severity, severities, without_each
from analysis.core.judgment_frame import (
    HUMAN,
    MODEL,
    dimensions_of,
    domain_of_prompt,
    mean_of_dimensions,
    split_by_domain,
    standard_only,
)
from analysis.core.outcomes import (
    DimensionOutcome,
    ModelFirst,
    ModelHumanPairs,
    OutcomeResampler,
    SourceOutcome,
    model_first,
    model_human_pairs,
    outcomes_by_source,
    prompts_led_by_models,
    score_card,
)
from analysis.core.paired_comparison import Strengths, davidson
from analysis.core.resampling import Draws, resampled, with_interval
from analysis.core.results import Estimate, Summary

Mode = Literal["default", "paper"]

# Of a figure over everything there are as many resamples as asked for; of very many judgments fewer, since each one
# tells less then and takes longer.
ROWS_RESAMPLED: Final = 20_000_000
FEWEST_DRAWS: Final = 100
LEFT_OUT: Final = ("w_common", "tau_b_pooled", "alpha_ordinal")
MOST_LEFT_OUT: Final = 200  # judges, one at a time
MORE_JUDGES: Final = (0, 5, 10, 20)
WHOLE: Final = ""  # the scope of everything, beside the domains


@dataclass(frozen=True, slots=True)
class Parameters:
    """What an analysis was asked to do.

    `default` ranks answers anew from their scores, within each judgment; `paper` takes the ranks as they were
    given. Intervals are at `level`; `seed` starts every resample.
    """

    mode: Mode = "default"
    draws: int = 2000
    level: float = 0.95
    seed: int = 42


@dataclass(frozen=True, slots=True)
class Data:
    """What was analysed. `reranked` counts judgments whose ranks from the scores are others than those given."""

    rows: int
    prompts: int
    judges: int
    judgments: int
    answers: int
    dimensions: tuple[str, ...]
    item_types: Mapping[str, int]
    reranked: int
    draws: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of all prompts or of one domain's. `permutation_p` is of the mean W over the answers all judges ranked."""

    summary: AgreementSummary
    permutation_p: Estimate
    prompts: tuple[PromptAgreement, ...]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Of all prompts or of one domain's. `strengths` are Davidson's, over pairs of answers of a judgment."""

    sources: tuple[SourceOutcome, ...]
    card: tuple[DimensionOutcome, ...]
    pairs: ModelHumanPairs
    first: ModelFirst
    led_by_models: Estimate
    strengths: Strengths


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """A judge's severity, and the figures of agreement if that judge were left out."""

    severity: Severity
    w_without: Estimate
    tau_b_without: Estimate
    alpha_without: Estimate


@dataclass(frozen=True, slots=True)
class Precision:
    """The standard error of the models' lead over people that so many `more` judges would bring, in points."""

    more: int
    se: Estimate


@dataclass(frozen=True, slots=True)
class Diagnostics:
    correlations: tuple[Correlation, ...]
    components: tuple[Component, ...]
    judges: tuple[JudgeLine, ...]


@dataclass(frozen=True, slots=True)
class Sources:
    """What can be said once it is known who wrote what. `outcomes` by scope."""

    outcomes: Mapping[str, Outcomes]
    floor: QualityFloor
    attribution: tuple[Attribution, ...]
    precision: tuple[Precision, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """`agreement` by scope: `WHOLE` and the domains. Without `sources` the report is of masked judgments."""

    parameters: Parameters
    data: Data
    agreement: Mapping[str, Agreement]
    diagnostics: Diagnostics
    sources: Sources | None = None


@dataclass(frozen=True)
class Progress:
    """Told, as work goes on, what is done and out of how many steps."""

    tell: Callable[[str, int, int], None] = field(default=lambda _what, _done, _of: None)


def analyse_masked(
    frame: pd.DataFrame,
    *,
    parameters: Parameters = Parameters(),
    domain_of: Callable[[str], str] = domain_of_prompt,
    progress: Progress = Progress(),
) -> Report:
    """Agreement alone: nothing here looks at who wrote an answer."""
    ranked, changed = _ranked(frame, parameters)
    standard = standard_only(ranked)
    draws = draws_for(standard, parameters)
    scopes = {WHOLE: standard, **(split_by_domain(standard, domain_of) if len(standard) else {})}
    found = {}
    for number, (scope, part) in enumerate(scopes.items()):
        progress.tell("agreement", number, len(scopes))
        found[scope] = _agreement(part, parameters, draws)
    return Report(
        parameters=parameters,
        data=_data(frame, changed, draws),
        agreement=found,
        diagnostics=_diagnostics(standard),
    )


def analyse(
    frame: pd.DataFrame,
    *,
    parameters: Parameters = Parameters(),
    weak: "pd.Series[bool] | None" = None,
    domain_of: Callable[[str], str] = domain_of_prompt,
    progress: Progress = Progress(),
) -> Report:
    """Everything that the judgments and their sources tell. `weak` marks deliberately weak answers by row."""
    report = analyse_masked(frame, parameters=parameters, domain_of=domain_of, progress=progress)
    ranked, _ = _ranked(frame, parameters)
    standard = standard_only(ranked)
    scopes = {WHOLE: standard, **(split_by_domain(standard, domain_of) if len(standard) else {})}
    found = {}
    for number, (scope, part) in enumerate(scopes.items()):
        progress.tell("outcomes", number, len(scopes))
        found[scope] = _outcomes(part, parameters, report.data.draws)
    return replace(
        report,
        sources=Sources(
            outcomes=found,
            floor=quality_floor(ranked, weak),
            attribution=tuple(source_attribution(ranked)),
            precision=_precision(standard),
        ),
    )


def draws_for(standard: pd.DataFrame, parameters: Parameters) -> int:
    """How many resamples are drawn of so many rows."""
    return min(parameters.draws, max(FEWEST_DRAWS, ROWS_RESAMPLED // max(len(standard), 1)))


def _ranked(frame: pd.DataFrame, parameters: Parameters) -> tuple[pd.DataFrame, int]:
    """The frame with the ranks that count, and in how many judgments these are others than those given.

    A judgment without a score for every answer keeps the ranks that were given.
    """
    judgment = [frame["prompt_id"], frame["judge_id"]]
    from_scores = frame["score"].groupby(judgment).rank(ascending=False, method="min")
    is_scored = frame["score"].notna().groupby(judgment).transform("all")
    differs = is_scored & (from_scores != frame["rank"])
    changed = int(differs.groupby(judgment).any().sum())
    if parameters.mode == "paper":
        return frame, changed
    return frame.assign(rank=frame["rank"].where(~is_scored, from_scores)), changed


def _data(frame: pd.DataFrame, changed: int, draws: int) -> Data:
    judgments = frame.drop_duplicates(["prompt_id", "judge_id"])
    return Data(
        rows=len(frame),
        prompts=frame["prompt_id"].nunique(),
        judges=frame["judge_id"].nunique(),
        judgments=len(judgments),
        answers=len(frame.drop_duplicates(["prompt_id", "true_id"])),
        dimensions=tuple(dimensions_of(frame)),
        item_types={str(kind): int(count) for kind, count in judgments["item_type"].value_counts().items()},
        reranked=changed,
        draws=draws,
    )


def _agreement(standard: pd.DataFrame, parameters: Parameters, draws: int) -> Agreement:
    prompts = agreement_by_prompt(standard)
    summary = agreement_summary(standard, prompts)
    resampler = AgreementResampler.of(standard)
    values = resampled(
        resampler,
        prompts=len(resampler.prompts),
        judges=len(resampler.judges),
        draws=draws,
        seed=parameters.seed,
        load=resampler.load,
    )
    of_prompts = values.pop("w_of_prompts", None)
    rng = np.random.default_rng(parameters.seed)
    return Agreement(
        summary=_with_intervals(summary, values, parameters.level),
        permutation_p=mean_permutation_p(resampler.common_ranks(), draws=draws, rng=rng),
        prompts=tuple(
            replace(prompt, w_common=_over_judges(prompt.w_common, of_prompts, place, parameters.level))
            for place, prompt in enumerate(prompts)
        ),
    )


def _over_judges(estimate: Estimate, draws: Draws | None, prompt: int, level: float) -> Estimate:
    """A prompt's own figure rests on the judges alone."""
    if draws is None:
        return estimate
    of_judges = draws.judges[:, prompt]
    return with_interval(estimate, Draws(of_judges, np.zeros_like(of_judges), of_judges), level=level)


def _with_intervals(summary: AgreementSummary, values: Mapping[str, Draws], level: float) -> AgreementSummary:
    changes: dict[str, Any] = {}
    for each in fields(summary):
        figure = getattr(summary, each.name)
        if isinstance(figure, Summary):
            changes[each.name] = replace(
                figure, mean=with_interval(figure.mean, values.get(each.name), level=level)
            )
        elif isinstance(figure, Estimate):
            changes[each.name] = with_interval(figure, values.get(each.name), level=level)
    return replace(summary, **changes)


def _outcomes(standard: pd.DataFrame, parameters: Parameters, draws: int) -> Outcomes:
    resampler = OutcomeResampler.of(standard)
    found = resampled(
        lambda weights: {"\t".join(name): values for name, values in resampler(weights).items()},
        prompts=len(resampler.prompts),
        judges=len(resampler.judges),
        draws=draws,
        seed=parameters.seed,
    )

    def interval(estimate: Estimate, quantity: str, source: str = "") -> Estimate:
        return with_interval(estimate, found.get(f"{quantity}\t{source}"), level=parameters.level)

    def summary(figure: Summary, quantity: str, source: str) -> Summary:
        return replace(figure, mean=interval(figure.mean, quantity, source))

    pairs, first = model_human_pairs(standard), model_first(standard)
    return Outcomes(
        sources=tuple(
            replace(
                outcome,
                competition_rank=summary(outcome.competition_rank, "competition_rank", outcome.source),
                mid_rank=summary(outcome.mid_rank, "mid_rank", outcome.source),
                score=summary(outcome.score, "score", outcome.source),
            )
            for outcome in outcomes_by_source(standard)
        ),
        card=tuple(
            replace(cell, score=summary(cell.score, cell.dimension, cell.source)) for cell in score_card(standard)
        ),
        pairs=replace(pairs, preference=interval(pairs.preference, "model_preference")),
        first=ModelFirst(
            any_first=interval(first.any_first, "model_first_any"),
            fractional=interval(first.fractional, "model_first_fractional"),
        ),
        led_by_models=prompts_led_by_models(standard),
        strengths=_strengths(standard),
    )


def _strengths(standard: pd.DataFrame) -> Strengths:
    """Of the sources, from every pair of answers of different sources within a judgment."""
    names = standard["model"].where(standard["true_source"] == MODEL, HUMAN)
    codes, sources = pd.factorize(names, sort=True)
    rows = standard[["prompt_id", "judge_id", "rank"]].assign(source=codes)
    pairs = rows.merge(rows, on=["prompt_id", "judge_id"])
    pairs = pairs[pairs["source_x"] != pairs["source_y"]]
    wins, ties = np.zeros((len(sources), len(sources))), np.zeros((len(sources), len(sources)))
    better, level = pairs[pairs["rank_x"] < pairs["rank_y"]], pairs[pairs["rank_x"] == pairs["rank_y"]]
    np.add.at(wins, (better["source_x"].to_numpy(), better["source_y"].to_numpy()), 1)
    np.add.at(ties, (level["source_x"].to_numpy(), level["source_y"].to_numpy()), 1)
    return davidson([str(source) for source in sources], wins, ties)


def _diagnostics(standard: pd.DataFrame) -> Diagnostics:
    judges = severities(standard, mean_of_dimensions(standard))
    return Diagnostics(
        correlations=tuple(correlations(standard)),
        components=tuple(components(standard)),
        judges=tuple(
            JudgeLine(severity, *figures)
            for severity, figures in zip(judges, _without_each(standard, len(judges)), strict=True)
        ),
    )


def _without_each(standard: pd.DataFrame, judges: int) -> list[list[Estimate]]:
    if judges > MOST_LEFT_OUT:
        reason = f"not computed for more than {MOST_LEFT_OUT} judges"
        return [[Estimate(f"{name}_without", None, judges - 1, reason=reason) for name in LEFT_OUT]] * judges
    resampler = AgreementResampler.of(standard)
    found = without_each(resampler, prompts=len(resampler.prompts), judges=judges, load=resampler.load)
    return [[_without(name, found[name][place], judges) for name in LEFT_OUT] for place in range(judges)]


def _without(name: str, value: float, judges: int) -> Estimate:
    name = f"{name}_without"
    if np.isnan(value):
        return Estimate(name, None, judges - 1, reason="undefined without this judge")
    return Estimate(name, float(value), judges - 1)


def _precision(standard: pd.DataFrame) -> tuple[Precision, ...]:
    """Of the models' mean score less the people's, judgment by judgment."""
    rated = standard.assign(score=mean_of_dimensions(standard))
    means = rated.groupby(["prompt_id", "judge_id", "true_source"])["score"].mean().unstack()
    means = means.reindex(columns=[MODEL, HUMAN])
    lead = (means[MODEL] - means[HUMAN]).to_numpy(dtype=float)
    codes = [pd.factorize(means.index.get_level_values(level))[0] for level in ("prompt_id", "judge_id")]
    crossed = crossed_mean("lead", lead, *codes)
    return tuple(Precision(more, error_with_more_judges(crossed, more)) for more in MORE_JUDGES)
