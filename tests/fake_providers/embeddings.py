"""The endpoint that turns texts into numbers, as OpenAI and many after it offer it."""

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from generation.providers.base import Outcome
from tests.fake_providers.cases import IN_THE_WAY, Case, Format, always
from tests.fake_providers.sockets import HttpReply, HttpRequest

DIMENSIONS = 8


def vector_of(text: str) -> list[float]:
    """The same for the same text: bytes of its hash, from −1 to 1."""
    return [byte / 127.5 - 1 for byte in sha256(text.encode()).digest()[:DIMENSIONS]]


def embedded(request: HttpRequest, **changes: Any) -> HttpReply:
    """A vector for each text, the last one's first: any order is allowed. `changes` go into the first text's."""
    texts = request.body["input"]
    rows = [
        {"object": "embedding", "index": place, "embedding": vector_of(text)} for place, text in enumerate(texts)
    ]
    rows[0] |= changes
    usage = {"prompt_tokens": sum(len(text.split()) for text in texts)}
    return HttpReply({"object": "list", "data": rows[::-1], "model": request.body["model"], "usage": usage})


CASES: Mapping[str, Case] = {
    **IN_THE_WAY,
    # It is whole and says nothing of the texts, so it will say nothing of them the next time.
    "JSON of another shape": Case(Outcome.FINAL_REQUEST, IN_THE_WAY["JSON of another shape"].reply),
    "answer": Case(Outcome.OK, embedded),
    "one is missing": Case(Outcome.FINAL_REQUEST, lambda request: embedded(request, index=-1)),
    "one is shorter": Case(Outcome.FINAL_REQUEST, lambda request: embedded(request, embedding=[0.5])),
    "one is no number": Case(Outcome.FINAL_REQUEST, lambda request: embedded(request, embedding=["much"] * 8)),
    "no such model": always(Outcome.FINAL_REQUEST, 404, {"error": {"message": "model not found"}}),
    "bad key": always(Outcome.FINAL_ACCOUNT, 401, {"error": {"message": "Invalid API key"}}),
    "rate limit": always(Outcome.RETRYABLE, 429, {"error": {"message": "Rate limit exceeded"}}),
}

FORMAT = Format(re.compile(r".*/embeddings"), CASES)
