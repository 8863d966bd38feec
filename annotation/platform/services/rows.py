"""Rows of handwritten SQL, read by column name and not by order."""

from collections.abc import Iterator
from typing import Any

from django.db.backends.utils import CursorWrapper

Row = dict[str, Any]


def named(cursor: CursorWrapper) -> Iterator[Row]:
    """The rows of the last statement, each by its columns' names. Raises `ValueError` where two have the same."""
    names = [column.name for column in cursor.description]
    if len(set(names)) < len(names):
        raise ValueError(f"Columns with the same name: {', '.join(names)}")
    for row in cursor:
        yield dict(zip(names, row, strict=True))


def first_named(cursor: CursorWrapper) -> Row | None:
    """The first row of the last statement; `None` where it has none."""
    return next(named(cursor), None)
