"""Whether an answer's length or format tells who wrote it: learnt from some prompts, tried on the others."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from analysis.blinding.core.leak_report import SourceLeak
from analysis.data.core.judgment_frame import HUMAN, MODEL
from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import Estimate, FloatArray, quotient
from analysis.uncertainty.core.intervals import SHARE
from analysis.uncertainty.core.judgment_arrays import BoolArray
from analysis.uncertainty.core.resampling import PROMPTS_ALONE, pigeonhole, with_one_way_interval

MIN_PROMPTS: Final = 4  # of either kind
PARTS: Final = 5  # into which prompts are divided, each told from the others
MADE: Final = 4  # numbers at once, of every answer in every draw
MARKS: Final = (",", ";", ":", "–—-", "()", "?", "!", "'’", '"“”', "0123456789")
SENTENCE_END: Final = re.compile(r"(?<=[.?!])\s+")
NEVER_TOGETHER: Final = "no learner told answers of both kinds, which are to different prompts"
ONE_KIND: Final = "all answers of one kind are to prompts that are told together, with none left to learn from"
LENGTH: Final = "length"
FORMAT: Final = "format"
BOTH: Final = "length and format"


def source_leaks(
    answers: pd.DataFrame, *, draws: int = 0, seed: int = 0, level: float = 0.95
) -> tuple[SourceLeak, ...]:
    """How far texts tell answers by people from answers by models in a study's table, without weak ones and those
    of maximum capability.

    A logistic regression, both kinds weighing alike, learns from other prompts to tell a prompt's answers.
    Intervals draw prompts anew, but do not learn anew.
    """
    rows = answers[answers["arm"].isin([HUMAN, MODEL]) & (answers["text"].str.strip() != "")]
    is_model = (rows["arm"] == MODEL).to_numpy()
    prompts = pd.factorize(rows["prompt_id"], sort=True)[0].astype(np.intp)
    reason = _why_not(is_model, prompts)
    parts = [] if reason else _parts(prompts)
    if reason := reason or _why_not_learnt(is_model, parts):
        without = [Estimate(name, None, len(rows), reason=reason) for name in ("auc", "accuracy")]
        return tuple(SourceLeak(features, *without) for features in (LENGTH, FORMAT, BOTH))
    length = rows[["words"]].to_numpy(dtype=float)
    form = np.array([_form(text) for text in rows["text"]])
    leaks = []
    for features, values in ((LENGTH, length), (FORMAT, form), (BOTH, np.hstack([length, form]))):
        told = _Told.of(*_predictions(values, is_model, parts), is_model, prompts)
        leaks.append(
            SourceLeak(features, *(told.estimate(name, draws, seed, level) for name in ("auc", "accuracy")))
        )
    return tuple(leaks)


def _why_not(is_model: BoolArray, prompts: IntArray) -> str | None:
    if not is_model.size:
        return "the texts of the answers are not known"
    if is_model.all() or not is_model.any():
        return "all answers are by people, or all by models"
    if any(np.unique(prompts[kind]).size < MIN_PROMPTS for kind in (is_model, ~is_model)):
        return f"fewer than {MIN_PROMPTS} prompts have an answer of the kind"
    return None


def _why_not_learnt(is_model: BoolArray, parts: Sequence[tuple[IntArray, IntArray]]) -> str | None:
    if any(is_model[learnt].all() or not is_model[learnt].any() for learnt, _ in parts):
        return ONE_KIND
    return None


def _parts(prompts: IntArray) -> list[tuple[IntArray, IntArray]]:
    """Indices, for every learner, of the answers it learns from and of those it tells, whole prompts each."""
    folds = GroupKFold(min(PARTS, np.unique(prompts).size))
    return [(learnt, other) for learnt, other in folds.split(prompts, groups=prompts)]


def _predictions(
    values: FloatArray, is_model: BoolArray, parts: Sequence[tuple[IntArray, IntArray]]
) -> tuple[FloatArray, IntArray]:
    """How much each answer looks like a model's to a learner who has not seen its prompt, above 0 rather so, and
    the number of that learner.
    """
    found, learners = np.zeros(is_model.size), np.zeros(is_model.size, dtype=np.intp)
    for number, (learnt, other) in enumerate(parts):
        learner = make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))
        found[other] = learner.fit(values[learnt], is_model[learnt]).decision_function(values[other])
        learners[other] = number
    return found, learners


@dataclass(frozen=True)
class _ToldByOne:
    """What one learner told: of models' answers, from the least to the most like one, the prompts; of people's, the
    prompts, how many of the models' looked less like a model's (`below`), and how many not more so (`up_to`).
    """

    models: IntArray
    people: IntArray
    below: IntArray
    up_to: IntArray

    @classmethod
    def of(cls, predictions: FloatArray, is_model: BoolArray, prompts: IntArray) -> Self:
        of_models, of_people = predictions[is_model], predictions[~is_model]
        order = np.argsort(of_models)
        below, up_to = (np.searchsorted(of_models[order], of_people, side) for side in ("left", "right"))
        return cls(prompts[is_model][order], prompts[~is_model], below, up_to)

    def pairs(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """How many pairs, by draw, of a person's answer and a model's there are, and in how many of them the
        model's looked more like one, draws counting half.
        """
        people = weights[:, self.people]
        reached = np.cumsum(np.pad(weights[:, self.models], ((0, 0), (1, 0))), axis=1)
        every = reached[:, -1]
        above = every[:, None] - (reached[:, self.below] + reached[:, self.up_to]) / 2
        return people.sum(axis=1) * every, (people * above).sum(axis=1)


@dataclass(frozen=True)
class _Told:
    """Pairs are compared where one learner told both answers, since learners' predictions are not on one scale. Of
    people's answers and models' (kinds × prompts) `right` are those told rightly, and `numbers` all.
    """

    learners: tuple[_ToldByOne, ...]
    right: FloatArray
    numbers: FloatArray

    @classmethod
    def of(cls, predictions: FloatArray, learners: IntArray, is_model: BoolArray, prompts: IntArray) -> Self:
        kinds, rightly, size = (~is_model, is_model), (predictions > 0) == is_model, prompts.max() + 1
        told = [learners == learner for learner in np.unique(learners)]
        return cls(
            learners=tuple(_ToldByOne.of(predictions[own], is_model[own], prompts[own]) for own in told),
            right=np.stack([np.bincount(prompts[kind & rightly], minlength=size) for kind in kinds]),
            numbers=np.stack([np.bincount(prompts[kind], minlength=size) for kind in kinds]),
        )

    def estimate(self, name: str, draws: int, seed: int, level: float) -> Estimate:
        prompts, n = self.numbers.shape[1], int(self.numbers.sum())
        value = float(self._values(name, np.ones((1, prompts)))[0])
        if np.isnan(value):
            return Estimate(name, None, n, reason=NEVER_TOGETHER)
        estimate = Estimate(name, value, n)
        drawn = [
            self._values(name, weights.prompts)
            for weights in pigeonhole(prompts=prompts, judges=0, draws=draws, seed=seed, load=MADE * n)
        ]
        values = np.concatenate([np.zeros(0), *drawn])
        return with_one_way_interval(estimate, values, prompts, level=level, method=PROMPTS_ALONE, bounds=SHARE)

    def _values(self, name: str, weights: FloatArray) -> FloatArray:
        """Values by draw, from how often each prompt was drawn; NaN where a kind of answer was not."""
        if name == "auc":
            pairs, ahead = np.sum([each.pairs(weights) for each in self.learners], axis=0)
            return quotient(ahead, pairs)
        of_people, of_models = (
            quotient(weights @ right, weights @ number)
            for right, number in zip(self.right, self.numbers, strict=True)
        )
        return np.asarray((of_people + of_models) / 2)


def _form(text: str) -> list[float]:
    """What a text looks like, whatever it says."""
    paragraphs = [part for part in text.split("\n\n") if part.strip()]
    sentences = [sentence for part in paragraphs for sentence in SENTENCE_END.split(part.strip())]
    lengths = [len(sentence.split()) for sentence in sentences]
    words = sum(lengths)
    return [
        len(paragraphs),
        words / len(paragraphs),
        float(np.mean(lengths)),
        float(np.std(lengths)),
        *(sum(map(text.count, marks)) / words for marks in MARKS),
    ]
