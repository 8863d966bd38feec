"""Agreement between the judges of a study, prompt by prompt and over all of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pandas as pd

from analysis.agreement.core.column_alpha import alpha_of
from analysis.agreement.core.concordance import (
    Significance,
    common,
    friedman_test,
    full_agreement,
    kendall_w,
    permutation_p,
    top_1_agreement,
    without_blanks,
)
from analysis.agreement.core.incomplete_blocks import connected_parts, skillings_mack
from analysis.agreement.core.rank_correlation import mean_pairwise_tau_b
from analysis.data.core.judgment_frame import standard_only
from analysis.data.core.rank_tables import rank_tables
from analysis.data.core.results import Estimate, FloatArray, Summary, summarise
from analysis.uncertainty.core.intervals import with_exact_interval

NOT_IN_COMMON: Final = "no two answers that all judges of the prompt ranked"
UNTESTED: Final = Estimate("test", None, 0, reason="not tested")


@dataclass(frozen=True, slots=True)
class PromptAgreement:
    """Agreement on one prompt: some judge ranked `n_objects` answers, every judge `n_common` of them.

    `chi_squared` has n_objects − 1 degrees of freedom, and `p` is its p-value, which holds for many objects;
    `permutation_p` is that of `w_common` and holds for any number. `skillings_mack` and its p-value also hold where
    judges ranked different answers; `n_parts` says into how many parts, between which nobody compares anything, the
    answers fall.
    """

    prompt_id: str
    n_judges: int
    n_objects: int
    n_common: int
    same_set: bool
    w: Estimate
    w_tie_corrected: Estimate
    w_common: Estimate
    chi_squared: Estimate
    p: Estimate
    permutation_p: Estimate
    tau_b: Estimate
    top_1: Estimate
    full: Estimate
    n_parts: int
    skillings_mack: Estimate
    skillings_mack_p: Estimate


@dataclass(frozen=True, slots=True)
class AgreementSummary:
    """Agreement over a study's prompts; each summary counts prompts, and those left out are undefined there.

    `top_1` and `full` are shares of prompts: all judges put the same answer first, or gave the same ranking; their
    intervals are exact and take prompts as a sample, with these judges.
    `tau_b` averages prompts' means, `tau_b_pooled` all pairs of judges on all prompts. `alpha_ordinal` takes the
    ranks of every answer in every prompt as units, `alpha_interval` their scores.
    """

    n_prompts: int
    n_judges: int
    n_answers: int
    w: Summary
    w_tie_corrected: Summary
    w_common: Summary
    tau_b: Summary
    tau_b_pooled: Estimate
    top_1: Estimate
    full: Estimate
    alpha_ordinal: Estimate
    alpha_interval: Estimate


def agreement_by_prompt(
    frame: pd.DataFrame, *, draws: int = 2000, seed: int = 42, is_tested: bool = True
) -> list[PromptAgreement]:
    """Agreement on each standard prompt of a frame of judgments, by prompt id.

    `w`, `w_tie_corrected`, `top_1` and `full` are over the judges who ranked every answer that anybody ranked, the
    others left out and counted. `w_common` is the tie-corrected W of all judges over the answers that every one of
    them ranked, ranked afresh among themselves: rotated sets have it too. P-values take so many `draws` of
    permutations, from the seed; there are none of them where nothing `is_tested`.
    """
    rng = np.random.default_rng(seed)
    tables = rank_tables(standard_only(frame), judges=sorted(frame["judge_id"].unique()))
    found = [
        _prompt_agreement(prompt, without_blanks(ranks), draws if is_tested else None, rng)
        for table in tables
        for prompt, ranks in zip(table.prompts, table.values, strict=True)
    ]
    return sorted(found, key=lambda prompt: prompt.prompt_id)


def agreement_summary(
    frame: pd.DataFrame, prompts: Sequence[PromptAgreement] | None = None, *, level: float = 0.95
) -> AgreementSummary:
    """Agreement over all standard prompts of a frame of judgments; for one domain, pass its rows.

    `prompts` is what `agreement_by_prompt` says of the same rows, where somebody has it already.
    """
    standard = standard_only(frame)
    prompts = agreement_by_prompt(standard) if prompts is None else prompts

    def share(name: str, estimates: Sequence[Estimate]) -> Estimate:
        return with_exact_interval(replace(_over_prompts(name, estimates).mean, name=name), level=level)

    return AgreementSummary(
        n_prompts=len(prompts),
        n_judges=standard["judge_id"].nunique(),
        n_answers=sum(prompt.n_objects for prompt in prompts),
        w=_over_prompts("kendall_w", [prompt.w for prompt in prompts]),
        w_tie_corrected=_over_prompts("kendall_w_tie_corrected", [prompt.w_tie_corrected for prompt in prompts]),
        w_common=_over_prompts("kendall_w_common", [prompt.w_common for prompt in prompts]),
        tau_b=_over_prompts("mean_pairwise_tau_b", [prompt.tau_b for prompt in prompts]),
        tau_b_pooled=_pooled([prompt.tau_b for prompt in prompts]),
        top_1=share("top_1_agreement", [prompt.top_1 for prompt in prompts]),
        full=share("full_agreement", [prompt.full for prompt in prompts]),
        alpha_ordinal=alpha_of(standard, _numbers(standard, "rank"), "ordinal"),
        alpha_interval=alpha_of(standard, _numbers(standard, "score"), "interval"),
    )


def _prompt_agreement(
    prompt_id: str, ranks: FloatArray, draws: int | None, rng: np.random.Generator
) -> PromptAgreement:
    ranked_by_all = common(ranks)
    judges, objects = ranks.shape
    n_common = ranked_by_all.shape[1]
    if draws is None:
        test = incomplete = Significance(UNTESTED, 0, UNTESTED)
        by_permutation = UNTESTED
    else:
        test, incomplete = friedman_test(ranks), skillings_mack(ranks)
        by_permutation = permutation_p(ranked_by_all, draws=draws, rng=rng)
    return PromptAgreement(
        prompt_id=prompt_id,
        n_judges=judges,
        n_objects=objects,
        n_common=n_common,
        same_set=n_common == objects,
        w=kendall_w(ranks, tie_corrected=False),
        w_tie_corrected=kendall_w(ranks, tie_corrected=True),
        w_common=replace(
            _or_none_in_common(kendall_w(ranked_by_all, tie_corrected=True), judges, objects, n_common),
            name="kendall_w_common",
        ),
        chi_squared=test.statistic,
        p=test.p,
        permutation_p=_or_none_in_common(by_permutation, judges, objects, n_common),
        tau_b=mean_pairwise_tau_b(ranks),
        top_1=top_1_agreement(ranks),
        full=full_agreement(ranks),
        n_parts=len(connected_parts(ranks)),
        skillings_mack=incomplete.statistic,
        skillings_mack_p=incomplete.p,
    )


def _or_none_in_common(figure: Estimate, judges: int, objects: int, n_common: int) -> Estimate:
    """The figure with the true reason where there are judges and answers enough, but hardly any that all ranked."""
    if figure.value is None and judges > 1 and objects > 1 and n_common < 2:
        return replace(figure, reason=NOT_IN_COMMON)
    return figure


def _over_prompts(name: str, estimates: Sequence[Estimate]) -> Summary:
    """The summary over prompts; where no prompt has a value, the reason is the most frequent of theirs."""
    found = summarise(name, np.array([estimate.value for estimate in estimates], dtype=float))
    if found.mean.value is not None or not estimates:
        return found
    reason = Counter(estimate.reason for estimate in estimates).most_common(1)[0][0]
    return Summary(*(replace(each, reason=reason) for each in (found.mean, found.median, found.sd, found.se)))


def _pooled(by_prompt: Sequence[Estimate]) -> Estimate:
    """Every pair of judges counts alike, whichever prompt it is about; `n` counts pairs."""
    defined = [(estimate.value, estimate.n) for estimate in by_prompt if estimate.value is not None]
    n, left_out = sum(pairs for _, pairs in defined), sum(estimate.left_out for estimate in by_prompt)
    if not n:
        return Estimate("tau_b_pooled", None, 0, left_out, "no two judges can be compared on any prompt")
    return Estimate("tau_b_pooled", sum(value * pairs for value, pairs in defined) / n, n, left_out)


def _numbers(frame: pd.DataFrame, column: str) -> FloatArray:
    return frame[column].to_numpy(dtype=float)
