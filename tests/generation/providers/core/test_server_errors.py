"""What is kept of a server's error: its status, its code, the field it names and its words, wherever they stand."""

import json
from typing import Any

import pytest

from generation.providers.base import Outcome
from generation.providers.server_errors import fault

UNSUPPORTED = {"error": {"message": "Unsupported value", "param": "temperature", "code": "unsupported_value"}}
LEVEL = "generation_config.thinking_level"
VIOLATION = {"field": LEVEL, "description": "Invalid value"}
FORBIDDEN = {"type": "extra_forbidden", "loc": ["body", "messages", 0, "name"], "msg": "Extra inputs", "input": "x"}
# As vLLM prints what its own check found.
PRINTED = "{'type': 'extra_forbidden', 'loc': ('body', 'messages', 0, 'name'), 'msg': 'Extra', 'input': 'x'}"


def handed_on(by_the_models_server: object) -> dict[str, Any]:
    """As OpenRouter hands on what a server said that it asked."""
    metadata = {"raw": by_the_models_server, "provider_name": "x"}
    return {"error": {"message": "Provider returned error", "code": 400, "metadata": metadata}}


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (UNSUPPORTED, "HTTP 400, “temperature”: Unsupported value"),
        ({"detail": [FORBIDDEN]}, "HTTP 400, “messages.0.name”: Extra inputs"),
        (
            {"error": {"message": "Invalid", "details": [{"@type": "x"}, {"fieldViolations": [VIOLATION]}]}},
            "HTTP 400, “generation_config.thinking_level”: Invalid",
        ),
        ({"object": "error", "message": "Too large", "param": "max_tokens"}, "HTTP 400, “max_tokens”: Too large"),
        ({"error": {"message": "No", "param": None, "details": [7, {"fieldViolations": "x"}]}}, "HTTP 400: No"),
        ({"detail": [{"loc": "body", "msg": "No"}]}, "HTTP 400: No"),
        ({"type": "error", "error": {"message": "max_tokens: 9 > 8"}}, "HTTP 400, “max_tokens”: 9 > 8"),
        ({"type": "error", "error": {"message": "No: not today"}}, "HTTP 400: No: not today"),
        (
            [{"error": {"message": "Bad", "details": [{"fieldViolations": [VIOLATION]}]}}],
            f"HTTP 400, “{LEVEL}”: Bad",
        ),
        (
            {"error": {"message": f"1 validation error: {PRINTED}", "param": None}},
            f"HTTP 400, “messages.0.name”: 1 validation error: {PRINTED}",
        ),
        ({"object": "error", "message": {"detail": [FORBIDDEN]}}, "HTTP 400, “messages.0.name”: Extra inputs"),
        ({"object": "Error", "message": [FORBIDDEN]}, "HTTP 400, “messages.0.name”: Extra inputs"),
        (handed_on(json.dumps(UNSUPPORTED)), "HTTP 400, “temperature”: Provider returned error: Unsupported value"),
        (handed_on(UNSUPPORTED), "HTTP 400, “temperature”: Provider returned error: Unsupported value"),
        (
            handed_on('{"type": "error", "error": {"message": "max_tokens: 9 > 8"}}'),
            "HTTP 400, “max_tokens”: Provider returned error: 9 > 8",
        ),
        (handed_on("Too busy."), "HTTP 400: Provider returned error: Too busy."),
        (handed_on('"Too busy."'), 'HTTP 400: Provider returned error: "Too busy."'),
        (handed_on(None), "HTTP 400: Provider returned error"),
    ],
    ids=(
        "named, by its place, a violation, beside the words, none, no place, before the words,"
        " words before a colon, within a list, printed, by its place in the words, by its place in a list,"
        " handed on as text, handed on, handed on with the field before the words, handed on in words,"
        " handed on in quotes, nothing handed on"
    ).split(", "),
)
def test_an_error_tells_the_field_it_is_about(body: Any, detail: str) -> None:
    assert fault(Outcome.FINAL_REQUEST, 400, "", body).detail == detail
