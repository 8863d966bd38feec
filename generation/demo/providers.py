"""A provider without a network: answers with labelled synthetic text, for demonstrations and tests."""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from itertools import count, islice
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter, with_config

from generation.demo.core.deterministic_rng import chance
from generation.demo.core.synthetic import MAX_WORDS, MIN_WORDS, compose
from generation.demo.core.synthetic_benchmarks import answer_question, mark_answer, rephrase_question
from generation.demo.core.synthetic_concepts import propose_concepts
from generation.demo.core.synthetic_framings import check_framings, frame_prompt
from generation.demo.core.synthetic_prompts import FAULTS, compare_prompts, compose_bundle, judge_prompt, spoilt
from generation.demo.core.synthetic_readings import read_text
from generation.demo.core.synthetic_scores import fenced_texts, reply_to
from generation.demo.core.synthetic_trials import answer_case, code_case, evaluate_case
from generation.prompts.core.prompt_replies import tagged
from generation.prompts.core.prompt_requests import number_asked_for
from generation.providers.base import NO_USAGE, Client, Outcome, Reply, Request
from generation.providers.core.catalogue import Endpoint
from generation.providers.core.prices import Usage
from generation.providers.core.strict_reading import read_strictly
from generation.providers.json_access import count_at, parsed, text_at
from generation.trials.core.requests import PARTS

# Above this temperature real models grow worse; this one does so at once.
HOT = 1.0
USUAL_WORDS = 380
ABOUT_WORDS = re.compile(r"\babout (\d[\d,]{0,6}) words\b")
WEAK_QUALITY = 0.05
SLIP = "As an AI language model, I have no experience of my own, but the question can be answered."


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Options:
    """`quality`, `words`, `voice` and `markdown` as `compose` takes them; without `words` a text has as many as the
    request asks for, or `USUAL_WORDS`. `delay_seconds` pass before the reply;
    every `fail_every`-th call to the provider's object fails and may be tried again (0: none does). Of all requests
    a share `refuses` is declined however often it comes, and a share `slips` is answered in prose that speaks of
    itself as a machine.

    Of prompts, `quality` says how few are flawed and `variety` how few repeat each other. Of the requests for them
    a share `declines` is declined, and a share `spoils` is not answered in the form asked for when it first comes.
    """

    quality: Annotated[float, Field(ge=0, le=1)] = 0.8
    words: Annotated[int, Field(ge=MIN_WORDS, le=MAX_WORDS)] | None = None
    voice: Literal["scholar", "model"] = "model"
    markdown: bool = False
    delay_seconds: Annotated[float, Field(ge=0, le=600)] = 0
    fail_every: Annotated[int, Field(ge=0)] = 0
    refuses: Annotated[float, Field(ge=0, le=1)] = 0
    slips: Annotated[float, Field(ge=0, le=1)] = 0
    variety: Annotated[float, Field(ge=0, le=1)] = 0.8
    declines: Annotated[float, Field(ge=0, le=1)] = 0
    spoils: Annotated[float, Field(ge=0, le=1)] = 0


_OPTIONS = TypeAdapter(Options)


class DemoProvider:
    """The same model, prompt, effort and replicate always give the same text. A request with a schema is answered
    with JSON that fits it.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self.name = endpoint.name
        self._calls = count(1)
        # Fingerprints of requests that were answered in another form than asked for.
        self._spoilt: set[str] = set()

    def check(self, options: Mapping[str, Any]) -> None:
        read_strictly(_OPTIONS, options)

    def takes_temperature(self, effort: str, options: Mapping[str, Any]) -> bool:  # noqa: ARG002
        return True

    def check_request(self, request: Request) -> None:
        """Takes any request."""

    def effort_sent(self, request: Request) -> dict[str, Any]:
        return {"effort": request.effort} if request.effort else {}

    def body(self, request: Request) -> dict[str, Any]:
        alone = [field.name for field in fields(request) if field.name not in ("system", "earlier")]
        return {name: getattr(request, name) for name in alone} | _conversation(request)

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

    async def answer(self, request: Request, *, client: Client) -> Reply:  # noqa: ARG002
        await asyncio.sleep(read_strictly(_OPTIONS, request.options).delay_seconds)
        return self.reply(request)

    def reply(self, request: Request) -> Reply:
        """The answer at once."""
        call = next(self._calls)
        options = read_strictly(_OPTIONS, request.options)
        if options.fail_every and call % options.fail_every == 0:
            detail = f"Call {call} fails because fail_every is {options.fail_every}."
            return self._reply(request, Outcome.RETRYABLE, 503, detail=detail)
        if _is_declined(request, options):
            return self._reply(request, Outcome.REFUSED, 200, detail="The model declined to answer.")
        return self._answered(request, self._text(request, options))

    def _text(self, request: Request, options: Options) -> str:
        if request.schema is not None:
            return json.dumps(_judged(request, request.schema))
        texts = fenced_texts(request.prompt)
        if {"question", "reference", "answer"} <= texts.keys():
            return mark_answer(texts)
        if (answer := answer_question(request.prompt, judge=request.model)) is not None:
            return answer
        if number := number_asked_for(request.prompt):
            return self._prompts(request, options, number)
        return _essay(request, options)

    def _prompts(self, request: Request, options: Options, number: int) -> str:
        seed = _fingerprint(request)
        bundle = compose_bundle(
            "\n".join(fenced_texts(request.prompt).values()),
            number=number,
            seed=seed,
            quality=options.quality,
            variety=options.variety,
        )
        if seed in self._spoilt or not _is_among(options.spoils, request, "spoils"):
            return tagged(bundle)
        self._spoilt.add(seed)
        return spoilt(bundle, FAULTS[int(chance(seed, "fault") * len(FAULTS))])

    def _answered(self, request: Request, text: str) -> Reply:
        """The text as far as the output cap allows; a token is three quarters of a word."""
        affordable = request.max_output_tokens * 3 // 4
        ends = [word.end() for word in islice(re.finditer(r"\S+", text), affordable)]
        shown = text[: ends[-1]] if ends else ""
        usage = Usage(input_tokens=_tokens(_said(request)), output_tokens=_tokens(shown))
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


def _said(request: Request) -> str:
    return " ".join([request.system, *(text for _, text in request.messages)])


def _conversation(request: Request) -> dict[str, Any]:
    """What comes before the turn that is answered, if anything."""
    said = {"system": request.system, "earlier": [asdict(exchange) for exchange in request.earlier]}
    return {name: what for name, what in said.items() if what}


def _is_declined(request: Request, options: Options) -> bool:
    return _is_among(options.refuses, request, "refuses") or (
        _is_among(options.declines, request, "declines") and number_asked_for(request.prompt) > 0
    )


def _judged(request: Request, schema: Mapping[str, Any]) -> Any:
    """JSON that fits the schema: an answer to a case or an evaluation of one, framings of a prompt or their check,
    votes on prompts, concepts of a document, what gives a text away, or scores.
    """
    texts = fenced_texts(request.prompt)
    match texts:
        case {"prompt": text} if len(texts) > 1 and all(name.startswith(("prompt", "framing-")) for name in texts):
            return check_framings(schema)
        case {"prompt": text} if all(part == {"type": "string"} for part in schema["properties"].values()):
            return frame_prompt(text, list(schema["properties"]))
        case {"prompt": text} if "rejections" in schema["properties"]:
            return judge_prompt(text, judge=request.model)
        case {"prompt-1": first, "prompt-2": second}:
            return compare_prompts(first, second, judge=request.model)
        case {"text": text} if "verdict" in schema["properties"]:
            return read_text(text)
    proposed = propose_concepts(texts, schema, judge=request.model)
    of_questions = proposed or rephrase_question(texts, schema) or _of_trials(request, schema, texts)
    return of_questions or reply_to(request.prompt, schema=schema, judge=request.model)


def _of_trials(request: Request, schema: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any] | None:
    """An answer to a case, an evaluation of one, or what one recommends."""
    if list(schema["properties"]) == list(PARTS):
        told = f"{request.system}\n{request.prompt}"
        return answer_case(request.prompt, told, seed=_fingerprint(request))
    if list(schema["properties"]) == ["category"] and "recommendation" in texts:
        return code_case(texts["recommendation"], schema["properties"]["category"]["enum"], judge=request.model)
    question, answer = texts.get("question", ""), texts.get("answer", "")
    if "\nEstablished facts:\n" not in question or not answer:
        return None
    return evaluate_case(question, answer, schema, judge=request.model)


def _essay(request: Request, options: Options) -> str:
    is_hot = request.temperature is not None and request.temperature > HOT
    text = compose(
        request.prompt,
        seed=_fingerprint(request),
        quality=min(options.quality, WEAK_QUALITY) if is_hot else options.quality,
        words=options.words or words_asked_for(request.prompt),
        voice=options.voice,
        markdown=options.markdown,
    )
    return f"{SLIP} {text}" if _is_among(options.slips, request, "slips") else text


def words_asked_for(prompt: str) -> int:
    """The length that a request states last (“about 400 words”), as far as one can be composed."""
    stated = ABOUT_WORDS.findall(prompt)
    return min(max(int(stated[-1].replace(",", "")), MIN_WORDS), MAX_WORDS) if stated else USUAL_WORDS


def _is_among(share: float, request: Request, what: str) -> bool:
    """Whether the request is one of the `share` of all requests."""
    return share > 0 and int(sha256(f"{what} {_fingerprint(request)}".encode()).hexdigest()[:8], 16) / 2**32 < share


def _fingerprint(request: Request) -> str:
    identity = [request.model, request.prompt, request.effort, str(request.replicate)]
    if conversation := _conversation(request):
        identity.append(json.dumps(conversation))
    return sha256(json.dumps(identity).encode()).hexdigest()


def _tokens(text: str) -> int:
    """Four tokens for three words, rounded up: the usual ratio for English."""
    return -(-len(text.split()) * 4 // 3)
