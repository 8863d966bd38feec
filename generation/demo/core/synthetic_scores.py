"""Composes replies to a schema, for demonstrations and tests: scores that mean little and depend on nothing random.

They follow how rich a text's words are and differ by who judges. What a text says, orders included, is never read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from generation.demo.core.deterministic_rng import chance

_FENCE = re.compile(r"^<(?P<closes>/?)(?P<fence>(?P<name>[\w-]{1,40}?)-[0-9a-f]{16})>$", re.MULTILINE)
_WORD = re.compile(r"[a-z']+")
# The share of different words in composed texts: the poorest ones have a quarter, the richest three fifths.
_POOREST, _RICHEST = 0.25, 0.6


def reply_to(prompt: str, *, schema: Mapping[str, Any], judge: str) -> Any:
    """A value that fits the JSON Schema. Numbers stay within minimum and maximum (0 and 10 where there are none).

    The texts judged are those fenced in the prompt; where there are several, the property named by a text's letter
    is about that one. The prompt's first line says who judges, and `judge` which model does.
    """
    seat = prompt.strip().partition("\n")[0]
    return _Reply(fenced_texts(prompt) or {"answer": prompt}, f"{judge}\x1f{seat}").value(schema, ())


def fenced_texts(prompt: str) -> dict[str, str]:
    """The texts that a request has between fences, by name."""
    texts: dict[str, str] = {}
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(prompt):
        if opening is None:
            opening = None if fence["closes"] else fence
        elif fence["closes"] and fence["fence"] == opening["fence"]:
            texts[opening["name"]] = prompt[opening.end() + 1 : fence.start() - 1]
            opening = None
    return texts


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower())


@dataclass(frozen=True)
class _Reply:
    texts: Mapping[str, str]
    seat: str

    def value(self, schema: Mapping[str, Any], path: Sequence[str]) -> Any:
        if "anyOf" in schema:
            some = schema["anyOf"]
            return self.value(some[int(chance(self.seat, self._mark(path), *path) * len(some))], path)
        if "enum" in schema:  # of scores, from the lowest to the highest
            return schema["enum"][self._score(0, len(schema["enum"]) - 1, path)]
        kind = schema.get("type")
        if kind == "object":
            return {name: self.value(part, (*path, name)) for name, part in schema["properties"].items()}
        if kind == "array":
            return self._some(schema["items"], path)
        if kind in ("integer", "number"):
            return self._score(schema.get("minimum", 0), schema.get("maximum", 10), path)
        return {"boolean": False, "null": None}.get(str(kind), self._words(path))

    def _words(self, path: Sequence[str]) -> str:
        """What a reason would rest on, were the reply one of a model."""
        words = words_of(self._text(path))
        about = f"on {path[-1].replace('_', ' ')}, " if "reasons" in path else ""
        counted = f"of the text’s {len(words)} words {len(set(words))} are different"
        return f"Composed for a demonstration: {about}{counted}."

    def _some(self, items: Mapping[str, Any], path: Sequence[str]) -> list[Any]:
        choices = items.get("enum")
        if choices is None:
            return [self.value(items, path)]
        return [choice for choice in choices if chance(self.seat, self._mark(path), *path, choice) < 0.5]

    def _score(self, low: int, high: int, path: Sequence[str]) -> int:
        """Half by the text's words, half by who judges what and which text it is."""
        taste = chance(self.seat, *path[-1:])
        whim = chance(self.seat, self._mark(path), *path[-1:])
        share = 0.1 + 0.45 * _richness(self._text(path)) + 0.2 * taste + 0.25 * whim
        return round(low + share * (high - low))

    def _text(self, path: Sequence[str]) -> str:
        """What a value is about: the text of its letter, or the only one."""
        names = (f"answer-{path[0]}" if path else "", "answer", "explanation")
        return next((self.texts[name] for name in names if name in self.texts), "")

    def _mark(self, path: Sequence[str]) -> str:
        """A word that stands for what a value is about: a sentence more or less hardly ever changes it. Where
        letters share a text, the letter belongs to it.
        """
        words = set(words_of(self._text(path)))
        mark = min(words, key=lambda word: sha256(word.encode()).digest(), default="")
        is_own = not path or f"answer-{path[0]}" in self.texts
        return mark if is_own else f"{mark} {path[0]}"


def _richness(text: str) -> float:
    """0 to 1, by how many of the text's words are different ones."""
    words = words_of(text)
    share = len(set(words)) / len(words) if words else 0
    return min(max((share - _POOREST) / (_RICHEST - _POOREST), 0), 1)
