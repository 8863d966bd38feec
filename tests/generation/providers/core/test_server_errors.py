"""What is kept of a server's error: its status, its code, the field it names and its words, wherever they stand."""

from typing import Any

import pytest

from generation.providers.base import Outcome
from generation.providers.server_errors import fault

UNSUPPORTED = {"error": {"message": "Unsupported value", "param": "temperature", "code": "unsupported_value"}}
VIOLATION = {"field": "generation_config.thinking_level", "description": "Invalid value"}
FORBIDDEN = {"type": "extra_forbidden", "loc": ["body", "messages", 0, "name"], "msg": "Extra inputs", "input": "x"}


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
    ],
    ids=["named", "by its place", "a violation", "beside the words", "none", "no place"],
)
def test_an_error_tells_the_field_it_is_about(body: Any, detail: str) -> None:
    assert fault(Outcome.FINAL_REQUEST, 400, "", body).detail == detail
