"""What is told of a reply before a study is unblinded."""

import json
from typing import Any

import pytest

from generation.calls.core.masking import ending, unquoted

PROMPT = "A town may remove a statue that part of its people want to keep. Who should decide, and how?"
REQUEST = json.dumps({"model": "m", "input": f"Answer the question.\n\n{PROMPT}", "temperature": 1.8})


def told(reply: Any, request: str = REQUEST) -> Any:
    said = ending(json.dumps(reply), request=request)
    return json.loads(said) if said else None


@pytest.mark.parametrize(
    ("reply", "ends"),
    [
        (
            {
                "id": "resp_1",
                "status": "incomplete",
                "incomplete_details": {"reason": "max_output_tokens"},
                "error": None,
                "temperature": 1.8,
                "reasoning": {"effort": "none"},
                "output": [{"type": "message", "status": "incomplete", "content": [{"text": "The town"}]}],
                "usage": {"input_tokens": 61, "output_tokens": 4000},
            },
            {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
        ),
        (
            {
                "content": [{"type": "text", "text": "I will not."}],
                "stop_reason": "refusal",
                "stop_details": {"type": "refusal", "category": "bio", "explanation": "It asks about a statue."},
                "usage": {"input_tokens": 61},
            },
            {"stop_reason": "refusal", "stop_details": {"category": "bio"}},
        ),
        (
            {
                "candidates": [{"content": {"parts": [{"text": "The town"}]}, "finishReason": "SAFETY"}],
                "usageMetadata": {"promptTokenCount": 61},
            },
            {"candidates": [{"finishReason": "SAFETY"}]},
        ),
        ({"promptFeedback": {"blockReason": "OTHER"}}, {"promptFeedback": {"blockReason": "OTHER"}}),
        (
            {"choices": [{"message": {"content": '{"score": 7}'}, "finish_reason": "length"}]},
            {"choices": [{"finish_reason": "length"}]},
        ),
    ],
)
def test_a_reply_tells_how_it_ended_and_nothing_else(reply: Any, ends: Any) -> None:
    assert told(reply) == ends


def test_an_answer_tells_the_same_with_and_without_reasoning() -> None:
    message = {"type": "message", "status": "completed", "content": [{"type": "output_text", "text": "Well."}]}
    plain = {"status": "completed", "output": [message]}
    assert told(plain) == told({"status": "completed", "output": [{"type": "reasoning"}, message]})


def test_an_error_is_told_in_the_provider_s_words() -> None:
    error = {"message": "Unsupported value.", "type": "invalid_request_error", "param": None, "code": "bad"}
    assert told({"error": error}) == {"error": error}


def test_an_error_is_told_without_what_it_quotes_of_the_request() -> None:
    said = "Flagged: “part of its people want to keep. Who should decide” is not allowed."
    assert told({"error": {"message": said}}) == {"error": {"message": "Flagged: “…” is not allowed."}}


def test_an_error_is_told_without_what_the_model_wrote() -> None:
    """As where a reply is not the JSON that was asked for: what there is of it would be a score."""
    said = {"message": "Failed to generate JSON.", "type": "invalid_request_error", "code": "json_validate_failed"}
    for written in ('{"score": 9', {"score": 9}, ["The town should decide."]):
        error = {**said, "failed_generation": written, "metadata": {"raw": written}, "param": {"of": written}}
        assert told({"error": error}) == {"error": said}


def test_an_error_s_details_are_told_by_their_reasons_alone() -> None:
    details = [
        {"@type": "ErrorInfo", "reason": "API_KEY_INVALID", "metadata": {"said": "The town should decide."}},
        {"@type": "DebugInfo", "detail": "The town should decide."},
        "The town should decide.",
    ]
    error = {"status": "INVALID_ARGUMENT", "details": details}
    expected = {"status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID"}]}
    assert told({"error": error}) == {"error": expected}
    assert told({"error": {"details": "The town should decide."}}) is None


def test_nothing_but_a_name_is_told_of_an_ending() -> None:
    assert told({"status": {"text": "The town should decide."}, "stop_reason": ["The town"]}) is None


@pytest.mark.parametrize("reply", ["", "<html>The town should decide</html>", '{"output": [{"text": "The to'])
def test_nothing_is_told_of_a_body_that_is_not_json(reply: str) -> None:
    assert ending(reply, request=REQUEST) == ""


@pytest.mark.parametrize(
    ("sentence", "without"),
    [
        ("Overloaded. Try again.", "Overloaded. Try again."),
        ("A TOWN may remove: a statue", "…"),
        ("a town may remove", "a town may remove"),
        ("Text: who should decide, and how? Also: answer the question a town may.", "Text: …? Also: …."),
    ],
)
def test_a_sentence_loses_five_words_or_more_of_the_request(sentence: str, without: str) -> None:
    assert unquoted(sentence, request=REQUEST) == without


def test_a_request_that_is_not_json_is_quoted_by_nobody() -> None:
    assert unquoted("A town may remove a statue", request="") == "A town may remove a statue"
