"""Strict reading of the prompts a model wrote from a scenario: in the form asked for, or nothing at all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from annotation.platform.core.phrases import counted
from annotation.platform.core.text import clean, count_words
from generation.calls.core.retries import FaultOfBundle
from generation.prompts.core.sentences import count_sentences

LABEL_WORDS: Final = range(5, 16)
QUESTION_SENTENCES: Final = range(2, 6)
MAX_LABEL_LENGTH: Final = 300  # characters, however few words they are

_FIELDS: Final = ("diversity_dimensions", "underlying_issue", "question")
_OWN_TAG: Final = rf"</?(?:scratchpad|prompt_\d+|{'|'.join(_FIELDS)})>"
_WHOLE: Final = re.compile(r"\s*<scratchpad>(?P<thoughts>.*?)</scratchpad>(?P<prompts>.*)", re.DOTALL)
_PROMPT: Final = re.compile(r"\s*<prompt_(?P<number>[1-9]\d?)>(?P<inside>.*?)</prompt_(?P=number)>", re.DOTALL)
_FIELD: Final = rf"<{{0}}>(?P<{{0}}>(?:(?!{_OWN_TAG}).)*)</{{0}}>"
_INSIDE: Final = re.compile(r"\s*".join(["", *map(_FIELD.format, _FIELDS), ""]), re.DOTALL)


@dataclass(frozen=True, slots=True)
class WrittenPrompt:
    """One prompt. `dimensions` and `label` (the underlying issue) are one line each."""

    dimensions: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class WrittenBundle:
    """What a model wrote from one scenario; `scratchpad` is what it thought aloud, and no part of any prompt."""

    scratchpad: str
    prompts: tuple[WrittenPrompt, ...]


class BadBundle(ValueError):
    """The reply is not what was asked for. The message says in sentences what is wrong and quotes nothing."""

    def __init__(self, fault: FaultOfBundle, message: str) -> None:
        super().__init__(message)
        self.fault: FaultOfBundle = fault


def tagged(bundle: WrittenBundle) -> str:
    """The bundle in the form of a reply, which `read_bundle` reads."""
    prompts = (
        f"<prompt_{number}>\n"
        f"<diversity_dimensions>{prompt.dimensions}</diversity_dimensions>\n"
        f"<underlying_issue>{prompt.label}</underlying_issue>\n"
        f"<question>{prompt.text}</question>\n"
        f"</prompt_{number}>"
        for number, prompt in enumerate(bundle.prompts, start=1)
    )
    return "\n".join([f"<scratchpad>\n{bundle.scratchpad}\n</scratchpad>", *prompts])


def read_bundle(text: str, *, number: int) -> WrittenBundle:
    """The `number` prompts of a reply. Raises `BadBundle`, by the first of its faults in `FaultOfBundle`’s order.

    A scratchpad comes first, in which anything may stand but its own closing tag; then the prompts, numbered from
    1. Each has its three fields once and in order. Outside of tags there is white space only, and no tag of the
    form stands within a field.
    """
    whole = _WHOLE.fullmatch(clean(text))
    if whole is None or not (scratchpad := whole["thoughts"].strip()):
        raise BadBundle("untagged", "The reply does not begin with a scratchpad in its tags.")
    numbered = _insides(whole["prompts"])
    prompts = [_prompt(inside, place) for place, inside in numbered]
    if len(prompts) != number:
        raise BadBundle("not_five", f"The reply has {counted(len(prompts), 'prompt')}, asked for were {number}.")
    if [place for place, _ in numbered] != [*range(1, number + 1)]:
        raise BadBundle("not_five", f"The prompts are not numbered from 1 to {number}, in order.")
    _check_each(
        "label_length",
        f"An underlying issue has {between(LABEL_WORDS)} words",
        [_fault_of_label(prompt.label) for prompt in prompts],
    )
    _check_each(
        "question_length",
        f"A question has {between(QUESTION_SENTENCES)} sentences",
        [_fault_of_question(prompt.text) for prompt in prompts],
    )
    return WrittenBundle(scratchpad, tuple(prompts))


def _insides(text: str) -> list[tuple[int, str]]:
    """The number of each prompt, and what stands within its tags."""
    found, position = [], 0
    while match := _PROMPT.match(text, position):
        found.append((int(match["number"]), match["inside"]))
        position = match.end()
    if text[position:].strip():
        raise BadBundle("untagged", f"After {counted(len(found), 'prompt')} something else stands outside of tags.")
    return found


def _prompt(inside: str, number: int) -> WrittenPrompt:
    match = _INSIDE.fullmatch(inside)
    if match is None:
        raise BadBundle("untagged", f"Prompt {number} does not have its three fields once each, in order.")
    dimensions, label = (" ".join(match[name].split()) for name in _FIELDS[:2])
    if not dimensions:
        raise BadBundle("untagged", f"Prompt {number} does not say what sets it apart.")
    return WrittenPrompt(dimensions, label, match["question"].strip())


def _check_each(fault: FaultOfBundle, asked_for: str, faults: Sequence[str]) -> None:
    """Raise `BadBundle` with what is wrong with each prompt; "" for one that is as it should be."""
    if any(faults):
        said = (f"prompt {number} {words}" for number, words in enumerate(faults, start=1) if words)
        raise BadBundle(fault, f"{asked_for}: {', '.join(said)}.")


def _fault_of_label(label: str) -> str:
    words = count_words(label)
    if words not in LABEL_WORDS:
        return f"has {words}"
    return f"has over {MAX_LABEL_LENGTH} characters" if len(label) > MAX_LABEL_LENGTH else ""


def _fault_of_question(question: str) -> str:
    sentences = count_sentences(question)
    return "" if sentences in QUESTION_SENTENCES else f"has {sentences}"


def between(numbers: range) -> str:
    """The range in words."""
    return f"{numbers[0]} to {numbers[-1]}"
