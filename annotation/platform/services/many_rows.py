"""Many rows in one statement, their columns as binary arrays.

Django writes arrays as text, in which every text is searched for what has to be escaped: where rows hold long
texts, that takes longer than all that the database does with them.
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import AutoField, Model
from django.db.transaction import get_connection


def insert(rows: Sequence[Model]) -> None:
    """Insert these new rows of one table, in this order; they have the keys that the database gave them then."""
    if not rows:
        return
    connection = get_connection()
    fields = [field for field in rows[0]._meta.concrete_fields if not isinstance(field, AutoField)]
    told = [[_told(field, row, connection) for row in rows] for field in fields]
    names = ", ".join(connection.ops.quote_name(field.column) for field in fields)
    # Without lengths: a cast to one cuts what is longer, which the column itself refuses.
    kinds = [str(field.db_type(connection)).partition("(")[0] for field in fields]
    arrays = ", ".join(f"%b::{kind}[]" for kind in kinds)
    table = connection.ops.quote_name(rows[0]._meta.db_table)
    [key] = (field.column for field in rows[0]._meta.concrete_fields if field.primary_key)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({names}) SELECT * FROM unnest({arrays}) RETURNING {key}",  # noqa: S608
            told,
        )
        for row, (given,) in zip(rows, cursor.fetchall(), strict=True):
            row.pk = given
            row._state.adding, row._state.db = False, connection.alias


def _told(field: Any, row: Model, connection: Any) -> Any:
    value = field.pre_save(row, add=True)
    return value if value is None else field.get_db_prep_save(value, connection)
