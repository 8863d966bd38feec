"""The ranks that count in an analysis: those of the scores, or those that were given."""

import pandas as pd

from analysis.data.core.judgment_frame import JUDGMENT
from analysis.data.core.parameters import Parameters


def ranked(frame: pd.DataFrame, parameters: Parameters) -> tuple[pd.DataFrame, int]:
    """The frame with the ranks that count, and in how many judgments the scores order answers in another way than
    the ranks given.

    By default tied answers share the mean of their places; a judgment without a score for every answer keeps the
    order that was given. `paper` takes the ranks as they were given; but a judgment that lost an answer, so that
    its ranks skip places, is ranked anew among those left. NaN marks an answer that was not ranked.
    """
    judgment = [frame[name] for name in JUDGMENT]
    of_ranks = frame["rank"].groupby(judgment).rank()
    of_scores = frame["score"].groupby(judgment).rank(ascending=False)
    is_scored = frame["score"].notna().groupby(judgment).transform("all")
    is_ranked = frame["rank"].notna().groupby(judgment).transform("any")
    changed = int((is_scored & is_ranked & (of_scores != of_ranks)).groupby(judgment).any().sum())
    if parameters.mode == "paper":
        return frame.assign(rank=_without_gaps(frame["rank"], judgment)), changed
    return frame.assign(rank=of_scores.where(is_scored, of_ranks)), changed


def dense(frame: pd.DataFrame) -> "pd.Series[bool]":
    """For every row, whether its judgment has dense ranks: tied answers, and no gap behind them (1, 2, 2, 3)."""
    judgment = [frame[name] for name in JUDGMENT]
    ranks = frame["rank"].groupby(judgment)
    is_dense, is_competition = (
        ((frame["rank"] == ranks.rank(method=method)) | frame["rank"].isna()).groupby(judgment).transform("all")
        for method in ("dense", "min")
    )
    return is_dense & ~is_competition


def _without_gaps(ranks: "pd.Series[float]", judgment: "list[pd.Series[str]]") -> "pd.Series[float]":
    """Competition ranks among the answers there, in judgments where a rank is greater than that; mid-ranks, which
    are so wherever answers are tied, stand as they were given.
    """
    places, mid_ranks = (ranks.groupby(judgment).rank(method=method) for method in ("min", "average"))
    has_gap = (ranks > places).groupby(judgment).transform("any")
    are_mid_ranks = (ranks.isna() | (ranks == mid_ranks)).groupby(judgment).transform("all")
    return places.where(has_gap & ~are_mid_ranks, ranks)
