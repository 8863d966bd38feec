"""Strict reading of the panel's replies: what was asked for, or nothing. No score is ever guessed."""

import json
from collections.abc import Mapping
from typing import Any

from generation.core.panel import OVERALL, Scores, Shape


class Unreadable(ValueError):
    """The reply is not of the shape asked for. The message says what is wrong and quotes nothing."""


def read_reply(text: str, shape: Shape) -> dict[str, Scores]:
    """The scores by label, under "" for an answer alone. Raises `Unreadable`.

    The reply is one JSON object with exactly the properties asked for, and white space around it; a score is a
    whole number on the scale, written without a fraction.
    """
    reply = _object(text)
    if not shape.labels:
        return {"": _scores(reply, shape)}
    _check_keys(reply, shape.labels)
    return {label: _scores(reply[label], shape) for label in shape.labels}


def _object(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_number)
    except Unreadable:
        raise
    except (ValueError, RecursionError):
        raise Unreadable("The reply is not JSON.") from None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unreadable("The reply says a thing twice.")
    return found


def _no_number(_constant: str) -> None:
    raise Unreadable("The reply holds a number that is none.")


def _scores(reply: Any, shape: Shape) -> Scores:
    match shape.mode:
        case "holistic" | "no_rubric":
            _check_keys(reply, ("score",))
            return Scores({OVERALL: _score(reply["score"], shape)})
        case "per_dimension":
            _check_keys(reply, (*shape.dimensions, "abstained"))
            if not isinstance(reply["abstained"], bool):
                raise Unreadable("The reply does not say whether the answer abstains.")
            values = {dimension: _score(reply[dimension], shape) for dimension in shape.dimensions}
            return Scores(values, abstained=reply["abstained"])
        case "inferred":
            _check_keys(reply, (*shape.dimensions, "mentioned"))
            said = {key: value for key, value in reply.items() if key != "mentioned" and value is not None}
            values = {dimension: _score(value, shape) for dimension, value in said.items()}
            return Scores(values, mentioned=_mentioned(reply["mentioned"], shape))


def _check_keys(reply: Any, keys: tuple[str, ...]) -> None:
    if not isinstance(reply, Mapping):
        raise Unreadable("The reply is JSON of another shape than asked for.")
    if missing := [key for key in keys if key not in reply]:
        raise Unreadable(f"The reply lacks {', '.join(missing)}.")
    if len(reply) > len(keys):
        raise Unreadable("The reply holds more than was asked for.")


def _score(value: Any, shape: Shape) -> int:
    if not isinstance(value, int) or not shape.scale.allows(value):
        scale = shape.scale
        raise Unreadable(f"A score is not a whole number from {scale.minimum} to {scale.maximum}.")
    return value


def _mentioned(value: Any, shape: Shape) -> tuple[str, ...]:
    if not isinstance(value, list) or any(each not in shape.dimensions for each in value):
        raise Unreadable("The reply lists something else than dimensions as mentioned.")
    return tuple(dimension for dimension in shape.dimensions if dimension in value)
