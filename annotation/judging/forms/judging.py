"""What a judge's browser sends, turned into what the services take."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar
from uuid import UUID

from annotation.judging.core.judgments import JUSTIFICATION, VIEW, place_field, score_field
from annotation.judging.selectors.judging import ItemPage
from annotation.judging.services.scoring import Given, JustificationGiven, MarkMade, PlaceGiven, Read, ScoreGiven
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean

MAX_WINDOW_LENGTH = 36
MAX_FIELDS = 500
VIEWS = ("overview", "reading", "compare")
VIEW_SIDES = ("left", "right")
MAX_VIEW_LENGTH = 4000  # characters of JSON
MAX_SHARE = 1000  # of a text's height
Value = TypeVar("Value")


class Malformed(Refused):
    """What was sent cannot be read."""


# -- the room's script -------------------------------------------------------------------------------------------


def given_from_json(body: bytes) -> Given:
    """Read `{"rubric": hash, "window": id, "fields": {name: {"value": …, "over": […]}}}`.

    Fields are `score:SLOT:DIMENSION`, `place:SLOT`, `justification`, `mark:ID` (a mark, or null to remove it),
    `reading:SLOT` and `view`, how the room was left.
    `over` lists the values that may be replaced; without it, any may. Raises `Malformed`.
    """
    try:
        message = json.loads(body)
        if len(message["fields"]) > MAX_FIELDS:
            raise ValueError("Too many fields at once.")
        fields = {_parts(name): (sent["value"], sent.get("over")) for name, sent in message["fields"].items()}
        if len(fields) != len(message["fields"]):
            raise ValueError("A field is sent twice.")
        return _given(_name(message.get("rubric", "")), _name(message.get("window", "")), fields)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Malformed("Expected fields by name, each with its value and the values it may replace.") from error


def _parts(name: str) -> tuple[str, ...]:
    """A field's name in its parts, the same however its id is written."""
    kind, *names = name.lower().split(":")
    return (kind, str(UUID(names[0])), *names[1:]) if names else (kind,)


def _given(rubric: str, window: str, fields: Mapping[tuple[str, ...], tuple[Any, Any]]) -> Given:
    by_kind: dict[str, list[Any]] = {}
    for (kind, *names), (value, over) in fields.items():
        by_kind.setdefault(kind, []).append(READERS[kind](names, value, over))
    if len(window) > MAX_WINDOW_LENGTH or ("reading" in by_kind and not window):
        raise ValueError("No window is called so.")
    marks = by_kind.get("mark", [])
    return Given(
        rubric=rubric,
        window=window,
        scores=tuple(by_kind.get("score", ())),
        places=tuple(by_kind.get("place", ())),
        justification=next(iter(by_kind.get(JUSTIFICATION, ())), None),
        marks=tuple(mark for mark in marks if isinstance(mark, MarkMade)),
        unmarked=tuple(mark for mark in marks if isinstance(mark, UUID)),
        readings=tuple(by_kind.get("reading", ())),
        view=next(iter(by_kind.get(VIEW, ())), None),
    )


def _score(names: list[str], value: Any, over: Any) -> ScoreGiven:
    slot, dimension = names
    return ScoreGiven(UUID(slot), dimension, _whole_or_none(value), _all(_whole_or_none, over))


def _place(names: list[str], value: Any, over: Any) -> PlaceGiven:
    (slot,) = names
    return PlaceGiven(UUID(slot), _whole_or_none(value), _all(_whole_or_none, over))


def _justification(names: list[str], value: Any, over: Any) -> JustificationGiven:
    if names:
        raise ValueError("There is one justification.")
    return JustificationGiven(_text(value), _all(_text_or_none, over))


def _mark(names: list[str], value: Any, _over: Any) -> MarkMade | UUID:
    (mark,) = names
    if value is None:
        return UUID(mark)
    start, end = _whole_or_none(value["start"]), _whole_or_none(value["end"])
    if (start is None) != (end is None) or (start is not None and not 0 <= start < _whole(end)):
        raise ValueError("A passage begins before it ends.")
    note, dimension = clean(_text(value["note"])), _name(value["dimension"])
    if (start is None and not note.strip()) or len(dimension) > 40:
        raise ValueError("A mark has a passage or a note.")
    return MarkMade(UUID(mark), UUID(value["slot"]), start, end, dimension, note)


def _reading(names: list[str], value: Any, _over: Any) -> Read:
    (slot,) = names
    milliseconds, depth = _whole(value["milliseconds"]), _whole(value["depth"])
    if not (0 <= milliseconds < 2**53 and 0 <= depth <= 100):
        raise ValueError("Nobody reads for so long, or so far.")
    return Read(UUID(slot), milliseconds, depth)


def _view(names: list[str], value: Any, _over: Any) -> dict[str, Any]:
    if names or not isinstance(value, dict) or len(json.dumps(value)) > MAX_VIEW_LENGTH:
        raise ValueError("No room is left so.")
    at, view, current, sides = value["at"], _name(value["view"]), _name(value["open"]), value["sides"]
    # A single answer has none beside it.
    if view not in VIEWS or _whole(at) < 0 or not 1 <= len(sides) <= len(VIEW_SIDES):
        raise ValueError("There is no such view.")
    return {
        "at": at,
        "view": view,
        "open": current,
        "sides": [_name(side) for side in sides],
        "pins": {_name(name): bool(is_open) for name, is_open in value["pins"].items()},
        "scroll": {_name(label): _share(share) for label, share in value["scroll"].items()},
        "read": {_name(label): bool(is_read) for label, is_read in value["read"].items()},
    }


def _share(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < MAX_SHARE:
        raise ValueError("No text is scrolled so far.")
    return float(value)


READERS: Mapping[str, Callable[[list[str], Any, Any], Any]] = {
    "score": _score,
    "place": _place,
    JUSTIFICATION: _justification,
    "mark": _mark,
    "reading": _reading,
    VIEW: _view,
}


def _all(read: Callable[[Any], Value], values: Any) -> tuple[Value, ...] | None:
    if values is None:
        return None
    if not isinstance(values, list):
        raise TypeError(f"{values!r} is not a list.")
    return tuple(read(value) for value in values)


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is not a whole number.")
    return value


def _whole_or_none(value: Any) -> int | None:
    return None if value is None else _whole(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text.")
    return value


def _text_or_none(value: Any) -> str:
    """A text; one that was not there yet is empty."""
    return "" if value is None else _text(value)


def _name(value: Any) -> str:
    """A text that names something; the database takes every character of it."""
    if not _text(value).isprintable():
        raise ValueError("Nothing is called so.")
    return str(value)


# -- the room's form ---------------------------------------------------------------------------------------------


def scores_from_form(data: Mapping[str, str]) -> dict[UUID, dict[str, int]]:
    """The scores given in the room's form; an empty field is not given yet. Raises `Malformed`."""
    scores: dict[UUID, dict[str, int]] = {}
    for (slot, dimension), value in _filled_in(data, "score", parts=2):
        scores.setdefault(UUID(slot), {})[dimension] = value
    return scores


def places_from_form(data: Mapping[str, str]) -> dict[UUID, int]:
    """The places given in the room's form; an empty field is not given yet. Raises `Malformed`."""
    return {UUID(slot): value for (slot,), value in _filled_in(data, "place", parts=1)}


def wrong_fields(data: Mapping[str, str], page: ItemPage) -> dict[str, str]:
    """What of the room's form cannot be taken, in words for the judge, by field. The rest can."""
    scale, most = page.rubric.scale, len(page.answers)
    values = range(scale.minimum, scale.maximum + 1, scale.step)
    wrong = {}
    for answer in page.answers:
        for dimension in page.rubric.dimensions:
            name = score_field(answer.slot, dimension.key)
            if not _is_one_of(values, data.get(name, "")):
                wrong[name] = (
                    f"Answer {answer.label}, {dimension.name}: “{data[name]}” is not kept. "
                    f"Scores are whole numbers from {scale.minimum} to {scale.maximum}."
                )
        name = place_field(answer.slot)
        if not _is_one_of(range(1, most + 1), data.get(name, "")):
            wrong[name] = f"Answer {answer.label}: “{data[name]}” is not kept. Places go from 1 to {most}."
    return wrong


def _is_one_of(values: range, typed: str) -> bool:
    """Whether a field holds one of `values`, or nothing."""
    try:
        return not typed.strip() or _typed_number(typed) in values
    except ValueError:
        return False


def parts_from_form(data: Mapping[str, str], page: ItemPage) -> Iterable[Given]:
    """What the form gives, to be kept part by part: a refused justification is no reason to lose scores."""
    scores = Given.of_scores(page.rubric.sha256, scores_from_form(data))
    yield replace(scores, places=tuple(PlaceGiven(slot, place) for slot, place in places_from_form(data).items()))
    yield Given(justification=JustificationGiven(data.get(JUSTIFICATION, page.justification)))


def _typed_number(typed: str) -> int:
    """A whole number in plain figures, which `int` is less strict about."""
    if not re.fullmatch(r"-?[0-9]{1,6}", typed.strip()):
        raise ValueError(typed)
    return int(typed)


def _filled_in(data: Mapping[str, str], kind: str, *, parts: int) -> Iterable[tuple[list[str], int]]:
    """The fields of a kind that have a value, each with the parts of its name."""
    for name, value in data.items():
        begin, *names = name.split(":")
        if begin != kind or not value.strip():
            continue
        try:
            UUID(names[0])
            if len(names) != parts:
                raise ValueError(name)
            number = _typed_number(value)
        except (ValueError, IndexError) as error:
            raise Malformed(f"“{value}” is not a whole number.") from error
        yield names, number
