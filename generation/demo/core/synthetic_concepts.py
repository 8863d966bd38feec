"""Composes proposals of concepts for demonstrations and tests. Nothing in them depends on chance."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from generation.demo.core.deterministic_rng import chance
from generation.demo.core.synthetic import topics_of

_SENTENCE: Final = re.compile(r"[^.?!\n]{1,600}[.?!]")
_WORDS: Final = range(5, 40)  # of a sentence that is quoted
_MISQUOTES: Final = 0.15  # of quotations, as real models do now and then
_THEMES: Final = ("What is said", "What is owed", "What is left to others")


def propose_concepts(texts: Mapping[str, str], schema: Mapping[str, Any], *, judge: str) -> dict[str, Any] | None:
    """As many concepts as the schema allows, each a word that the document uses with a sentence in which it does;
    `None` where something else is asked for than concepts of a document.

    Now and then a quotation has a word that is not there: that is for somebody to find.
    """
    if "document" not in texts or list(schema["properties"]) != ["concepts"]:
        return None
    document, most = texts["document"], schema["properties"]["concepts"]["maxItems"]
    sentences = [found[0].strip() for found in _SENTENCE.finditer(document)]
    quotable = (
        [sentence for sentence in sentences if len(sentence.split()) in _WORDS] or sentences or [document[:200]]
    )
    named = [(topic, sentence) for topic in topics_of(document) if (sentence := _with(topic, quotable))]
    named = named or [(quotable[0].split()[0], quotable[0])]
    order = sorted(dict(named).items(), key=lambda pair: chance(judge, pair[0]))
    return {"concepts": [_concept(topic, sentence, judge) for topic, sentence in order[:most]]}


def _with(topic: str, sentences: Sequence[str]) -> str:
    return next((sentence for sentence in sentences if topic.casefold() in sentence.casefold()), "")


def _concept(topic: str, sentence: str, judge: str) -> dict[str, Any]:
    text = sentence
    if chance(judge, topic, "misquotes") < _MISQUOTES:
        first, _, rest = sentence.partition(" ")
        text = f"{first} always {rest}"
    return {
        "theme": _THEMES[int(chance(topic) * len(_THEMES))],
        "name": topic.capitalize(),
        "interpretation": f"Composed for a demonstration: what the document asks for where it speaks of {topic}.",
        "quotes": [{"text": text, "citation": ""}],
    }
