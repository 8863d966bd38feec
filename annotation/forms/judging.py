"""What a judge's browser sends, turned into what the services take."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from annotation.core.errors import Refused
from annotation.selectors.judging import ItemPage

Scores = dict[UUID, dict[str, int]]


class Malformed(Refused):
    """What was sent cannot be read."""


def score_field(slot: UUID, dimension: str) -> str:
    """The name of the form field that holds one score."""
    return f"score:{slot}:{dimension}"


def place_field(slot: UUID) -> str:
    """The name of the form field that holds an answer's place."""
    return f"place:{slot}"


def scores_from_json(body: bytes) -> Scores:
    """Read `{"scores": {slot: {dimension: value}}}`; raises `Malformed` for anything else."""
    try:
        scores = json.loads(body)["scores"]
        return {
            UUID(slot): {dimension: _whole(value) for dimension, value in values.items()}
            for slot, values in scores.items()
        }
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Malformed("Expected scores by answer and dimension, as whole numbers.") from error


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is not a whole number.")
    return value


def scores_from_form(data: Mapping[str, str], page: ItemPage) -> Scores:
    """The scores given in the room's form; an empty field is not given yet. Raises `Malformed`."""
    given = {
        answer.slot: {
            dimension.key: _number(data.get(score_field(answer.slot, dimension.key), ""))
            for dimension in page.rubric.dimensions
        }
        for answer in page.answers
    }
    return {
        slot: {dimension: value for dimension, value in values.items() if value is not None}
        for slot, values in given.items()
    }


def places_from_form(data: Mapping[str, str], page: ItemPage) -> dict[UUID, int]:
    """The places given in the room's form; an empty field is not given yet. Raises `Malformed`."""
    given = {answer.slot: _number(data.get(place_field(answer.slot), "")) for answer in page.answers}
    return {slot: place for slot, place in given.items() if place is not None}


def _number(value: str) -> int | None:
    if not value.strip():
        return None
    try:
        return int(value)
    except ValueError as error:
        raise Malformed(f"“{value}” is not a whole number.") from error
