"""How the sources of the answers fared: ranks, scores, and models against people.

Every figure is over the standard items of a frame of judgments; for one domain, pass that domain's rows. A
*rating* is a row, one judge's view of one answer; a *judgment* is all that one judge said about one prompt.
"""

from dataclasses import dataclass

import pandas as pd

from analysis.core.judgment_frame import HUMAN, MODEL, dimensions_of, standard_only
from analysis.core.results import Estimate, Summary, summarise

JUDGMENT = ["prompt_id", "judge_id"]


@dataclass(frozen=True, slots=True)
class SourceOutcome:
    """Ranks (1 = best) and score (mean of the rubric's dimensions, on its scale) of one source, over ratings.

    `competition_rank` is the published rank; `mid_rank` gives tied answers the mean of the places they share.
    """

    source: str
    competition_rank: Summary
    mid_rank: Summary
    score: Summary


@dataclass(frozen=True, slots=True)
class DimensionOutcome:
    """Score of one source on one dimension, on the rubric's scale, over ratings."""

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
    """Outcome of people and of each model family, in alphabetical order.

    The standard errors are over ratings as if independent: they ignore that a judge rates several answers and
    an answer has several judges.
    """
    standard = standard_only(frame)
    rated = standard.assign(
        mid_rank=standard.groupby(JUDGMENT)["rank"].rank(),
        mean_score=standard[dimensions_of(standard)].mean(axis=1, skipna=False),
    )
    return [
        SourceOutcome(
            source=source,
            competition_rank=_summary("competition_rank", part["rank"]),
            mid_rank=_summary("mid_rank", part["mid_rank"]),
            score=_summary("score", part["mean_score"]),
        )
        for source, part in _by_source(rated)
    ]


def score_card(frame: pd.DataFrame) -> list[DimensionOutcome]:
    """Score of every source on every dimension, sources in alphabetical order, dimensions in the frame's.

    The standard errors are over ratings as if independent, as in `outcomes_by_source`.
    """
    standard = standard_only(frame)
    return [
        DimensionOutcome(source, dimension, _summary(dimension, part[dimension]))
        for source, part in _by_source(standard)
        for dimension in dimensions_of(standard)
    ]


def model_human_pairs(frame: pd.DataFrame) -> ModelHumanPairs:
    """Wins, ties and losses of model answers against human answers within each judgment, by rank."""
    standard = standard_only(frame)
    ranks = standard[[*JUDGMENT, "rank"]]
    models, people = (ranks[standard["true_source"] == source] for source in (MODEL, HUMAN))
    pairs = models.merge(people, on=JUDGMENT, suffixes=("_model", "_human"))
    lead = (pairs["rank_human"] - pairs["rank_model"]).to_numpy()
    wins, ties, losses = (int(count.sum()) for count in (lead > 0, lead == 0, lead < 0))
    return ModelHumanPairs(wins, ties, losses, _share("model_preference", wins + ties / 2, lead.size))


def model_first(frame: pd.DataFrame) -> ModelFirst:
    """Share of judgments in which a model's answer is ranked first, for both readings of a shared first
    place.
    """
    standard = standard_only(frame)
    judgments = standard.groupby(JUDGMENT)
    mixed = judgments["true_source"].transform("nunique") == 2
    first = standard["rank"] == judgments["rank"].transform("min")
    by_model = standard.loc[mixed & first, "true_source"] == MODEL
    shares = by_model.groupby([standard[key] for key in JUDGMENT]).mean()
    left_out = judgments.ngroups - len(shares)
    return ModelFirst(
        any_first=_share("model_first_any", int((shares > 0).sum()), len(shares), left_out),
        fractional=_share("model_first_fractional", float(shares.sum()), len(shares), left_out),
    )


def _by_source(frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    sources = frame["model"].where(frame["true_source"] == MODEL, HUMAN)
    return [(str(source), part) for source, part in frame.groupby(sources, sort=True)]


def _summary(name: str, values: "pd.Series[float]") -> Summary:
    return summarise(name, values.to_numpy(dtype=float))


def _share(name: str, part: float, whole: int, left_out: int = 0) -> Estimate:
    if whole == 0:
        return Estimate(name, None, 0, left_out, "no judgment has both a model's and a person's answer")
    return Estimate(name, float(part / whole), whole, left_out)
