"""What may be told of a reply while nobody is to know whose text is whose: how it ended, and nothing it says."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

# Where the wire formats say how a reply ended. Nothing else is shown: that a reply has no reasoning, or few tokens,
# would tell a deliberately weak answer, a length would tell the prompt, and a panel's text is a score.
ENDINGS: Final = frozenset(
    ("status", "reason", "category", "stop_reason", "finish_reason", "finishReason", "blockReason")
)
AROUND_ENDINGS: Final = frozenset(
    ("incomplete_details", "stop_details", "choices", "candidates", "promptFeedback", "response")
)
FAULT: Final = "error"
# Of an error, what its provider says of it. Any other part may hold what the model wrote.
IN_FAULTS: Final = frozenset(("message", "type", "code", "param", "status"))
FAULT_DETAILS: Final = "details"
IN_FAULT_DETAILS: Final = frozenset(("reason",))
MIN_WORDS: Final = 5  # that two texts share by quotation, and hardly by chance
LEFT_OUT: Final = "…"
_WORD = re.compile(r"\w+")

Passage = tuple[str, ...]


def ending(reply: str, *, request: str) -> str:
    """The part of a reply's body that says how it ended, as indented JSON; "" where there is none.

    Both bodies are JSON; nothing is shown of a reply that is not. What an error quotes of the request is left out.
    """
    said = _ending(_parsed(reply), _passages(request))
    return json.dumps(said, indent=2, ensure_ascii=False) if said else ""


def unquoted(sentence: str, *, request: str) -> str:
    """The sentence with `LEFT_OUT` for what it quotes, in `MIN_WORDS` words or more, of a request's body."""
    return _unquoted(sentence, _passages(request))


def _ending(value: Any, passages: set[Passage]) -> Any:
    """The value with `ENDINGS` and errors alone, without what is empty then."""
    if isinstance(value, list):
        return [said for inner in value if (said := _ending(inner, passages))]
    if not isinstance(value, dict):
        return None
    told = {}
    for key, inner in value.items():
        if key == FAULT:
            told[key] = _fault(inner, passages)
        elif key in AROUND_ENDINGS:
            told[key] = _ending(inner, passages)
        elif key in ENDINGS and not isinstance(inner, dict | list):
            told[key] = inner
    return {key: said for key, said in told.items() if said}


def _fault(value: Any, passages: set[Passage]) -> Any:
    """An error as its provider puts it: a sentence, or an object with `IN_FAULTS` and reasons."""
    if not isinstance(value, dict):
        return _unquoted(value, passages) if isinstance(value, str) else None
    told: dict[str, Any] = _named(value, IN_FAULTS, passages)
    details = value.get(FAULT_DETAILS)
    inner = details if isinstance(details, list) else []
    said = [_named(detail, IN_FAULT_DETAILS, passages) for detail in inner if isinstance(detail, dict)]
    return told | ({FAULT_DETAILS: reasons} if (reasons := [reason for reason in said if reason]) else {})


def _named(value: dict[str, Any], names: frozenset[str], passages: set[Passage]) -> dict[str, Any]:
    """Sentences, numbers and empty values under `names`."""
    told = {key: inner for key, inner in value.items() if key in names and not isinstance(inner, dict | list)}
    return {key: _unquoted(inner, passages) if isinstance(inner, str) else inner for key, inner in told.items()}


def _unquoted(sentence: str, passages: set[Passage]) -> str:
    words = list(_WORD.finditer(sentence))
    quoted: set[int] = set()
    for start, passage in enumerate(_runs(sentence)):
        if passage in passages:
            quoted.update(range(start, start + MIN_WORDS))
    parts, position = [], 0
    for number in sorted(quoted):
        if number - 1 not in quoted:
            parts += [sentence[position : words[number].start()], LEFT_OUT]
        position = words[number].end()
    return "".join([*parts, sentence[position:]])


def _passages(body: str) -> set[Passage]:
    return {passage for text in _texts(_parsed(body)) for passage in _runs(text)}


def _runs(text: str) -> Iterator[Passage]:
    """Every `MIN_WORDS` words that follow each other."""
    words = [word.group().lower() for word in _WORD.finditer(text)]
    return zip(*(words[offset:] for offset in range(MIN_WORDS)), strict=False)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _parsed(body: str) -> Any:
    """What the body holds; `None` where it is not JSON."""
    try:
        return json.loads(body)
    except ValueError:
        return None
