"""How the sources of the answers fared: ranks, scores, and models against people.

Every figure is over the standard items of a frame of judgments; for one domain, pass that domain's rows. A
*rating* is a row, one judge's view of one answer; a *judgment* is all that one judge said about one prompt.
Intervals at `level` take prompts and judges as samples from many.
"""

from dataclasses import dataclass, fields, replace
from itertools import pairwise
from math import sqrt

import numpy as np
import pandas as pd
from scipy import sparse

from analysis.data.core.judgment_frame import standard_only
from analysis.data.core.results import Estimate, FloatArray, Interval, Summary, summarise
from analysis.uncertainty.core.crossed import CrossedMean
from analysis.uncertainty.core.intervals import (
    SHARE,
    of_differences,
    of_scores,
    or_exact,
    satterthwaite,
    why_not_crossed,
    with_t_interval,
)
from analysis.uncertainty.core.judgment_arrays import JudgmentArrays
from analysis.uncertainty.core.resampling import pigeonhole

LED = "t over prompts, with a bootstrap over judges"
OVER_JUDGES = "t over the prompt’s judges"
NOT_MIXED = "no judgment has both a model's and a person's answer"
NEVER_TOGETHER = "no judgment has answers of both sources"
NOT_RANKED = "no judgment ranks an answer of the source among others"
NOT_SCORED = "no answer of the source has a score"


@dataclass(frozen=True, slots=True)
class SourceOutcome:
    """Ranks (1 = best) and score (mean of the rubric's dimensions, on its scale) of one source, over ratings.

    `competition_rank` is the published rank, where tied answers share the best of their places; `mid_rank` gives
    them the mean of those.
    Standard errors take prompts and judges as samples from many (see `crossed`). `first` is the source's share of
    the first places, 0 to 1, where a shared one is divided evenly among its answers; `n` counts the judgments that
    have an answer of the source.
    """

    source: str
    competition_rank: Summary
    mid_rank: Summary
    score: Summary
    first: Estimate


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
class HeadToHead:
    """Every answer of the source `one` against every answer of the source `other` in the same judgment.

    `preference` is the share of the pairs that `one` wins, 0 to 1, with a tie as half a win; its `n` counts pairs.
    """

    one: str
    other: str
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


@dataclass(frozen=True, slots=True)
class PromptOutcome:
    """Mean scores of models' and of people's answers to one prompt, over ratings, on the rubric's scale; `n` counts
    ratings. `lead` is by how much models' are above people's, judgment by judgment, whose number is its `n`; its
    interval takes this prompt's judges as a sample from many.
    """

    prompt_id: str
    models: Estimate
    people: Estimate
    lead: Estimate


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """An answer's mean competition rank and mean score over its ratings, None where it has none of either kind."""

    prompt_id: str
    true_id: str
    source: str
    rank: float | None
    score: float | None


def outcomes_by_answer(frame: pd.DataFrame, *, as_given: bool) -> list[AnswerOutcome]:
    """Outcomes of every answer to an ordinary prompt; `as_given` is as in `JudgmentArrays`."""
    rows, judged = standard_only(frame), JudgmentArrays.of(frame, as_given=as_given)
    figures = pd.DataFrame(
        {
            **{name: rows[name].to_numpy() for name in ("prompt_id", "true_id")},
            "source": np.array(judged.sources, dtype=object)[judged.source],
            **{name: judged.values[name] for name in ("competition_rank", "score")},
        }
    )
    means = figures.groupby(["prompt_id", "true_id", "source"], sort=True).mean()
    return [
        AnswerOutcome(*answer, *(None if np.isnan(figure) else float(figure) for figure in row))
        for answer, row in zip(means.index, means.to_numpy(), strict=True)
    ]


def outcomes_by_source(judged: JudgmentArrays, *, level: float = 0.95) -> list[SourceOutcome]:
    """Outcome of people and of each model family, in alphabetical order."""
    return [
        SourceOutcome(
            source=source,
            competition_rank=_summary(judged, "competition_rank", place, level),
            mid_rank=_summary(judged, "mid_rank", place, level),
            score=_summary(judged, "score", place, level),
            first=_first_places(judged, place, level),
        )
        for place, source in enumerate(judged.sources)
    ]


def score_card(judged: JudgmentArrays, *, level: float = 0.95) -> list[DimensionOutcome]:
    """Score of every source on every dimension, sources in alphabetical order, dimensions in the frame's."""
    return [
        DimensionOutcome(source, dimension, _summary(judged, dimension, place, level))
        for place, source in enumerate(judged.sources)
        for dimension in judged.dimensions
    ]


def lead_of_models(judged: JudgmentArrays, *, level: float = 0.95) -> CrossedMean:
    """How many points the mean score of models' answers lies above that of people's, over judgments with both."""
    leads = _leads(judged)
    has_both = ~np.isnan(leads)
    sums, counts = np.where(has_both, leads, 0), has_both.astype(float)
    return judged.mean("lead", sums, counts, level=level, bounds=_of_leads(judged))


def outcomes_by_prompt(judged: JudgmentArrays, *, level: float = 0.95) -> list[PromptOutcome]:
    """How models and people fared on each prompt, in alphabetical order."""
    sums, counts = judged.sums(judged.values["score"])
    leads, bounds = _leads(judged), _of_leads(judged)
    starts = np.searchsorted(judged.prompts, np.arange(len(judged.prompt_ids) + 1))

    def of_kind(name: str, here: slice, is_kind: FloatArray) -> Estimate:
        number = round(float((counts[here] @ is_kind).sum()))
        if not number:
            return Estimate(name, None, 0, reason="no such answer was scored")
        return Estimate(name, float((sums[here] @ is_kind).sum() / number), number)

    def of_prompt(prompt_id: str, here: slice) -> PromptOutcome:
        lead = summarise("lead", leads[here])
        return PromptOutcome(
            prompt_id,
            of_kind("models_mean", here, 1 - judged.is_human),
            of_kind("people_mean", here, judged.is_human),
            with_t_interval(
                lead.mean, lead.se, max(lead.mean.n - 1, 1), level=level, method=OVER_JUDGES, bounds=bounds
            ),
        )

    return [
        of_prompt(prompt_id, slice(*ends))
        for prompt_id, ends in zip(judged.prompt_ids, pairwise(starts), strict=True)
    ]


def model_human_pairs(judged: JudgmentArrays, *, level: float = 0.95) -> ModelHumanPairs:
    """Wins, ties and losses of model answers against human answers within each judgment, by rank."""
    human = judged.is_human
    return ModelHumanPairs(*_pairs(judged, "model_preference", 1 - human, human, level=level, without=NOT_MIXED))


def heads(judged: JudgmentArrays, *, level: float = 0.95) -> list[HeadToHead]:
    """Every source against every source after it."""
    each = np.eye(len(judged.sources))
    return [
        HeadToHead(
            one,
            other,
            *_pairs(judged, "preference", each[first], each[second], level=level, without=NEVER_TOGETHER),
        )
        for first, one in enumerate(judged.sources)
        for second, other in enumerate(judged.sources)
        if first < second
    ]


def model_first(judged: JudgmentArrays, *, level: float = 0.95) -> ModelFirst:
    """Share of judgments in which a model's answer is ranked first, for both readings of a shared first place."""
    people = judged.shown.sum(axis=1) @ judged.is_human
    models = judged.shown.sum(axis=1) @ (1 - judged.is_human)
    mixed = ((people > 0) & (models > 0)).astype(float)
    shares = judged.first @ (1 - judged.is_human) * mixed

    def share(name: str, values: FloatArray) -> Estimate:
        found = _share(judged, name, values, mixed, level=level, without=NOT_MIXED)
        return replace(found, left_out=judged.number - found.n)

    return ModelFirst(
        any_first=share("model_first_any", (shares > 0).astype(float)),
        fractional=share("model_first_fractional", shares),
    )


def prompts_led_by_models(
    judged: JudgmentArrays, *, draws: int = 0, seed: int = 0, level: float = 0.95
) -> Estimate:
    """Share of prompts on which the mean score of models' answers is above that of people's; `n` counts prompts.

    Equal means count as half. Prompts without scored answers of both kinds are left out and counted. The interval
    is of so many `draws` of prompts and judges (see `resampling`).
    """
    statistics = _LedByModels.of(judged)
    prompts, judges = statistics.shape
    led = statistics.by_prompt(np.ones((1, judges)))[0]
    is_kept = ~np.isnan(led)
    kept = led[is_kept]
    left_out = led.size - kept.size
    if not kept.size:
        reason = "no prompt has scored answers of both models and people"
        return Estimate("prompts_led_by_models", None, 0, left_out, reason)
    estimate = Estimate("prompts_led_by_models", float(kept.mean()), kept.size, left_out)
    if not draws:
        return estimate
    parts = [
        statistics.by_prompt(weights.judges)[:, is_kept]
        for weights in pigeonhole(prompts=0, judges=judges, draws=draws, seed=seed, load=prompts)
    ]
    estimate = _with_interval_of_led(estimate, kept, np.concatenate(parts), judges, level)
    return or_exact(estimate, min(kept.size, judges), level=level)


def _with_interval_of_led(
    estimate: Estimate, led: FloatArray, draws: FloatArray, judges: int, level: float
) -> Estimate:
    """The estimate with an interval, from who led on each prompt, and who did in `draws` of the judges (draws ×
    prompts), NaN where none of the prompt's judges was drawn: who led then stands as it is.

    Prompts contribute their sample variance. Which judges there are moves all prompts together only by what the
    draws' prompts have in common: where models and people are close, a prompt's leader changes from draw to draw by
    the rest of the variance, which prompts' own variance has in it.
    """
    if reason := why_not_crossed(led.size, judges):
        interval = Interval(None, None, level, LED, reason=reason)
        return replace(estimate, interval=interval)
    draws = np.where(np.isnan(draws), led, draws)
    shared = draws.mean(axis=1).var() - draws.var(axis=0).sum() / led.size**2
    variances = [led.var(ddof=1) / led.size, max(shared, 0.0) * judges / (judges - 1)]
    se = Estimate("se", sqrt(sum(variances)), led.size)
    degrees = satterthwaite(variances, (led.size - 1, judges - 1))
    return with_t_interval(estimate, se, degrees, level=level, method=LED, bounds=SHARE)


@dataclass(frozen=True)
class _LedByModels:
    """Sums and numbers of scores by prompt and judge, of models and of people."""

    models: tuple[sparse.csr_array, sparse.csr_array]
    people: tuple[sparse.csr_array, sparse.csr_array]

    @classmethod
    def of(cls, judged: JudgmentArrays) -> "_LedByModels":
        shape = (judged.prompts.max(initial=-1) + 1, judged.judges.max(initial=-1) + 1)

        def tables(is_kind: FloatArray) -> tuple[sparse.csr_array, sparse.csr_array]:
            sums, counts = (
                sparse.csr_array((part @ is_kind, (judged.prompts, judged.judges)), shape=shape)
                for part in judged.sums(judged.values["score"])
            )
            return sums, counts

        return cls(tables(1 - judged.is_human), tables(judged.is_human))

    @property
    def shape(self) -> tuple[int, int]:
        """Prompts and judges."""
        prompts, judges = self.models[0].shape
        return prompts, judges

    def by_prompt(self, judges: FloatArray) -> FloatArray:
        """Who leads, by draw and prompt: 1 where models lead, 0 where people do, ½ for a draw; NaN without scores
        of both.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            models, people = (
                np.asarray((sums @ judges.T).T / (counts @ judges.T).T)
                for sums, counts in (self.models, self.people)
            )
        # Means that are equal come out apart by a last digit, as sums of fractions do.
        return np.asarray((np.sign(np.round(models - people, 9)) + 1) / 2)


def _leads(judged: JudgmentArrays) -> FloatArray:
    """Mean score of models' answers less that of people's, by judgment; NaN without scored answers of both."""
    sums, counts = judged.sums(judged.values["score"])
    with np.errstate(divide="ignore", invalid="ignore"):
        models, people = (
            (sums @ is_kind) / (counts @ is_kind) for is_kind in (1 - judged.is_human, judged.is_human)
        )
    return np.asarray(models - people)


def _of_leads(judged: JudgmentArrays) -> tuple[float, float]:
    return of_differences(of_scores(judged.scale, judged.values["score"]))


def _summary(judged: JudgmentArrays, name: str, source: int, level: float) -> Summary:
    """A summary of the ratings; the error and the interval of the mean are of crossed samples."""
    values = judged.values[name]
    sums, counts = judged.sums(values)
    last = float(np.nanmax(values, initial=judged.ranks.shape[1]))
    bounds = (1.0, last) if name.endswith("rank") else of_scores(judged.scale, values)
    crossed = judged.mean(name, sums[:, source], counts[:, source], level=level, bounds=bounds)
    found = summarise(name, values[judged.source == source])
    if found.mean.value is None:
        without = NOT_RANKED if name.endswith("rank") else NOT_SCORED
        found = Summary(*(replace(getattr(found, each.name), reason=without) for each in fields(found)))
    return replace(
        found,
        mean=replace(found.mean, interval=crossed.mean.interval),
        se=replace(crossed.se, left_out=found.mean.left_out),
    )


def _first_places(judged: JudgmentArrays, source: int, level: float) -> Estimate:
    shown = judged.shown[..., source].any(axis=1).astype(float)
    return _share(judged, "first_places", judged.first[:, source], shown, level=level, without=NOT_RANKED)


def _pairs(
    judged: JudgmentArrays, name: str, one: FloatArray, other: FloatArray, *, level: float, without: str
) -> tuple[int, int, int, Estimate]:
    """Wins, ties and losses of one kind of sources against another, and the first kind's share of the pairs."""
    wins, losses, ties = (
        np.einsum("jst,s,t->j", pairs, *kinds)
        for pairs, kinds in ((judged.wins, (one, other)), (judged.wins, (other, one)), (judged.ties, (one, other)))
    )
    preference = _share(judged, name, wins + ties / 2, wins + ties + losses, level=level, without=without)
    return int(wins.sum()), int(ties.sum()), int(losses.sum()), preference


def _share(
    judged: JudgmentArrays, name: str, parts: FloatArray, wholes: FloatArray, *, level: float, without: str
) -> Estimate:
    """What the parts are of the wholes, both by judgment; `n` counts the wholes, and where there are none `without`
    is the reason.
    """
    if not wholes.any():
        return Estimate(name, None, 0, reason=without)
    found = judged.mean(name, parts, wholes, level=level, bounds=SHARE)
    share = replace(found.mean, name=name, value=float(parts.sum() / wholes.sum()))
    return or_exact(share, min(found.numbers.prompts, found.numbers.judges), level=level)
