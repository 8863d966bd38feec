"""Whatever a network or a server does is an outcome; a key is shown nowhere."""

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import astuple
from traceback import walk_tb
from typing import Any

import httpx
import pytest

from generation.providers import WIRES, http
from generation.providers.base import NO_USAGE, Outcome, Reply
from tests.generation.providers.core.asking import KEY, http_provider, request

CHAT = http_provider("chat_completions")
GOOD = {"choices": [{"finish_reason": "stop", "message": {"content": "Yes."}}], "usage": {"prompt_tokens": 9}}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", KEY)


def answer(server: Callable[[httpx.Request], httpx.Response]) -> Reply:
    async def ask() -> Reply:
        return await CHAT.answer(request(), client=httpx.MockTransport(server))

    return asyncio.run(ask())


def says(status: int = 200, body: Any = GOOD, **headers: str) -> Callable[[httpx.Request], httpx.Response]:
    content = body if isinstance(body, str | bytes) else json.dumps(body)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: httpx.Response(status, content=content, headers=named)


def raises(fault: Exception) -> Callable[[httpx.Request], httpx.Response]:
    def server(_: httpx.Request) -> httpx.Response:
        raise fault

    return server


def test_the_body_goes_to_the_address_with_the_key() -> None:
    seen: list[httpx.Request] = []

    def server(sent: httpx.Request) -> httpx.Response:
        seen.append(sent)
        return httpx.Response(200, json=GOOD)

    reply = answer(server)
    assert (reply.outcome, reply.text, reply.status) == (Outcome.OK, "Yes.", 200)
    assert str(seen[0].url) == "http://127.0.0.1:9/v1/chat/completions"
    assert seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert json.loads(seen[0].content) == CHAT.body(request())
    # Ten minutes for a model that thinks, five seconds to reach it.
    assert seen[0].extensions["timeout"] == {"connect": 5, "read": 600, "write": 600, "pool": 600}


@pytest.mark.parametrize(
    ("fault", "may_have_cost", "words"),
    [
        (httpx.ConnectTimeout(""), False, "The provider could not be reached within 5 seconds."),
        (httpx.ConnectError(""), False, "The provider could not be reached."),
        (httpx.ReadTimeout(""), True, "No complete answer came within 600 seconds."),
        (httpx.ReadError(""), True, "The connection broke before the answer was complete."),
        (httpx.RemoteProtocolError(""), True, "The connection broke before the answer was complete."),
        (httpx.DecodingError(""), True, "The connection broke before the answer was complete."),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_network_that_fails_may_be_tried_again_and_tells_whether_it_may_have_cost(
    fault: Exception, may_have_cost: bool, words: str
) -> None:
    reply = answer(raises(fault))
    outcome = Outcome.RETRYABLE if may_have_cost else Outcome.UNREACHABLE
    assert (reply.outcome, reply.cost_unknown, reply.detail) == (outcome, may_have_cost, words)
    assert reply.status is None


def test_a_server_that_never_ends_is_left_after_the_time_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "SECONDS", 0.05)

    async def ask() -> Reply:
        async def server(_: httpx.Request) -> httpx.Response:
            await asyncio.sleep(30)
            raise AssertionError

        return await CHAT.answer(request(), client=httpx.MockTransport(server))

    reply = asyncio.run(ask())
    assert (reply.outcome, reply.cost_unknown) == (Outcome.RETRYABLE, True)


@pytest.mark.parametrize(
    ("status", "outcome", "detail"),
    [
        (200, "retryable", "The reply: not JSON."),
        (302, "final_request", "HTTP 302: the address has moved to https://elsewhere.example/."),
        (304, "final_request", "HTTP 304: not JSON."),
        (403, "final_account", "HTTP 403: not JSON."),
        (404, "final_request", "HTTP 404: not JSON."),
        (502, "retryable", "HTTP 502: not JSON."),
    ],
)
@pytest.mark.parametrize("body", ["<html>nginx</html>", '{"choices": [{"finish', "", "[" * 100_000], ids=len)
def test_a_page_a_part_or_nothing_instead_of_json_is_judged_by_the_status(
    status: int, outcome: str, detail: str, body: str
) -> None:
    reply = answer(says(status, body, location="https://elsewhere.example/"))
    assert (reply.outcome, reply.detail, reply.raw) == (outcome, detail, body)


@pytest.mark.parametrize("wire", sorted(WIRES))
@pytest.mark.parametrize("body", [[], {}, 3, "a", None, {"choices": 7}, {"error": 5}, {"output": [None]}], ids=str)
@pytest.mark.parametrize("status", [200, 400, 500, None])
def test_json_of_any_other_shape_is_an_outcome_in_every_format(wire: str, body: Any, status: int | None) -> None:
    reply = http_provider(wire).read(status, {}, json.dumps(body))
    assert reply.outcome is not Outcome.OK
    assert reply.detail


def test_a_success_without_usage_may_have_cost_anything_an_error_costs_nothing() -> None:
    assert not answer(says()).cost_unknown
    assert answer(says(body={"choices": GOOD["choices"]})).cost_unknown
    assert answer(says(body="cut o")).cost_unknown
    assert not answer(says(500, {})).cost_unknown


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "20"}, 20),
        ({"retry_after_ms": "1500", "retry_after": "20"}, 1.5),
        ({"retry_after": "Sat, 21 Nov 2026 12:01:00 GMT", "date": "Sat, 21 Nov 2026 12:00:00 GMT"}, 60),
        ({}, None),
    ],
    ids=str,
)
def test_the_wait_a_server_asks_for_is_passed_on(headers: dict[str, str], seconds: float | None) -> None:
    assert answer(says(429, {}, **headers)).retry_after == seconds


@pytest.mark.parametrize(
    ("status", "told", "outcome"),
    [
        (400, "true", "retryable"),
        (401, "true", "final_account"),
        (500, "false", "final_request"),
        (429, "false", "final_account"),
        (200, "false", "ok"),
    ],
)
def test_a_server_may_say_itself_whether_to_try_again(status: int, told: str, outcome: str) -> None:
    assert answer(says(status, GOOD if status == 200 else {}, x_should_retry=told)).outcome == outcome


def test_the_reference_in_the_headers_comes_before_the_one_in_the_body() -> None:
    assert answer(says(body={**GOOD, "id": "b"}, x_request_id="h")).request_id == "h"
    assert answer(says(body={**GOOD, "id": "b"})).request_id == "b"


def test_without_a_key_nothing_leaves_and_the_run_learns_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_KEY")
    reply = answer(raises(AssertionError("something left")))
    assert (reply.outcome, reply.detail, reply.cost_unknown) == (
        Outcome.FINAL_ACCOUNT,
        "No key is set for Test: TEST_KEY and TEST_KEY_FILE are empty.",
        False,
    )


@pytest.mark.parametrize("status", [200, 401])
def test_a_key_that_a_server_repeats_is_kept_nowhere(status: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    message = {"content": f"Your key is {KEY}."}
    body = {
        "id": KEY,
        "model": KEY,
        "choices": [{"finish_reason": "stop", "message": message}],
        "error": {"message": f"Incorrect API key provided: {KEY}", "code": KEY} if status == 401 else None,
    }
    reply = answer(says(status, body, x_request_id=KEY))
    assert KEY not in repr(reply)
    assert "[key]" in reply.raw
    assert KEY not in caplog.text
    assert KEY not in repr((CHAT, CHAT.endpoint, vars(CHAT)))


def test_a_report_of_a_fault_that_shows_variables_shows_no_key() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        answer(raises(ZeroDivisionError()))
    frames = [frame for frame, _ in walk_tb(caught.tb) if "/generation/" in frame.f_code.co_filename]
    assert frames
    assert KEY not in repr([frame.f_locals for frame in frames])


def test_what_a_database_cannot_keep_is_replaced() -> None:
    content = "A nul \\u0000, half a pair \\ud83d, a whole one \\ud83d\\ude00."
    body = '{"choices": [{"finish_reason": "stop", "message": {"content": "' + content + '"}}]}\0'
    reply = CHAT.read(200, {}, body[:-1])
    assert reply.text == "A nul \ufffd, half a pair \ufffd, a whole one \U0001f600."
    assert CHAT.read(502, {}, body).raw.endswith("\ufffd")


def test_long_words_of_a_server_are_shortened_to_what_fits() -> None:
    reply = answer(says(500, {"error": {"message": "w" * 900}}, x_request_id="i" * 900))
    assert (len(reply.detail), reply.detail[-1], len(reply.request_id)) == (500, "…", 200)


def test_tokens_beyond_any_sense_still_fit_the_database() -> None:
    reply = answer(says(body={**GOOD, "usage": {"prompt_tokens": 10**30, "completion_tokens": -5}}))
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (2**31 - 1, 0)


@pytest.mark.parametrize("wire", ["anthropic_messages", "google_generate"])
def test_tokens_that_are_added_up_fit_the_database_too(wire: str) -> None:
    name, usage = STATED[wire]
    reply = http_provider(wire).read(200, {}, json.dumps({name: dict.fromkeys(usage, 2**31 - 1)}))
    assert 2**31 - 1 in (reply.usage.input_tokens, reply.usage.output_tokens)
    assert max(astuple(reply.usage)) == 2**31 - 1


def test_tokens_are_whole_numbers_however_a_server_writes_them() -> None:
    stated = '{"choices": [], "usage": {"prompt_tokens": 12.0, "completion_tokens": true}}'
    assert astuple(CHAT.read(200, {}, stated).usage)[:2] == (12, 0)
    assert CHAT.read(200, {}, stated.replace("12.0", "Infinity")).usage == NO_USAGE


STATED = {
    "chat_completions": ("usage", {"prompt_tokens": 9, "completion_tokens": 5}),
    "openai_responses": ("usage", {"input_tokens": 9, "output_tokens": 5}),
    "anthropic_messages": ("usage", {"input_tokens": 4, "cache_read_input_tokens": 5, "output_tokens": 5}),
    "google_generate": (
        "usageMetadata",
        {"promptTokenCount": 9, "candidatesTokenCount": 3, "thoughtsTokenCount": 2},
    ),
}


@pytest.mark.parametrize("wire", STATED)
@pytest.mark.parametrize(
    "broken",
    [
        '{{{usage}, "text": "It says \\"usage\\": {{}} and breaks',
        '{{"id": "r-1", {usage}}} and something behind it',
        "data: {{{usage}}}",
    ],
    ids=["broke off", "goes on", "in a stream"],
)
def test_a_reply_that_is_no_json_keeps_the_usage_that_it_states(wire: str, broken: str) -> None:
    name, usage = STATED[wire]
    reply = http_provider(wire).read(200, {}, broken.format(usage=f'"{name}": {json.dumps(usage)}'))
    assert (reply.outcome, reply.cost_unknown) == (Outcome.RETRYABLE, False)
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (9, 5)


def test_a_usage_that_broke_off_itself_is_none() -> None:
    reply = CHAT.read(200, {}, '{"choices": [], "usage": {"prompt_tokens": 9, "compl')
    assert (reply.usage, reply.cost_unknown) == (NO_USAGE, True)


@pytest.mark.parametrize("wire", STATED)
def test_a_success_of_an_unknown_shape_keeps_the_usage_that_it_states(wire: str) -> None:
    name, usage = STATED[wire]
    assert http_provider(wire).read(200, {}, json.dumps({name: usage, "neu": 1})).usage.input_tokens == 9
