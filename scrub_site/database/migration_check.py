"""Whether this version can migrate a database from where it stands.

Where one migration stands in place of several whose files are gone, a database must have all of those or none. With
some of them Django ends in an error that names neither the cause nor a way out. This says where such a database is,
and what to do.
"""

import contextlib
import pkgutil
from collections.abc import Collection, Sequence
from importlib.util import find_spec

from django.apps import apps
from django.core.checks import CheckMessage
from django.core.checks import Error as Finding
from django.core.management.base import CommandError
from django.db import Error, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

Name = tuple[str, str]  # of an app, and of one of its migrations

WITH_EVERY_MIGRATION = "0.1.0"
WHAT_TO_DO = (
    f"Go back to version {WITH_EVERY_MIGRATION}, which still has each of them, run `python manage.py migrate` "
    "there, and then update again."
)


class CannotGoOn(CommandError):
    """Raised at the start of whatever works with the database and does not migrate by itself."""


def half_way(applied: Collection[Name], replaced: Sequence[Sequence[Name]]) -> list[Name]:
    """Where the database is: the last applied one of every series of which some are applied and some are not."""
    stands = [[name for name in series if name in applied] for series in replaced]
    return [done[-1] for done, series in zip(stands, replaced, strict=True) if 0 < len(done) < len(series)]


def replaced_migrations() -> list[list[Name]]:
    """What each migration stands in place of, oldest first. Where the files are still there, Django copes."""
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    known = loader.disk_migrations
    return [list(one.replaces) for one in known.values() if one.replaces and not known.keys() & set(one.replaces)]


def obstacle(database: BaseDatabaseWrapper) -> str:
    """Why this version cannot go on from where the database is. Empty if it can; a new database is nowhere yet."""
    applied = MigrationRecorder(database).applied_migrations()
    where = ", ".join(f"{app} is at {name}" for app, name in half_way(applied, replaced_migrations()))
    return where and f"The database is between migrations that this version has in one: {where}."


def missing(database: BaseDatabaseWrapper = connection) -> list[Name]:
    """The migrations of this version that the database has not: there are some where an update was half done.

    Looks at names of files alone, because a web server asks.
    """
    return sorted(_of_this_version() - MigrationRecorder(database).applied_migrations().keys())


def _of_this_version() -> set[Name]:
    found = set()
    for app in apps.get_app_configs():
        if spec := find_spec(f"{app.name}.migrations"):
            modules = pkgutil.iter_modules(spec.submodule_search_locations)
            found |= {(app.label, module.name) for module in modules}
    return found


def check_database(*, databases: Collection[str] | None = None, **_: object) -> list[CheckMessage]:
    """The check for `migrate`, and `check --database`."""
    found = [obstacle(connections[alias]) for alias in databases or ()]
    return [Finding(text, hint=WHAT_TO_DO, id="scrub_site.E001") for text in found if text]


def require_database(database: BaseDatabaseWrapper = connection) -> None:
    """The check for whatever does not migrate by itself. A database that is away is waited for elsewhere."""
    with contextlib.suppress(Error):
        if text := obstacle(database):
            raise CannotGoOn(f"{text} {WHAT_TO_DO}")
