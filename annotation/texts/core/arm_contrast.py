"""How well an outsider could tell people's texts from models' by length or format alone, before judges see them.

Figures are of all texts of an arm together: nothing here says of a single text whose it is.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Final, NamedTuple

from annotation.platform.core.phrases import percent
from annotation.platform.core.text import count_words

MIN_TEXTS: Final = 5  # texts of an arm, below which no figures are shown
MIN_PROMPTS: Final = 4  # from fewer, what was learnt from some says too little of the others
PARTS: Final = 5  # into which prompts are divided, each told from the others
SENTENCE_END: Final = re.compile(r"(?<=[.?!])\s+")


class ArmText(NamedTuple):
    """A text that judges may see, by its prompt's code; `by_model` or by a person."""

    prompt: str
    by_model: bool
    text: str


@dataclass(frozen=True)
class Feature:
    """A feature of texts, and its mean over those by people and over those by models."""

    name: str
    people: float
    models: float


@dataclass(frozen=True)
class Contrast:
    """Least numbers of texts, means of features, and shares (0 to 1) of texts whose arm a reader of other prompts
    tells.

    `length` and `format` are `None` where too few prompts have texts of both arms; ½ is what guessing gives.
    """

    people: int
    models: int
    features: tuple[Feature, ...]
    length: float | None
    format: float | None

    @property
    def length_told(self) -> str:
        return "" if self.length is None else percent(self.length)

    @property
    def format_told(self) -> str:
        return "" if self.format is None else percent(self.format)


def _sentences(text: str) -> int:
    return max(1, sum(bool(part.strip()) for part in SENTENCE_END.split(text)))


def _by_words(marks: str) -> Callable[[str, int], float]:
    """How many of these marks a text has for every 100 words."""
    return lambda text, words: 100 * sum(map(text.count, marks)) / max(1, words)


WORDS: Final = "Words"
# Each of a text and the number of its words, which takes longer to count than all else.
FEATURES: Final[dict[str, Callable[[str, int], float]]] = {
    WORDS: lambda _, words: float(words),
    "Paragraphs": lambda text, _: float(sum(bool(part.strip()) for part in text.split("\n\n"))),
    "Words in a sentence": lambda text, words: words / _sentences(text),
    "Commas for 100 words": _by_words(","),
    "Semicolons and colons for 100 words": _by_words(";:"),
    "Brackets for 100 words": _by_words("("),
    "Questions for 100 words": _by_words("?"),
    "Quotation marks for 100 words": _by_words('"“'),
    "Apostrophes for 100 words": _by_words("'’"),
    "Digits for 100 words": _by_words("0123456789"),
}


def at_least(number: int) -> int:
    """The number that is shown for `MIN_TEXTS` texts or more: floored to tens, so that no single text shows in
    it.
    """
    return max(MIN_TEXTS, number // 10 * 10)


def contrast(texts: Sequence[ArmText]) -> Contrast | None:
    """The contrast of these texts; `None` below `MIN_TEXTS` of either arm.

    Means of words are rounded to tens, others to one decimal, so that one more text does not give its own away.
    """
    by_model = [text.by_model for text in texts]
    models = sum(by_model)
    if min(models, len(texts) - models) < MIN_TEXTS:
        return None
    counted = [(text.text, count_words(text.text)) for text in texts]
    values = {name: [measure(text, words) for text, words in counted] for name, measure in FEATURES.items()}
    parts = _parts([text.prompt for text in texts], by_model)
    return Contrast(
        people=at_least(len(texts) - models),
        models=at_least(models),
        features=tuple(_feature(name, column, by_model) for name, column in values.items()),
        length=_told({WORDS: values[WORDS]}, by_model, parts),
        format=_told({name: column for name, column in values.items() if name != WORDS}, by_model, parts),
    )


def _feature(name: str, column: Sequence[float], by_model: Sequence[bool]) -> Feature:
    def mean(of_models: bool) -> float:
        found = fmean(value for value, is_model in zip(column, by_model, strict=True) if is_model == of_models)
        return round(found, -1 if name == WORDS else 1)

    return Feature(name, people=mean(of_models=False), models=mean(of_models=True))


def _parts(prompts: Sequence[str], by_model: Sequence[bool]) -> list[set[int]]:
    """The indices of texts that are predicted together, whole prompts each; empty for too few prompts of both
    arms.
    """
    arms = [
        {prompt for prompt, arm in zip(prompts, by_model, strict=True) if arm == kind} for kind in (True, False)
    ]
    if min(map(len, arms)) < MIN_PROMPTS:
        return []
    part_of = {prompt: number % PARTS for number, prompt in enumerate(sorted(set(prompts)))}
    return [{place for place, prompt in enumerate(prompts) if part_of[prompt] == part} for part in range(PARTS)]


def _told(columns: dict[str, list[float]], by_model: Sequence[bool], parts: Sequence[set[int]]) -> float | None:
    """The mean of the shares told rightly of people's texts and of models', by the best single threshold of the
    other parts: simple, so that few texts teach it, and less than what a patient reader could tell.
    """
    right, number = {True: 0, False: 0}, {True: 0, False: 0}
    for part in parts:
        learnt = [place for place in range(len(by_model)) if place not in part]
        if len({by_model[place] for place in learnt}) < 2:
            return None
        rules = [
            (*_threshold([(column[place], by_model[place]) for place in learnt]), column)
            for column in columns.values()
        ]
        _, threshold, above, column = max(rules, key=lambda rule: rule[0])
        for place in part:
            number[by_model[place]] += 1
            right[by_model[place]] += ((column[place] > threshold) == above) == by_model[place]
    if not parts:
        return None
    return fmean(right[arm] / number[arm] for arm in (True, False))


def _threshold(pairs: Sequence[tuple[float, bool]]) -> tuple[float, float, bool]:
    """The mean share told rightly, the threshold that gives most, and whether models' texts lie above it."""
    models = sorted(value for value, is_model in pairs if is_model)
    people = sorted(value for value, is_model in pairs if not is_model)
    values = sorted({*models, *people})
    best = (0.5, values[-1], True)
    for low, high in pairwise(values):
        cut = (low + high) / 2
        above = 1 - bisect_right(models, cut) / len(models)
        share = (above + bisect_right(people, cut) / len(people)) / 2
        best = max(best, (share, cut, True), (1 - share, cut, False))
    return best
