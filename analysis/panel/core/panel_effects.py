"""What else than an answer's quality the panel's scores may follow: whose family wrote it, and its length.

Every function takes a frame with one row for each answer and judge model: `prompt_id`, `response_id`, `family` (of
the model that wrote it, or `HUMAN`), `words`, `judge` (the judge model's name), `judge_family` (its own family) and
`score`, the judge's mean over perspectives on the rubric's scale. Intervals are at `level`, over prompts.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.judgment_frame import HUMAN
from analysis.data.core.results import Estimate, FloatArray, Summary
from analysis.uncertainty.core.clustered import METHOD, clustered_summary
from analysis.uncertainty.core.intervals import UNBOUNDED, of_differences, with_t_interval

WORDS: Final = 100  # the unit of the length effect
NOTHING_TO_COMPARE: Final = "no prompt has answers of its family and of other models that other judges scored too"


@dataclass(frozen=True, slots=True)
class SelfFamily:
    """How many points a judge model favours answers of its own family, over prompts.

    On each prompt: the judge's lead over the mean of the other judges, on answers of its own family, minus that on
    answers of the other models. People's answers do not enter. `lead` counts prompts.
    """

    judge: str
    lead: Summary


@dataclass(frozen=True, slots=True)
class LengthEffect:
    """Points of the scale that go with 100 more words, within a prompt's answers by people and those by models.

    `slope` leaves out and counts answers that have none of another length beside them. `se` is its jackknife
    standard error, leaving out one prompt at a time.
    """

    judge: str
    slope: Estimate
    se: Estimate


def self_family_effects(
    frame: pd.DataFrame, *, level: float, scale: tuple[float, float] = UNBOUNDED
) -> list[SelfFamily]:
    """One for each judge model, in alphabetical order; `scale` has the ends of the rubric's."""
    bounds = of_differences(of_differences(scale))  # of two leads
    by_models = frame[frame["family"] != HUMAN]
    judged = by_models.groupby("response_id")["score"]
    others = (judged.transform("sum") - by_models["score"]) / (judged.transform("count") - 1)
    is_own = by_models["family"] == by_models["judge_family"]
    leads = by_models.assign(lead=by_models["score"] - others, is_own=is_own)
    by_prompt = leads.groupby(["judge", "prompt_id", "is_own"])["lead"].mean().unstack()
    by_prompt = by_prompt.reindex(columns=[True, False])
    difference = by_prompt[True] - by_prompt[False]

    def of_judge(judge: str) -> Summary:
        values = difference[difference.index.isin([judge], level="judge")].dropna().to_numpy(dtype=float)
        if not values.size:
            return Summary(*[Estimate("self_family", None, 0, 0, NOTHING_TO_COMPARE)] * 4)
        return clustered_summary("self_family", values, np.arange(values.size), level=level, bounds=bounds)

    return [SelfFamily(judge, of_judge(judge)) for judge in sorted(frame["judge"].unique())]


def length_effects(frame: pd.DataFrame, *, level: float) -> list[LengthEffect]:
    """One for the whole panel, called "", and one for each judge model in alphabetical order."""
    answer = ["prompt_id", "response_id", "family", "words"]
    whole = frame.groupby(answer, as_index=False)["score"].mean().assign(judge="")
    everyone = pd.concat([whole, frame])
    return [_length_effect(str(judge), part, level) for judge, part in everyone.groupby("judge", sort=True)]


def _length_effect(judge: str, frame: pd.DataFrame, level: float) -> LengthEffect:
    group = ["prompt_id", "is_human"]
    frame = frame.assign(is_human=frame["family"] == HUMAN, words=frame["words"] / WORDS)
    informs = frame.groupby(group)["words"].transform("nunique") > 1
    frame, left_out = frame[informs], int((~informs).sum())
    if frame.empty:
        reason = "no two answers to a prompt, both by people or both by models, differ in length"
        undefined = Estimate("length", None, 0, left_out, reason)
        return LengthEffect(judge, undefined, undefined)
    figures = ["words", "score"]
    around = frame[figures] - frame.groupby(group)[figures].transform("mean")
    parts = pd.DataFrame({"product": around["words"] * around["score"], "square": around["words"] ** 2})
    by_prompt = parts.groupby(frame["prompt_id"]).sum()
    product, square = (by_prompt[name].to_numpy(dtype=float) for name in ("product", "square"))
    slope = Estimate("length", float(product.sum() / square.sum()), len(frame), left_out)
    se = _jackknife(product, square)
    return LengthEffect(judge, with_t_interval(slope, se, product.size - 1, level=level, method=METHOD), se)


def _jackknife(product: FloatArray, square: FloatArray) -> Estimate:
    prompts = product.size
    if prompts < 2:
        return Estimate("length_se", None, prompts, 0, "needs answers of different lengths to at least 2 prompts")
    slopes = (product.sum() - product) / (square.sum() - square)
    return Estimate("length_se", sqrt((prompts - 1) * np.var(slopes)), prompts)
