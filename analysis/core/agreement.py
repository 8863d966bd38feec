"""Agreement between the judges of a study, prompt by prompt and over all of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd

from analysis.core.concordance import (
    concordance,
    friedman_test,
    full_agreement,
    kendall_w,
    mid_ranks,
    top_1_agreement,
)
from analysis.core.incomplete_blocks import connected_parts, skillings_mack
from analysis.core.intraclass import IntraclassCorrelations, RaterPairs
from analysis.core.judgment_frame import standard_only
from analysis.core.rank_correlation import mean_pairwise_tau_b, pair_sums, pairwise_tau_b
from analysis.core.rank_tables import IntArray, RankTable, rank_tables
from analysis.core.rated import Rated, alpha_of
from analysis.core.resampling import Weights
from analysis.core.results import Estimate, FloatArray, Summary, summarise

OF_PROMPTS = ("w", "w_tie_corrected", "w_common", "tau_b")
ICC_NAMES = tuple(each.name for each in fields(IntraclassCorrelations))
TAUS, PAIRS = "taus", "pairs"


@dataclass(frozen=True, slots=True)
class PromptAgreement:
    """Agreement on one prompt: some judge ranked `n_objects` answers, every judge `n_common` of them.

    `chi_squared` has n_objects − 1 degrees of freedom, and `p` is its p-value. `skillings_mack` and its p-value
    also hold where judges ranked different answers; `n_parts` says into how many parts, between which nobody
    compares anything, the answers fall.
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
    tau_b: Estimate
    top_1: Estimate
    full: Estimate
    n_parts: int
    skillings_mack: Estimate
    skillings_mack_p: Estimate


@dataclass(frozen=True, slots=True)
class AgreementSummary:
    """Agreement over a study's prompts; each summary counts prompts, and those left out are undefined there.

    `top_1` and `full` are shares of prompts: all judges put the same answer first, or gave the same ranking.
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


def agreement_by_prompt(frame: pd.DataFrame) -> list[PromptAgreement]:
    """Agreement on each standard prompt of a frame of judgments, by prompt id.

    `w`, `w_tie_corrected`, `top_1` and `full` need judges who ranked the same answers. `w_common` is the
    tie-corrected W over the answers that every judge ranked, ranked afresh among themselves: rotated sets have it
    too.
    """
    tables = rank_tables(standard_only(frame), judges=_judges(frame))
    found = [
        _prompt_agreement(prompt, ranks)
        for table in tables
        for prompt, ranks in zip(table.prompts, table.values, strict=True)
    ]
    return sorted(found, key=lambda prompt: prompt.prompt_id)


def agreement_summary(frame: pd.DataFrame, prompts: Sequence[PromptAgreement] | None = None) -> AgreementSummary:
    """Agreement over all standard prompts of a frame of judgments; for one domain, pass its rows.

    `prompts` is what `agreement_by_prompt` says of the same rows, where somebody has it already.
    """
    standard = standard_only(frame)
    prompts = agreement_by_prompt(standard) if prompts is None else prompts

    def share(name: str, estimates: Sequence[Estimate]) -> Estimate:
        return replace(_over_prompts(name, estimates).mean, name=name)

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


def _prompt_agreement(prompt_id: str, ranks: FloatArray) -> PromptAgreement:
    common = ~np.isnan(ranks).any(axis=0)
    judges, objects = ranks.shape
    test, incomplete = friedman_test(ranks), skillings_mack(ranks)
    return PromptAgreement(
        prompt_id=prompt_id,
        n_judges=judges,
        n_objects=objects,
        n_common=int(common.sum()),
        same_set=bool(common.all()),
        w=kendall_w(ranks, tie_corrected=False),
        w_tie_corrected=kendall_w(ranks, tie_corrected=True),
        w_common=replace(kendall_w(ranks[:, common], tie_corrected=True), name="kendall_w_common"),
        chi_squared=test.statistic,
        p=test.p,
        tau_b=mean_pairwise_tau_b(ranks),
        top_1=top_1_agreement(ranks),
        full=full_agreement(ranks),
        n_parts=len(connected_parts(ranks)),
        skillings_mack=incomplete.statistic,
        skillings_mack_p=incomplete.p,
    )


def _over_prompts(name: str, estimates: Sequence[Estimate]) -> Summary:
    """Where no prompt has a value, the reason is the most frequent of theirs."""
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


def _judges(frame: pd.DataFrame) -> list[str]:
    return sorted(frame["judge_id"].unique())


# -- resamples -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AgreementResampler:
    """The figures of an `AgreementSummary`, and intraclass correlations, in resamples of the prompts and judges of
    a frame (see `resampling`).

    `top_1` and `full` have no interval: of the same judges drawn twice agreement is easier.
    """

    prompts: tuple[str, ...]
    judges: tuple[str, ...]
    standard: pd.DataFrame

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Self:
        standard = standard_only(frame)
        return cls(tuple(sorted(standard["prompt_id"].unique())), tuple(_judges(standard)), standard)

    @property
    def load(self) -> int:
        """Numbers made of a draw."""
        return len(self.standard)

    def __call__(self, weights: Weights) -> Mapping[str, FloatArray]:
        """By draw, under the names of the summary's fields and of `IntraclassCorrelations`; by draw and prompt, as
        `w_of_prompts` and so on, the figures OF_PROMPTS.
        """
        by_prompt = self.by_prompt(weights.judges)
        taus, pairs = by_prompt.pop(TAUS), by_prompt.pop(PAIRS)
        means = {name: _mean_over_prompts(values, weights.prompts) for name, values in by_prompt.items()}
        of_prompts = {f"{name}_of_prompts": by_prompt[name] for name in OF_PROMPTS}
        return (
            means
            | of_prompts
            | {
                "tau_b_pooled": _quotient(
                    (weights.prompts * taus).sum(axis=1), (weights.prompts * pairs).sum(axis=1)
                ),
                "alpha_ordinal": self._ranks.alpha("ordinal", weights),
                "alpha_interval": self._scores.alpha("interval", weights),
            }
        )

    def by_prompt(self, judges: FloatArray) -> dict[str, FloatArray]:
        """Every prompt's figures by draw (draws × prompts), from how often each judge was drawn, under the names of
        `PromptAgreement` and `IntraclassCorrelations`; NaN where undefined. TAUS and PAIRS are sums and numbers of
        τ-b over pairs of judges.
        """
        shape = (len(judges), len(self.prompts))
        found = {name: np.full(shape, np.nan) for name in (*OF_PROMPTS, *ICC_NAMES, TAUS, PAIRS)}
        for table in self._tables:
            of_judges = table.judged.weights(judges)
            for name, (ranks, is_corrected) in table.rankings.items():
                found[name][:, table.places] = concordance(ranks, of_judges, tie_corrected=is_corrected)
            for name, values in table.rater_pairs.coefficients(of_judges).items():
                found[name][:, table.places] = values
            found[TAUS][:, table.places], found[PAIRS][:, table.places] = pair_sums(table.taus, of_judges)
        return found | {"tau_b": _quotient(found[TAUS], found[PAIRS])}

    def intraclass_correlations(self) -> dict[str, Summary]:
        """Of the scores, over prompts, of the answers that all of a prompt's judges scored, by their names in
        `IntraclassCorrelations`.
        """
        everyone = self.by_prompt(np.ones((1, len(self.judges))))
        return {name: summarise(f"icc_{name}", everyone[name][0]) for name in ICC_NAMES}

    def common_ranks(self) -> list[FloatArray]:
        """By prompt, the ranks (judges × answers) of the answers that all of its judges ranked."""
        return [ranks[:, ~np.isnan(ranks).any(axis=0)] for table in self._tables for ranks in table.judged.values]

    @cached_property
    def _tables(self) -> "list[_Prepared]":
        tables = (rank_tables(self.standard, judges=self.judges, column=column) for column in ("rank", "score"))
        return [
            _Prepared(ranks, scores.values, np.searchsorted(self.prompts, ranks.prompts))
            for ranks, scores in zip(*tables, strict=True)
        ]

    @cached_property
    def _ranks(self) -> Rated:
        return self._rated("rank")

    @cached_property
    def _scores(self) -> Rated:
        return self._rated("score")

    def _rated(self, column: str) -> Rated:
        values = _numbers(self.standard, column)
        return Rated.of(self.standard, values, prompts=self.prompts, judges=self.judges)


@dataclass(frozen=True)
class _Prepared:
    """A table of rankings and the scores they are of, with what does not change from draw to draw. `places` are its
    prompts' among all.
    """

    judged: RankTable
    scores: FloatArray
    places: IntArray

    @cached_property
    def rankings(self) -> dict[str, tuple[FloatArray, bool]]:
        """By figure: the ranks it takes, and whether it corrects for ties."""
        ranks = self.judged.values
        is_common = ~np.isnan(ranks).any(axis=1, keepdims=True)
        complete = np.where(is_common.all(axis=-1, keepdims=True), ranks, np.nan)
        return {
            "w": (complete, False),
            "w_tie_corrected": (mid_ranks(complete), True),
            "w_common": (mid_ranks(np.where(is_common, ranks, np.nan)), True),
        }

    @cached_property
    def rater_pairs(self) -> RaterPairs:
        return RaterPairs.of(self.scores)

    @cached_property
    def taus(self) -> FloatArray:
        return pairwise_tau_b(self.judged.values)


def _mean_over_prompts(values: FloatArray, weights: FloatArray) -> FloatArray:
    counted = np.where(np.isnan(values), 0.0, weights)
    return _quotient((np.nan_to_num(values) * counted).sum(axis=1), counted.sum(axis=1))


def _quotient(of: FloatArray, by: FloatArray) -> FloatArray:
    return np.asarray(np.divide(of, by, out=np.full(of.shape, np.nan), where=by > 0))
