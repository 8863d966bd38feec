"""What framings and comparisons of them are called."""

from typing import Final

from analysis.data.core.framed import AGAIN, BASELINE
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
    """Of the usual conditions a name, of others their keys as words."""
    return CONDITIONS.get(key) or capitalised(key.replace("_", " "))


def comparison_name(key: str) -> str:
    if key.startswith(OF_DIMENSION):
        return f"{dimension_name(key.removeprefix(OF_DIMENSION))}, against the other dimensions"
    return COMPARISONS.get(key, key)
