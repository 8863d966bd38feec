"""A provider without a network: answers with labelled synthetic text, for demonstrations and tests."""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import count, islice
from typing import Annotated, Any, Literal

import httpx
from pydantic import ConfigDict, Field, TypeAdapter, with_config

from generation.core.catalogue import Endpoint
from generation.core.strict_reading import read_strictly
from generation.core.synthetic import LONGEST, SHORTEST, compose
from generation.core.synthetic_scores import reply_to
from generation.providers.base import NO_USAGE, Outcome, Reply, Request, Usage
from generation.providers.reading import count_at, parsed, text_at

# Above this temperature real models grow worse; this one does so at once.
HOT = 1.0
WEAK_QUALITY = 0.05
SLIP = "As an AI language model, I have no experience of my own, but the question can be answered."


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Options:
    """`quality`, `words`, `voice` and `markdown` as `compose` takes them. `delay_seconds` pass before the reply;
    every `fail_every`-th call to the provider's object fails and may be tried again (0: none does). Of all requests
    a share `refuses` is declined however often it comes, and a share `slips` is answered in prose that speaks of
    itself as a machine.
    """

    quality: Annotated[float, Field(ge=0, le=1)] = 0.8
    words: Annotated[int, Field(ge=SHORTEST, le=LONGEST)] = 380
    voice: Literal["scholar", "model"] = "model"
    markdown: bool = False
    delay_seconds: Annotated[float, Field(ge=0, le=600)] = 0
    fail_every: Annotated[int, Field(ge=0)] = 0
    refuses: Annotated[float, Field(ge=0, le=1)] = 0
    slips: Annotated[float, Field(ge=0, le=1)] = 0


_OPTIONS = TypeAdapter(Options)


class DemoProvider:
    """The same model, prompt, effort and replicate always give the same text. A request with a schema is answered
    with JSON that fits it.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self.name = endpoint.name
        self._calls = count(1)

    def check(self, options: Mapping[str, Any]) -> None:
        read_strictly(_OPTIONS, options)

    def takes_temperature(self, effort: str, options: Mapping[str, Any]) -> bool:  # noqa: ARG002
        return True

    def body(self, request: Request) -> dict[str, Any]:
        return asdict(request)

    def read(self, status: int | None, headers: Mapping[str, str], text: str) -> Reply:  # noqa: ARG002
        body = parsed(text)
        return Reply(
            Outcome(text_at(body, "outcome")),
            text=text_at(body, "text"),
            usage=Usage(count_at(body, "usage", "input_tokens"), count_at(body, "usage", "output_tokens")),
            raw=text,
            detail=text_at(body, "detail"),
            request_id=text_at(body, "id"),
            model=text_at(body, "model"),
            status=status,
        )

    async def answer(self, request: Request, *, client: httpx.AsyncClient) -> Reply:  # noqa: ARG002
        call = next(self._calls)
        options = read_strictly(_OPTIONS, request.options)
        await asyncio.sleep(options.delay_seconds)
        if options.fail_every and call % options.fail_every == 0:
            detail = f"Call {call} fails because fail_every is {options.fail_every}."
            return self._reply(request, Outcome.RETRYABLE, 503, detail=detail)
        if _is_among(options.refuses, request, "refuses"):
            return self._reply(request, Outcome.REFUSED, 200, detail="The model declined to answer.")
        return self._answered(request, _text(request, options))

    def _answered(self, request: Request, text: str) -> Reply:
        """The text as far as the output cap allows; a token is three quarters of a word."""
        affordable = request.max_output_tokens * 3 // 4
        ends = [word.end() for word in islice(re.finditer(r"\S+", text), affordable)]
        shown = text[: ends[-1]] if ends else ""
        usage = Usage(input_tokens=_tokens(request.prompt), output_tokens=_tokens(shown))
        if shown == text:
            return self._reply(request, Outcome.OK, 200, text=shown, usage=usage)
        detail = "The tokens allowed were used up."
        return self._reply(request, Outcome.TRUNCATED, 200, text=shown, usage=usage, detail=detail)

    def _reply(
        self,
        request: Request,
        outcome: Outcome,
        status: int,
        *,
        text: str = "",
        detail: str = "",
        usage: Usage = NO_USAGE,
    ) -> Reply:
        raw = {
            "synthetic": True,
            "id": f"demo-{_fingerprint(request)[:16]}",
            "model": request.model,
            "outcome": outcome.value,
            "text": text,
            "detail": detail,
            "usage": asdict(usage),
        }
        return self.read(status, {}, json.dumps(raw))


def _text(request: Request, options: Options) -> str:
    if request.schema is not None:
        return json.dumps(reply_to(request.prompt, schema=request.schema, judge=request.model))
    is_hot = request.temperature is not None and request.temperature > HOT
    text = compose(
        request.prompt,
        seed=_fingerprint(request),
        quality=min(options.quality, WEAK_QUALITY) if is_hot else options.quality,
        words=options.words,
        voice=options.voice,
        markdown=options.markdown,
    )
    return f"{SLIP} {text}" if _is_among(options.slips, request, "slips") else text


def _is_among(share: float, request: Request, what: str) -> bool:
    """Whether the request is one of the `share` of all requests."""
    return int(sha256(f"{what} {_fingerprint(request)}".encode()).hexdigest()[:8], 16) / 2**32 < share


def _fingerprint(request: Request) -> str:
    identity = [request.model, request.prompt, request.effort, str(request.replicate)]
    return sha256(json.dumps(identity).encode()).hexdigest()


def _tokens(text: str) -> int:
    """Four tokens for three words, rounded up: the usual ratio for English."""
    return -(-len(text.split()) * 4 // 3)
