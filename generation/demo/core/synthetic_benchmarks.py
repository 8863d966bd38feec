"""A demonstration's answers to questions of benchmarks, its rephrasings of them, and its marks of answers.

The same question is answered alike however often it is asked.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from generation.demo.core.deterministic_rng import chance

_OPTION: Final = re.compile(r"^(\d{1,2})\. ", re.MULTILINE)
_WORD: Final = re.compile(r"\b[a-z_]{3,30}\b")
_GOES_ON: Final = 0.75
_SAYINGS: Final = ("As it is told", "To put it otherwise", "In short", "In other words", "So the story goes")


def answer_question(prompt: str, *, judge: str) -> str | None:
    """The number of an option, or a word of the story; None where the request is no question of a benchmark."""
    if options := _OPTION.findall(prompt) if "\n\nReply with the number of that answer" in prompt else []:
        return str(options[int(chance(judge, prompt, "option") * len(options))])
    if not prompt.endswith("\n\nAnswer:"):
        return None
    story, _, _question = prompt.rpartition("Question: ")
    words: list[str] = _WORD.findall(story) or ["nothing"]
    is_last = chance(judge, prompt, "word") < _GOES_ON
    return words[-1] if is_last else words[int(chance(judge, prompt, "other") * len(words))]


def rephrase_question(texts: Mapping[str, str], schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The question begun otherwise in every rephrasing; None where the schema is of no rephrasings."""
    names = list(schema["properties"])
    if not all(name.startswith("rephrasing_") for name in names):
        return None
    parts = schema["properties"][names[0]]["properties"]
    said = {name.replace("-", "_"): text for name, text in texts.items()}
    return {
        name: {
            part: f"{_SAYINGS[number % len(_SAYINGS)]}: {said[part]}" if part == "question" else said[part]
            for part in parts
        }
        for number, name in enumerate(names)
    }


def mark_answer(texts: Mapping[str, str]) -> str:
    """1 where the answer has the words of the reference, or the number of the option that has them, else 0."""
    answer, reference = texts["answer"].casefold(), texts["reference"].casefold()
    numbered = f"{answer}. {reference}" in texts.get("options", "").casefold().splitlines()
    return str(int(reference in answer or numbered))
