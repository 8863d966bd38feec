"""The tests' servers answer as the providers do: the official clients' types accept every reply."""

import json
import warnings
from typing import Any

import pytest

from generation.providers.base import Outcome
from tests.fake_providers import anthropic_messages, cases, chat_completions, google_generate, openai_responses
from tests.fake_providers.anthropic_batches import AnthropicBatches
from tests.fake_providers.cases import Format
from tests.fake_providers.openai_batches import OpenAIBatches
from tests.fake_providers.sockets import HttpReply, HttpRequest
from tests.generation.providers.core.official import official

OPENAI = {"model": "fake-1", "input": "What is justice?"}
ANTHROPIC = {"model": "fake-1", "messages": [{"role": "user", "content": "What is justice?"}], "max_tokens": 100}
GOOGLE = {"contents": [{"role": "user", "parts": [{"text": "What is justice?"}]}]}
# Providers may add to these lists at any time, and the fakes do.
UNHEARD_OF = {"unknown stop", "unknown status", "unknown finish", "abort", "model_length", "CONTINENTAL"}
# What the API sends and the official types leave out.
UNTYPED = {"too large", "conflict"}


def request(body: dict[str, Any], path: str = "/v1/models/fake-1:generateContent") -> HttpRequest:
    return HttpRequest("POST", path, {"host": "fake", "authorization": "k"}, json.dumps(body).encode())


def answers(wire: Format) -> list[str]:
    """Cases that are answers of the provider's own."""
    bare = request({**OPENAI, **ANTHROPIC, **GOOGLE})
    own = (name for name in wire.cases if name not in cases.IN_THE_WAY and name not in UNHEARD_OF)
    return [name for name in own if name != "error within success" and wire.cases[name].reply(bare).status == 200]


def wired(reply: HttpReply) -> Any:
    """The body as it arrives."""
    return json.loads(reply.content())


@pytest.mark.parametrize("case", answers(openai_responses.FORMAT))
def test_a_response_is_one_of_openais(case: str) -> None:
    official("openai.types.responses", "Response").model_validate(
        wired(openai_responses.CASES[case].reply(request(OPENAI)))
    )


@pytest.mark.parametrize("case", answers(anthropic_messages.FORMAT))
def test_a_message_is_one_of_anthropics(case: str) -> None:
    official("anthropic.types", "Message").model_validate(
        wired(anthropic_messages.CASES[case].reply(request(ANTHROPIC)))
    )


@pytest.mark.parametrize("case", answers(google_generate.FORMAT))
def test_a_generation_is_one_of_googles(case: str) -> None:
    """Of a value it does not know the official type warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        official("google.genai.types", "GenerateContentResponse").model_validate(
            wired(google_generate.CASES[case].reply(request(GOOGLE)))
        )


@pytest.mark.parametrize("case", answers(chat_completions.FORMAT))
def test_a_completion_is_one_of_openais(case: str) -> None:
    body = wired(chat_completions.CASES[case].reply(request(ANTHROPIC)))
    if case == "content in parts":  # Mistral's own
        body["choices"][0]["message"]["content"] = ""
    official("openai.types.chat", "ChatCompletion").model_validate(body)


@pytest.mark.parametrize(
    "case",
    [
        name
        for name, case in anthropic_messages.CASES.items()
        if name not in UNTYPED.union(cases.IN_THE_WAY)
        and case.outcome in {Outcome.FINAL_ACCOUNT, Outcome.FINAL_REQUEST}
    ],
)
def test_an_error_is_one_of_anthropics(case: str) -> None:
    official("anthropic.types.shared", "ErrorResponse").model_validate(
        wired(anthropic_messages.CASES[case].reply(request(ANTHROPIC)))
    )


def test_batches_of_the_tests_server_are_openais() -> None:
    shelf = OpenAIBatches()
    line = {"custom_id": "a", "method": "POST", "url": "/v1/responses", "body": OPENAI}
    form = (
        b'--x\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
        b'--x\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n'
        + json.dumps(line).encode()
        + b"\r\n--x--\r\n"
    )
    headers = {"authorization": "k", "content-type": "multipart/form-data; boundary=x"}
    file = official("openai.types", "FileObject").model_validate(
        wired(shelf.answer(HttpRequest("POST", "/v1/files", headers, form)))
    )
    wanted = {"input_file_id": file.id, "endpoint": "/v1/responses", "completion_window": "24h"}
    made = official("openai.types", "Batch").model_validate(wired(shelf.answer(request(wanted, "/v1/batches"))))
    ended = official("openai.types", "Batch").model_validate(
        wired(shelf.answer(HttpRequest("GET", f"/v1/batches/{made.id}", headers)))
    )
    assert (made.status, ended.status) == ("in_progress", "completed")


def test_batches_of_the_tests_server_are_anthropics() -> None:
    shelf = AnthropicBatches()
    shelf.items.extend(["answer", "overloaded"])
    shelf.left_out = 1
    requests = [{"custom_id": key, "params": ANTHROPIC} for key in "abc"]
    path = "/v1/messages/batches"
    made = official("anthropic.types.messages", "MessageBatch").model_validate(
        wired(shelf.answer(request({"requests": requests}, path)))
    )
    headers = {"host": "fake"}
    ended = official("anthropic.types.messages", "MessageBatch").model_validate(
        wired(shelf.answer(HttpRequest("GET", f"{path}/{made.id}", headers)))
    )
    assert ended.processing_status == "ended"
    results = str(shelf.answer(HttpRequest("GET", f"{path}/{made.id}/results", headers)).body).splitlines()
    kinds = {
        found.custom_id: found.result.type
        for found in map(
            official("anthropic.types.messages", "MessageBatchIndividualResponse").model_validate_json, results
        )
    }
    assert kinds == {"a": "succeeded", "b": "errored", "c": "expired"}
