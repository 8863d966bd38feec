"""What a rewriter and a checking model are asked, and the strict reading of their replies."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from annotation.platform.core.limits import ANSWER_CHARACTERS
from annotation.platform.core.text import clean
from generation.calls.core.json_replies import Unreadable, check_keys, read_flag, read_json, read_reason
from generation.catalogue.core.fences import fenced_materials
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.framing.core.conditions import Conditions
from generation.providers.core.json_schemas import object_of

SELF_CONTAINED: Final = "self_contained"
LIKE_A_PERSON: Final = "reads_like_a_person"
IN_TENSION: Final = "in_tension"
QUESTIONS: Final[Mapping[str, str]] = {
    SELF_CONTAINED: "Can it be understood by itself?",
    LIKE_A_PERSON: "Does it read like something a person would ask?",
    IN_TENSION: "Do the two really take opposite sides?",
}
"""What a check asks: the first two of every framing, the third of every opposed pair."""

_VERDICT: Final = object_of({"reason": {"type": "string"}, "holds": {"type": "boolean"}})
_EACH: Final = (SELF_CONTAINED, LIKE_A_PERSON)
_FORMAT: Final = "Reply with this JSON object and nothing else, each … replaced:\n\n{example}"


@dataclass(frozen=True, order=True)
class Verdict:
    """What a check says of a framing (by its condition's key) or of an opposed pair (by the pair's name)."""

    about: str
    question: str
    holds: bool
    reason: str = ""


def framing_request(template: PromptTemplate, conditions: Conditions, prompt: str) -> str:
    """The request's text to rewrite one prompt into every condition."""
    described = "\n\n".join(
        f"{number}. {each.key} ({each.name}): {each.task} {each.must_hold}"
        for number, each in enumerate(conditions.conditions, start=1)
    )
    opposed = " ".join(
        f"{one} and {other} take opposite sides of one and the same claim, so that a reader of both could say "
        "where they clash."
        for one, other in conditions.opposed
    )
    return template.fill(
        conditions=f"{described}\n\n{opposed}".strip(),
        least_words=conditions.least_words,
        most_words=conditions.most_words,
        materials=fenced_materials({"prompt": prompt}, asking_for="other framings"),
        reply_format=_FORMAT.format(example=_example(dict.fromkeys(conditions.keys, '"…"'))),
    )


def framing_schema(conditions: Conditions) -> dict[str, Any]:
    return object_of({key: {"type": "string"} for key in conditions.keys})


def read_framings(reply: str, conditions: Conditions) -> dict[str, str]:
    """The framings by condition, in the conditions' order. Raises `Unreadable`.

    The reply is one JSON object with exactly the conditions' keys, each with a text that is not empty; nothing is
    cut out of a fence or of prose.
    """
    said = read_json(reply)
    check_keys(said, conditions.keys)
    return {key: _framing(said[key], key) for key in conditions.keys}


def _framing(value: Any, key: str) -> str:
    text = clean(value).strip() if isinstance(value, str) else ""
    if not text:
        raise Unreadable(f"The reply has no text for {key}.")
    if len(text) > ANSWER_CHARACTERS:
        raise Unreadable(f"The text for {key} has more than {ANSWER_CHARACTERS:,} characters.")
    return text


def check_request(
    template: PromptTemplate, conditions: Conditions, prompt: str, framings: Mapping[str, str]
) -> str:
    """The request's text to check one prompt's framings; nothing in it says who wrote them."""
    texts = {"prompt": prompt, **{f"framing-{key}": framings[key] for key in conditions.keys}}
    described = "\n\n".join(f"{each.key}: {each.must_hold}" for each in conditions.conditions)
    pairs = "\n".join(f"{name}: {one} and {other}" for name, (one, other) in conditions.pairs.items())
    verdict = '{"reason": "…", "holds": true or false}'
    example = {key: _example(dict.fromkeys(_EACH, verdict)) for key in conditions.keys}
    example["opposed"] = _example(dict.fromkeys(conditions.pairs, verdict))
    return template.fill(
        conditions=described,
        opposed=pairs or "(There is no such pair.)",
        materials=fenced_materials(texts, asking_for="a verdict"),
        reply_format=_FORMAT.format(example=_example(example)),
    )


def check_schema(conditions: Conditions) -> dict[str, Any]:
    each = object_of(dict.fromkeys(_EACH, _VERDICT))
    pairs = object_of(dict.fromkeys(conditions.pairs, _VERDICT))
    return object_of({**dict.fromkeys(conditions.keys, each), "opposed": pairs})


def read_check(reply: str, conditions: Conditions) -> tuple[Verdict, ...]:
    """The verdicts in the conditions' order, pairs last. Raises `Unreadable`, also where one has no reason."""
    said = read_json(reply)
    check_keys(said, (*conditions.keys, "opposed"))
    found = []
    for key in conditions.keys:
        check_keys(said[key], _EACH)
        found += [_verdict(key, question, said[key][question]) for question in _EACH]
    check_keys(said["opposed"], tuple(conditions.pairs))
    return (*found, *(_verdict(pair, IN_TENSION, said["opposed"][pair]) for pair in conditions.pairs))


def _verdict(about: str, question: str, said: Any) -> Verdict:
    check_keys(said, ("reason", "holds"))
    return Verdict(about, question, read_flag(said, "holds"), read_reason(said))


def questions_of(conditions: Conditions) -> tuple[tuple[str, str], ...]:
    """Everything a complete check answers: about what, and which question."""
    each = [(key, question) for key in conditions.keys for question in _EACH]
    return (*each, *((pair, IN_TENSION) for pair in conditions.pairs))


def _example(fields: Mapping[str, str]) -> str:
    return "{" + ", ".join(f'"{name}": {value}' for name, value in fields.items()) + "}"
