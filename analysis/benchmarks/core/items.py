"""The questions of an audited benchmark as arrays: their labels, their stories and clusters, and what was ruled."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from analysis.benchmarks.core.audit_files import Prediction, Ruling
from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import FloatArray
from annotation.benchmarks.core.items import Question, Story
from annotation.benchmarks.core.options import gold_option
from annotation.benchmarks.core.scoring import THRESHOLD, Method, is_right

ALWAYS = "always"
MAJORITY = "the most frequent answer to its kind of question"


@dataclass(frozen=True)
class Items:
    """Questions in the file's order; arrays have an entry for each.

    `stories` and `clusters` number them from 0; `flawed`, `excluded` and `reworded` are 1 or 0, `weights` 1 over
    the probability of having been reviewed, and 0 where a question was not.
    """

    questions: tuple[Question, ...]
    corrections: tuple[str, ...]
    categories: tuple[str, ...]
    sources: tuple[str, ...]
    story_kinds: tuple[str, ...]
    stories: IntArray
    clusters: IntArray
    flawed: FloatArray
    excluded: FloatArray
    reworded: FloatArray
    weights: FloatArray

    @property
    def cluster_of_story(self) -> IntArray:
        found = np.zeros(int(self.stories.max(initial=-1)) + 1, dtype=np.intp)
        found[self.stories] = self.clusters
        return found

    @classmethod
    def of(cls, stories: Sequence[Story], rulings: Iterable[Ruling]) -> "Items":
        """A benchmark with what was ruled. A question that no ruling names counts as sound where none has a weight
        above 1: all were reviewed then. Otherwise it was not reviewed.
        """
        asked = sorted(
            ((question, place, story) for place, story in enumerate(stories) for question in story.questions),
            key=lambda each: each[0].line,
        )
        by_number = {ruling.question: ruling for ruling in rulings}
        was_sampled = any(ruling.weight > 1 for ruling in by_number.values())
        clusters = {name: place for place, name in enumerate(dict.fromkeys(story.cluster for story in stories))}
        ruled = [by_number.get(number) for number in range(1, len(asked) + 1)]
        return cls(
            questions=tuple(question for question, _, _ in asked),
            corrections=tuple(ruling.correction if ruling else "" for ruling in ruled),
            categories=tuple(ruling.category if ruling else "" for ruling in ruled),
            sources=tuple(story.source for _, _, story in asked),
            story_kinds=tuple(story.kind for _, _, story in asked),
            stories=np.array([place for _, place, _ in asked], dtype=np.intp),
            clusters=np.array([clusters[story.cluster] for _, _, story in asked], dtype=np.intp),
            flawed=np.array([bool(ruling and ruling.is_flawed) for ruling in ruled], dtype=float),
            excluded=np.array([bool(ruling and ruling.is_excluded) for ruling in ruled], dtype=float),
            reworded=np.array([bool(ruling and ruling.is_reworded) for ruling in ruled], dtype=float),
            weights=np.array([ruling.weight if ruling else float(not was_sampled) for ruling in ruled]),
        )

    @property
    def was_sampled(self) -> bool:
        """Whether some questions were reviewed for others, so that shares have to be weighted."""
        return bool((self.weights != 1).any())


@dataclass(frozen=True)
class Answers:
    """What one model said in one mode, an entry for each question: whether it was `asked`, and as corrected where
    its words were, and right by the published label and under the correction (all 1 or 0); what people said of it.
    `right_relabelled` is of the very words of `right` by the corrected label, `right_corrected` of the answer to
    the question as corrected.
    """

    model: str
    mode: str
    asked: FloatArray
    asked_corrected: FloatArray
    right: FloatArray
    right_corrected: FloatArray
    right_relabelled: FloatArray
    verdicts: tuple[str, ...]


def answers_of(
    items: Items, predictions: Iterable[Prediction], method: Method, threshold: float = THRESHOLD
) -> list[Answers]:
    """Answers by model and mode, in the order in which they come."""
    grouped: dict[tuple[str, str], dict[int, Prediction]] = {}
    for prediction in predictions:
        grouped.setdefault((prediction.model, prediction.mode), {})[prediction.question - 1] = prediction
    score = partial(is_right, method, threshold=threshold)
    return [_answers(items, *key, said, score) for key, said in grouped.items()]


def _answers(items: Items, model: str, mode: str, said: dict[int, Prediction], score: partial[bool]) -> Answers:
    size = len(items.questions)
    asked, asked_corrected, right, corrected, relabelled = (np.zeros(size) for _ in range(5))
    for place, prediction in said.items():
        question, correction = items.questions[place], items.corrections[place]
        asked[place] = 1
        asked_corrected[place] = not items.reworded[place] or prediction.corrected_words is not None
        published = partial(score, gold=question.gold, options=question.options, gold_option=question.gold_option)
        by_label = (
            partial(
                score,
                gold=correction,
                options=question.options,
                gold_option=gold_option(correction, question.options),
            )
            if correction
            else published
        )
        right[place] = published(prediction.words)
        relabelled[place] = by_label(prediction.words)
        corrected[place] = by_label(
            prediction.words if prediction.corrected_words is None else prediction.corrected_words
        )
    verdicts = tuple(said[place].verdict if place in said else "" for place in range(size))
    return Answers(model, mode, asked, asked_corrected, right, corrected, relabelled, verdicts)


def baselines(items: Items) -> list[Prediction]:
    """Predictions of models that do not read: one for each option that it always gives (where answers are free, for
    the most frequent answer), and one that gives the most frequent answer to each kind of question.
    """
    labels = [str(question.gold_option or question.gold) for question in items.questions]
    kinds: dict[str, Counter[str]] = {}
    for question, label in zip(items.questions, labels, strict=True):
        kinds.setdefault(question.kind, Counter())[label] += 1
    most_options = max((len(question.options) for question in items.questions), default=0)
    same = [str(number) for number in range(1, most_options + 1)] or [Counter(labels).most_common(1)[0][0]]
    found = [
        Prediction(f"{ALWAYS} {answer}", number, answer)
        for answer in same
        for number in range(1, len(items.questions) + 1)
    ]
    return found + [
        Prediction(MAJORITY, number, kinds[question.kind].most_common(1)[0][0])
        for number, question in enumerate(items.questions, start=1)
    ]
