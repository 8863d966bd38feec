"""What of framings can be checked without reading them: a program's part of the checks."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from annotation.platform.core.text import count_words
from generation.framing.core.conditions import Conditions

# Speech about the task rather than the matter. What the prompt itself says is its matter.
_TASK_TALK: Final = re.compile(
    r"\b(?:the|this|that|your|original|essay|academic|following|above|given) prompts?\b"
    r"|\b(?:essay|exam|test|academic|original) questions?\b"
    r"|\b(?:re-?writ(?:e|es|ing|ten)|rewrote|re-?phras\w+|re-?word(?:s|ed|ing)?|paraphras\w+)\b"
    r"|\b(?:as an ai|ai model|language model|chat-?bot)s?\b"
    r"|\b(?:variant|framing|condition) [0-9]\b",
    re.IGNORECASE,
)

# The words that tell a language soonest, none of them common in two of these.
_TELLING: Final[Mapping[str, frozenset[str]]] = {
    "English": frozenset("the and of to is that it with for this are you what they have".split()),
    "French": frozenset("le les des et dans est une pour que qui ce vous avec sont".split()),
    "German": frozenset("der und das ist nicht ein eine zu mit von den ich auf dass sind".split()),
    "Spanish": frozenset("el los las y por una con para como pero más muy su esto".split()),
    "Italian": frozenset("il gli di che è per non sono della questo ma anche ho perché".split()),
    "Portuguese": frozenset("o os do da em não uma com mas você são isso muito ao".split()),
    "Dutch": frozenset("het een van niet dat zijn met voor maar ook wat naar heb ik".split()),
}
_MIN_TELLING_WORDS: Final = 3


@dataclass(frozen=True, order=True)
class Finding:
    """What is wrong with the framing of a condition, in a sentence."""

    condition: str
    says: str


def findings(prompt: str, framings: Mapping[str, str], conditions: Conditions) -> tuple[Finding, ...]:
    """Everything that speaks against one prompt's framings, by condition; none if nothing does."""
    found = [*_repeats(prompt, framings)]
    for key, text in framings.items():
        found += [Finding(key, says) for says in _faults(prompt, text, conditions)]
    return tuple(sorted(found))


def _repeats(prompt: str, framings: Mapping[str, str]) -> Iterator[Finding]:
    folded = {key: _folded(text) for key, text in framings.items()}
    for key, text in folded.items():
        if text == _folded(prompt):
            yield Finding(key, "It is the prompt as it was.")
    for (one, its), (other, others) in combinations(folded.items(), 2):
        if its == others:
            yield Finding(other, f"It is the same as {one}.")


def _folded(text: str) -> str:
    """The words of a framing alone: neither case nor marks make a framing another one."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def _faults(prompt: str, text: str, conditions: Conditions) -> Iterator[str]:
    words, least, most = count_words(text), conditions.least_words, conditions.most_words
    if not least <= words <= most:
        yield f"It has {words} words; {least} to {most} are wanted."
    said = {match[0].casefold() for match in _TASK_TALK.finditer(text)}
    if own := sorted(each for each in said if each not in prompt.casefold()):
        yield f"It speaks of the task: “{own[0]}”."
    if (wanted := _script(prompt)) != (found := _script(text)):
        yield f"It is written in {found.capitalize() or 'no'} letters, the prompt in {wanted.capitalize()}."
    elif (wanted := _language(prompt)) and (found := _language(text)) and wanted != found:
        yield f"It seems to be in {found}, the prompt in {wanted}."


def _script(text: str) -> str:
    """The script of most letters, as Unicode names it."""
    names = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha())
    return names.most_common(1)[0][0] if names else ""


def _language(text: str) -> str:
    """The language most of whose telling words stand there; "" where too few of any do."""
    words = re.findall(r"\w+", text.casefold())
    counts = {language: sum(word in telling for word in words) for language, telling in _TELLING.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] >= _MIN_TELLING_WORDS else ""
