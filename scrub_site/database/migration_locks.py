"""Which migrations that are still to come make people wait, or the version before fail beside them.

A version expands first: it adds what the one before does not miss. What is not used any more goes with the next.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from django.contrib.postgres.operations import AddConstraintNotValid, AddIndexConcurrently
from django.db import connection
from django.db.migrations import Migration, operations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.base import Operation
from django.db.models import NOT_PROVIDED, Field

LARGE: Final = 100_000  # rows
# They read or write every row while the table is locked against writing.
_SCAN: Final = (
    operations.AddIndex,
    operations.AddConstraint,
    operations.AlterField,
    operations.AlterUniqueTogether,
)
_HARMLESS: Final = (AddIndexConcurrently, AddConstraintNotValid)
_TAKE_AWAY: Final = (
    operations.RemoveField,
    operations.RenameField,
    operations.DeleteModel,
    operations.RenameModel,
    operations.AlterModelTable,
)
_BY_HAND: Final = (operations.RunSQL, operations.RunPython)


def concerns(migrations: Sequence[Migration], rows: Mapping[str, int]) -> Iterator[str]:
    """A sentence for each operation that locks a table of `LARGE` rows, that the version before would miss what it
    takes away, or that nobody but a reader can judge. `rows` says how many each table has, about.
    """
    made: set[str] = set()
    for migration in migrations:
        for operation in _flat(migration.operations):
            table = f"{migration.app_label}_{_model_of(operation)}"
            if isinstance(operation, operations.CreateModel):
                made.add(table)  # nobody waits for a table that is new, and nobody misses anything of it
            elif table not in made:
                where = f"{migration.app_label}.{migration.name}: {operation.describe()}"
                yield from (f"{where}: {fault}" for fault in _faults(operation, table, rows.get(table, 0)))


def _flat(given: Sequence[Operation]) -> Iterator[Operation]:
    for operation in given:
        if isinstance(operation, operations.SeparateDatabaseAndState):
            yield from _flat(operation.database_operations)
        else:
            yield operation


def _model_of(operation: Operation) -> str:
    name = getattr(operation, "model_name", None) or getattr(operation, "name", None) or ""
    return str(name).lower()


def _faults(operation: Operation, table: str, rows: int) -> Iterator[str]:
    if isinstance(operation, _BY_HAND):
        yield "it is written by hand, read it"
    elif isinstance(operation, _TAKE_AWAY):
        yield "the version before misses what it takes away"
    elif isinstance(operation, operations.AddField) and _is_missed(operation.field):
        yield "the version before adds rows without it, which is refused: give it a db_default, or let it be null"
    if rows >= LARGE and _locks(operation):
        yield f"it locks {table}, which has about {rows:,} rows"


def _locks(operation: Operation) -> bool:
    if isinstance(operation, operations.AddField):
        field = operation.field
        return bool(field.unique or getattr(field, "db_index", False) or field.remote_field)
    return isinstance(operation, _SCAN) and not isinstance(operation, _HARMLESS)


def _is_missed(field: "Field[object, object]") -> bool:
    """Whether a row without this column is refused: Django takes the default of `default` away again."""
    return not field.null and field.db_default is NOT_PROVIDED and not field.many_to_many


def pending() -> list[Migration]:
    """The migrations that this version has and the database has not, in their order."""
    executor = MigrationExecutor(connection)
    return [migration for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def rows_by_table() -> dict[str, int]:
    """About how many rows each table has, as PostgreSQL keeps it for its plans."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, greatest(reltuples, 0)::bigint FROM pg_class"
            " WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
        )
        return dict(cursor.fetchall())
