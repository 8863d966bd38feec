"""How far a panel's judge models agree, without each of them too, and who of the panel is strict."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
import pandas as pd

from analysis.agreement.core.agreement_resampler import AgreementResampler
from analysis.agreement.core.evaluators import MIN_ANSWERS, EvaluatorResampler
from analysis.agreement.core.judges import severities
from analysis.data.core.judgment_frame import MODEL, STANDARD
from analysis.data.core.parameters import Parameters
from analysis.data.core.results import Estimate, FloatArray, Interval, Summary
from analysis.uncertainty.core.intervals import of_correlation, of_reliability
from analysis.uncertainty.core.resampling import PROMPTS_ALONE, Weights, pigeonhole, with_one_way_interval

RaterKind = Literal["judge model", "perspective"]
KINDS: Final[Mapping[RaterKind, str]] = {"judge model": "judge_model", "perspective": "perspective_id"}
# Beside each figure what it can be, of so many judge models and of this value.
FIGURES: Final = {"r": of_correlation, "tau_b_pooled": of_reliability, "alpha_interval": of_reliability}
ONE_MODEL: Final = "fewer than two judge models"
NOTHING_SHARED: Final = "no answer was scored by two judge models"
FEW_SHARED: Final = "no two judge models scored three answers that they have in common"
NOT_TOLD_APART: Final = "of any two judge models one gave all answers in common the same score"
ALL_ALIKE: Final = "all scores of answers that two judge models scored are alike"
NOT_WITHIN: Final = "no two judge models scored the same two answers to one prompt"
NOT_TOLD_WITHIN: Final = "of any two judge models one gave all answers to a prompt the same score"
MAX_RATERS_LEFT_OUT: Final = 200  # that are left out one at a time


@dataclass(frozen=True, slots=True)
class PanelAgreement:
    """Agreement between any two judge models, whose score of an answer is their mean over perspectives; over all of
    them, or without one.

    `r` is the mean of Pearson's r over pairs of judge models, `tau_b` that of Kendall's τ-b over pairs and prompts,
    within prompts; `alpha` is Krippendorff's for intervals. Each counts answers that two or more scored.
    """

    without: str
    r: Estimate
    tau_b: Estimate
    alpha: Estimate


@dataclass(frozen=True, slots=True)
class PanelRater:
    """A judge model or a perspective: by how many points its scores lie above those of the others on the same
    answers, how many of its replies count, and how many abstained.
    """

    kind: RaterKind
    name: str
    lead: Summary
    given: int
    abstentions: int


@dataclass(frozen=True, slots=True)
class PanelAnswer:
    """An answer's composite and people's mean rank of it."""

    prompt_id: str
    response_id: str
    source: str
    panel: float
    rank: float


@dataclass(frozen=True, slots=True)
class PanelRaters:
    """One way in which the panel was asked: `mode` and `presentation` as in the tables.

    `given` of `expected` replies about answers that people may have judged count; `answers` are those that the
    panel scored and people ranked.
    """

    mode: str
    presentation: str
    agreement: tuple[PanelAgreement, ...]
    raters: tuple[PanelRater, ...]
    answers: tuple[PanelAnswer, ...]
    given: int
    expected: int


def panel_raters(replies: pd.DataFrame, parameters: Parameters) -> Iterator[PanelRater]:
    """Judge models, then perspectives where there are several. `replies` have a `value`, NaN where none counts."""
    for kind, column in KINDS.items():
        if kind == "perspective" and replies[column].nunique() < 2:
            continue
        rated = _rated(replies, column)
        leads = severities(rated, rated["score"], level=parameters.level, scale=parameters.scale)
        of_each = replies.groupby(column)
        given, abstained = of_each["value"].count(), of_each["abstained"].sum()
        for each in leads:
            yield PanelRater(kind, each.judge, each.lead, int(given[each.judge]), int(abstained[each.judge]))


def panel_agreement(replies: pd.DataFrame, parameters: Parameters) -> tuple[PanelAgreement, ...]:
    """Agreement of all judge models, then without each where there are three or more. Intervals take prompts as a
    sample from many, and the panel as it is.
    """
    rated = _rated(replies, KINDS["judge model"])
    names = sorted(rated["judge_id"].unique())
    scorers = rated.groupby("true_id")["judge_id"].nunique()
    shared = int((scorers > 1).sum())
    left_out = names if 2 < len(names) <= MAX_RATERS_LEFT_OUT else []
    return tuple(
        PanelAgreement(without, *_figures(rated[rated["judge_id"] != without], parameters, shared))
        for without in ("", *left_out)
    )


def _rated(replies: pd.DataFrame, column: str) -> pd.DataFrame:
    """Each one's mean score of each answer, as judgments of a single dimension."""
    counted = replies[replies["value"].notna()]
    means = counted.groupby(["prompt_id", "response_id", column], sort=True)["value"].mean().reset_index()
    names = {"response_id": "true_id", column: "judge_id", "value": "score"}
    frame = means.rename(columns=names)
    ranks = frame.groupby(["prompt_id", "judge_id"])["score"].rank(method="min", ascending=False)
    return frame.assign(
        rank=ranks, overall=frame["score"], item_type=STANDARD, true_source=MODEL, model="", blinded_label=""
    )


def _figures(rated: pd.DataFrame, parameters: Parameters, answers: int) -> Iterator[Estimate]:
    """The figures in the order of FIGURES."""
    prompts, judges = rated["prompt_id"].nunique(), rated["judge_id"].nunique()
    if judges < 2 or not answers:
        reason = ONE_MODEL if judges < 2 else NOTHING_SHARED
        yield from (Estimate(f"panel_{name}", None, answers, reason=reason) for name in FIGURES)
        return
    statistics, load = _statistics(rated)
    found = statistics(np.ones((1, prompts)))
    drawn = [
        statistics(weights.prompts)
        for weights in pigeonhole(
            prompts=prompts, judges=0, draws=parameters.draws, seed=parameters.seed, load=load
        )
    ]
    for name, bounds in FIGURES.items():
        value = float(found[name][0])
        if np.isnan(value):
            yield Estimate(f"panel_{name}", None, answers, reason=_why_none(name, rated))
            continue
        estimate = Estimate(f"panel_{name}", value, answers)
        if prompts < 2:
            interval = Interval(
                None, None, parameters.level, PROMPTS_ALONE, reason="needs answers to at least 2 prompts"
            )
            yield replace(estimate, interval=interval)
            continue
        draws = np.concatenate([np.zeros(0), *(each[name] for each in drawn)])
        yield with_one_way_interval(
            estimate,
            draws,
            prompts,
            level=parameters.level,
            method=PROMPTS_ALONE,
            bounds=bounds(judges, value),
            is_of_squares=True,
        )


def _why_none(name: str, rated: pd.DataFrame) -> str:
    """Why the figure of this name is undefined of two judge models or more, of whom two scored an answer."""
    scored = rated.assign(one=1).pivot_table(index=["prompt_id", "true_id"], columns="judge_id", values="one")
    there = scored.notna().astype(int)
    if name == "alpha_interval":
        return ALL_ALIKE if (there.sum(axis=1) > 1).any() else NOTHING_SHARED
    parts = [there] if name == "r" else [part for _, part in there.groupby(level="prompt_id")]
    least = MIN_ANSWERS if name == "r" else 2
    shared = [np.triu(part.T.to_numpy() @ part.to_numpy(), k=1).max(initial=0) for part in parts]
    if max(shared, default=0) < least:
        return FEW_SHARED if name == "r" else NOT_WITHIN
    return NOT_TOLD_APART if name == "r" else NOT_TOLD_WITHIN


def _statistics(rated: pd.DataFrame) -> tuple[Callable[[FloatArray], Mapping[str, FloatArray]], int]:
    """All figures, from how often every prompt was drawn; and the numbers that are made of a draw."""
    ranked = AgreementResampler.of(rated)
    scored = EvaluatorResampler.of(rated, rated["score"].to_numpy(dtype=float))
    everybody = np.ones((1, len(ranked.judges)))
    of_ranks = ranked.of_judges(everybody)

    def figures(prompts: FloatArray) -> Mapping[str, FloatArray]:
        return {**of_ranks(prompts), "r": scored(Weights(prompts, everybody))["r"]}

    return figures, max(ranked.load, scored.load)
