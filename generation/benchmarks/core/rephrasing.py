"""What a model that rephrases questions is asked, and the strict reading of its replies."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from annotation.benchmarks.core.subsets import CLEANED, ORIGINAL
from annotation.platform.core.limits import ANSWER_CHARACTERS
from annotation.platform.core.text import clean
from generation.calls.core.json_replies import Unreadable, check_keys, read_json
from generation.catalogue.core.fences import fenced_materials
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.providers.core.json_schemas import object_of

REPHRASINGS: Final = 5  # of each question
# A rephrasing is compared with the question as published: corrected ones are not rephrased.
REPHRASED_SUBSETS: Final = (ORIGINAL, CLEANED)
TEMPLATE: Final = "benchmark_rephrasing"
EXPECTED_TOKENS: Final = 130  # of one rephrasing

# A capital that does not begin a sentence, and what may stand before one that does.
_NAME: Final = re.compile(r"(?<![.!?:;\"“”\n] )(?<=[\w,;:'’)] )[A-Z][a-z]{1,40}\b")
_WORD: Final = re.compile(r"\b[A-Z][a-z]{1,40}\b")


@dataclass(frozen=True)
class Worded:
    """A question in some words. `options` stand in their places: the first of one wording means the first of every
    other.
    """

    story: str
    text: str
    options: tuple[str, ...] = ()

    @property
    def everything(self) -> str:
        return "\n".join((self.story, self.text, *self.options))


def rephrasing_request(template: PromptTemplate, worded: Worded, number: int) -> str:
    """The request's text for so many rephrasings of one question."""
    parts = {
        **({"context": worded.story} if worded.story.strip() else {}),
        "question": worded.text,
        **{f"option-{place}": option for place, option in enumerate(worded.options, start=1)},
    }
    one = ", ".join(f'"{name}": "…"' for name in _parts(worded))
    example = "{" + ", ".join(f'"{name}": {{{one}}}' for name in _names(number)) + "}"
    return template.fill(
        number=number,
        materials=fenced_materials(parts, asking_for="an answer"),
        reply_format=f"Reply with this JSON object and nothing else, each … replaced:\n\n{example}",
    )


def rephrasing_schema(worded: Worded, number: int) -> dict[str, Any]:
    each = object_of({name: {"type": "string"} for name in _parts(worded)})
    return object_of(dict.fromkeys(_names(number), each))


def read_rephrasings(reply: str, worded: Worded, number: int) -> list[Worded]:
    """The rephrasings in their order. Raises `Unreadable` for anything but one object with all of them, where a
    text is empty, two options of one say the same, a name is missing, or nothing is worded otherwise.
    """
    said = read_json(reply)
    check_keys(said, _names(number))
    found: list[Worded] = []
    for name in _names(number):
        check_keys(said[name], _parts(worded))
        found.append(_checked(name, said[name], worded, (worded, *found)))
    return found


def names_in(worded: Worded) -> frozenset[str]:
    """Words with a capital inside a sentence: people, places, times, which every rephrasing keeps."""
    return frozenset(_NAME.findall(worded.everything))


def _checked(name: str, said: Mapping[str, Any], original: Worded, others: Sequence[Worded]) -> Worded:
    texts = {part: clean(said[part]).strip() if isinstance(said[part], str) else "" for part in _parts(original)}
    for part, text in texts.items():
        if not text:
            raise Unreadable(f"{name} has no {part}.")
        if len(text) > ANSWER_CHARACTERS:
            raise Unreadable(f"The {part} of {name} has more than {ANSWER_CHARACTERS:,} characters.")
    options = tuple(text for part, text in texts.items() if part.startswith("option_"))
    found = Worded(texts.get("context", ""), texts["question"], options)
    if len({_plain(option) for option in options}) < len(options):
        raise Unreadable(f"Two options of {name} say the same.")
    if missing := sorted(names_in(original) - set(_WORD.findall(found.everything))):
        raise Unreadable(f"{name} lacks the name {missing[0]}.")
    if any(_plain(found.everything) == _plain(other.everything) for other in others):
        raise Unreadable(f"{name} says it in the words of the question or of another rephrasing.")
    return found


def _names(number: int) -> list[str]:
    return [f"rephrasing_{place}" for place in range(1, number + 1)]


def _parts(worded: Worded) -> list[str]:
    options = [f"option_{place}" for place in range(1, len(worded.options) + 1)]
    return [*(["context"] if worded.story.strip() else []), "question", *options]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".?! ")
