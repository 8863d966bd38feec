"""Agreement between judges, from masked judgments alone: this code cannot look up who wrote an answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any, Final

import numpy as np
import pandas as pd

from analysis.agreement.core.agreement import (
    AgreementSummary,
    PromptAgreement,
    agreement_by_prompt,
    agreement_summary,
)
from analysis.agreement.core.agreement_resampler import OF_PROMPTS, AgreementResampler
from analysis.agreement.core.concordance import mean_permutation_p
from analysis.agreement.core.dimensions import correlations_and_components
from analysis.agreement.core.evaluators import EvaluatorResampler, evaluator_agreement
from analysis.agreement.core.judges import severities, without_each
from analysis.data.core.judgment_frame import (
    JUDGMENT,
    dimensions_of,
    domain_of_prompt,
    inferred_scale,
    mean_of_dimensions,
    split_by_domain,
    standard_only,
)
from analysis.data.core.parameters import DEFAULTS, WHOLE, Parameters
from analysis.data.core.ranks import ranked
from analysis.data.core.results import Estimate, Interval, Summary
from analysis.report.core.report import SILENT, Agreement, Data, Diagnostics, JudgeLine, Progress, Report
from analysis.uncertainty.core.intervals import SHARE
from analysis.uncertainty.core.resampling import (
    FEWEST_DRAWS,
    JUDGES_ALONE,
    Draws,
    for_few,
    resampled_in_steps,
    with_interval,
    with_mean_interval,
    with_percentiles,
)
from annotation.study.core.rubric import Band, Scale

# Of a figure over everything there are as many resamples as asked for; of very many judgments fewer, since each one
# tells less then and takes longer.
ROWS_RESAMPLED: Final = 20_000_000
LEFT_OUT: Final = ("w_common", "tau_b_pooled", "alpha_ordinal", "r")
AT_MOST_1: Final = (-inf, 1.0)
CORRELATION: Final = (-1.0, 1.0)
# Of the figures of an `AgreementSummary` that are resampled: what they can be.
BOUNDS: Final[Mapping[str, tuple[float, float]]] = {
    **dict.fromkeys(("w", "w_tie_corrected", "w_common"), SHARE),
    **dict.fromkeys(("tau_b", "tau_b_pooled"), CORRELATION),
    **dict.fromkeys(("alpha_ordinal", "alpha_interval"), AT_MOST_1),
}
MOST_LEFT_OUT: Final = 200  # judges, one at a time
NOT_BY_ITSELF: Final = "to be compared with the figure of all judges, which has one"


def analyse_masked(
    frame: pd.DataFrame,
    *,
    parameters: Parameters = DEFAULTS,
    scale: Scale | None = None,
    domain_of: Callable[[str], str] = domain_of_prompt,
    progress: Progress = SILENT,
) -> Report:
    """Agreement alone: nothing here looks at who wrote an answer.

    `scale` is the rubric's; the ends of the parameters' scale go before its own. Raises ValueError where a judge
    has an answer twice in one prompt.
    """
    _check_unique(frame)
    counted, changed = ranked(frame, parameters)
    standard = standard_only(counted)
    draws = draws_for(standard, parameters)
    scopes = scopes_of(standard, domain_of)
    found: dict[str, Agreement] = {}
    for number, (scope, part) in enumerate(scopes.items()):
        progress.tell("agreement", number, len(scopes))
        found[scope] = _agreement(part, parameters, draws, found.get(WHOLE))
    return Report(
        parameters=parameters,
        data=_data(frame, parameters.scale or _ends(scale), changed, draws),
        agreement=found,
        diagnostics=_diagnostics(standard, replace(parameters, draws=draws), scale.bands if scale else ()),
    )


def _check_unique(frame: pd.DataFrame) -> None:
    again = frame[frame.duplicated([*JUDGMENT, "true_id"])]
    for prompt, judge, answer in again[[*JUDGMENT, "true_id"]].head(1).itertuples(index=False):
        raise ValueError(f"{prompt}: judge {judge} has answer {answer} twice")


def scopes_of(standard: pd.DataFrame, domain_of: Callable[[str], str]) -> dict[str, pd.DataFrame]:
    """The rows of every scope: all of them, and those of each domain."""
    return {WHOLE: standard, **(split_by_domain(standard, domain_of) if len(standard) else {})}


def draws_for(standard: pd.DataFrame, parameters: Parameters) -> int:
    """How many resamples are drawn of so many rows."""
    return min(parameters.draws, max(FEWEST_DRAWS, ROWS_RESAMPLED // max(len(standard), 1)))


def _data(frame: pd.DataFrame, scale: tuple[float, float] | None, changed: int, draws: int) -> Data:
    judgments = frame.drop_duplicates(JUDGMENT)
    given = frame[["score", "rank"]].notna().groupby([frame[name] for name in JUDGMENT])
    return Data(
        rows=len(frame),
        prompts=frame["prompt_id"].nunique(),
        judges=frame["judge_id"].nunique(),
        judgments=len(judgments),
        answers=len(frame.drop_duplicates(["prompt_id", "true_id"])),
        dimensions=tuple(dimensions_of(frame)),
        scale=scale or inferred_scale(frame),
        is_scale_inferred=scale is None,
        item_types={str(kind): int(count) for kind, count in judgments["item_type"].value_counts().items()},
        scored=int(given["score"].all().sum()),
        ranked=int(given["rank"].any().sum()),
        reranked=changed,
        draws=draws,
    )


def _ends(scale: Scale | None) -> tuple[float, float] | None:
    return (float(scale.minimum), float(scale.maximum)) if scale else None


def _agreement(standard: pd.DataFrame, parameters: Parameters, draws: int, whole: Agreement | None) -> Agreement:
    """`whole` has the prompts already, whose own figures are the same whatever scope they are seen in."""
    prompts = (
        _prompts_of(standard, whole) if whole else agreement_by_prompt(standard, draws=draws, seed=parameters.seed)
    )
    summary = agreement_summary(standard, prompts, level=parameters.level)
    resampler = AgreementResampler.of(standard)
    values = resampled_in_steps(
        resampler.of_judges,
        prompts=len(resampler.prompts),
        judges=len(resampler.judges),
        draws=draws,
        seed=parameters.seed,
        load=resampler.load,
    )
    rng = np.random.default_rng(parameters.seed)
    return Agreement(
        summary=_with_intervals(summary, values, parameters.level),
        permutation_p=mean_permutation_p(resampler.common_ranks(), draws=draws, rng=rng),
        icc={
            name: with_interval(figure, values.get(name), level=parameters.level, bounds=AT_MOST_1)
            for name, figure in resampler.intraclass_correlations().items()
        },
        prompts=tuple(
            prompt if whole else _over_judges(prompt, values, place, parameters.level)
            for place, prompt in enumerate(prompts)
        ),
    )


def _prompts_of(standard: pd.DataFrame, whole: Agreement) -> list[PromptAgreement]:
    here = set(standard["prompt_id"])
    return [prompt for prompt in whole.prompts if prompt.prompt_id in here]


def _over_judges(prompt: PromptAgreement, values: Mapping[str, Draws], place: int, level: float) -> PromptAgreement:
    """A prompt's own figures rest on the judges alone."""
    if not values:
        return prompt
    changes: dict[str, Any] = {}
    for name in OF_PROMPTS:
        of_judges = values[f"{name}_of_prompts"].at(place).judges
        changes[name] = with_percentiles(
            getattr(prompt, name),
            of_judges,
            level=level,
            method=JUDGES_ALONE,
            scale=for_few([1.0], [prompt.n_judges], level),
            bounds=BOUNDS[name],
        )
    return replace(prompt, **changes)


def _with_intervals(summary: AgreementSummary, values: Mapping[str, Draws], level: float) -> AgreementSummary:
    changes: dict[str, Any] = {}
    for name, bounds in BOUNDS.items():
        figure = getattr(summary, name)
        add = with_mean_interval if isinstance(figure, Summary) else with_interval
        changes[name] = add(figure, values.get(name), level=level, bounds=bounds)
    return replace(summary, **changes)


def _diagnostics(standard: pd.DataFrame, parameters: Parameters, bands: Sequence[Band]) -> Diagnostics:
    judges = severities(standard, mean_of_dimensions(standard), level=parameters.level)
    drawn: dict[str, Any] = {"draws": parameters.draws, "seed": parameters.seed, "level": parameters.level}
    correlations, components = correlations_and_components(standard, **drawn)
    return Diagnostics(
        correlations=correlations,
        components=components,
        evaluators=tuple(evaluator_agreement(standard, bands, **drawn)),
        judges=tuple(
            JudgeLine(severity, *figures)
            for severity, figures in zip(
                judges, _without_each(standard, len(judges), parameters.level), strict=True
            )
        ),
    )


def _without_each(standard: pd.DataFrame, judges: int, level: float) -> list[list[Estimate]]:
    if judges > MOST_LEFT_OUT:
        reason = f"not computed for more than {MOST_LEFT_OUT} judges"
        return [[Estimate(f"{name}_without", None, judges - 1, reason=reason) for name in LEFT_OUT]] * judges
    ranked = AgreementResampler.of(standard)
    scored = EvaluatorResampler.of(standard, mean_of_dimensions(standard).to_numpy(dtype=float))
    found = {
        name: values
        for resampler in (ranked, scored)
        for name, values in without_each(
            resampler, prompts=len(resampler.prompts), judges=judges, load=resampler.load
        ).items()
    }
    return [[_without(name, found[name][place], judges, level) for name in LEFT_OUT] for place in range(judges)]


def _without(name: str, value: float, judges: int, level: float) -> Estimate:
    name = f"{name}_without"
    if np.isnan(value):
        return Estimate(name, None, judges - 1, reason="undefined without this judge")
    interval = Interval(None, None, level, JUDGES_ALONE, reason=NOT_BY_ITSELF)
    return Estimate(name, float(value), judges - 1, interval=interval)
