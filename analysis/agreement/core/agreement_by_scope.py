"""How far judges agree, over all prompts and in each domain, with intervals from resamples."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.results import Estimate, Summary
from analysis.sections.core.inputs import Masked
from analysis.uncertainty.core.intervals import SHARE
from analysis.uncertainty.core.resampling import (
    JUDGES_ALONE,
    Draws,
    for_few,
    resampled_in_steps,
    with_interval,
    with_mean_interval,
    with_percentiles,
)

STAGE: Final = "agreement"
AT_MOST_1: Final = (-inf, 1.0)
CORRELATION: Final = (-1.0, 1.0)
# Of the figures of an `AgreementSummary` that are resampled: what they can be.
BOUNDS: Final[Mapping[str, tuple[float, float]]] = {
    **dict.fromkeys(("w", "w_tie_corrected", "w_common"), SHARE),
    **dict.fromkeys(("tau_b", "tau_b_pooled"), CORRELATION),
    **dict.fromkeys(("alpha_ordinal", "alpha_interval"), AT_MOST_1),
}


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of all prompts or of one domain's. `permutation_p` is of the mean W over the answers all judges ranked.

    `icc` has the intraclass correlations of scores, answers × judges of a prompt, of components of variance pooled
    over prompts, as `intraclass.COEFFICIENTS`.
    """

    summary: AgreementSummary
    permutation_p: Estimate
    icc: Mapping[str, Estimate]
    prompts: tuple[PromptAgreement, ...]


def agreement_by_scope(masked: Masked) -> dict[str, Agreement]:
    """By scope: `WHOLE` and the domains."""
    found: dict[str, Agreement] = {}
    for scope, rows in masked.by_scope(STAGE):
        found[scope] = _agreement(rows, masked.parameters, found.get(WHOLE))
    return found


def without_prompts(by_scope: Mapping[str, Agreement]) -> dict[str, Agreement]:
    """Nothing of single prompts, and of domains, which are few of them; over all of them everything stays."""
    return {WHOLE: replace(by_scope[WHOLE], prompts=())}


def _agreement(standard: pd.DataFrame, parameters: Parameters, whole: Agreement | None) -> Agreement:
    """`whole` has the prompts already, whose own figures are the same whatever scope they are seen in."""
    drawn: dict[str, Any] = {"draws": parameters.draws, "seed": parameters.seed}
    prompts = _prompts_of(standard, whole) if whole else agreement_by_prompt(standard, **drawn)
    summary = agreement_summary(standard, prompts, level=parameters.level)
    resampler = AgreementResampler.of(standard)
    values = resampled_in_steps(
        resampler.of_judges,
        prompts=len(resampler.prompts),
        judges=len(resampler.judges),
        **drawn,
        load=resampler.load,
    )
    rng = np.random.default_rng(parameters.seed)
    return Agreement(
        summary=_with_intervals(summary, values, parameters.level),
        permutation_p=mean_permutation_p(resampler.common_ranks(), draws=parameters.draws, rng=rng),
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
