"""The demonstration provider keeps the contract of a real one: outcomes, usage, caps and a raw reply."""

import asyncio
import json
import time
from typing import Any

import pytest

from generation.providers import PROVIDERS, provider
from generation.providers.base import Outcome, Reply, Request, Usage
from generation.providers.demo import DemoProvider

PROMPT = "How does legitimacy differ from compliance?"


def request(model: str = "demo-large", prompt: str = PROMPT, cap: int = 4000, **options: Any) -> Request:
    return Request(model=model, prompt=prompt, effort="medium", max_output_tokens=cap, options=options)


def answer(asked: Request) -> Reply:
    return asyncio.run(DemoProvider().answer(asked))


def test_every_provider_is_registered_under_its_own_name() -> None:
    assert all(provider(name).name == name for name in PROVIDERS)


def test_an_unknown_provider_is_refused_with_the_known_names() -> None:
    with pytest.raises(KeyError, match=r"no provider is called 'dmeo'; known: .*demo"):
        provider("dmeo")


def test_the_same_request_gets_the_same_reply_from_any_instance() -> None:
    assert answer(request()) == answer(request())


@pytest.mark.parametrize(
    "other",
    [request(model="demo-small"), request(prompt=PROMPT + " Why?"), request(replicate=2), request(quality=0.1)],
    ids=["model", "prompt", "replicate", "quality"],
)
def test_model_prompt_replicate_and_quality_change_the_text(other: Request) -> None:
    assert answer(other).text != answer(request()).text


def test_the_reply_is_labelled_as_synthetic_and_can_be_stored_as_json() -> None:
    reply = answer(request(markdown=True))
    assert reply.outcome is Outcome.OK
    assert reply.raw["synthetic"] is True
    assert reply.raw["text"] == reply.text
    assert reply.raw["id"] == reply.request_id
    assert reply.text.startswith("## ")
    assert json.loads(json.dumps(reply.raw)) == reply.raw


def test_usage_counts_four_tokens_for_three_words() -> None:
    reply = answer(request())
    # The prompt has 6 words: 6 * 4 / 3 = 8 tokens.
    assert reply.usage.input_tokens == 8
    words = len(reply.text.split())
    assert words * 4 / 3 <= reply.usage.output_tokens < words * 4 / 3 + 1


def test_a_text_over_the_output_cap_is_cut_at_a_word_and_marked_as_truncated() -> None:
    whole, cut = answer(request()), answer(request(cap=200))
    assert cut.outcome is Outcome.TRUNCATED
    # 200 tokens pay for 200 * 3 / 4 = 150 words.
    assert cut.text.split() == whole.text.split()[:150]
    assert whole.text.startswith(cut.text)
    assert cut.usage.output_tokens == 200


def test_a_cap_that_pays_for_no_word_leaves_no_text() -> None:
    reply = answer(request(cap=1))
    assert (reply.outcome, reply.text) == (Outcome.TRUNCATED, "")


def test_every_nth_call_fails_as_retryable_and_the_retry_succeeds() -> None:
    async def outcomes() -> list[Outcome]:
        demo = DemoProvider()
        return [(await demo.answer(request(fail_every=3))).outcome for _ in range(7)]

    ok, retryable = Outcome.OK, Outcome.RETRYABLE
    assert asyncio.run(outcomes()) == [ok, ok, retryable, ok, ok, retryable, ok]


def test_a_failed_call_costs_nothing_and_says_why() -> None:
    reply = answer(request(fail_every=1))
    assert (reply.outcome, reply.text, reply.usage) == (Outcome.RETRYABLE, "", Usage(0, 0))
    assert reply.raw["error"] == "call 1 fails because fail_every is 1"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"quality": 2}, "quality must lie between 0 and 1, not 2"),
        ({"quality": "high"}, "quality must be a number from 0, not 'high'"),
        ({"words": 1000}, "words must lie between 280 and 400, not 1000"),
        ({"voice": "poet"}, "voice must be one of scholar, model, not 'poet'"),
        ({"delay_seconds": -1}, "delay_seconds must be a number from 0, not -1"),
        ({"fail_every": True}, "fail_every must be a number from 0, not True"),
    ],
    ids=str,
)
def test_an_option_out_of_range_can_never_succeed(options: dict[str, Any], error: str) -> None:
    reply = answer(request(**options))
    assert reply.outcome is Outcome.FINAL_REQUEST
    assert reply.raw["error"] == error


def test_delays_of_concurrent_requests_overlap() -> None:
    async def ten() -> None:
        demo = DemoProvider()
        await asyncio.gather(*(demo.answer(request(delay_seconds=0.1, replicate=n)) for n in range(10)))

    started = time.perf_counter()
    asyncio.run(ten())
    # One after the other they would take 10 * 0.1 = 1 second.
    assert 0.1 <= time.perf_counter() - started < 0.9
