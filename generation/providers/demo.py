"""A provider without a network: answers with labelled synthetic text, for demonstrations and tests."""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from itertools import count, islice

from generation.core.synthetic import compose
from generation.providers.base import Outcome, Reply, Request, Usage


class DemoProvider:
    """The same model, prompt and option `replicate` always give the same text.

    Options, all of them optional: `replicate` (default 1); `quality` (0 to 1, default 0.8), `words`, `voice`
    (default "model") and `markdown` as `compose` takes them; `delay_seconds` before the reply (default 0);
    `fail_every` n, which ends every n-th call to this object as retryable (default 0: none). A value out of
    range ends the request as final.
    """

    name = "demo"

    def __init__(self) -> None:
        self._calls = count(1)

    async def answer(self, request: Request) -> Reply:
        call = next(self._calls)
        try:
            delay = _number(request.options, "delay_seconds", 0)
            fail_every = int(_number(request.options, "fail_every", 0))
            text = _text(request)
        except ValueError as fault:
            return _failure(request, Outcome.FINAL_REQUEST, str(fault))
        await asyncio.sleep(delay)
        if fail_every and call % fail_every == 0:
            return _failure(request, Outcome.RETRYABLE, f"call {call} fails because fail_every is {fail_every}")
        return _success(request, text)


def _text(request: Request) -> str:
    options = request.options
    return compose(
        request.prompt,
        seed=_fingerprint(request),
        quality=_number(options, "quality", 0.8),
        words=int(_number(options, "words", 380)),
        voice=str(options.get("voice", "model")),
        markdown=bool(options.get("markdown", False)),
    )


def _success(request: Request, text: str) -> Reply:
    """The text as far as the output cap allows; a token is three quarters of a word."""
    affordable = request.max_output_tokens * 3 // 4
    ends = [word.end() for word in islice(re.finditer(r"\S+", text), affordable)]
    shown = text[: ends[-1]] if ends else ""
    outcome = Outcome.OK if shown == text else Outcome.TRUNCATED
    usage = Usage(input_tokens=_tokens(request.prompt), output_tokens=_tokens(shown))
    return _reply(request, outcome, usage, text=shown)


def _failure(request: Request, outcome: Outcome, error: str) -> Reply:
    return _reply(request, outcome, Usage(0, 0), error=error)


def _reply(request: Request, outcome: Outcome, usage: Usage, *, text: str = "", error: str | None = None) -> Reply:
    request_id = f"demo-{_fingerprint(request)[:16]}"
    raw: dict[str, object] = {
        "synthetic": True,
        "id": request_id,
        "model": request.model,
        "outcome": outcome.value,
        "text": text,
        "error": error,
        "usage": asdict(usage),
    }
    return Reply(outcome=outcome, text=text, usage=usage, raw=raw, request_id=request_id, model=request.model)


def _fingerprint(request: Request) -> str:
    identity = [request.model, request.prompt, str(request.options.get("replicate", 1))]
    return sha256(json.dumps(identity).encode()).hexdigest()


def _tokens(text: str) -> int:
    """Four tokens for three words, rounded up: the usual ratio for English."""
    return -(-len(text.split()) * 4 // 3)


def _number(options: Mapping[str, object], name: str, default: float) -> float:
    value = options.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise ValueError(f"{name} must be a number from 0, not {value!r}")
    return value
