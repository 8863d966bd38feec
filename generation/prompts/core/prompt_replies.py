"""Strict reading of the prompts a model wrote from a scenario: in the form asked for, or nothing at all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from annotation.platform.core.limits import REPLY_CHARACTERS
from annotation.platform.core.phrases import counted
from annotation.platform.core.text import clean, count_words
from generation.calls.core.retries import FaultOfBundle
from generation.prompts.core.sentences import count_sentences

LABEL_WORDS: Final = range(5, 16)
QUESTION_SENTENCES: Final = range(2, 6)
MAX_LABEL_LENGTH: Final = 300  # characters, however few words they are
MAX_QUESTION_LENGTH: Final = 10_000  # characters, however few sentences they are

_FIELDS: Final = ("diversity_dimensions", "underlying_issue", "question")
_OWN_TAG: Final = re.compile(rf"</?(?:scratchpad|prompt_\d{{1,9}}|{'|'.join(_FIELDS)})>")
_OPENING: Final = re.compile(r"<(?P<name>prompt_(?P<number>[1-9]\d?))>")
_SPACE: Final = re.compile(r"\s+")


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
    if len(text) > REPLY_CHARACTERS:
        raise BadBundle("untagged", f"The reply has more than {REPLY_CHARACTERS:,} characters.")
    text = clean(text)
    scratchpad, start = _between_tags("scratchpad", text, _behind_space(text, 0)) or ("", 0)
    if not (scratchpad := scratchpad.strip()):
        raise BadBundle("untagged", "The reply does not begin with a scratchpad in its tags.")
    numbered = _insides(text, start)
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


def _between_tags(name: str, text: str, start: int = 0) -> tuple[str, int] | None:
    """What stands in the tag at `start`, up to the first that closes it, and where the text goes on after that."""
    inside, closing = start + len(f"<{name}>"), f"</{name}>"
    end = text.find(closing, inside)
    if end < 0 or not text.startswith(f"<{name}>", start):
        return None
    return text[inside:end], _behind_space(text, end + len(closing))


def _behind_space(text: str, start: int) -> int:
    return start if (space := _SPACE.match(text, start)) is None else space.end()


def _insides(text: str, start: int) -> list[tuple[int, str]]:
    """The number of each prompt from `start` on, and what stands within its tags."""
    found: list[tuple[int, str]] = []
    while opening := _OPENING.match(text, start):
        if (parts := _between_tags(opening["name"], text, start)) is None:
            break
        inside, start = parts
        found.append((int(opening["number"]), inside))
    if start < len(text):
        raise BadBundle("untagged", f"After {counted(len(found), 'prompt')} something else stands outside of tags.")
    return found


def _prompt(inside: str, number: int) -> WrittenPrompt:
    fields, start = [], _behind_space(inside, 0)
    for name in _FIELDS:
        field, start = _between_tags(name, inside, start) or ("", -1)
        if start < 0 or _OWN_TAG.search(field):
            break
        fields.append(field)
    if len(fields) < len(_FIELDS) or start < len(inside):
        raise BadBundle("untagged", f"Prompt {number} does not have its three fields once each, in order.")
    dimensions, label = (" ".join(field.split()) for field in fields[:2])
    if not dimensions:
        raise BadBundle("untagged", f"Prompt {number} does not say what sets it apart.")
    return WrittenPrompt(dimensions, label, fields[2].strip())


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
    if len(question) > MAX_QUESTION_LENGTH:
        return f"has over {MAX_QUESTION_LENGTH:,} characters"
    sentences = count_sentences(question)
    return "" if sentences in QUESTION_SENTENCES else f"has {sentences}"


def between(numbers: range) -> str:
    """The range in words."""
    return f"{numbers[0]} to {numbers[-1]}"
