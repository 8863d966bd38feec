"""How much a model's score depends on the words of a question."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.benchmarks.core.audit_files import SINGLY
from analysis.benchmarks.core.cluster_shares import ClusterShare, Resamples, in_points
from analysis.benchmarks.core.items import Answers, Items
from analysis.benchmarks.core.study_audits import Rephrased
from analysis.data.core.results import Estimate, FloatArray
from annotation.benchmarks.core.scoring import Method, is_right

AS_PUBLISHED: Final = 0


@dataclass(frozen=True)
class RephrasedScore:
    """A share of right answers to the questions in their `wording`, 0 as published, over the questions that the
    model answered in every one.
    """

    wording: int
    score: Estimate


@dataclass(frozen=True)
class RephrasedModel:
    """One model's figures: its score in each wording; the mean over rephrasings less as published, on the same
    questions; `width` between the best and the worst of all wordings, both in percentage points; questions that are
    right in some wordings and wrong in others. `kept` are the scores without rephrasings that people found to ask
    something else.
    """

    model: str
    questions: int
    scores: tuple[RephrasedScore, ...]
    difference: Estimate
    width: float | None
    flips: Estimate
    kept: Estimate
    all_rephrasings: Estimate


def rephrased_models(
    items: Items, answers: Sequence[Answers], said: Sequence[Rephrased], method: Method, resamples: Resamples
) -> Iterator[RephrasedModel]:
    """Figures of every model that answered rephrasings."""
    singly = {each.model: each for each in answers if each.mode == SINGLY}
    by_model: dict[str, list[Rephrased]] = {}
    for each in said:
        by_model.setdefault(each.model, []).append(each)
    for model, found in sorted(by_model.items()):
        yield _model(items, found, singly.get(model), method, resamples)


def failures(items: Items, checks: Sequence[tuple[int, bool]], resamples: Resamples) -> Estimate:
    """The share of checked rephrasings that people found to ask something else, or not to read well."""
    size = len(items.questions)
    checked, failed = np.zeros(size), np.zeros(size)
    for question, holds in checks:
        checked[question - 1] += 1
        failed[question - 1] += not holds
    with np.errstate(invalid="ignore"):
        rates = np.divide(failed, checked, out=np.zeros(size), where=checked > 0)
    return resamples.estimate("failed", resamples.share(rates, checked, items.clusters))


def _model(
    items: Items, found: Sequence[Rephrased], singly: Answers | None, method: Method, resamples: Resamples
) -> RephrasedModel:
    size = len(items.questions)
    numbers = sorted({each.number for each in found})
    right = {number: np.zeros(size) for number in numbers}
    asked = {number: np.zeros(size) for number in numbers}
    kept = np.zeros(size), np.zeros(size)
    for each in found:
        place = each.question - 1
        question = items.questions[place]
        is_so = is_right(
            method,
            each.words,
            gold=question.gold,
            options=each.options or question.options,
            gold_option=question.gold_option,
        )
        asked[each.number][place], right[each.number][place] = 1, is_so
        if each.holds is not False:
            kept[0][place] += is_so
            kept[1][place] += 1
    wordings: Mapping[int, tuple[FloatArray, FloatArray]] = {
        **({AS_PUBLISHED: (singly.right, singly.asked)} if singly else {}),
        **{number: (right[number], asked[number]) for number in numbers},
    }
    everywhere = np.prod([asked_so for _, asked_so in wordings.values()], axis=0)
    shares = {
        number: resamples.share(right_so, everywhere, items.clusters) for number, (right_so, _) in wordings.items()
    }
    values = [share.value for share in shares.values() if share.value is not None]
    in_all = np.sum([right_so for right_so, _ in wordings.values()], axis=0) * everywhere
    flips = ((in_all > 0) & (in_all < len(wordings))).astype(float)
    mean_right = np.mean([right[number] for number in numbers], axis=0)
    rephrased = resamples.share(mean_right, everywhere, items.clusters)
    published = shares.get(AS_PUBLISHED)
    every_right, every_asked = np.sum([*right.values()], axis=0), np.sum([*asked.values()], axis=0)
    return RephrasedModel(
        model=found[0].model,
        questions=int(everywhere.sum()),
        scores=tuple(
            RephrasedScore(number, resamples.estimate("score", share)) for number, share in shares.items()
        ),
        difference=in_points(resamples.difference("difference", rephrased, published))
        if published
        else Estimate("difference", None, 0, reason="the questions were not asked as published"),
        width=100 * (max(values) - min(values)) if values else None,
        flips=resamples.estimate("flips", resamples.share(flips, everywhere, items.clusters)),
        kept=resamples.estimate("kept", _counted(resamples, items, *kept)),
        all_rephrasings=resamples.estimate("all", _counted(resamples, items, every_right, every_asked)),
    )


def _counted(resamples: Resamples, items: Items, right: FloatArray, asked: FloatArray) -> ClusterShare:
    """A share over all rephrasings, several of a question."""
    rates = np.divide(right, asked, out=np.zeros(len(asked)), where=asked > 0)
    return resamples.share(rates, asked, items.clusters)
