"""How the sources of the answers fared: ranks, scores, and models against people.

Every figure is over the standard items of a frame of judgments; for one domain, pass that domain's rows. A
*rating* is a row, one judge's view of one answer; a *judgment* is all that one judge said about one prompt.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pandas as pd

from analysis.core.crossed import crossed_mean
from analysis.core.judgment_frame import HUMAN, MODEL, dimensions_of, mean_of_dimensions, standard_only
from analysis.core.rank_tables import places_among
from analysis.core.resampling import Cells, Weights, cells
from analysis.core.results import Estimate, FloatArray, Summary, summarise

JUDGMENT = ["prompt_id", "judge_id"]


@dataclass(frozen=True, slots=True)
class SourceOutcome:
    """Ranks (1 = best) and score (mean of the rubric's dimensions, on its scale) of one source, over ratings.

    `competition_rank` is the published rank; `mid_rank` gives tied answers the mean of the places they share.
    Standard errors take prompts and judges as samples from many (see `crossed`).
    """

    source: str
    competition_rank: Summary
    mid_rank: Summary
    score: Summary


@dataclass(frozen=True, slots=True)
class DimensionOutcome:
    """Score of one source on one dimension, on the rubric's scale, over ratings; errors as in `SourceOutcome`."""

    source: str
    dimension: str
    score: Summary


@dataclass(frozen=True, slots=True)
class ModelHumanPairs:
    """Every model answer against every human answer of the same judgment, from the models' side.

    `preference` is the models' share of the pairs, 0 to 1, with a tie as half a win; its `n` counts pairs.
    """

    wins: int
    ties: int
    losses: int
    preference: Estimate


@dataclass(frozen=True, slots=True)
class ModelFirst:
    """Share of judgments with a model first, 0 to 1; `n` counts judgments.

    A first place that models share with people counts wholly in `any_first`, and by the models' share in
    `fractional`. Judgments without both kinds of answer are left out and counted.
    """

    any_first: Estimate
    fractional: Estimate


def outcomes_by_source(frame: pd.DataFrame) -> list[SourceOutcome]:
    """Outcome of people and of each model family, in alphabetical order."""
    return [
        SourceOutcome(
            source=source,
            competition_rank=_summary("competition_rank", part, "rank"),
            mid_rank=_summary("mid_rank", part, "mid_rank"),
            score=_summary("score", part, "mean_score"),
        )
        for source, part in _by_source(_rated(frame))
    ]


def score_card(frame: pd.DataFrame) -> list[DimensionOutcome]:
    """Score of every source on every dimension, sources in alphabetical order, dimensions in the frame's."""
    standard = standard_only(frame)
    return [
        DimensionOutcome(source, dimension, _summary(dimension, part, dimension))
        for source, part in _by_source(standard)
        for dimension in dimensions_of(standard)
    ]


def model_human_pairs(frame: pd.DataFrame) -> ModelHumanPairs:
    """Wins, ties and losses of model answers against human answers within each judgment, by rank."""
    pairs = _pairs(frame)
    lead = (pairs["rank_human"] - pairs["rank_model"]).to_numpy()
    wins, ties, losses = (int(count.sum()) for count in (lead > 0, lead == 0, lead < 0))
    return ModelHumanPairs(wins, ties, losses, _share("model_preference", wins + ties / 2, lead.size))


def model_first(frame: pd.DataFrame) -> ModelFirst:
    """Share of judgments in which a model's answer is ranked first, for both readings of a shared first
    place.
    """
    shares = _first_shares(frame)
    left_out = standard_only(frame).groupby(JUDGMENT).ngroups - len(shares)
    return ModelFirst(
        any_first=_share("model_first_any", int((shares > 0).sum()), len(shares), left_out),
        fractional=_share("model_first_fractional", float(shares.sum()), len(shares), left_out),
    )


def prompts_led_by_models(frame: pd.DataFrame) -> Estimate:
    """Share of prompts on which the mean score of models' answers is above that of people's; `n` counts prompts.

    Equal means count as half. Prompts without scored answers of both kinds are left out and counted.
    """
    rated = _rated(frame)
    means = rated.groupby(["prompt_id", "true_source"])["mean_score"].mean().unstack()
    lead = (means.reindex(columns=[MODEL, HUMAN])[MODEL] - means.reindex(columns=[MODEL, HUMAN])[HUMAN]).to_numpy()
    kept = lead[~np.isnan(lead)]
    left_out = lead.size - kept.size
    if not kept.size:
        reason = "no prompt has scored answers of both models and people"
        return Estimate("prompts_led_by_models", None, 0, left_out, reason)
    share = float(((kept > 0) + (kept == 0) / 2).mean())
    return Estimate("prompts_led_by_models", share, kept.size, left_out)


@dataclass(frozen=True)
class OutcomeResampler:
    """Means of outcomes in resamples of the prompts and judges of a frame (see `resampling`).

    Called with weights it gives them by draw, under (quantity, source): quantities are `competition_rank`,
    `mid_rank`, `score` and the dimensions; `model_preference`, `model_first_any` and `model_first_fractional` have
    the source "".
    """

    prompts: tuple[str, ...]
    judges: tuple[str, ...]
    means: Mapping[tuple[str, str], Cells]

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Self:
        standard = standard_only(frame)
        prompts, judges = (tuple(sorted(standard[column].unique())) for column in ("prompt_id", "judge_id"))

        def summed(rows: pd.DataFrame, values: FloatArray) -> Cells:
            return cells(
                places_among(prompts, rows["prompt_id"]),
                places_among(judges, rows["judge_id"]),
                values,
                shape=(len(prompts), len(judges)),
            )

        return cls(prompts, judges, {name: summed(rows, values) for name, rows, values in _observations(frame)})

    def __call__(self, weights: Weights) -> dict[tuple[str, str], FloatArray]:
        return {name: quantity.mean(weights) for name, quantity in self.means.items()}


def _observations(frame: pd.DataFrame) -> Iterator[tuple[tuple[str, str], pd.DataFrame, FloatArray]]:
    """Every quantity and source with the rows it is observed in and its values there."""
    rated = _rated(frame)
    columns = {"competition_rank": "rank", "mid_rank": "mid_rank", "score": "mean_score"}
    columns |= {dimension: dimension for dimension in dimensions_of(standard_only(frame))}
    for source, part in _by_source(rated):
        for quantity, column in columns.items():
            yield (quantity, source), part, part[column].to_numpy(dtype=float)
    pairs = _pairs(frame)
    lead = np.sign((pairs["rank_human"] - pairs["rank_model"]).to_numpy(dtype=float))
    yield ("model_preference", ""), pairs, (lead + 1) / 2
    shares = _first_shares(frame)
    judged, share = shares.index.to_frame(index=False), shares.to_numpy(dtype=float)
    yield ("model_first_any", ""), judged, (share > 0).astype(float)
    yield ("model_first_fractional", ""), judged, share


def _rated(frame: pd.DataFrame) -> pd.DataFrame:
    """The ordinary ratings with their mid-rank, and the mean of their dimensions where all are there."""
    standard = standard_only(frame)
    return standard.assign(
        mid_rank=standard.groupby(JUDGMENT)["rank"].rank(),
        mean_score=mean_of_dimensions(standard),
    )


def _pairs(frame: pd.DataFrame) -> pd.DataFrame:
    """Every model answer beside every human one of the same judgment, with the ranks of both."""
    standard = standard_only(frame)
    ranks = standard[[*JUDGMENT, "rank"]]
    models, people = (ranks[standard["true_source"] == source] for source in (MODEL, HUMAN))
    return models.merge(people, on=JUDGMENT, suffixes=("_model", "_human"))


def _first_shares(frame: pd.DataFrame) -> "pd.Series[float]":
    """By judgment of both kinds of answer, the models' share of its first place."""
    standard = standard_only(frame)
    judgments = standard.groupby(JUDGMENT)
    mixed = judgments["true_source"].transform("nunique") == 2
    first = standard["rank"] == judgments["rank"].transform("min")
    by_model = (standard.loc[mixed & first, "true_source"] == MODEL).astype(float)
    return by_model.groupby([standard[key] for key in JUDGMENT]).mean()


def _by_source(frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    sources = frame["model"].where(frame["true_source"] == MODEL, HUMAN)
    return [(str(source), part) for source, part in frame.groupby(sources, sort=True)]


def _summary(name: str, rows: pd.DataFrame, column: str) -> Summary:
    values = rows[column].to_numpy(dtype=float)
    prompts, judges = (pd.factorize(rows[key])[0] for key in JUDGMENT)
    crossed = crossed_mean(name, values, prompts, judges)
    return replace(summarise(name, values), se=crossed.se)


def _share(name: str, part: float, whole: int, left_out: int = 0) -> Estimate:
    if whole == 0:
        return Estimate(name, None, 0, left_out, "no judgment has both a model's and a person's answer")
    return Estimate(name, float(part / whole), whole, left_out)
