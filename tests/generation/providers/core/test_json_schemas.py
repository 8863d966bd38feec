"""Schemas for providers that take no bounds."""

from typing import Any

from generation.providers.core.json_schemas import without_bounds


def test_bounds_become_words_at_every_depth() -> None:
    score = {"type": "integer", "minimum": 1, "maximum": 10}
    schema = {
        "type": "object",
        "properties": {"A": {"type": "object", "properties": {"score": {**score, "description": "Overall."}}}},
        "$defs": {"list": {"type": "array", "items": {"anyOf": [score, {"type": "null"}]}, "maxItems": 3}},
    }
    told = {"type": "integer", "description": "(minimum: 1, maximum: 10)"}
    overall = {"type": "integer", "description": "Overall. (minimum: 1, maximum: 10)"}
    assert without_bounds(schema) == {
        "type": "object",
        "properties": {"A": {"type": "object", "properties": {"score": overall}}},
        "$defs": {
            "list": {
                "type": "array",
                "items": {"anyOf": [told, {"type": "null"}]},
                "description": "(maxItems: 3)",
            }
        },
    }


def test_properties_and_values_that_are_called_like_bounds_stay() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"maximum": {"type": "string", "enum": ["minimum", "pattern"]}},
        "required": ["maximum"],
        "additionalProperties": False,
    }
    assert without_bounds(schema) == schema
