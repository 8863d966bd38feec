"""Studies that factories have built once are written back by COPY where the same is asked for again.

Reaching a state by the services takes far longer than writing its rows, and the same arguments give the same rows.
A study is written back only into an empty database, only for tests that leave the code as it is, and only under the
settings under which it was built: otherwise the services could have done something else. Of the processes that test
side by side the first that asks builds; the others read what it has kept in a file.
"""

import fcntl
import functools
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
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
    """What was built: the key of its row, every table's rows, and how far each sequence had come."""

    key: object
    rows: dict[str, bytes]
    sequences: dict[str, int]


_snapshots: dict[str, _Snapshot] = {}
_shared: list[Path] = []  # the folder of all processes of this run; none where there is one process
_changes: list[pytest.MonkeyPatch] = []  # those of the test that is running; none outside of tests


@pytest.fixture(scope="session")
def shared_snapshots(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Processes that test side by side keep what they build for each other."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = tmp_path_factory.getbasetemp().parent / "snapshots"
        folder.mkdir(exist_ok=True)
        _shared.append(folder)


@pytest.fixture(autouse=True)
def memory_of_factories(monkeypatch: pytest.MonkeyPatch, shared_snapshots: None) -> Iterator[None]:
    """Outside of tests factories build everything anew."""
    _changes.append(monkeypatch)
    yield
    _changes.clear()


def _is_as_written() -> bool:
    """Whether the code is what it is in the repository."""
    return any(not patch._setattr and not patch._setitem for patch in _changes)


def _changed_settings() -> dict[str, object]:
    """Those that a test has given other values, or deleted (...)."""
    changed: dict[str, object] = {}
    held = vars(conf.settings)["_wrapped"]
    while isinstance(held, conf.UserSettingsHolder):  # each holds what was changed last, above what was before
        own = {name: value for name, value in vars(held).items() if name.isupper()}
        changed = {**dict.fromkeys(vars(held)["_deleted"], ...), **own, **changed}
        held = held.default_settings
    return changed


def remembered(factory: Callable[Arguments, Built]) -> Callable[Arguments, Built]:
    """A factory of a row and all that comes with it, whose arguments tell themselves apart by their `repr`.

    A function among them has none of its own: what it makes is made anew. A fixture without arguments may be such a
    factory, if it does nothing but write to the database.
    """

    @functools.wraps(factory)
    def build(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Built:
        is_told_apart = not any(map(callable, (*args, *kwargs.values())))
        if not (is_told_apart and _is_as_written() and _is_empty()):
            return factory(*args, **kwargs)
        called = f"{factory.__module__}.{factory.__qualname__}{args}{sorted(kwargs.items())}"
        call = f"{called} under {sorted(_changed_settings().items())}"
        if call not in _snapshots:
            with _turn(call) as file:
                kept = file.read_bytes() if file and file.exists() else b""
                if not kept:
                    built = factory(*args, **kwargs)
                    _snapshots[call] = _Snapshot(built.pk, rows_by_table(), _sequences())
                    if file:
                        file.write_bytes(pickle.dumps(_snapshots[call]))
                    return built
            _snapshots[call] = pickle.loads(kept)  # noqa: S301 - written by this run
            _advance(_snapshots[call].sequences)
        _write(_snapshots[call].rows)
        return _model_of(factory)._base_manager.get(pk=_snapshots[call].key)

    return build


@contextmanager
def _turn(call: str) -> Iterator[Path | None]:
    """Where the call's snapshot is kept for other processes. They wait while this one may be building it."""
    if not _shared:
        yield None
        return
    assert " at 0x" not in call, f"what has no `repr` of its own does not tell itself apart: {call}"
    file = _shared[0] / sha256(call.encode()).hexdigest()
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield file


def _model_of(factory: Callable[..., Built]) -> type[Built]:
    made: type[Built] = factory.__annotations__["return"]
    return made


@functools.cache
def _columns() -> dict[str, str]:
    """Of every table its columns, by name: they stand in another order where a test has migrated back and forth."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, string_agg(quote_ident(column_name), ', ' ORDER BY column_name)"
            " FROM information_schema.columns WHERE table_name = ANY (%s) AND is_generated = 'NEVER'"
            " GROUP BY table_name ORDER BY table_name",
            [sorted(set(tables) - WRITTEN_BY_MIGRATING)],
        )
        return dict(cursor.fetchall())


def _is_empty() -> bool:
    """Whether no table has a row. To look takes as long as ten other queries, and a test's transaction begins with
    none: nothing has to be looked at before it writes."""
    with connection.cursor() as cursor:
        if connection.in_atomic_block:
            cursor.execute("SELECT pg_current_xact_id_if_assigned() IS NULL")
            if cursor.fetchone()[0]:
                return True
        cursor.execute(f"SELECT {' OR '.join(f'EXISTS (SELECT FROM {table})' for table in _columns())}")  # noqa: S608
        return not cursor.fetchone()[0]


def rows_by_table() -> dict[str, bytes]:
    """Of every table that has any, as COPY writes them."""
    rows = {}
    with connection.cursor() as cursor:
        for table, columns in _columns().items():
            with cursor.copy(f"COPY {table} ({columns}) TO STDOUT (FORMAT binary)") as copy:
                rows[table] = b"".join(copy)
    return {table: written for table, written in rows.items() if len(written) > BYTES_AROUND_ROWS}


def _sequences() -> dict[str, int]:
    """The last value that each has given."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sequencename, last_value FROM pg_sequences WHERE last_value IS NOT NULL")
        return dict(cursor.fetchall())


def _advance(sequences: dict[str, int]) -> None:
    """To where they stood in the database of the process that built: what comes later has later numbers."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(name::regclass, other) FROM unnest(%s::text[], %s::bigint[]) AS given (name, other)"
            " JOIN pg_sequences ON sequencename = name WHERE coalesce(last_value, 0) < other",
            [list(sequences), list(sequences.values())],
        )


def _write(rows: dict[str, bytes]) -> None:
    """The rows as they were; sequences stand behind them already, since nothing ever sets them back."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for table, written in rows.items():
            with cursor.copy(f"COPY {table} ({_columns()[table]}) FROM STDIN (FORMAT binary)") as copy:
                copy.write(written)
        cursor.execute("SET LOCAL session_replication_role = origin")
