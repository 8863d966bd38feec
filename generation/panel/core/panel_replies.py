"""Strict reading of the panel's replies: what was asked for, or nothing. No score is ever guessed."""

from typing import Any, Final

from annotation.platform.core.text import clean
from generation.calls.core.json_replies import Unreadable, check_keys, read_json
from generation.panel.core.panel import OVERALL, Scores, Shape

MAX_REASON_LENGTH: Final = 1000  # characters kept


def read_reply(text: str, shape: Shape) -> dict[str, Scores]:
    """The scores by label, under "" for an answer alone. Raises `Unreadable`.

    The reply is one JSON object with exactly the properties asked for, and white space around it; a score is a
    whole number on the scale, written without a fraction, or a word of a scale of words, read as its number.
    """
    reply = read_json(text)
    if not shape.labels:
        return {"": _scores(reply, shape)}
    check_keys(reply, shape.labels)
    return {label: _scores(reply[label], shape) for label in shape.labels}


def _scores(reply: Any, shape: Shape) -> Scores:
    match shape.mode:
        case "holistic" | "no_rubric":
            check_keys(reply, ("reason", "score") if shape.gives_reasons else ("score",))
            values = {OVERALL: _score(reply["score"], shape)}
            return Scores(values, reasons={OVERALL: _reason(reply["reason"])} if shape.gives_reasons else {})
        case "per_dimension":
            check_keys(reply, (*(("reasons",) if shape.gives_reasons else ()), *shape.dimensions, "abstained"))
            if not isinstance(reply["abstained"], bool):
                raise Unreadable("The reply does not say whether the answer abstains.")
            values = {dimension: _score(reply[dimension], shape) for dimension in shape.dimensions}
            reasons = _reasons(reply["reasons"], shape) if shape.gives_reasons else {}
            return Scores(values, abstained=reply["abstained"], reasons=reasons)
        case "inferred":
            check_keys(reply, (*shape.dimensions, "mentioned"))
            said = {key: value for key, value in reply.items() if key != "mentioned" and value is not None}
            values = {dimension: _score(value, shape) for dimension, value in said.items()}
            return Scores(values, mentioned=_mentioned(reply["mentioned"], shape))


def _score(value: Any, shape: Shape) -> int:
    scale = shape.scale
    if scale.words:
        if not isinstance(value, str) or value not in scale.words:
            raise Unreadable(f"A score is not one of the words {', '.join(scale.words)}.")
        return scale.words[value]
    if not isinstance(value, int) or not scale.allows(value):
        steps = "" if scale.step == 1 else f" in steps of {scale.step}"
        raise Unreadable(f"A score is not a whole number from {scale.minimum} to {scale.maximum}{steps}.")
    return value


def _reasons(value: Any, shape: Shape) -> dict[str, str]:
    check_keys(value, shape.dimensions)
    return {dimension: _reason(value[dimension]) for dimension in shape.dimensions}


def _reason(value: Any) -> str:
    """Cut where it is long: words beside a score are no ground to pay for the score again."""
    if not isinstance(value, str):
        raise Unreadable("A reason is no text.")
    reason = clean(value).strip()
    return reason if len(reason) <= MAX_REASON_LENGTH else f"{reason[: MAX_REASON_LENGTH - 1]}…"


def _mentioned(value: Any, shape: Shape) -> tuple[str, ...]:
    if not isinstance(value, list) or any(each not in shape.dimensions for each in value):
        raise Unreadable("The reply lists something else than dimensions as mentioned.")
    return tuple(dimension for dimension in shape.dimensions if dimension in value)
