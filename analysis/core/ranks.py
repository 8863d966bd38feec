"""The ranks that count in an analysis: those of the scores, or those that were given."""

import pandas as pd

from analysis.core.judgment_frame import JUDGMENT
from analysis.core.report import Parameters


def ranked(frame: pd.DataFrame, parameters: Parameters) -> tuple[pd.DataFrame, int]:
    """The frame with the ranks that count, and in how many judgments the scores order answers in another way than
    the ranks given.

    By default tied answers share the mean of their places; a judgment without a score for every answer keeps the
    order that was given. `paper` takes the ranks as they were given. NaN marks an answer that was not ranked.
    """
    judgment = [frame[name] for name in JUDGMENT]
    of_ranks = frame["rank"].groupby(judgment).rank()
    of_scores = frame["score"].groupby(judgment).rank(ascending=False)
    is_scored = frame["score"].notna().groupby(judgment).transform("all")
    changed = int((is_scored & (of_scores != of_ranks)).groupby(judgment).any().sum())
    if parameters.mode == "paper":
        return frame, changed
    return frame.assign(rank=of_scores.where(is_scored, of_ranks)), changed
