"""Which conditions are compared with each other."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Roles:
    """Which conditions are compared, by their keys; an empty one leaves its comparisons out."""

    own: str = "empirical_i"
    friend: str = "empirical_friend"
    agree: str = "emotion_agree"
    disagree: str = "emotion_disagree"
