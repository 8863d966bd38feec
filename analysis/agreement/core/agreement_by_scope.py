"""How far judges agree, over all prompts and in each domain, with intervals from resamples."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any, Final

import numpy as np
import pandas as pd

from analysis.agreement.core.agreement import (
    UNTESTED,
    AgreementSummary,
    PromptAgreement,
    agreement_by_prompt,
    agreement_summary,
)
from analysis.agreement.core.agreement_resampler import AgreementResampler
from analysis.agreement.core.concordance import mean_permutation_p
from analysis.agreement.core.intraclass import CONSISTENCY, KINDS
from analysis.agreement.core.overall_intraclass import of_mean
from analysis.agreement.core.published import MAX_PAIRS, JudgePairs, PublishedAgreement, published_agreement
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.results import Estimate, FloatArray, Interval
from analysis.sections.core.inputs import Masked
from analysis.uncertainty.core.intervals import (
    CORRELATION,
    cut_at,
    of_reliability,
    with_exact_interval,
    with_t_interval,
)
from analysis.uncertainty.core.judgment_arrays import BoolArray
from analysis.uncertainty.core.resampling import (
    BY_JUDGES,
    BY_PAIRS,
    JUDGES_ALONE,
    JUDGES_FOR_CORRELATIONS,
    METHOD,
    Draws,
    resampled,
    resampled_in_steps,
    with_interval,
    with_mean_interval,
)

STAGE: Final = "agreement"
CONCORDANCE: Final = ("w", "w_tie_corrected", "w_common")
RESAMPLED: Final = (*CONCORDANCE, "tau_b", "tau_b_pooled", "alpha_ordinal", "alpha_interval")
UNDEFINED_WITHOUT_ONE: Final = "undefined without one of the judges"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement over all prompts, or over one domain's. `permutation_p` is of the mean W over the answers all
    judges ranked.

    `icc` has the intraclass correlations of scores, answers × judges of a prompt, of components of variance pooled
    over prompts, as `intraclass.COEFFICIENTS`; `published` the published estimators, in the mode “paper” alone.
    """

    summary: AgreementSummary
    permutation_p: Estimate
    icc: Mapping[str, Estimate]
    prompts: tuple[PromptAgreement, ...]
    published: PublishedAgreement | None = None

    @property
    def judges_of_prompts(self) -> tuple[int, int] | None:
        """The fewest and the most judges that a prompt's W is of; None where no prompt has one."""
        judges = [prompt.w_common.n for prompt in self.prompts if prompt.w_common.value is not None]
        return (min(judges), max(judges)) if judges else None

    @property
    def chance_of_w(self) -> float | None:
        """The mean over prompts of what W is on average among judges who rank at random, 1/m."""
        return _chance(prompt.w_common for prompt in self.prompts)

    @property
    def chance_of_w_tie_corrected(self) -> float | None:
        """The same of those judges of each prompt who ranked all answers."""
        return _chance(prompt.w_tie_corrected for prompt in self.prompts)


def _chance(concordances: Iterable[Estimate]) -> float | None:
    judges = [each.n for each in concordances if each.value is not None]
    return sum(1 / m for m in judges) / len(judges) if judges else None


def agreement_by_scope(masked: Masked, *, is_tested: bool = True) -> dict[str, Agreement]:
    """Agreement by scope, `WHOLE` and the domains; without p-values unless it `is_tested`."""
    found: dict[str, Agreement] = {}
    for scope, rows in masked.by_scope(STAGE):
        found[scope] = _agreement(rows, masked.parameters, found.get(WHOLE), is_tested=is_tested)
    return found


def without_prompts(by_scope: Mapping[str, Agreement]) -> dict[str, Agreement]:
    """Omits single prompts and single domains; figures over all prompts stay."""
    return {WHOLE: replace(by_scope[WHOLE], prompts=())}


def _agreement(
    standard: pd.DataFrame, parameters: Parameters, whole: Agreement | None, *, is_tested: bool
) -> Agreement:
    """`whole` already has the per-prompt figures, which do not depend on the scope."""
    drawn: dict[str, Any] = {"draws": parameters.draws, "seed": parameters.seed}
    prompts = _prompts_of(standard, whole) if whole else agreement_by_prompt(standard, **drawn, is_tested=is_tested)
    summary = agreement_summary(standard, prompts, level=parameters.level)
    resampler = AgreementResampler.of(standard)
    values = resampled_in_steps(
        resampler.of_judges,
        prompts=len(resampler.prompts),
        judges=len(resampler.judges),
        **drawn,
        load=resampler.load,
    )
    most = resampler.most_w() if parameters.mode == "paper" else np.ones(len(resampler.prompts))
    has_w = [prompt.w.value is not None for prompt in prompts]
    rng = np.random.default_rng(parameters.seed)
    for name, without in resampler.alphas_without_each().items() if values else ():
        values[name] = replace(values[name], without=without)
    can_be = _CanBe(_mean(most, has_w), resampler.judges_to_disagree, resampler.ratings_to_disagree)
    return Agreement(
        summary=_with_intervals(summary, values, parameters.level, can_be),
        permutation_p=mean_permutation_p(resampler.common_ranks(), draws=parameters.draws, rng=rng)
        if is_tested
        else UNTESTED,
        icc=_icc_with_intervals(resampler, values, parameters.level),
        published=_published(standard, prompts, values, parameters, most) if parameters.mode == "paper" else None,
        prompts=tuple(
            prompts if whole else _each_over_judges(prompts, resampler.errors_by_prompt(), parameters.level, most)
        ),
    )


def _prompts_of(standard: pd.DataFrame, whole: Agreement) -> list[PromptAgreement]:
    here = set(standard["prompt_id"])
    return [prompt for prompt in whole.prompts if prompt.prompt_id in here]


def _each_over_judges(
    prompts: Sequence[PromptAgreement], errors: Mapping[str, FloatArray], level: float, most: FloatArray
) -> Iterator[PromptAgreement]:
    for place, prompt in enumerate(prompts):
        own = {name: float(of_prompts[place]) for name, of_prompts in errors.items()}
        yield _over_judges(prompt, own, level, float(most[place]))


def _over_judges(
    prompt: PromptAgreement, errors: Mapping[str, float], level: float, most: float
) -> PromptAgreement:
    """A prompt's own figures rest on the judges alone, whose standard errors these are."""

    def over(name: str, error: float) -> Estimate:
        figure: Estimate = getattr(prompt, name)
        judges = prompt.n_judges if name == "tau_b" else figure.n
        reason = UNDEFINED_WITHOUT_ONE if isnan(error) else None
        se = Estimate("se", None if reason else error, judges, reason=reason)
        bounds = (-most, most) if name == "w" else CORRELATION
        # W is of pairs of judges, and its error is known a little less well than that of a mean over judges.
        degrees = max(judges - (2 if name in CONCORDANCE else 1), 1)
        found = with_t_interval(figure, se, degrees, level=level, method=JUDGES_ALONE, bounds=bounds)
        return cut_at((0.0, most if name == "w" else 1.0), found) if name in CONCORDANCE else found

    changes: dict[str, Any] = {name: over(name, error) for name, error in errors.items()}
    return replace(prompt, **changes)


@dataclass(frozen=True, slots=True)
class _CanBe:
    """Bounds for figures over prompts: plain W is `most_w` at most; the `judges` of a prompt and the `ratings` of
    an answer limit how far all can disagree.
    """

    most_w: float
    judges: float
    ratings: float

    def bounds(self, name: str, value: float | None) -> tuple[float, float]:
        if name in CONCORDANCE:
            return 0.0, self.most_w if name == "w" else 1.0
        return of_reliability(self.ratings if name.startswith("alpha") else self.judges, value)


def _with_intervals(
    summary: AgreementSummary, values: Mapping[str, Draws], level: float, can_be: _CanBe
) -> AgreementSummary:
    changes: dict[str, Any] = {}
    for name in RESAMPLED:
        figure, drawn = getattr(summary, name), values.get(name)
        if isinstance(figure, Estimate):
            # τ-b over all pairs is on the safe side with the degrees of freedom of prompts and judges as they are.
            bounds = can_be.bounds(name, figure.value)
            changes[name] = with_interval(figure, drawn, level=level, bounds=bounds)
        else:
            bounds = can_be.bounds(name, figure.mean.value)
            changes[name] = with_mean_interval(figure, drawn, level=level, bounds=bounds, degrees=BY_PAIRS)
    return replace(summary, **changes)


def _mean(most: FloatArray, counts: Sequence[bool] | BoolArray) -> float:
    """Upper bound of the mean over the prompts that count."""
    return float(most[counts].mean()) if np.any(counts) else 1.0


def _published(
    standard: pd.DataFrame,
    prompts: Sequence[PromptAgreement],
    values: Mapping[str, Draws],
    parameters: Parameters,
    most: FloatArray,
) -> PublishedAgreement:
    pairs, level = JudgePairs.of(standard), parameters.level
    found = published_agreement(standard, prompts, pairs)
    most_w = _mean(most, ~np.isnan(most))
    w = with_mean_interval(found.w, values.get("published_w"), level=level, bounds=(0.0, most_w), degrees=BY_PAIRS)
    tau_b = found.tau_b
    if pairs.one.size <= MAX_PAIRS:
        number = {"prompts": len(prompts), "judges": standard["judge_id"].nunique()}
        drawn = resampled(pairs, **number, draws=parameters.draws, seed=parameters.seed, load=pairs.load)
        tau_b = with_interval(tau_b, drawn.get("tau_b"), level=level, bounds=CORRELATION)
    elif tau_b.value is not None:
        reason = f"not computed for more than {MAX_PAIRS:,} pairs of judges"
        tau_b = replace(tau_b, interval=Interval(None, None, level, METHOD, reason=reason))
    return replace(
        found,
        w=w,
        tau_b=tau_b,
        top_1=with_exact_interval(found.top_1, level=level),
        full=with_exact_interval(found.full, level=level),
    )


def _icc_with_intervals(
    resampler: AgreementResampler, values: Mapping[str, Draws], level: float
) -> dict[str, Estimate]:
    """Intervals of a mean of ratings follow from those of one (Spearman and Brown)."""
    found, without = resampler.intraclass_correlations(), resampler.intraclass_without_each()
    single = {
        name: with_interval(
            found[name],
            values.get(name) and replace(values[name], without=without[name]),
            level=level,
            bounds=CORRELATION
            if name == CONSISTENCY
            else of_reliability(resampler.judges_to_disagree, found[name].value),
            judges=JUDGES_FOR_CORRELATIONS if name == CONSISTENCY else 2,
            degrees=BY_JUDGES,
        )
        for name in KINDS
    }
    return {
        name: single.get(name) or of_mean(figure, single[name.removesuffix("_mean")].interval, resampler.raters)
        for name, figure in found.items()
    }
