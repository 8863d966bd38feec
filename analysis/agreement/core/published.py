"""The estimators of agreement as they were published, on the ranks as they are given."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

import numpy as np
import pandas as pd
from scipy import sparse

from analysis.agreement.core.agreement import PromptAgreement
from analysis.agreement.core.concordance import ALL_TIED, complete
from analysis.agreement.core.judge_pairs import RATED, tables_by_prompt
from analysis.data.core.rank_tables import IntArray, indices_among, rank_tables
from analysis.data.core.results import Estimate, FloatArray, Summary, quotient, summarise
from analysis.uncertainty.core.resampling import Weights

MAX_PAIRS: Final = 20_000  # of judges that are resampled
FEW_RANKS: Final = 8
AT_A_TIME: Final = 25  # draws, so that what is made of them stays in the processor's cache
NO_PAIRS: Final = "no two judges both tell apart answers that they have in common"


@dataclass(frozen=True, slots=True)
class PublishedAgreement:
    """`w`: plain W of the judges who ranked every answer of a prompt, 0 where they all tie everything; over
    prompts. `tau_b`: Kendall's τ-b of two judges over the ranks of all the answers both ranked, one prompt's behind
    another's, and the mean over pairs of judges; `n` counts pairs. `top_1` and `full`: shares of prompts on which
    these judges put the same answer first, or all in the same order, where ties are broken by the answers' ids in
    the order of strings. `broken` counts the prompts on which that decides: where some judge's first place is
    shared.
    """

    w: Summary
    tau_b: Estimate
    top_1: Estimate
    full: Estimate
    broken: int


def published_agreement(
    standard: pd.DataFrame, prompts: Sequence[PromptAgreement], pairs: "JudgePairs"
) -> PublishedAgreement:
    """Published figures, without intervals, from the ordinary items of a frame whose ranks are those given."""
    tables = rank_tables(standard, judges=sorted(standard["judge_id"].unique()))
    found = [_of_prompt(ranks) for table in tables for ranks in table.values]
    plain = np.array([published_w(prompt).value for prompt in prompts], dtype=float)
    return PublishedAgreement(
        w=summarise("published_w", plain),
        tau_b=pairs.mean_tau_b(),
        top_1=_share("published_top_1", [each.same_first for each in found if each]),
        full=_share("published_full", [each.same_order for each in found if each]),
        broken=sum(each.is_broken for each in found if each),
    )


def published_w(prompt: PromptAgreement) -> Estimate:
    """Of one prompt."""
    return replace(prompt.w, value=0.0, reason=None) if prompt.w.reason == ALL_TIED else prompt.w


@dataclass(frozen=True, slots=True)
class _Order:
    same_first: bool
    same_order: bool
    is_broken: bool


def _of_prompt(ranks: FloatArray) -> _Order | None:
    """How a prompt's judges order its answers, from ranks, judges × answers in the order of their ids, NaN where
    there is none. None where fewer than two judges ranked every answer, or there are fewer than two answers.
    """
    ranks = complete(ranks)
    if min(ranks.shape) < 2:
        return None
    orders = np.argsort(ranks, axis=1, kind="stable")
    firsts = (ranks == ranks.min(axis=1, keepdims=True)).sum(axis=1)
    return _Order(
        bool((orders[:, 0] == orders[0, 0]).all()), bool((orders == orders[0]).all()), bool((firsts > 1).any())
    )


def _share(name: str, is_so: Sequence[bool]) -> Estimate:
    if not is_so:
        return Estimate(name, None, 0, reason="on no prompt two judges ranked all answers")
    return Estimate(name, float(np.mean(is_so)), len(is_so))


@dataclass(frozen=True)
class JudgePairs:
    """Pairs of judges, `one` and `other` their places among all, with how many of the answers that both ranked have
    which two of the `ranks` different ranks: `tables` is prompts × (pairs · ranks · ranks). τ-b of a pair is a
    function of the sum of its tables alone: every answer is compared with every other, whatever prompt it is to.
    """

    one: IntArray
    other: IntArray
    ranks: int
    tables: sparse.csr_array
    # What was made last, and from which weights: the same prompts are drawn with all judges, and with some of them.
    last: list[tuple[FloatArray, FloatArray]] = field(default_factory=list, compare=False, repr=False)

    @classmethod
    def of(cls, standard: pd.DataFrame) -> Self:
        prompts, judges = (tuple(sorted(standard[column].unique())) for column in ("prompt_id", "judge_id"))
        rows = standard.loc[standard["rank"].notna(), [*RATED, "rank"]]
        domain, codes = np.unique(rows["rank"].to_numpy(dtype=float), return_inverse=True)
        prompt, judge = indices_among(prompts, rows["prompt_id"]), indices_among(judges, rows["judge_id"])
        width, ranks, there = max(len(judges), 1), domain.size, np.unique(prompt)

        def each() -> Iterator[tuple[IntArray, IntArray]]:
            """A key and a cell, by prompt, of the table for any two judges of each answer: made twice, not kept."""
            for who, ranked, coded, _ in tables_by_prompt(rows, prompt, codes.astype(float), judge):
                one, other = np.triu_indices(who.size, k=1)
                answer, pair = np.nonzero((ranked[:, one] > 0) & (ranked[:, other] > 0))
                first, second = coded[answer, one[pair]], coded[answer, other[pair]]
                yield (who[one] * width + who[other])[pair], (first * ranks + second).astype(np.intp)

        found = [(np.unique(keys), keys.size) for keys, _ in each()]
        keys = np.unique(np.concatenate([np.zeros(0, dtype=np.intp), *(own for own, _ in found)]))
        sizes = np.zeros(len(prompts), dtype=np.int64)
        sizes[there] = [size for _, size in found]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        shape = (len(prompts), keys.size * ranks**2)
        cells = np.empty(int(starts[-1]), dtype=np.int32 if shape[1] < np.iinfo(np.int32).max else np.int64)
        for place, (own, cell) in zip(there, each(), strict=True):
            cells[starts[place] : starts[place + 1]] = np.searchsorted(keys, own) * ranks**2 + cell
        tables = sparse.csr_array((np.ones(cells.size), cells, starts), shape=shape)
        return cls(keys // width, keys % width, ranks, tables)

    @property
    def load(self) -> int:
        """Numbers made of a draw."""
        return int(self.tables.shape[1])

    def __call__(self, weights: Weights) -> Mapping[str, FloatArray]:
        if not self.last or self.last[0][0] is not weights.prompts:
            self.last[:] = [(weights.prompts, self._taus(weights.prompts))]
        taus = self.last[0][1]
        drawn = weights.judges[:, self.one] * weights.judges[:, self.other]
        return {"tau_b": quotient((drawn * np.nan_to_num(taus)).sum(axis=1), (drawn * ~np.isnan(taus)).sum(axis=1))}

    def mean_tau_b(self) -> Estimate:
        """A pair one of whom ties everything is left out, and counted."""
        taus = self._taus(np.ones((1, self.tables.shape[0])))[0]
        defined = taus[~np.isnan(taus)]
        left_out = taus.size - defined.size
        if not defined.size:
            return Estimate("published_tau_b", None, 0, left_out, NO_PAIRS)
        return Estimate("published_tau_b", float(defined.mean()), defined.size, left_out)

    def _taus(self, prompts: FloatArray) -> FloatArray:
        """τ-b by draw of prompts and pair of judges; NaN where one of the two ties everything."""
        found = np.empty((len(prompts), self.one.size))
        for start in range(0, len(prompts), AT_A_TIME):
            found[start : start + AT_A_TIME] = self._taus_of(prompts[start : start + AT_A_TIME])
        return found

    def _agreed_less_opposed(self, counts: FloatArray) -> FloatArray:
        """Half of what is ordered alike, less what is ordered otherwise, as each cell; or an array that has the
        same sum over cells, where there are too many for a table of them by themselves.
        """
        if self.ranks <= FEW_RANKS:
            one, other = np.divmod(np.arange(self.ranks**2), self.ranks)
            order = [np.sign(each - each[:, None]) for each in (one, other)]
            cells = counts.reshape(len(counts), self.ranks**2, -1)
            return np.asarray((order[0] * order[1] / 2) @ cells).reshape(counts.shape)
        behind = counts.sum(axis=1, keepdims=True) - counts.cumsum(axis=1)
        before = behind.cumsum(axis=2)
        return np.asarray(before[:, :, -1:] - 2 * before + behind)

    def _taus_of(self, prompts: FloatArray) -> FloatArray:
        counts = np.asarray(self.tables.T @ prompts.T).reshape(self.one.size, self.ranks, self.ranks, len(prompts))
        of_each = [counts.sum(axis=axis) for axis in (2, 1)]
        squared = of_each[0].sum(axis=1) ** 2
        untied = [(squared - (each**2).sum(axis=1)) / 2 for each in of_each]
        score = np.einsum("pabd,pabd->pd", counts, self._agreed_less_opposed(counts))
        return quotient(score, np.sqrt(untied[0] * untied[1])).T
