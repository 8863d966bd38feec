"""Names of models and their makers, where they are more than the subject of a discussion."""

from collections.abc import Iterator, Sequence
from typing import Final

from annotation.texts.core.folding import Word
from annotation.texts.core.leaks.signs import PERHAPS, PROBABLY, Severity
from annotation.texts.core.leaks.words import CLASSES
from annotation.texts.core.sentences import Sentence

_PRODUCTS: Final = CLASSES["product"]
_SPOKEN: Final = CLASSES["me"] | {"you", "your"}
_OF_MACHINES: Final = CLASSES["machine"] | frozenset(
    """
    model models chatbots assistant assistants artificial generative training trained algorithmic automated
    users user technology technologies developers systems outputs prompts
    """.split()
)
_AMBIGUOUS: Final = frozenset(
    "claude gemini mistral llama bard grok perplexity copilot bing gemma kimi ernie falcon codex sonnet opus haiku "
    "palm alpaca o1 o3 o4 yi glm moonshot cohere magistral".split()
)
_NEVER_ALONE: Final = frozenset(
    """
    sonnet opus haiku codex palm alpaca bing kimi gemma moonshot cohere perplexity bard copilot ernie llama
    mistral yi grok glm o1 o3 o4 magistral
    """.split()
)
_NAMES_OF_PEOPLE: Final = frozenset(
    "sonnet opus haiku palm alpaca bing ernie yi glm codex bard mistral kimi o1 o3 o4".split()
)
_PARTICLES: Final = frozenset("de di du la van von le lévi levi monet".split())
_WITH: Final = frozenset(
    """
    opus sonnet haiku code ai pro flash ultra nano large medium small advanced chat plus turbo mini preview
    instruct
    """.split()
)
_SKY: Final = frozenset(
    """
    project program programme mission missions astronaut astronauts constellation capsule twins zodiac
    spacecraft born under sign
    """.split()
)
_OF_COSMOLOGY: Final = frozenset(
    "principle principles reasoning argument arguments bias selection coincidence coincidences".split()
)
DISCUSSED: Final = 2  # sentences about machines, with which a name among them is their subject


def products(read: Sequence[Sentence]) -> Iterator[tuple[int, int, Severity, str]]:
    """Start, end, severity and meaning of each name of a model or maker that may tell who wrote the text.

    Where a text discusses machines of the kind at length, a name in a sentence about nobody present is its subject.
    """
    if not any(word.folded in _PRODUCTS for sentence in read for word in sentence.words):
        return
    about = sum(bool(_OF_MACHINES & {word.folded for word in sentence.words}) for sentence in read)
    for sentence in read:
        words = sentence.words
        is_spoken = bool(_SPOKEN & {word.folded for word in words})
        is_label = sum(not word.is_mark for word in words) <= 4
        for at, word in enumerate(words):
            if word.folded not in _PRODUCTS or not _is_name(words, at):
                continue
            end = _end_of_name(words, at)
            if word.is_disguised or is_label:
                yield word.start, end, PROBABLY, "name of a model or its maker"
            elif is_spoken or about < DISCUSSED:
                yield word.start, end, PERHAPS, "name of a model or its maker"


def _end_of_name(words: Sequence[Word], at: int) -> int:
    """Where a name ends with its version, as in GPT-4o and Mistral Large."""
    while at + 1 < len(words) and (words[at + 1].folded in _WITH or words[at + 1].folded[:1].isdigit()):
        at += 1
    return words[at].end


def _is_name(words: Sequence[Word], at: int) -> bool:
    """Whether a word names a model, and not a painter, a constellation, a wind or an animal."""
    word = words[at]
    if word.folded == "anthropic":  # also an adjective
        after = words[at + 1].folded if at + 1 < len(words) else ""
        return word.is_capitalised and after not in _OF_COSMOLOGY
    if word.folded not in _AMBIGUOUS:
        return True
    if not word.is_capitalised:
        return False
    return _has_version(words, at) or _is_alone(words, at)


def _has_version(words: Sequence[Word], at: int) -> bool:
    after = words[at + 1].folded if at + 1 < len(words) else ""
    return after in _WITH or after[:1].isdigit() or after in _PRODUCTS


def _is_alone(words: Sequence[Word], at: int) -> bool:
    """Whether a name that is also somebody else's stands without a first name, a surname or the sky around it."""
    word, around = words[at], {each.folded for each in words}
    if word.folded in _NEVER_ALONE:
        is_spoken = not around.isdisjoint(_SPOKEN)
        return (is_spoken and word.folded not in _NAMES_OF_PEOPLE) or (word.folded == "grok" and at > 0)
    before = words[at - 1] if at > 1 else None
    if before is not None and not before.is_mark and (before.is_capitalised or before.folded in ("jean", "st")):
        return before.folded in ("google", "anthropic")
    after = words[at + 1] if at + 1 < len(words) else None
    is_surnamed = after is not None and not after.is_mark and (after.is_capitalised or after.folded in _PARTICLES)
    return around.isdisjoint(_SKY) and not is_surnamed
