"""What makes a prompt fit for experts, when it passes, and how far those who judge it agree."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from annotation.platform.core.category_agreement import Concordance, cohen

Scheme = Literal["all", "others"]

CRITERIA: Final[Mapping[str, str]] = {
    "depth": "Depth",
    "open_endedness": "Open-endedness",
    "generalisation": "Generalisation",
}
REJECTIONS: Final[Mapping[str, str]] = {
    "embedded_answer": "Answer embedded in the question",
    "judgmental_framing": "Judgmental framing",
    "testable_hypothesis": "Testable hypothesis",
    "meta_reference": "Reference to where it comes from",
}
REASONS: Final[Mapping[str, str]] = {
    "depth": "Too little depth",
    "open_endedness": "Not open-ended",
    "generalisation": "Does not generalise",
    **REJECTIONS,
}
"""What can speak against a prompt: a criterion that it does not meet, or something for which it is rejected."""

SCHEMES: Final[Mapping[str, str]] = {
    "all": "Every model votes, on its own prompts too, and enough of them pass it",
    "others": "Only models that did not write the prompt vote, and all of them pass it",
}
MIN_PASSES: Final = 2


@dataclass(frozen=True, slots=True)
class Assessment:
    """A verdict on a prompt, and what it rests on. `rejections` are codes, in the order of `REJECTIONS`."""

    depth: bool
    open_endedness: bool
    generalisation: bool
    rejections: tuple[str, ...] = ()
    reason: str = ""

    @property
    def passes(self) -> bool:
        return not self.against

    @property
    def against(self) -> tuple[str, ...]:
        """The codes of `REASONS` that speak against it."""
        return (*(name for name in CRITERIA if not getattr(self, name)), *self.rejections)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of every two judges that have anything in common, the one with the lesser id first, and of all
    together.

    `alpha` is Krippendorff's α for nominal verdicts, at most 1, over the `n` things with two verdicts or more; None
    where there are none, or all their verdicts are equal.
    """

    pairs: Mapping[tuple[int, int], Concordance]
    alpha: float | None
    n: int


def between_judges(things: Iterable[Mapping[int, bool]]) -> Agreement:
    """Agreement of judges, from the verdicts on each thing by judge. Not everybody need have judged everything."""
    judged = [verdicts for verdicts in things if len(verdicts) > 1]
    in_common: dict[tuple[int, int], list[tuple[bool, bool]]] = {}
    for verdicts in judged:
        for first, second in combinations(sorted(verdicts), 2):
            in_common.setdefault((first, second), []).append((verdicts[first], verdicts[second]))
    return Agreement(
        pairs={judges: cohen(in_common[judges]) for judges in sorted(in_common)},
        alpha=_alpha(Counter((len(verdicts), sum(verdicts.values())) for verdicts in judged)),
        n=len(judged),
    )


def _alpha(things: Mapping[tuple[int, int], int]) -> float | None:
    """Krippendorff's α from how many things have so many verdicts (two at least), and so many passes among them.

    α = 1 − D_o / D_e: D_o is the share of unequal ones among the pairs of verdicts on one thing, where a thing with
    m verdicts weighs as m; D_e is that among all pairs of verdicts (Content Analysis, 2013, ch. 12).
    """
    verdicts = sum(number * each for (number, _), each in things.items())
    passes = sum(passed * each for (_, passed), each in things.items())
    if not 0 < passes < verdicts:
        return None
    unequal = sum(2 * passed * (number - passed) / (number - 1) * each for (number, passed), each in things.items())
    return 1 - unequal / (2 * passes * (verdicts - passes) / (verdicts - 1))
