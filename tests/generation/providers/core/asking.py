"""Requests and providers for tests of wire formats."""

from typing import Any

from generation.providers import WIRES
from generation.providers.base import Reply, Request
from generation.providers.core.catalogue import Endpoint
from generation.providers.http import HttpProvider

PROMPT = "How does legitimacy differ from compliance?"
SCORE = {
    "type": "object",
    "properties": {"score": {"type": "integer", "minimum": 1, "maximum": 10}},
    "required": ["score"],
    "additionalProperties": False,
}
KEY = "sk-never-shown-0123456789"


def request(**changes: Any) -> Request:
    fields: dict[str, Any] = {"model": "m-1", "prompt": PROMPT, "effort": "medium", "max_output_tokens": 16_000}
    return Request(**{**fields, **changes})


def http_provider(wire: str, **settings: Any) -> HttpProvider:
    """A provider of this wire format whose key is in TEST_KEY."""
    endpoint = Endpoint(
        "test", "Test", wire, base_url="http://127.0.0.1:9/v1", key_variable="TEST_KEY", settings=settings
    )
    made = WIRES[wire](endpoint)
    assert isinstance(made, HttpProvider)
    return made


def told(reply: Reply) -> tuple[str, str]:
    return reply.outcome.value, reply.text
