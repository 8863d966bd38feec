"""Studies that factories have built once are written back by COPY where the same is asked for again.

Reaching a state by the services takes far longer than writing its rows, and the same arguments give the same rows.
A study is written back only into an empty database, and only for tests that leave code and settings as they are:
with either changed, the services could have done something else.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, ParamSpec, TypeVar

import pytest
from django import conf
from django.db import connection, models, transaction

WRITTEN_BY_MIGRATING: Final = frozenset({"django_content_type", "auth_permission"})
# Of COPY's binary format without a row: 11 bytes of signature, 4 of flags, 4 of extension, 2 of trailer.
BYTES_AROUND_ROWS: Final = 21

Arguments = ParamSpec("Arguments")
Built = TypeVar("Built", bound=models.Model)


@dataclass(frozen=True)
class _Snapshot:
    key: object
    rows: dict[str, bytes]


_snapshots: dict[str, _Snapshot] = {}
_changes: list[pytest.MonkeyPatch] = []  # those of the test that is running; none outside of tests


@pytest.fixture(autouse=True)
def memory_of_factories(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Outside of tests, and in those that change settings, factories build everything anew."""
    if "settings" not in request.fixturenames:
        _changes.append(monkeypatch)
    yield
    _changes.clear()


def _is_as_written() -> bool:
    """Whether code and settings are what they are in the repository."""
    return not isinstance(vars(conf.settings)["_wrapped"], conf.UserSettingsHolder) and any(
        not patch._setattr and not patch._setitem for patch in _changes
    )


def remembered(factory: Callable[Arguments, Built]) -> Callable[Arguments, Built]:
    """A factory of a row and all that comes with it, whose arguments tell themselves apart by their `repr`."""

    @functools.wraps(factory)
    def build(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Built:
        if not (_is_as_written() and _is_empty()):
            return factory(*args, **kwargs)
        call = f"{factory.__qualname__}{args}{sorted(kwargs.items())}"
        if call not in _snapshots:
            built = factory(*args, **kwargs)
            _snapshots[call] = _Snapshot(built.pk, rows_by_table())
            return built
        _write(_snapshots[call].rows)
        return _model_of(factory)._base_manager.get(pk=_snapshots[call].key)

    return build


def _model_of(factory: Callable[..., Built]) -> type[Built]:
    made: type[Built] = factory.__annotations__["return"]
    return made


@functools.cache
def _tables() -> Sequence[str]:
    found = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return sorted(set(found) - WRITTEN_BY_MIGRATING)


def _is_empty() -> bool:
    """Whether no table has a row. To look takes as long as ten other queries, and a test's transaction begins with
    none: nothing has to be looked at before it writes."""
    with connection.cursor() as cursor:
        if connection.in_atomic_block:
            cursor.execute("SELECT pg_current_xact_id_if_assigned() IS NULL")
            if cursor.fetchone()[0]:
                return True
        cursor.execute(f"SELECT {' OR '.join(f'EXISTS (SELECT FROM {table})' for table in _tables())}")  # noqa: S608
        return not cursor.fetchone()[0]


def rows_by_table() -> dict[str, bytes]:
    """Of every table that has any, as COPY writes them."""
    rows = {}
    with connection.cursor() as cursor:
        for table in _tables():
            with cursor.copy(f"COPY {table} TO STDOUT (FORMAT binary)") as copy:
                rows[table] = b"".join(copy)
    return {table: written for table, written in rows.items() if len(written) > BYTES_AROUND_ROWS}


def _write(rows: dict[str, bytes]) -> None:
    """The rows as they were; sequences stand behind them already, since nothing ever sets them back."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for table, written in rows.items():
            with cursor.copy(f"COPY {table} FROM STDIN (FORMAT binary)") as copy:
                copy.write(written)
        cursor.execute("SET LOCAL session_replication_role = origin")
