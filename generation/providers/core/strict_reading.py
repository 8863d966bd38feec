"""Strict parsing of configuration, with words for what is wrong with it."""

import re
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")


def read_strictly(kind: TypeAdapter[T], row: Any) -> T:
    """The row as an object of the kind. Raises `ValueError` that names every faulty field and its fault."""
    try:
        return kind.validate_python(row)
    except ValidationError as fault:
        raise ValueError("; ".join(map(_in_words, fault.errors()))) from None


def _in_words(error: Any) -> str:
    where = ".".join(map(str, error["loc"]))
    what = {"missing": "is missing", "unexpected_keyword_argument": "is not known here"}.get(error["type"])
    if what is None:
        what = re.sub(r"^Value error, |^(Decimal input|Input) (?=should)", "", error["msg"])
    return f"{where} {what}" if where else what
