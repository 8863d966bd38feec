"""The demonstration provider keeps the contract of a real one: outcomes, usage, caps and a raw reply."""

import asyncio
import json
import time
from typing import Any

import pytest

from annotation.texts.core.leaks.scan import scan
from generation.catalogue.core.prompt_templates import SHIPPED
from generation.demo.providers import DemoProvider, words_asked_for
from generation.prompts.core.prompt_replies import BadBundle, read_bundle
from generation.prompts.core.prompt_requests import request_for_prompts
from generation.prompts.core.vote_replies import read_comparison, read_quality
from generation.prompts.core.vote_requests import PAIR_SCHEMA, QUALITY_SCHEMA, pair_request, quality_request
from generation.providers.base import NO_USAGE, Outcome, Reply, Request
from generation.providers.core.catalogue import Endpoint
from generation.providers.http import a_client
from generation.sources.core.shapes import SHAPES
from tests.generation.providers.core.asking import PROMPT, SCORE
from tests.generation.providers.core.asking import request as asked

ENDPOINT = Endpoint("demo", "Demonstration", "demo")


def request(cap: int = 4000, *, options: dict[str, Any] | None = None, **changes: Any) -> Request:
    return asked(max_output_tokens=cap, options=options or {}, **changes)


def replies(*requests: Request) -> list[Reply]:
    """Of one provider, all asked at once."""

    async def ask() -> list[Reply]:
        demo = DemoProvider(ENDPOINT)
        async with a_client() as client:
            return await asyncio.gather(*(demo.answer(each, client=client) for each in requests))

    return asyncio.run(ask())


def answer(wanted: Request) -> Reply:
    return replies(wanted)[0]


def richness(text: str) -> float:
    """The share of different words."""
    words = text.lower().split()
    return len(set(words)) / len(words)


def test_the_same_request_gets_the_same_reply_from_any_instance() -> None:
    assert answer(request()) == answer(request())


@pytest.mark.parametrize(
    "other",
    [
        request(model="another"),
        request(prompt=PROMPT + " Why?"),
        request(effort="high"),
        request(replicate=2),
        request(options={"quality": 0.1}),
    ],
    ids=["model", "prompt", "effort", "replicate", "quality"],
)
def test_model_prompt_effort_replicate_and_quality_change_the_text(other: Request) -> None:
    assert answer(other).text != answer(request()).text


def test_the_reply_is_labelled_as_synthetic_and_reads_the_same_from_its_raw_body() -> None:
    reply = answer(request(options={"markdown": True}))
    raw = json.loads(reply.raw)
    assert reply.outcome is Outcome.OK
    assert (raw["synthetic"], raw["text"], raw["id"]) == (True, reply.text, reply.request_id)
    assert reply.text.startswith("## ")
    assert DemoProvider(ENDPOINT).read(200, {}, reply.raw) == reply


def test_the_body_of_a_request_can_be_stored_as_json() -> None:
    body = DemoProvider(ENDPOINT).body(request(schema=SCORE, temperature=1.5))
    assert json.loads(json.dumps(body)) == body
    assert (body["prompt"], body["temperature"]) == (PROMPT, 1.5)


def test_a_high_temperature_makes_a_text_poor() -> None:
    cool, hot = answer(request(temperature=1.0)), answer(request(temperature=1.5))
    assert cool.text == answer(request()).text
    assert richness(hot.text) < richness(cool.text) - 0.1


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
    outcomes = [reply.outcome for reply in replies(*[request(options={"fail_every": 3})] * 7)]
    ok, retryable = Outcome.OK, Outcome.RETRYABLE
    assert outcomes == [ok, ok, retryable, ok, ok, retryable, ok]


def test_a_failed_call_costs_nothing_and_says_why() -> None:
    reply = answer(request(options={"fail_every": 1}))
    assert (reply.outcome, reply.text, reply.usage, reply.status) == (Outcome.RETRYABLE, "", NO_USAGE, 503)
    assert reply.detail == "Call 1 fails because fail_every is 1."


def test_a_share_of_requests_is_declined_however_often_it_comes() -> None:
    requests = [request(prompt=f"Question {number}?", options={"refuses": 0.25}) for number in range(80)]
    first, again = ([reply.outcome for reply in replies(*requests)] for _ in range(2))
    assert first == again
    assert set(first) == {Outcome.OK, Outcome.REFUSED}
    assert 10 <= first.count(Outcome.REFUSED) <= 30  # 20 expected, a standard deviation of 4


def test_a_share_of_texts_gives_itself_away() -> None:
    requests = [request(prompt=f"Question {number}?", options={"slips": 0.25}) for number in range(80)]
    given_away = [bool(scan(reply.text)) for reply in replies(*requests)]
    assert 10 <= sum(given_away) <= 30


def test_a_request_with_a_schema_is_answered_with_json_that_fits() -> None:
    score = json.loads(answer(request(schema=SCORE)).text)["score"]
    assert 1 <= score <= 10


def test_a_request_for_prompts_is_answered_in_the_form_it_asks_for() -> None:
    wanted = bundle_request()
    bundle = read_bundle(answer(wanted).text, number=5)
    assert len({prompt.text for prompt in bundle.prompts}) == 5
    assert answer(bundle_request(options={"variety": 0})).text != answer(wanted).text


def test_a_share_of_requests_for_prompts_is_spoilt_when_it_first_comes_and_made_good_when_it_comes_again() -> None:
    requests = [bundle_request(number, options={"spoils": 0.5}) for number in range(40)]
    texts = [reply.text for reply in replies(*requests, *requests)]
    first, again = texts[:40], texts[40:]
    # 20 expected, a standard deviation of 3
    assert 10 <= sum(map(is_spoilt, first)) <= 30
    assert not any(map(is_spoilt, again))


def test_a_share_of_requests_for_prompts_is_declined_and_no_other() -> None:
    requests = [bundle_request(number, options={"declines": 0.5}) for number in range(40)]
    assert 10 <= sum(reply.outcome is Outcome.REFUSED for reply in replies(*requests)) <= 30
    assert answer(request(options={"declines": 1})).outcome is Outcome.OK


def test_prompts_are_judged_and_compared_by_what_they_say() -> None:
    texts = [prompt.text for prompt in read_bundle(answer(bundle_request()).text, number=5).prompts]
    judged = request(prompt=quality_request(SHIPPED["quality_vote"], texts[0]), schema=QUALITY_SCHEMA)
    assert read_quality(answer(judged).text).passes
    for other, alike in ((texts[0], True), (texts[1], False)):
        compared = request(prompt=pair_request(SHIPPED["pair_vote"], texts[0], other), schema=PAIR_SCHEMA)
        assert read_comparison(answer(compared).text).is_equivalent is alike


def bundle_request(number: int = 1, **changes: Any) -> Request:
    payload = {"question": f"Does a promise to {number} people bind all of them?", "subject": "Ethics"}
    text = request_for_prompts(SHIPPED["prompts_question"], SHAPES["question"], payload, number=5)
    return request(prompt=text, **changes)


def is_spoilt(text: str) -> bool:
    try:
        read_bundle(text, number=5)
    except BadBundle:
        return True
    return False


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"quality": 2}, "quality should be less than or equal to 1"),
        ({"quality": "high"}, "quality should be a valid number"),
        ({"words": 2000}, "words should be less than or equal to 1000"),
        ({"voice": "poet"}, "voice should be 'scholar' or 'model'"),
        ({"delay_seconds": -1}, "delay_seconds should be greater than or equal to 0"),
        ({"verbosity": "low"}, "verbosity is not known here"),
    ],
    ids=str,
)
def test_options_out_of_range_are_refused_in_words(options: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        DemoProvider(ENDPOINT).check(options)


def test_delays_of_concurrent_requests_overlap() -> None:
    waiting = [request(options={"delay_seconds": 0.1}, replicate=number) for number in range(10)]
    started = time.perf_counter()
    replies(*waiting)
    # One after the other they would take 10 * 0.1 = 1 second.
    assert 0.1 <= time.perf_counter() - started < 0.9


@pytest.mark.parametrize(
    ("asked", "words"), [("about 300 words", 300), ("about 1,000 words", 1_000), ("about 50 words", 280), ("", 380)]
)
def test_an_essay_has_the_length_that_is_asked_for(asked: str, words: int) -> None:
    assert words_asked_for(f"Why do towns differ?\n\nAim for {asked}.") == words
    length = len(answer(request(prompt=f"Why do towns differ?\n\nAim for {asked}.")).text.split())
    assert abs(length - words) <= 20
