"""What an audit comes to: scores on a benchmark as published, cleaned and corrected, and whose the errors are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.benchmarks.core.audit_files import CATEGORIES, GRANULARITY, HISTORY, OF_A_SUBSET, RIGHT, SINGLY
from analysis.benchmarks.core.cluster_shares import ClusterShare, Resamples, in_points
from analysis.benchmarks.core.items import Answers, Items
from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import Estimate, FloatArray

ORIGINAL: Final = "original"
CLEANED: Final = "cleaned"
CORRECTED: Final = "corrected"
WEIGHTED: Final = "cleaned, weighted"
CORRECTED_WEIGHTED: Final = "corrected, weighted"
SOUND_ITEMS: Final = "sound questions"
FLAWED_ITEMS: Final = "flawed questions"
NOT_REVIEWED: Final = "not reviewed"
BY_PEOPLE: Final = "right by people"
ERRORS: Final = ("wrong label", "granularity", BY_PEOPLE, "other flaw", "the model’s", NOT_REVIEWED)
# Before answers that people marked right were told apart: they counted as flawed, the model's or not reviewed.
EARLIER: Final = tuple(kind for kind in ERRORS if kind != BY_PEOPLE)

# Of whatever category.
ANY: Final = "any"


@dataclass(frozen=True)
class Score:
    """A share of right answers, or a difference of two in percentage points. `of` is “questions” or “stories”, all
    of whose questions are then right; `part` a source or a kind of question, empty for everything.
    """

    model: str
    mode: str
    of: str
    subset: str
    part: str
    estimate: Estimate


@dataclass(frozen=True)
class ErrorSplit:
    """A model's errors by what they are due to, in the order of `ERRORS`: each is counted once. A wrong label is
    one by whose correction the very answer is right; one that is right by people was wrong by the key or by the
    scoring alone. `least` and `most` are the shares of errors that the benchmark can be made answerable for: it is
    for a wrong label, a mismatch of granularity and what people hold to be right; an error on a flawed question may
    be the model's all the same, and one on a question that nobody reviewed may be either's.

    `weighted` are both again, of reviewed questions alone, each for as many as it stands for; None where all were
    reviewed. `unmarked` counts the errors that nobody marked, without those of a wrong label. What an earlier
    version computed has fewer counts, which are those of `EARLIER`, or the first four of them.
    """

    model: str
    mode: str
    counts: tuple[int, ...]
    least: Estimate
    most: Estimate
    weighted: tuple[Estimate, Estimate] | None = None
    unmarked: int | None = None


@dataclass(frozen=True)
class FlawShare:
    """Questions and stories with a flaw of a category, and their shares; of questions it is weighted where some
    were reviewed for others, and there is none of stories then.
    """

    category: str
    questions: int
    stories: int
    share: Estimate
    story_share: Estimate


def flaw_shares(items: Items, resamples: Resamples) -> list[FlawShare]:
    """Shares of flawed questions by category, and last of any."""
    found = []
    categories = np.array(items.categories)
    for name in (*CATEGORIES, ANY):
        has = items.flawed if name == ANY else (categories == name).astype(float)
        share = resamples.share(has, items.weights, items.clusters)
        has_any = (np.bincount(items.stories, weights=has) > 0).astype(float)
        story_share = (
            Estimate("story share", None, 0, reason="not all questions of each story were reviewed")
            if items.was_sampled
            else resamples.estimate(
                "story share", resamples.share(has_any, np.ones(len(has_any)), items.cluster_of_story)
            )
        )
        found.append(
            FlawShare(name, int(has.sum()), int(has_any.sum()), resamples.estimate("share", share), story_share)
        )
    return found


def scores(items: Items, answers: Sequence[Answers], resamples: Resamples) -> list[Score]:
    """Scores of every model and mode: questions and stories on each subset; as published, both by source and by
    kind of story, and questions by their own kind; on sound and on flawed questions, weighted where some were
    reviewed for others. A story counts where each of its questions in the subset was answered. What was asked about
    a subset alone has the score on that one, and no other.
    """
    found: list[Score] = []
    for each in answers:
        for of in ("questions", "stories"):
            found += (
                Score(each.model, each.mode, of, subset, "", resamples.estimate("score", share))
                for subset, share in _subsets(items, each, resamples, of).items()
                if subset == OF_A_SUBSET.get(each.mode, subset)
            )
        if each.mode in OF_A_SUBSET:
            continue
        for part, weights in _parts(items).items():
            share = resamples.share(each.right, each.asked * weights, items.clusters)
            estimate = resamples.estimate("score", share)
            found.append(Score(each.model, each.mode, "questions", ORIGINAL, part, estimate))
        for part, weights in _parts_of_stories(items).items():
            by_story = _by_story(items.stories, each.right, each.asked * weights, weights)
            estimate = resamples.estimate("score", resamples.share(*by_story, items.cluster_of_story))
            found.append(Score(each.model, each.mode, "stories", ORIGINAL, part, estimate))
    return found


def differences(items: Items, answers: Sequence[Answers], resamples: Resamples) -> list[Score]:
    """Differences in percentage points: cleaned less original, of some questions and of all; corrected less
    original, of those that are not excluded, and with history less singly, of the same ones. What was asked about a
    subset alone has none.
    """
    found: list[Score] = []
    by_mode = {(each.model, each.mode): each for each in answers}
    for each in _about_everything(answers):
        subsets = _subsets(items, each, resamples, "questions")
        original = subsets.pop(ORIGINAL)
        kept = each.asked_corrected * (1 - items.excluded)
        as_published = {
            CORRECTED: resamples.share(each.right, kept, items.clusters),
            CORRECTED_WEIGHTED: resamples.share(each.right, kept * items.weights, items.clusters),
        }
        found += (
            _difference(each, f"{name} − {ORIGINAL}", share, as_published.get(name, original), resamples)
            for name, share in subsets.items()
        )
        singly = by_mode.get((each.model, SINGLY))
        if each.mode == HISTORY and singly:
            both = each.asked * singly.asked
            one, other = (resamples.share(of.right, both, items.clusters) for of in (each, singly))
            found.append(_difference(each, f"{HISTORY} − {SINGLY}", one, other, resamples))
    return found


def error_splits(items: Items, answers: Sequence[Answers], resamples: Resamples) -> list[ErrorSplit]:
    """Errors of every model and mode, split; what was asked about a subset alone has none, since flawed questions
    lack there.
    """
    return [_error_split(items, each, resamples) for each in _about_everything(answers)]


def _about_everything(answers: Sequence[Answers]) -> Iterator[Answers]:
    return (each for each in answers if each.mode not in OF_A_SUBSET)


def _subsets(items: Items, each: Answers, resamples: Resamples, of: str) -> dict[str, ClusterShare]:
    members = {ORIGINAL: np.ones(len(each.asked)), CLEANED: 1 - items.flawed, CORRECTED: 1 - items.excluded}
    chosen = {name: (each.right, each.asked * of_it) for name, of_it in members.items()}
    chosen[CORRECTED] = (each.right_corrected, each.asked_corrected * members[CORRECTED])
    if of == "stories":
        return {
            name: resamples.share(*_by_story(items.stories, right, asked, members[name]), items.cluster_of_story)
            for name, (right, asked) in chosen.items()
        }
    if items.was_sampled:
        for name, weighted in ((CLEANED, WEIGHTED), (CORRECTED, CORRECTED_WEIGHTED)):
            right, asked = chosen[name]
            chosen[weighted] = (right, asked * items.weights)
    return {name: resamples.share(*pair, items.clusters) for name, pair in chosen.items()}


def _by_story(
    stories: IntArray, right: FloatArray, asked: FloatArray, members: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Two flags, 1 or 0, for each story: whether all its questions in the subset are right, and whether it counts:
    it has some there, and each was answered. `members` are those in the subset, `asked` those of them that were
    answered.
    """
    there, answered = np.bincount(stories, weights=members), np.bincount(stories, weights=asked)
    wrong = np.bincount(stories, weights=asked * (1 - right))
    return (wrong == 0).astype(float), ((there > 0) & (answered == there)).astype(float)


def _parts(items: Items) -> dict[str, FloatArray]:
    """The weight of each question in each part, 0 where it is not of it."""
    found: dict[str, FloatArray] = {
        FLAWED_ITEMS: items.flawed * items.weights,
        SOUND_ITEMS: (1 - items.flawed) * items.weights,
    }
    kinds = tuple(question.kind for question in items.questions)
    return {**found, **_parts_of_stories(items), **_named("kind", kinds)}


def _parts_of_stories(items: Items) -> dict[str, FloatArray]:
    """1 or 0 for each question: whether its story is of the part."""
    return {**_named("source", items.sources), **_named("kind of story", items.story_kinds)}


def _named(heading: str, names: tuple[str, ...]) -> dict[str, FloatArray]:
    return {f"{heading}: {name}": (np.array(names) == name).astype(float) for name in dict.fromkeys(names) if name}


def _difference(each: Answers, name: str, one: ClusterShare, other: ClusterShare, resamples: Resamples) -> Score:
    estimate = in_points(resamples.difference("difference", one, other))
    return Score(each.model, each.mode, "questions", name, "", estimate)


def _error_split(items: Items, each: Answers, resamples: Resamples) -> ErrorSplit:
    errors = each.asked * (1 - each.right)
    left, kinds = errors.copy(), []
    for is_due in (
        each.right_relabelled,
        np.array([verdict == GRANULARITY for verdict in each.verdicts], dtype=float),
        np.array([verdict == RIGHT for verdict in each.verdicts], dtype=float),
        items.flawed,
        (items.weights > 0).astype(float),
    ):
        kinds.append(left * is_due)
        left = left * (1 - is_due)
    kinds.append(left)
    certain, models_own = kinds[0] + kinds[1] + kinds[2], kinds[4]
    unmarked = np.array([verdict == "" for verdict in each.verdicts]) * (errors - kinds[0])

    def ends(weights: FloatArray) -> tuple[Estimate, Estimate]:
        least = resamples.share(certain, errors * weights, items.clusters)
        most = resamples.share(errors - models_own, errors * weights, items.clusters)
        return resamples.estimate("at least", least), resamples.estimate("at most", most)

    return ErrorSplit(
        each.model,
        each.mode,
        tuple(int(kind.sum()) for kind in kinds),
        *ends(np.ones(len(errors))),
        weighted=ends(items.weights) if items.was_sampled else None,
        unmarked=int(unmarked.sum()),
    )
