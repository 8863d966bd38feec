"""Rows of handwritten SQL, read by column name and not by order, or made into instances of their models."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Model

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


def columns(model: type[Model], alias: str) -> str:
    """All columns of a model for a SELECT, by name: a prepared `*` fails once a migration adds one."""
    return ", ".join(f'{alias}."{field.column}"' for field in model._meta.concrete_fields)


def instances(models: Sequence[type[Model]], row: Sequence[object]) -> list[Any]:
    """An instance of each model from a row that holds the `columns` of one after the other; `None` where all of
    them are blank, as an outer join leaves them.
    """
    cells = iter(row)
    return [_instance(model, list(islice(cells, len(_names(model))))) for model in models]


def _instance(model: type[Model], cells: list[Any]) -> Model | None:
    if all(cell is None for cell in cells):
        return None
    for place, convert in _converted(model):
        cells[place] = convert(cells[place], None, connection)
    return model.from_db(connection.alias, _names(model), cells)


@cache
def _names(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


@cache
def _converted(model: type[Model]) -> list[tuple[int, Callable[..., Any]]]:
    """The places of the cells that their fields do not take as the database gives them."""
    fields = enumerate(model._meta.concrete_fields)
    return [(place, convert) for place, field in fields for convert in field.get_db_converters(connection)]
