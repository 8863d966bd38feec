"""Composes proposals of concepts for demonstrations and tests. Nothing in them depends on chance."""

import re
from collections.abc import Mapping
from typing import Any, Final

from generation.demo.core.deterministic_rng import chance

_SENTENCE: Final = re.compile(r"[^.?!\n]{1,600}[.?!]")
_LETTERS: Final = re.compile(r"[a-z]{1,40}")
_WORDS: Final = range(5, 40)  # of a sentence that is quoted
_NOBODYS: Final = frozenset({"nobody", "somebody", "whoever", "anybody", "everybody", "another", "without"})
_MISQUOTES: Final = 0.25  # of quotations, as real models do now and then
_THEMES: Final = ("What is said", "What is owed", "What is left to others")


def propose_concepts(texts: Mapping[str, str], schema: Mapping[str, Any], *, judge: str) -> dict[str, Any] | None:
    """As many concepts as the schema allows, each a sentence of the document, called by its longest word;
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
    named = {_longest_word(sentence): sentence for sentence in quotable}
    order = sorted(named.items(), key=lambda pair: chance(judge, pair[0]))
    return {"concepts": [_concept(word, sentence, judge) for word, sentence in order[:most]]}


def _longest_word(sentence: str) -> str:
    words: list[str] = [word for word in _LETTERS.findall(sentence.lower()) if word not in _NOBODYS]
    return max(words or [sentence.split(maxsplit=1)[0]], key=lambda word: (len(word), word))


def _concept(word: str, sentence: str, judge: str) -> dict[str, Any]:
    text = sentence
    if chance(judge, word, "misquotes") < _MISQUOTES:
        first, _, rest = sentence.partition(" ")
        text = f"{first} always {rest}"
    return {
        "theme": _THEMES[int(chance(word) * len(_THEMES))],
        "name": word.capitalize(),
        "interpretation": f"Composed for a demonstration: what the document asks for where it speaks of {word}.",
        "quotes": [{"text": text, "citation": ""}],
    }
