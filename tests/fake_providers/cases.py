"""What a provider may answer, and what all of them may have in the way."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from generation.demo.core.synthetic import compose
from generation.providers.base import Outcome
from tests.fake_providers.sockets import Break, HttpReply, HttpRequest

INPUT_TOKENS = 120
REASONING_TOKENS = 30
CACHED_TOKENS = 20
GATEWAY_PAGE = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
PARTIAL = "Justice is, first of all,"
REFUSAL = "I cannot help with that."


@dataclass(frozen=True)
class Case:
    """A documented way to answer, and the outcome it has to be read as."""

    outcome: Outcome
    reply: Callable[[HttpRequest], HttpReply]


@dataclass(frozen=True)
class Format:
    """What is served at paths that match: `cases` by name, unless the request is `denied`."""

    path: re.Pattern[str]
    cases: Mapping[str, Case]
    denied: Callable[[HttpRequest], HttpReply | None] = lambda _: None


def always(outcome: Outcome, status: int, body: Any, **headers: str) -> Case:
    """The same reply whatever was asked. Underscores in names of headers stand for hyphens."""
    reply = HttpReply(body, status, {name.replace("_", "-"): value for name, value in headers.items()})
    return Case(outcome, lambda _: reply)


IN_THE_WAY: Mapping[str, Case] = {
    "gateway page": always(Outcome.RETRYABLE, 502, GATEWAY_PAGE),
    "gateway page as success": always(Outcome.RETRYABLE, 200, GATEWAY_PAGE),
    "JSON that is no object": always(Outcome.RETRYABLE, 200, []),
    "JSON of another shape": always(Outcome.RETRYABLE, 200, {"hello": "world"}),
    "moved": always(Outcome.FINAL_REQUEST, 308, "", location="https://elsewhere.example/v2"),
    "nothing": always(Outcome.RETRYABLE, 200, ""),
    "hangs up": Case(Outcome.RETRYABLE, lambda _: HttpReply("", breaks=Break.BEFORE_THE_REPLY)),
    "breaks off": Case(Outcome.RETRYABLE, lambda _: HttpReply({"id": "x" * 400}, breaks=Break.WITHIN_THE_REPLY)),
}


def text_for(prompt: str, schema: Mapping[str, Any] | None) -> str:
    """Prose, the same for the same prompt; or JSON that fits the schema."""
    if schema is not None:
        return json.dumps(_fitting(schema))
    return compose(prompt, seed=sha256(prompt.encode()).hexdigest(), quality=0.8, words=380)


def tokens_of(text: str) -> int:
    return len(text.split())


def _fitting(schema: Mapping[str, Any]) -> Any:
    """The plainest instance: every property, the first of several choices, the smallest number."""
    for choices in ("enum", "anyOf", "oneOf"):
        if choices in schema:
            first = schema[choices][0]
            return first if choices == "enum" else _fitting(first)
    if "const" in schema:
        return schema["const"]
    match schema["type"]:
        case "object":
            return {name: _fitting(part) for name, part in schema["properties"].items()}
        case "array":
            return [_fitting(schema["items"])] * schema.get("minItems", 1)
        case kind:
            return {"integer": schema.get("minimum", 1), "number": schema.get("minimum", 1), "boolean": False}.get(
                kind, "Because it says what it means."
            )
