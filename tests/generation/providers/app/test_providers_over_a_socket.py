"""Every documented answer of every wire format, sent by a real server and read by the real providers."""

import asyncio
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from generation.providers import provider
from generation.providers.base import Outcome, Reply, Request
from generation.providers.core.prices import Usage
from generation.providers.http import a_client
from tests.fake_providers import anthropic_messages, chat_completions, google_generate, openai_responses
from tests.fake_providers.cases import CACHED_TOKENS, INPUT_TOKENS, REASONING_TOKENS, tokens_of
from tests.fake_providers.script import Behaviour
from tests.fake_providers.server import FakeProviders
from tests.fake_providers.site import KEY, VARIABLE, site_of, site_with_fakes
from tests.fake_providers.sockets import Break

FORMATS = {
    "fake-openai": openai_responses.FORMAT,
    "fake-anthropic": anthropic_messages.FORMAT,
    "fake-google": google_generate.FORMAT,
    "fake-chat": chat_completions.FORMAT,
}
CASES = [(name, case) for name, wire in FORMATS.items() for case in wire.cases]
# For each provider a case in which it asks to wait in its own way already.
RATE_LIMIT = Behaviour("rate limit")
QUESTION = Request(model="fake-1", prompt="What is justice?", effort="high", max_output_tokens=2000)


@pytest.fixture(scope="module")
def fake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeProviders]:
    with site_with_fakes(tmp_path_factory.mktemp("providers")) as fake:
        yield fake


def ask(name: str, request: Request = QUESTION) -> Reply:
    async def exchange() -> Reply:
        async with a_client() as client:
            return await provider(name).answer(request, client=client)

    return asyncio.run(exchange())


@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_documented_answer_is_read_as_what_it_stands_for(fake: FakeProviders, name: str, case: str) -> None:
    fake.script.then(Behaviour(case))

    reply = ask(name)

    assert reply.outcome is FORMATS[name].cases[case].outcome, reply.detail
    assert bool(reply.text.strip()) >= (reply.outcome is Outcome.OK)
    assert bool(reply.detail) == (reply.outcome is not Outcome.OK)
    assert "SECRET" not in reply.text, "reasoning is no part of an answer"
    assert KEY not in repr(reply)


@pytest.mark.parametrize("name", FORMATS)
def test_usage_model_and_reference_are_kept(fake: FakeProviders, name: str) -> None:
    reply = ask(name)

    written = 10 if name == "fake-anthropic" else 0
    shown = tokens_of(reply.text)
    assert reply.usage == Usage(
        input_tokens=INPUT_TOKENS,
        output_tokens=shown + REASONING_TOKENS,
        cached_tokens=CACHED_TOKENS,
        cache_write_tokens=written,
        reasoning_tokens=REASONING_TOKENS,
    )
    assert reply.model == "fake-1-2026"
    assert reply.request_id
    assert reply.status == 200
    assert not reply.cost_unknown


def test_a_charge_that_is_stated_is_kept(fake: FakeProviders) -> None:
    fake.script.then(Behaviour("charged"))
    assert ask("fake-chat").charged == Decimal("0.00125")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
        (
            {"date": "Sat, 21 Nov 2026 12:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 12:01:30 GMT"},
            90,
        ),
        ({"date": "Sat, 21 Nov 2026 12:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 11:59:00 GMT"}, 0),
    ],
)
def test_every_form_of_asking_to_wait_is_understood(
    fake: FakeProviders, name: str, headers: dict[str, str], seconds: float
) -> None:
    fake.script.then(Behaviour("rate limit", headers=headers))

    reply = ask(name)

    assert reply.outcome is Outcome.RETRYABLE
    assert reply.retry_after == seconds


def test_google_asks_to_wait_in_the_body(fake: FakeProviders) -> None:
    fake.script.then(RATE_LIMIT)
    assert ask("fake-google").retry_after == 55


def test_a_wait_that_cannot_be_read_is_none(fake: FakeProviders) -> None:
    fake.script.then(Behaviour("rate limit", headers={"retry-after": "soon"}))
    assert ask("fake-openai").retry_after is None


@pytest.mark.parametrize("name", FORMATS)
def test_what_left_and_never_came_back_may_have_cost_something(fake: FakeProviders, name: str) -> None:
    for case in ("hangs up", "breaks off"):
        fake.script.then(Behaviour(case))
        reply = ask(name)
        assert reply.outcome is Outcome.RETRYABLE
        assert reply.status is None
        assert reply.cost_unknown


@pytest.mark.parametrize("name", FORMATS)
def test_an_answer_that_never_comes_is_waited_for_no_longer_than_allowed(
    fake: FakeProviders, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generation.providers.http.SECONDS", 0.1)
    fake.script.then(Behaviour(breaks=Break.NEVER_REPLIES))

    reply = ask(name)

    assert reply.outcome is Outcome.RETRYABLE
    assert reply.cost_unknown


@pytest.mark.parametrize("name", FORMATS)
def test_where_nobody_listens_nothing_can_have_cost_anything(name: str, tmp_path: Path) -> None:
    with site_of("http://127.0.0.1:1", tmp_path):
        reply = ask(name)
    assert reply.outcome is Outcome.UNREACHABLE
    assert not reply.cost_unknown


@pytest.mark.parametrize("name", FORMATS)
def test_without_a_key_nothing_leaves(fake: FakeProviders, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)
    before = len(fake.log.requests)

    reply = ask(name)

    assert reply.outcome is Outcome.FINAL_ACCOUNT
    assert VARIABLE in reply.detail
    assert len(fake.log.requests) == before


@pytest.mark.parametrize("name", FORMATS)
def test_a_key_that_the_provider_repeats_is_hidden(fake: FakeProviders, name: str) -> None:
    fake.script.then(Behaviour("bad key"))

    reply = ask(name)

    assert reply.outcome is Outcome.FINAL_ACCOUNT
    assert "[key]" in reply.raw
    assert KEY not in repr(reply)


@pytest.mark.parametrize("name", FORMATS)
def test_a_schema_is_answered_with_what_fits_it(fake: FakeProviders, name: str) -> None:
    score: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 10}
    schema = {
        "type": "object",
        "properties": {"score": score, "why": {"type": "string"}},
        "required": ["score", "why"],
        "additionalProperties": False,
    }
    reply = ask(name, Request("fake-1", "Score it.", "high", 500, schema=schema))
    assert reply.outcome is Outcome.OK
    assert reply.text == '{"score": 1, "why": "Because it says what it means."}'


def test_a_temperature_is_only_sent_to_who_takes_one(fake: FakeProviders) -> None:
    """The fakes refuse one where the providers would: beside reasoning, and in the newer of two versions."""
    for name in FORMATS:
        request = Request("fake-1", "Write badly.", "high", 500, temperature=1.4)
        assert ask(name, request).outcome is Outcome.OK
