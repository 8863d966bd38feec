"""The figures of agreement in resamples of a study's prompts and judges."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np
import pandas as pd

from analysis.agreement.core.column_alpha import ColumnRatings
from analysis.agreement.core.concordance import (
    common,
    common_only,
    complete_only,
    concordance,
    mid_ranks,
    most_concordance,
)
from analysis.agreement.core.intraclass import (
    COMPONENTS,
    KINDS,
    NOISE,
    SIGNAL,
    Components,
    RaterPairs,
    coefficients,
    of_components,
)
from analysis.agreement.core.rank_correlation import tau_sums
from analysis.data.core.judgment_frame import standard_only
from analysis.data.core.rank_tables import IntArray, RankTable, rank_tables
from analysis.data.core.results import Estimate, FloatArray, quotient
from analysis.uncertainty.core.judgment_arrays import BoolArray
from analysis.uncertainty.core.resampling import Figures, Weights

NOTHING_IN_COMMON: Final = "no prompt has two judges, and two answers that all of its judges scored"
NOTHING_TOLD_APART: Final = "every judge scored all of a prompt's answers alike"
MEANS_ALIKE: Final = "the answers' means over judges hardly vary"
LEFT_OUT: Final = 500_000  # weights in memory at once
OF_PROMPTS: Final = ("w", "w_tie_corrected", "w_common", "tau_b")


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
        return cls(
            tuple(sorted(standard["prompt_id"].unique())), tuple(sorted(standard["judge_id"].unique())), standard
        )

    @property
    def load(self) -> int:
        """Numbers made of a draw."""
        return max(self._ranks.load, self._scores.load)

    def __call__(self, weights: Weights) -> Figures:
        """See `of_judges`; but `w_common` is over the answers that all of the judges drawn ranked, whatever others
        did, as if there were nobody else; and `chance_of_w`, what it is in the mean where these rank at random.
        """
        by_prompt = self._w_of_those_drawn(weights.judges)
        number = self._drawn_by_prompt(weights.judges)
        chance = quotient(np.where(np.isnan(by_prompt), np.nan, 1.0), number)
        return {
            **self.of_judges(weights.judges)(weights.prompts),
            "w_common": _mean_over_prompts(by_prompt, weights.prompts),
            "chance_of_w": _mean_over_prompts(chance, weights.prompts),
        }

    def of_judges(self, judges: FloatArray) -> Callable[[FloatArray], Figures]:
        """What gives, from how often every prompt was drawn, all figures by draw: under the names of the summary's
        fields, of `intraclass.COEFFICIENTS`, and `published_w` (see `published`).

        Which answers are common does not change from draw to draw: it is that of all judges.
        """
        by_prompt = self.by_prompt(judges)
        alphas = {
            "alpha_ordinal": self._ranks.of_judges("ordinal", judges),
            "alpha_interval": self._scores.of_judges("interval", judges),
        }

        def figures(prompts: FloatArray) -> Figures:
            taus, pairs = ((prompts * each).sum(axis=1) for each in (by_prompt.taus, by_prompt.pairs))
            return {
                **{name: _mean_over_prompts(values, prompts) for name, values in by_prompt.figures.items()},
                **coefficients(by_prompt.components, prompts * self._freedom, raters=self.raters),
                **{name: alpha(prompts) for name, alpha in alphas.items()},
                "tau_b_pooled": quotient(taus, pairs),
            }

        return figures

    def by_prompt(self, judges: FloatArray) -> "_ByPrompt":
        """Every prompt's figures, from how often each judge was drawn."""
        shape = (len(judges), len(self.prompts))
        figures = {name: np.full(shape, np.nan) for name in (*OF_PROMPTS, "published_w")}
        components = {name: np.full(shape, np.nan) for name in COMPONENTS}
        taus, pairs = np.zeros(shape), np.zeros(shape)
        for table in self._tables:
            of_judges = table.judged.weights(judges)
            for name, (ranks, is_corrected) in table.rankings.items():
                figures[name][:, table.places] = concordance(ranks, of_judges, tie_corrected=is_corrected)
            plain = figures["w"][:, table.places]
            all_tied = np.isnan(plain) & table.has_two_judges(of_judges)
            figures["published_w"][:, table.places] = np.where(all_tied, 0.0, plain)
            for component, values in table.rater_pairs.components(of_judges).items():
                components[component][:, table.places] = values
            taus[:, table.places], pairs[:, table.places] = tau_sums(table.judged.values, of_judges)
        return _ByPrompt(figures | {"tau_b": quotient(taus, pairs)}, components, taus, pairs)

    def errors_by_prompt(self) -> "dict[str, FloatArray]":
        """Standard errors of each prompt's figures OF_PROMPTS, leaving out one of its judges at a time; NaN where a
        figure is undefined without one of them.
        """
        found = {name: np.full(len(self.prompts), np.nan) for name in OF_PROMPTS}
        for table in self._tables:
            for name, (ranks, is_corrected) in table.rankings.items():
                left = [concordance(ranks, one, tie_corrected=is_corrected) for one in table.leaving_out_each()]
                found[name][table.places] = _jackknife(
                    np.concatenate(left), np.asarray(np.isfinite(ranks).any(axis=2))
                )
            taus = [quotient(*tau_sums(table.judged.values, one)) for one in table.leaving_out_each()]
            counts = np.asarray(np.isfinite(table.judged.values).any(axis=2))
            found["tau_b"][table.places] = _jackknife(np.concatenate(taus), counts)
        return found

    def _w_of_those_drawn(self, judges: FloatArray) -> FloatArray:
        """`w_common`, draws × prompts, over what the judges drawn have in common."""
        found = np.full((len(judges), len(self.prompts)), np.nan)
        for table in self._tables:
            for draw, drawn in enumerate(table.judged.weights(judges)):
                ranks = common_only(np.where(drawn[..., None] > 0, table.judged.values, np.nan))
                found[draw, table.places] = concordance(mid_ranks(ranks), drawn, tie_corrected=True)
        return found

    def _drawn_by_prompt(self, judges: FloatArray) -> FloatArray:
        """How many of a prompt's judges were drawn, draws × prompts."""
        found = np.zeros((len(judges), len(self.prompts)))
        for table in self._tables:
            found[:, table.places] = (table.judged.weights(judges) > 0).sum(axis=2)
        return found

    def intraclass_correlations(self) -> dict[str, Estimate]:
        """`intraclass.COEFFICIENTS` of scores, from components pooled over prompts by their degrees of freedom
        (answers that all of a prompt's judges scored, less one); a mean's is of as many judges as a prompt has on
        average. `n` counts prompts; those without two answers that all of two or more judges scored are left out.
        """
        found = coefficients(self._components, self._freedom, raters=self.raters)
        n = int((self._freedom > 0).sum())
        left_out = len(self.prompts) - n
        # The denominator of ICC(3,1) is the mean of judges' own variances.
        varies = not np.isnan(found["fixed"][0])
        reason = (MEANS_ALIKE if varies else NOTHING_TOLD_APART) if n else NOTHING_IN_COMMON
        return {
            name: Estimate(f"icc_{name}", None, n, left_out, reason)
            if np.isnan(values[0])
            else Estimate(f"icc_{name}", float(values[0]), n, left_out)
            for name, values in found.items()
        }

    def intraclass_without_each(self) -> dict[str, tuple[FloatArray, FloatArray]]:
        """Correlations of one rating, by `intraclass.KINDS`: without each prompt, and without each judge; NaN where
        nothing varies.

        A judge is left out of the prompts that it judged alone: the others' components stay as they are.
        """
        found: dict[tuple[str, str], tuple[FloatArray, FloatArray]] = {}
        for name, values in self._components.items():
            weights = np.where(np.isnan(values[0]), 0.0, self._freedom)
            sums = weights * np.nan_to_num(values[0])
            by_judge = np.zeros((2, len(self.judges)))
            for table in self._tables:
                places, judges = table.places, table.judged.judges.T
                left = table.without_each[name]
                own = np.stack([np.nan_to_num(left), ~np.isnan(left)]) * self._freedom[places]
                for part, left_out, all_there in zip(by_judge, own, (sums, weights), strict=True):
                    np.add.at(part, judges, left_out - all_there[places])
            whole = np.array([[sums.sum()], [weights.sum()]])
            found[name] = quotient(*(whole - np.stack([sums, weights]))), quotient(*(whole + by_judge))
        return {
            kind: (
                of_components(found[kind, SIGNAL][0], found[kind, NOISE][0]),
                of_components(found[kind, SIGNAL][1], found[kind, NOISE][1]),
            )
            for kind in KINDS
        }

    def alphas_without_each(self) -> dict[str, tuple[FloatArray, FloatArray]]:
        """α without each prompt and without each judge, by the names of the summary's fields."""
        return {
            "alpha_ordinal": self._ranks.without_each("ordinal"),
            "alpha_interval": self._scores.without_each("interval"),
        }

    @property
    def judges_to_disagree(self) -> float:
        """k whose −1/(k − 1) is that of prompts' judges in the mean over prompts with two or more: the least that a
        mean correlation of theirs can be. 2 where none has so many.
        """
        counts = [np.full(table.places.size, table.scores.shape[1]) for table in self._tables]
        judges = np.concatenate([np.zeros(0), *counts])
        several = judges[judges > 1]
        return float(1 + 1 / (1 / (several - 1)).mean()) if several.size else 2.0

    @property
    def ratings_to_disagree(self) -> float:
        """See `ColumnRatings.raters`."""
        return min(self._ranks.raters, self._scores.raters)

    def most_w(self) -> FloatArray:
        """The most that plain W can be, by prompt (see `concordance.most_concordance`)."""
        most = np.full(len(self.prompts), np.nan)
        for table in self._tables:
            ranks, _ = table.rankings["w"]
            most[table.places] = most_concordance(ranks)
        return most

    def common_ranks(self) -> list[FloatArray]:
        """The ranks (judges × answers), by prompt, of the answers that all of its judges ranked."""
        return [common(ranks) for table in self._tables for ranks in table.judged.values]

    @cached_property
    def _tables(self) -> "list[_Prepared]":
        tables = (rank_tables(self.standard, judges=self.judges, column=column) for column in ("rank", "score"))
        return [
            _Prepared(ranks, scores.values, np.searchsorted(self.prompts, ranks.prompts))
            for ranks, scores in zip(*tables, strict=True)
        ]

    @cached_property
    def _components(self) -> Components:
        """Components over all judges, 1 × prompts."""
        return self.by_prompt(np.ones((1, len(self.judges)))).components

    @cached_property
    def _freedom(self) -> FloatArray:
        """Degrees of freedom by prompt: answers that all of its judges scored, less one; 0 with fewer than two
        judges.
        """
        freedom = np.zeros(len(self.prompts))
        for table in self._tables:
            judges = table.scores.shape[1]
            freedom[table.places] = np.maximum(table.rater_pairs.targets - 1, 0) * (judges > 1)
        return freedom

    @cached_property
    def raters(self) -> float:
        """Judges of a prompt, on average over those that count."""
        judges = np.zeros(len(self.prompts))
        for table in self._tables:
            judges[table.places] = table.scores.shape[1]
        return float(judges[self._freedom > 0].mean()) if self._freedom.any() else 1.0

    @cached_property
    def _ranks(self) -> ColumnRatings:
        return self._rated("rank")

    @cached_property
    def _scores(self) -> ColumnRatings:
        return self._rated("score")

    def _rated(self, column: str) -> ColumnRatings:
        values = self.standard[column].to_numpy(dtype=float)
        return ColumnRatings.of(self.standard, values, prompts=self.prompts, judges=self.judges)


@dataclass(frozen=True)
class _ByPrompt:
    """Draws × prompts, NaN where undefined: the figures OF_PROMPTS and `published_w`, components of the variance of
    scores, and the sums and numbers of τ-b over pairs of judges.
    """

    figures: dict[str, FloatArray]
    components: dict[tuple[str, str], FloatArray]
    taus: FloatArray
    pairs: FloatArray


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
        """The ranks that each figure takes, and whether it corrects for ties."""
        ranks = self.judged.values
        complete = complete_only(ranks)
        return {
            "w": (complete, False),
            "w_tie_corrected": (mid_ranks(complete), True),
            "w_common": (mid_ranks(common_only(ranks)), True),
        }

    def has_two_judges(self, drawn: FloatArray) -> BoolArray:
        """Draws × prompts: whether two different judges were drawn who ranked all of two or more answers."""
        is_ranked = np.isfinite(self.rankings["w"][0])
        judges = ((drawn > 0) & is_ranked.any(axis=2)).sum(axis=2)
        return np.asarray((judges > 1) & (is_ranked.any(axis=1).sum(axis=1) > 1))

    @cached_property
    def rater_pairs(self) -> RaterPairs:
        return RaterPairs.of(self.scores)

    @cached_property
    def without_each(self) -> Components:
        """Components of the variance, judges × prompts of this table, without one of the prompt's judges."""
        found = [self.rater_pairs.components(one) for one in self.leaving_out_each()]
        return {name: np.concatenate([each[name] for each in found]) for name in COMPONENTS}

    def leaving_out_each(self) -> Iterator[FloatArray]:
        """Weights of prompts' judges without one of them, judges left out × prompts × judges, some at a time."""
        prompts, number = self.judged.judges.shape
        size = max(1, LEFT_OUT // (prompts * number))
        for start in range(0, number, size):
            without = 1 - np.eye(number)[start : start + size, None]
            yield np.broadcast_to(without, (len(without), prompts, number))


def _jackknife(without: FloatArray, counts: BoolArray) -> FloatArray:
    """Standard errors by prompt, from its figure without each judge (judges × prompts) and whether the judge counts
    in it at all (prompts × judges).
    """
    number = counts.sum(axis=1)
    left = np.where(counts.T, without, 0.0)
    squares = np.where(counts.T, left - left.sum(axis=0) / np.maximum(number, 1), 0.0) ** 2
    return np.asarray(np.sqrt(squares.sum(axis=0) * (number - 1) / np.maximum(number, 1)))


def _mean_over_prompts(values: FloatArray, weights: FloatArray) -> FloatArray:
    counted = np.where(np.isnan(values), 0.0, weights)
    return quotient((np.nan_to_num(values) * counted).sum(axis=1), counted.sum(axis=1))
