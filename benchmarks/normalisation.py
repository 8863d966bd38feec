"""Whether it shows at which door a text came in: the same passages typed by people and marked up by models.

    python -m benchmarks.normalisation [--passages 200] [--seed 1] [--examples 0] [--further]

Every passage is typed with one person's habits and marked up with one model's, both drawn by the seed, and both go
through the one normalisation. Two classifiers then learn, from signs, spaces, digits, capitals and the shape of
paragraphs, which of both it was; passages are never in training and test at once. Printed are the area under the
curve with an interval from resampled passages, and how many pairs came out letter for letter the same. Ends with 1
where an interval reaches above 0.55.
"""

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from annotation.texts.core.normalisation import normalise
from benchmarks.support.passages import passage
from benchmarks.support.typing_habits import Typed, by_a_model, by_a_person

LIMIT: Final = 0.55  # of the upper end of the interval
LEVEL: Final = 0.95
FOLDS: Final = 10
RESAMPLES: Final = 1_000
SIGNS: Final = ".,;:!?'\"()[]{}-–—/\\*_#`~<>=+%&$|^@…“”‘’«»•·"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pair:
    """One passage as it came in at both doors, and as it came out."""

    person: Typed
    model: Typed
    of_person: str
    of_model: str


@dataclass(frozen=True)
class Area:
    """Area under the curve of one classifier, with its interval."""

    name: str
    value: float
    low: float
    high: float


def pairs(
    passages: int, *, seed: int, through: Callable[[str], str] = normalise, further: bool = False
) -> list[Pair]:
    """So many passages, typed and marked up with habits drawn by the seed, half of them `further` ones if asked."""
    found = []
    for number in range(passages):
        base, chance = passage(seed * 100_000 + number), Random(f"habits {seed} {number}")  # noqa: S311
        person = by_a_person(base, chance, further=further)
        model = by_a_model(base, chance, further=further)
        found.append(Pair(person, model, through(person.text), through(model.text)))
    return found


def areas(found: Sequence[Pair], *, seed: int = 1, quick: bool = False) -> list[Area]:
    """How well each classifier, or the first alone, tells both doors apart, in cross-validation by passage."""
    texts = [text for pair in found for text in (pair.of_person, pair.of_model)]
    labels = np.tile([0, 1], len(found))
    groups = np.repeat(np.arange(len(found)), 2)
    folds = list(GroupKFold(n_splits=FOLDS).split(texts, labels, groups))
    shapes = [_shape(text) for text in texts]
    counts = np.array([_features(text) for text in texts])
    classifiers: list[tuple[str, Any, Any]] = [
        ("regression on counts", make_pipeline(StandardScaler(), LogisticRegression(max_iter=2_000)), counts),
        ("forest on counts", RandomForestClassifier(300, min_samples_leaf=3, random_state=seed), counts),
        (
            "regression on shapes",
            make_pipeline(
                TfidfVectorizer(analyzer="char", ngram_range=(1, 4), lowercase=False, sublinear_tf=True),
                LogisticRegression(C=10, max_iter=2_000),
            ),
            shapes,
        ),
    ]
    return [
        _area(name, cross_val_predict(model, data, labels, cv=folds, method="predict_proba")[:, 1], labels, seed)
        for name, model, data in classifiers[: 1 if quick else None]
    ]


def _area(name: str, scores: Floats, labels: NDArray[np.int_], seed: int) -> Area:
    of_person, of_model = scores[labels == 0], scores[labels == 1]
    chance = np.random.default_rng(seed)
    drawn = []
    for _ in range(RESAMPLES):
        chosen = chance.integers(0, len(of_person), len(of_person))
        both = np.concatenate([of_person[chosen], of_model[chosen]])
        drawn.append(roc_auc_score(np.repeat([0, 1], len(chosen)), both))
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Area(name, float(roc_auc_score(labels, scores)), float(low), float(high))


def _shape(text: str) -> str:
    """The text with every letter the same but for its case, and every digit the same."""
    text = re.sub(r"[^\W\d_]", lambda found: "A" if found[0].isupper() else "a", text)
    return re.sub("a{2,}", "aa", re.sub(r"\d", "0", text))


def _features(text: str) -> list[float]:
    """Signs, spaces, digits and capitals by word; paragraphs' number and lengths; how the text begins and ends."""
    words = max(1, len(text.split()))
    paragraphs = [part for part in text.split("\n\n") if part] or [""]
    lengths = [len(part.split()) for part in paragraphs]
    ends = [part[-1:] for part in paragraphs]
    return [
        *(text.count(sign) / words for sign in SIGNS),
        *(
            len(re.findall(pattern, text)) / words
            for pattern in (r"  ", r" [,.;:!?]", r"\d", r"[A-Z]", r"\b[A-Z]{2,}\b")
        ),
        *(
            len(re.findall(pattern, text)) / words
            for pattern in (r"\s[-–—]", r"[-–—]\s", r"\n", r"[^\x00-\x7f]", r"\t")
        ),
        *(
            len(re.findall(pattern, text)) / words
            for pattern in (r"[.!?] [a-z]", r",\"", r"\",", r"\.\"", r"[a-z][,;.][a-z]")
        ),
        float(len(paragraphs)),
        float(words),
        float(np.mean(lengths)),
        float(np.std(lengths)),
        float(min(lengths)),
        float(max(lengths)),
        float(lengths[0]),
        float(lengths[-1]),
        sum(end in ".!?" for end in ends) / len(ends),
        sum(end == ":" for end in ends) / len(ends),
        float(sum(length < 12 for length in lengths)),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="of passages and habits")
    parser.add_argument("--examples", type=int, default=0, help="pairs to print that came out differently")
    parser.add_argument("--further", action="store_true", help="also habits that no rule was made for")
    options = parser.parse_args()
    found = pairs(options.passages, seed=options.seed, further=options.further)
    same = sum(pair.of_person == pair.of_model for pair in found)
    print(f"{len(found)} passages, habits drawn by {options.seed}; {same} came out the same at both doors")
    worst = 0.0
    for area in areas(pairs(options.passages, seed=options.seed, through=str.strip, further=options.further)):
        print(f"  as they came in   {area.name:<22} {area.value:.3f} [{area.low:.3f}, {area.high:.3f}]")
    for area in areas(found):
        print(f"  as judges see it  {area.name:<22} {area.value:.3f} [{area.low:.3f}, {area.high:.3f}]")
        worst = max(worst, area.high)
    for pair in [pair for pair in found if pair.of_person != pair.of_model][: options.examples]:
        lines = unified_diff(
            re.split("(?<=[.!?]) ", pair.of_person), re.split("(?<=[.!?]) ", pair.of_model), lineterm="", n=0
        )
        print("\n".join([str(pair.person.habits), str(pair.model.habits), *list(lines)[2:]]), end="\n\n")
    sys.exit(int(worst > LIMIT))


if __name__ == "__main__":
    main()
