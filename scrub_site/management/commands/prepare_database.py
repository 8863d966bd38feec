"""Brings the database to this version: `manage.py prepare_database [--roles-only]`."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from scrub_site.database import roles as database_roles
from scrub_site.database.migration_check import require_database
from scrub_site.database.roles import MAKER, OWNER

PATIENCE = 10  # seconds for a connection
WHAT_TO_DO = {
    "password authentication failed": (
        "PostgreSQL has another password for this role. That of its administrator stays the one of its first "
        "start: write that one into .env again, or tell PostgreSQL the new one (ALTER ROLE … PASSWORD …)."
    ),
    "read-only transaction": "PostgreSQL only reads: is it a standby, or was it told to?",
}


@contextmanager
def reached(name: str, url: str) -> Iterator[psycopg.Connection]:
    """A connection to the database of the address that this setting gives.

    Raises `CommandError` where there is none, with what PostgreSQL says and what to do.
    """
    try:
        database = psycopg.connect(url, connect_timeout=PATIENCE)
    except psycopg.OperationalError as fault:
        said = str(fault).strip().splitlines()[-1]
        todo = next((words for sign, words in WHAT_TO_DO.items() if sign in said), "Mend that, and start again.")
        raise CommandError(f"{name} leads to no database: {said}. Nothing was changed. {todo}") from fault
    with database:
        yield database


class Command(BaseCommand):
    help = (
        "Make the database's roles where ADMIN_DATABASE_URL says who may, migrate, create the cache table, and "
        "give each role its rights. May be run again, and has to be for each version."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--roles-only", action="store_true", help="as for a backup to be restored into")

    def handle(self, *, roles_only: bool, verbosity: int, **_options: object) -> None:
        addresses = settings.ROLE_ADDRESSES
        if addresses[MAKER]:
            with reached(MAKER, addresses[MAKER]) as maker:
                database_roles.make_roles(maker, database_roles.passwords(addresses))
            self._tell("Roles: " + ", ".join(database_roles.ROLES), verbosity)
        if roles_only:
            return
        with reached("DATABASE_URL", addresses["DATABASE_URL"]):
            require_database()  # one command run by another checks nothing
        call_command("migrate", interactive=False, verbosity=verbosity)
        call_command("createcachetable", verbosity=verbosity)
        with reached("DATABASE_URL", addresses["DATABASE_URL"]) as owner:
            if database_roles.have_roles(owner):
                database_roles.grant(owner)
                self._tell("Rights: as this version has them.", verbosity)
            else:
                self._tell(f"One role for everything: DATABASE_URL is not {OWNER}'s.", verbosity)

    def _tell(self, text: str, verbosity: int) -> None:
        if verbosity:
            self.stdout.write(text)
