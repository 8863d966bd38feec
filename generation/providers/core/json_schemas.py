"""JSON Schemas of replies, as far as some providers are stricter than others."""

from collections.abc import Mapping
from typing import Any

_BOUNDS = frozenset(
    {
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "minItems",
        "maxItems",
        "uniqueItems",
    }
)


def object_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object with exactly these properties, all of them required."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def without_bounds(schema: Any) -> Any:
    """The schema with every bound moved into its description, for providers that refuse bounds as keywords.

    Names of properties are left alone, whatever they are.
    """
    if isinstance(schema, list):
        return [without_bounds(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {name: _part(name, part) for name, part in schema.items() if name not in _BOUNDS}
    bounds = ", ".join(f"{name}: {schema[name]}" for name in schema if name in _BOUNDS)
    if bounds:
        kept["description"] = " ".join(filter(None, (schema.get("description", ""), f"({bounds})")))
    return kept


def _part(name: str, part: Any) -> Any:
    if name in ("properties", "$defs") and isinstance(part, Mapping):
        return {key: without_bounds(value) for key, value in part.items()}
    return part if name in ("enum", "const", "required") else without_bounds(part)
