"""What else Δ may rest on: a single judge model, judges' own families, who rewrote a prompt, and abstentions.

Three judge models are no sample: intervals are over prompts alone, and what judges make of it stands beside them.
Replies are as in `deltas`.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.data.core.results import Summary
from analysis.framing.core.deltas import Deltas, deltas, over_prompts


def level_of(of: Deltas, *, level: float) -> Summary:
    """Mean Δ over all conditions and dimensions."""
    return over_prompts("level", of.by_condition.mean(axis=1), level=level)


def without_each_judge(
    replies: pd.DataFrame, dimensions: Sequence[str], conditions: Sequence[str], *, level: float
) -> dict[str, dict[str, Summary]]:
    """The mean Δ of each model when one judge model is left out: by the judge, then by the model."""
    return {
        judge: {
            each.respondent: level_of(each, level=level)
            for each in deltas(replies[replies["judge"] != judge], dimensions, conditions)
        }
        for judge in sorted(replies["judge"].unique())
    }


def own_family(
    replies: pd.DataFrame,
    dimensions: Sequence[str],
    conditions: Sequence[str],
    *,
    families: Mapping[str, str],
    judge_families: Mapping[str, str],
    level: float,
) -> dict[str, Summary]:
    """By how much Δ is greater to judges of the model's own family than to the others, over prompts, by model.

    `families` are those of models and `judge_families` those of judge models; a model is left out where either kind
    of judge is missing.
    """
    is_own = replies["respondent"].map(families) == replies["judge"].map(judge_families)
    own, others = (
        {each.respondent: each for each in deltas(some, dimensions, conditions)}
        for some in (replies[is_own], replies[~is_own])
    )
    found = {}
    for name in sorted(own.keys() & others.keys()):
        both = pd.DataFrame({"own": _levels(own[name]), "others": _levels(others[name])})
        found[name] = over_prompts("own_family", (both["own"] - both["others"]).to_numpy(), level=level)
    return found


def by_rewriter(of: Deltas, rewriters: Mapping[str, str], *, level: float) -> dict[str, Summary]:
    """The model's mean Δ over the prompts that each model rewrote; `rewriters` by prompt."""
    wrote = np.array([rewriters.get(prompt, "") for prompt in of.prompts])
    levels = of.by_condition.mean(axis=1)
    return {
        rewriter: over_prompts("level", levels[wrote == rewriter], level=level)
        for rewriter in sorted(set(wrote) - {""})
    }


def abstentions(replies: pd.DataFrame) -> dict[tuple[str, str], tuple[int, int]]:
    """How many replies find that an answer abstains, and of how many, by model and condition."""
    counted = replies["abstained"].astype(int).groupby([replies["respondent"], replies["condition"]])
    found = counted.agg(["sum", "count"])
    return {
        (str(respondent), str(condition)): (int(abstained), int(given))
        for (respondent, condition), abstained, given in zip(found.index, found["sum"], found["count"], strict=True)
    }


def _levels(of: Deltas) -> pd.Series:
    return pd.Series(of.by_condition.mean(axis=1), index=of.prompts)
