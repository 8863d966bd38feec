"""What else Δ may rest on: a single judge model, judges' own families, who rewrote a prompt, and abstentions.

Three judge models are no sample: intervals are over prompts alone, and what judges make of it stands beside them.
Replies are as in `deltas`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from analysis.data.core.framed import ANSWERED, BASELINE, REFUSED
from analysis.data.core.results import Estimate, Summary
from analysis.framing.core.deltas import Deltas, deltas, over_prompts
from analysis.uncertainty.core.clustered import clustered_summary
from analysis.uncertainty.core.intervals import UNBOUNDED, of_differences, with_exact_interval


def level_of(of: Deltas, *, level: float) -> Summary:
    """Mean Δ over all conditions and dimensions."""
    values = of.by_condition.mean(axis=1)
    return over_prompts("level", values, level=level, bounds=of_differences(of.scale))


def without_each_judge(
    replies: pd.DataFrame,
    dimensions: Sequence[str],
    conditions: Sequence[str],
    *,
    level: float,
    counts_abstentions: bool = False,
    scale: tuple[float, float] = UNBOUNDED,
) -> dict[str, dict[str, Summary]]:
    """The mean Δ of each model when one judge model is left out: by the judge, then by the model."""
    return {
        judge: {
            each.respondent: level_of(each, level=level)
            for each in deltas(
                replies[replies["judge"] != judge],
                dimensions,
                conditions,
                counts_abstentions=counts_abstentions,
                scale=scale,
            )
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
    counts_abstentions: bool = False,
    scale: tuple[float, float] = UNBOUNDED,
) -> dict[str, Summary]:
    """How much greater Δ is to judges of the model's own family than to the others, over prompts, by model.

    `families` are those of models and `judge_families` those of judge models; a model is left out where either kind
    of judge is missing.
    """
    is_own = replies["respondent"].map(families) == replies["judge"].map(judge_families)
    own, others = (
        {
            each.respondent: each
            for each in deltas(some, dimensions, conditions, counts_abstentions=counts_abstentions)
        }
        for some in (replies[is_own], replies[~is_own])
    )
    found = {}
    for name in sorted(own.keys() & others.keys()):
        both = pd.DataFrame({"own": _levels(own[name]), "others": _levels(others[name])})
        more = (both["own"] - both["others"]).to_numpy()
        bounds = of_differences(of_differences(scale))
        found[name] = over_prompts("own_family", more, level=level, bounds=bounds)
    return found


def by_rewriter(of: Deltas, rewriters: Mapping[str, str], *, level: float) -> dict[str, Summary]:
    """The model's mean Δ over the prompts that each model rewrote; `rewriters` by prompt."""
    wrote = np.array([rewriters.get(prompt, "") for prompt in of.prompts])
    levels = of.by_condition.mean(axis=1)
    return {
        rewriter: over_prompts("level", levels[wrote == rewriter], level=level, bounds=of_differences(of.scale))
        for rewriter in sorted(set(wrote) - {""})
    }


def abstentions(replies: pd.DataFrame, *, level: float) -> dict[tuple[str, str], Estimate]:
    """The share of replies that find that an answer abstains, by model and condition, with its interval over
    prompts.
    """
    found = {}
    for (respondent, condition), rows in replies.groupby(["respondent", "condition"]):
        share = clustered_summary(
            "abstained",
            rows["abstained"].to_numpy(dtype=float),
            pd.factorize(rows["prompt"])[0],
            level=level,
            bounds=(0.0, 1.0),
        )
        found[str(respondent), str(condition)] = replace(share.mean, name="abstained")
    return found


def refusals(answers: pd.DataFrame, *, level: float) -> dict[tuple[str, str], Estimate]:
    """The share of answers that were refused, of those answered or refused, by model and condition; prompts are
    independent.
    """
    asked = answers[answers["state"].isin([ANSWERED, REFUSED])]
    found = {}
    for (respondent, condition), states in asked.groupby(["respondent", "condition"])["state"]:
        refused = states == REFUSED
        share = Estimate("refused", float(refused.mean()), len(refused))
        found[str(respondent), str(condition)] = with_exact_interval(share, level=level)
    return found


def changes_in_length(
    answers: pd.DataFrame, conditions: Sequence[str], *, level: float
) -> dict[tuple[str, str], Summary]:
    """How many words longer an answer is than the answer to the plain prompt, over prompts, by model and
    condition.
    """
    words = answers.pivot_table(index=["respondent", "prompt"], columns="condition", values="words", aggfunc="mean")
    found = {}
    for respondent, rows in words.groupby(level="respondent"):
        for condition in conditions:
            if {BASELINE, condition} <= set(rows.columns):
                longer = (rows[condition] - rows[BASELINE]).to_numpy()
                found[str(respondent), condition] = over_prompts("words", longer, level=level)
    return found


def _levels(of: Deltas) -> pd.Series:
    return pd.Series(of.by_condition.mean(axis=1), index=of.prompts)
