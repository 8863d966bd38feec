"""Adjudication of a benchmark: which questions are ruled on, and what a ruling may say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotation.benchmarks.core.scheme import CATEGORIES
from annotation.platform.core.blinding import seeded_order
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean

FATES: Final[Mapping[str, str]] = {
    "stays": "Stays as it is",
    "corrected": "Is corrected",
    "excluded": "Is excluded",
}
SOUND: Final = "none"
RULED_CATEGORIES: Final = (*CATEGORIES, SOUND)
CORRECTABLE: Final = ("gold", "text", "story", "roles")
REASON_CHARACTERS: Final = 2_000
TEXT_CHARACTERS: Final = 20_000


def to_adjudicate(
    said: Mapping[str, Sequence[str]], *, seed: bytes, context: str, agreements: int
) -> tuple[set[str], set[str]]:
    """Questions on which annotators disagree, and those drawn from the others: `agreements` per cent, rounded up.

    `said` gives for every question the primary categories that its annotators named. The sample follows from the
    study's seed, so that nobody knows beforehand which agreement will be looked at again.
    """
    disputed = {question for question, categories in said.items() if len(set(categories)) > 1}
    agreed = sorted(said.keys() - disputed)
    number = -(-len(agreed) * agreements // 100)
    return disputed, set(seeded_order(seed, "agreements adjudicated", context, items=agreed)[:number])


@dataclass(frozen=True)
class RulingGiven:
    """`category` is the primary one, `SOUND` for none. `changes` is what stands in place of what was published."""

    category: str
    fate: str
    reason: str
    changes: Mapping[str, str]


def ruling_from(
    *,
    category: str,
    fate: str,
    reason: str,
    changes: Mapping[str, str],
    options: Sequence[str],
    published: Mapping[str, str],
) -> RulingGiven:
    """What a form says, checked. `published` is what may be changed; what stays the same is no change.

    Raises `Refused`, with the field, for what contradicts itself: a sound question that is excluded, a correction
    that changes nothing, a right answer that is not one of the options.
    """
    reason = " ".join(clean(reason).split())
    if category not in RULED_CATEGORIES:
        raise Refused("Say whether the question is flawed, and how.", field="category")
    if fate not in FATES:
        raise Refused("Say what becomes of the question.", field="fate")
    if category == SOUND and fate != "stays":
        raise Refused("A question without flaw stays as it is.", field="fate")
    if len(reason) > REASON_CHARACTERS:
        raise Refused(f"A reason has at most {REASON_CHARACTERS:,} characters.", field="reason")
    if fate != "stays" and not reason:
        raise Refused("Give the reason: it is published with the corrected benchmark.", field="reason")
    if fate != "corrected":
        return RulingGiven(category, fate, reason, {})
    if unknown := changes.keys() - set(CORRECTABLE):
        raise Refused(f"Nobody can correct {', '.join(sorted(unknown))}.")
    changed = {name: clean(text).strip() for name, text in changes.items()}
    changed = {name: text for name, text in changed.items() if text and text != published.get(name, "")}
    if not changed:
        raise Refused("The correction changes nothing.", field="fate")
    if any(len(text) > TEXT_CHARACTERS for text in changed.values()):
        raise Refused(f"A text has at most {TEXT_CHARACTERS:,} characters.")
    if options and "gold" in changed and changed["gold"] not in options:
        raise Refused("The right answer is one of the options.", field="gold")
    return RulingGiven(category, fate, reason, changed)
