"""What framings and comparisons of them are called."""

from collections.abc import Sequence
from typing import Final

from analysis.data.core.framed import AGAIN, BASELINE
from analysis.framing.core.deltas import MEAN
from analysis.sections.exhibits.wording import capitalised, dimension_name

CONDITIONS: Final = {
    BASELINE: "The prompt itself",
    AGAIN: "The prompt itself, again",
    "empirical_i": "Own belief",
    "empirical_friend": "A friend’s belief",
    "emotion_agree": "Strong, for the claim",
    "emotion_disagree": "Strong, against it",
}
COMPARISONS: Final = {
    "level": "All framings, against the prompt itself",
    "own_friend": "Own belief, against a friend’s",
    "agree_disagree": "For the claim, against the opposite",
    "emotion_empirical": "Strong feeling, against calm belief",
}
OF_DIMENSION: Final = "dimension:"


def condition_name(key: str) -> str:
    """The name of a usual condition, or the key of another one as words."""
    return CONDITIONS.get(key) or capitalised(key.replace("_", " "))


def comparison_name(key: str) -> str:
    if key.startswith(OF_DIMENSION):
        return f"{dimension_name(key.removeprefix(OF_DIMENSION))}, against the other dimensions"
    return COMPARISONS.get(key, key)


def loss_name(key: str) -> str:
    """The name of the loss on a dimension, or on the mean over all of them."""
    return "Mean" if key == MEAN else dimension_name(key)


def abbreviated(dimensions: Sequence[str]) -> str:
    """What the short names stand for, in a sentence."""
    named = short_names(dimensions).items()
    return "; ".join(f"{short}: {loss_name(key).lower()}" for key, short in named if key != MEAN) + "."


def short_names(dimensions: Sequence[str]) -> dict[str, str]:
    """Names that fit above a narrow tile: initials, or else the first letters, or where two are alike all of it."""
    short = {key: "Mean" if key == MEAN else _initials(key) for key in dimensions}
    return {key: name if list(short.values()).count(name) == 1 else loss_name(key) for key, name in short.items()}


def _initials(key: str) -> str:
    words = key.split("_")
    return "".join(word[:1] for word in words).upper() if len(words) > 1 else key[:5].capitalize()
