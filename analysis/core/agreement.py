"""Agreement between the judges of a study.

Rankings are arrays of shape judges × answers, 1 = best, with NaN where a judge did not see an answer.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd

from analysis.core.judgment_frame import standard_only
from analysis.core.results import Estimate, FloatArray, Summary, summarise

Level = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True)
class PromptAgreement:
    """Agreement on one prompt: some judge ranked `n_objects` answers, every judge `n_common` of them."""

    prompt_id: str
    n_judges: int
    n_objects: int
    n_common: int
    same_set: bool
    w: Estimate
    w_tie_corrected: Estimate
    w_common: Estimate
    tau_b: Estimate
    top_1: Estimate


@dataclass(frozen=True, slots=True)
class AgreementSummary:
    """Agreement over a study's prompts; each summary counts prompts, and those left out are undefined there.

    `top_1` is the share of prompts on which all judges put the same answer first; `alpha_ordinal` takes the
    ranks of every answer in every prompt as units.
    """

    n_prompts: int
    n_judges: int
    n_answers: int
    w: Summary
    w_tie_corrected: Summary
    w_common: Summary
    tau_b: Summary
    top_1: Estimate
    alpha_ordinal: Estimate


def kendall_w(ranks: FloatArray, *, tie_corrected: bool) -> Estimate:
    """Kendall's coefficient of concordance W over judges × objects, 0 to 1; `n` counts judges.

    S is the sum of squared deviations of the rank sums of n objects over m judges from their own mean.
    Plain, on the ranks as they are given: W = 12S / (m²(n³ − n)) (Kendall & Babington Smith 1939). It may
    exceed 1 on tied competition ranks, since 1, 1, 1, 4 lie further apart than 1, 2, 3, 4.
    Tie-corrected, on each judge's mid-ranks: W = 12S / (m²(n³ − n) − mΣT), where T = Σ(t³ − t) over a judge's
    groups of t tied objects (Siegel & Castellan 1988).
    """
    name = "kendall_w_tie_corrected" if tie_corrected else "kendall_w"
    judges, objects = ranks.shape
    if reason := _why_not_concordant(ranks):
        return Estimate(name, None, judges, reason=reason)
    if tie_corrected:
        ranks = pd.DataFrame(ranks).rank(axis=1).to_numpy()
        # A judge's mid-ranks have a sum of squares of (n³ − n − T) / 12.
        largest = judges * _squared_deviations(ranks, axis=1).sum()
    else:
        largest = judges**2 * (objects**3 - objects) / 12
    return Estimate(name, float(_squared_deviations(ranks.sum(axis=0), axis=0) / largest), judges)


def top_1_agreement(ranks: FloatArray) -> Estimate:
    """1 if all judges put the same answer first, else 0; `n` counts judges.

    A judge's shared first place is the set of answers in it, and agrees only with the same set.
    """
    judges = len(ranks)
    if reason := _why_not_concordant(ranks):
        return Estimate("top_1_agreement", None, judges, reason=reason)
    first = ranks == ranks.min(axis=1, keepdims=True)
    return Estimate("top_1_agreement", float((first == first[0]).all()), judges)


def mean_pairwise_tau_b(ranks: FloatArray) -> Estimate:
    """Mean of Kendall's τ_b over pairs of judges, −1 to 1; `n` counts pairs.

    Two judges are compared on the objects that both ranked. Pairs whose τ_b is undefined, because one of them
    ties all these objects or there are fewer than two, are left out and counted.
    τ_b = Σab / √(Σa²·Σb²) over object pairs, a and b the signs of the judges' rank differences (Kendall 1945).
    """
    judges, objects = ranks.shape
    if reason := _too_few(judges, objects):
        return Estimate("mean_pairwise_tau_b", None, 0, reason=reason)
    one, other = np.triu_indices(objects, k=1)
    differences = ranks[:, one] - ranks[:, other]
    compared = (~np.isnan(differences)).astype(float)
    signs = np.sign(np.nan_to_num(differences))
    untied = signs**2 @ compared.T
    pairs = np.triu_indices(judges, k=1)
    covariance = (signs @ signs.T)[pairs]
    scale = np.sqrt(untied * untied.T)[pairs]
    defined = scale > 0
    n, left_out = int(defined.sum()), int((~defined).sum())
    if n == 0:
        reason = "no two judges both distinguish objects that they have in common"
        return Estimate("mean_pairwise_tau_b", None, 0, left_out, reason)
    return Estimate("mean_pairwise_tau_b", float(np.mean(covariance[defined] / scale[defined])), n, left_out)


def krippendorff_alpha(values: FloatArray, *, level: Level) -> Estimate:
    """Krippendorff's α over raters × units, at most 1, with NaN for a missing rating; `n` counts units.

    Units with fewer than two ratings are left out and counted. α = 1 − observed / expected disagreement from
    the coincidence matrix of the values that occur (Krippendorff, Content Analysis, 3rd ed. 2013, ch. 12).
    """
    name = f"krippendorff_alpha_{level}"
    pairable = (~np.isnan(values)).sum(axis=0) >= 2
    kept = values[:, pairable]
    n, left_out = kept.shape[1], int((~pairable).sum())
    if n == 0:
        return Estimate(name, None, n, left_out, "no unit has two ratings")
    rated = ~np.isnan(kept)
    domain, codes = np.unique(kept[rated], return_inverse=True)
    if domain.size == 1:
        return Estimate(name, None, n, left_out, "all ratings are equal")
    counts = np.zeros((n, domain.size))
    np.add.at(counts, (np.nonzero(rated)[1], codes), 1)
    # The diagonal pairs each rating with itself too, but equal values are at distance 0.
    coincidences = counts.T @ (counts / (counts.sum(axis=1, keepdims=True) - 1))
    totals = counts.sum(axis=0)
    distances = _squared_distances(domain, totals, level)
    observed = (coincidences * distances).sum()
    expected = totals @ distances @ totals / (totals.sum() - 1)
    return Estimate(name, float(1 - observed / expected), n, left_out)


def agreement_by_prompt(frame: pd.DataFrame) -> list[PromptAgreement]:
    """Agreement on each standard prompt of a frame of judgments, by prompt id.

    `w`, `w_tie_corrected` and `top_1` need judges who ranked the same answers. `w_common` is the tie-corrected W
    over the answers that every judge ranked, ranked afresh among themselves: rotated sets have it too.
    """
    prompts = standard_only(frame).groupby("prompt_id", sort=True)
    return [_prompt_agreement(str(prompt_id), part) for prompt_id, part in prompts]


def agreement_summary(frame: pd.DataFrame) -> AgreementSummary:
    """Agreement over all standard prompts of a frame of judgments; for one domain, pass its rows."""
    standard = standard_only(frame)
    prompts = agreement_by_prompt(standard)

    def over_prompts(name: str, estimates: list[Estimate]) -> Summary:
        return summarise(name, np.array([estimate.value for estimate in estimates], dtype=float))

    top_1 = over_prompts("top_1_agreement", [prompt.top_1 for prompt in prompts]).mean
    return AgreementSummary(
        n_prompts=len(prompts),
        n_judges=standard["judge_id"].nunique(),
        n_answers=sum(prompt.n_objects for prompt in prompts),
        w=over_prompts("kendall_w", [prompt.w for prompt in prompts]),
        w_tie_corrected=over_prompts("kendall_w_tie_corrected", [prompt.w_tie_corrected for prompt in prompts]),
        w_common=over_prompts("kendall_w_common", [prompt.w_common for prompt in prompts]),
        tau_b=over_prompts("mean_pairwise_tau_b", [prompt.tau_b for prompt in prompts]),
        top_1=replace(top_1, name="top_1_agreement"),
        alpha_ordinal=krippendorff_alpha(_ranks(standard), level="ordinal"),
    )


def _prompt_agreement(prompt_id: str, part: pd.DataFrame) -> PromptAgreement:
    ranks = _ranks(part)
    common = ~np.isnan(ranks).any(axis=0)
    judges, objects = ranks.shape
    return PromptAgreement(
        prompt_id=prompt_id,
        n_judges=judges,
        n_objects=objects,
        n_common=int(common.sum()),
        same_set=bool(common.all()),
        w=kendall_w(ranks, tie_corrected=False),
        w_tie_corrected=kendall_w(ranks, tie_corrected=True),
        w_common=replace(kendall_w(ranks[:, common], tie_corrected=True), name="kendall_w_common"),
        tau_b=mean_pairwise_tau_b(ranks),
        top_1=top_1_agreement(ranks),
    )


def _ranks(frame: pd.DataFrame) -> FloatArray:
    table = frame.pivot(index="judge_id", columns=["prompt_id", "true_id"], values="rank")
    return table.to_numpy(dtype=float)


def _too_few(judges: int, objects: int) -> str | None:
    if judges < 2:
        return "fewer than two judges"
    if objects < 2:
        return "fewer than two objects"
    return None


def _why_not_concordant(ranks: FloatArray) -> str | None:
    if reason := _too_few(*ranks.shape):
        return reason
    missing = np.isnan(ranks)
    if (missing != missing[0]).any():
        return "the judges did not rank the same objects"
    if missing.any():
        return "ranks are missing"
    if (ranks == ranks[:, :1]).all():
        return "every judge ties all objects"
    return None


def _squared_deviations(values: FloatArray, axis: int) -> FloatArray:
    deviations = values - values.mean(axis=axis, keepdims=True)
    return np.asarray((deviations**2).sum(axis=axis))


def _squared_distances(domain: FloatArray, totals: FloatArray, level: Level) -> FloatArray:
    if level == "nominal":
        return 1 - np.eye(domain.size)
    # Ordinal distance counts the ratings that lie between two values, each end's own by half.
    positions = domain if level == "interval" else totals.cumsum() - totals / 2
    return np.asarray(np.subtract.outer(positions, positions) ** 2)
