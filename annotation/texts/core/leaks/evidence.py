"""How far the words of a sentence, taken together, are those of somebody who speaks of themselves.

Every word is weighed by itself and with the one before it, and words and classes of words that are no little ones
besides by who stands near them (I, we, you, this text). So are pairs of what a sentence mentions (a class of topics
and another), and how it is built: three words in a row, of which those that are no little ones count by their form.
The weights are those of a logistic regression that `benchmarks.leak_weights` fits to sentences of labelled texts
(`annotation/texts/data/leak_weights.tsv`).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import Final

from annotation.texts.core.folding import Word
from annotation.texts.core.leaks.grammar import Told
from annotation.texts.core.leaks.patterns import MARKS, NAMES
from annotation.texts.core.leaks.words import CLASSES, TOPICS

WEIGHTS_FILE: Final = Path(__file__).resolve().parents[2] / "data" / "leak_weights.tsv"

WEIGHTS: Final[Mapping[str, float]] = {
    name: float(weight)
    for name, _, weight in (line.partition("\t") for line in WEIGHTS_FILE.read_text("utf-8").splitlines())
}
SUSPECTS: Final = 2.2
"""A sentence that weighs more is a finding by itself."""

SECONDS: Final = 0.75
"""A sentence of which rules say no more than *perhaps* has to weigh as much, or it is no finding."""

REFUTES: Final = -1.2
"""A sentence of which rules say no more than *probably* is no finding if it weighs less."""

MIN_WEIGHED: Final = 150
"""What is weighed of a sentence counts as so many at least: a few words are no evidence."""

MIN_LENGTH, MAX_LENGTH = 4, 150  # words and marks: a shorter or longer sentence is not weighed

_NO_CONTENT: Final = frozenset().union(
    *(CLASSES[name] for name in ("function", "aux", "det", "we", "me")),
    MARKS,
    (f"{{{name}}}" for name in "function det aux me we be have do can adverb ing".split()),
)
_WHO: Final[Mapping[str, str]] = {
    word: who
    for who, words in (
        ("I", "i my me mine myself"),
        ("we", "we us our ours"),
        ("you", "you your yours"),
        ("this", "this these here"),
    )
    for word in words.split()
}
_NEARER: Final = ("I", "we", "you", "this")  # of several who are near, the first counts
_REACH: Final = 8  # words on either side
_BEFORE: Final = frozenset("i my me a the no".split())
_BUILDS: Final = CLASSES["function"] | CLASSES["aux"] | CLASSES["det"] | CLASSES["whoever"] | {"one", "oneself"}
"""Words that count as they are in how a sentence is built."""

_ENDINGS: Final = ("ed", "ing", "ly", "s")  # by which other words count there


def weight(sentence: Told) -> float:
    """The weight of a sentence: more than nought where it is likelier that somebody speaks of themselves.

    What is supposed, or said by somebody else, weighs nothing, and neither do very few words, or very many, or a
    product's name where nobody speaks.
    """
    if not MIN_LENGTH <= len(sentence.read) <= MAX_LENGTH or sentence.supposes or sentence.is_said:
        return 0.0
    if "{product}" in sentence.present and sentence.present.isdisjoint(_WHO):
        return 0.0
    names = features(sentence)
    return sum(WEIGHTS.get(name, 0.0) for name in names) / sqrt(max(MIN_WEIGHED, len(names)))


def heaviest(sentence: Told, count: int) -> list[Word]:
    """The `count` words that speak most for it, no little ones, in the order of the sentence; or fewer."""
    weights: dict[int, float] = defaultdict(float)
    for at, name in _features(sentence):
        weights[at] += WEIGHTS.get(name, 0.0)
    for at in [at for at in weights if sentence.words[at].folded in _NO_CONTENT]:
        del weights[at]
    chosen = sorted((at for at in weights if weights[at] > 0), key=lambda at: (-weights[at], at))[:count]
    return [sentence.words[at] for at in sorted(chosen)]


def features(sentence: Told) -> frozenset[str]:
    """What is weighed: `mother`; `I mother`, near an I; `* {family}`, a class anywhere; `my+mother`."""
    return frozenset(name for _, name in _features(sentence))


def _features(sentence: Told) -> Iterator[tuple[int, str]]:
    """Each with the number of its word."""
    read = [_meant(written) for written in sentence.written.split()]
    near = _who_is_near([word for word, _, _, _ in read])
    before = ""
    topics: list[str] = []
    built = ("^", "^")
    for at, (word, classes, names, part) in enumerate(read):
        yield at, f"{before or '^'}_{word}"
        if at:
            yield at, " ".join((*built, part))
        built = (built[1], part)
        for topic in classes:
            if topic not in topics and topic[1:-1] in TOPICS:
                yield from ((at, "&".join(sorted((topic, other)))) for other in topics)
                topics.append(topic)
        if word not in MARKS:
            yield at, word
        for name in classes:
            yield at, f"* {name}"
        if near[at]:
            for name in names:
                yield at, f"{near[at]} {name}"
        if before in _BEFORE:
            for name in names:
                yield at, f"{before}+{name}"
        before = word


@lru_cache(maxsize=4096)
def _meant(written: str) -> tuple[str, tuple[str, ...], tuple[str, ...], str]:
    """The plain word, its classes that count, all that it is called, and its part in how the sentence is built."""
    codes, _, _ = written.partition("/")
    _, _, word = written.rpartition("/")
    names = [NAMES[code] for code in codes if code in NAMES]
    classes = [name for name in names if name not in _NO_CONTENT]
    called = (*classes, *([word] if word not in _NO_CONTENT else ()))
    return word, tuple(classes), called, _part(word, called)


def _part(word: str, names: Sequence[str]) -> str:
    """What a word is in how a sentence is built: a little one itself; others a name, a number or their ending."""
    if word in _BUILDS or word in MARKS:
        return word
    if "{name}" in names:
        return "N"
    return "0" if word.isdecimal() else next((f"-{end}" for end in _ENDINGS if word.endswith(end)), "-")


def _who_is_near(words: Sequence[str]) -> list[str]:
    near = [""] * len(words)
    found = [(at, _WHO[word]) for at, word in enumerate(words) if word in _WHO]
    for who in reversed(_NEARER):
        for at in (at for at, its in found if its == who):
            reached = range(max(0, at - _REACH), min(len(words), at + _REACH + 1))
            near[reached.start : reached.stop] = [who] * len(reached)
    return near
