"""Three roles of the database: one owns and migrates, one is the site's and has data rights alone, one reads for
backups. So whoever gets at a running site cannot rewrite what is on record there.

What has a trigger `append_only` is what is on record: the site's role may read it and add to it. All of this may be
run again; a database that one superuser owned until now is brought to the same state.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from psycopg import Connection, sql

OWNER: Final = "scrub_owner"
APP: Final = "scrub_app"
BACKUP: Final = "scrub_backup"
ROLES: Final = (OWNER, APP, BACKUP)
# Where each role's address stands for whatever prepares the database, beside that of whoever may make roles.
ADDRESSES: Final[Mapping[str, str]] = {
    OWNER: "DATABASE_URL",
    APP: "APP_DATABASE_URL",
    BACKUP: "BACKUP_DATABASE_URL",
}
MAKER: Final = "ADMIN_DATABASE_URL"

# What the schema holds that can be owned, but for what belongs to a table of its own accord.
_OWNABLE: Final = """
SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, relname, ''
FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'S')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype IN ('a', 'i', 'e')
                    AND classid = 'pg_class'::regclass)
    AND relowner <> %(owner)s::regrole
UNION ALL
SELECT 'FUNCTION', proname, pg_get_function_identity_arguments(oid)
FROM pg_proc
WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' AND proowner <> %(owner)s::regrole
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
ORDER BY 1 DESC, 2
"""
_ON_RECORD: Final = """
SELECT relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE tgname = 'append_only' AND relnamespace = 'public'::regnamespace ORDER BY relname
"""


@dataclass(frozen=True)
class Credentials:
    """What a role's address says of it; without a password whoever reaches the server is trusted."""

    user: str
    password: str


def credentials(url: str) -> Credentials:
    """User and password of a database's address."""
    parts = urlsplit(url)
    return Credentials(unquote(parts.username or ""), unquote(parts.password or ""))


def passwords(addresses: Mapping[str, str]) -> dict[str, str]:
    """Each role's password, from the addresses of `ADDRESSES`.

    Raises `ImproperlyConfigured` where an address is missing or is another user's, because roles are known by their
    names, and where two have one password: whoever learns the site's would be the owner.
    """
    found: dict[str, str] = {}
    for role, name in ADDRESSES.items():
        given = credentials(addresses.get(name, ""))
        if given.user != role:
            raise ImproperlyConfigured(f"{name} must be the address of the role {role}, not of {given.user!r}.")
        if given.password and given.password in found.values():
            raise ImproperlyConfigured(f"{name} has the password of another role: each needs one of its own.")
        found[role] = given.password
    return found


def have_roles(database: Connection) -> bool:
    """Whether this is the owner's connection to a database that has all roles."""
    is_owner = database.execute("SELECT current_user = %s", [OWNER]).fetchone() == (True,)
    return is_owner and database.execute("SELECT FROM pg_roles WHERE rolname = ANY(%s)", [[*ROLES]]).rowcount == 3


def make_roles(database: Connection, passwords: Mapping[str, str]) -> None:
    """Make the roles, or give them these passwords, and let them own and reach what is theirs.

    `database` is a superuser's connection to the site's database, in a transaction of the caller's.
    """
    for role in ROLES:
        if not database.execute("SELECT FROM pg_roles WHERE rolname = %s", [role]).rowcount:
            database.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(role)))
        secret = database.pgconn.encrypt_password(passwords[role].encode(), role.encode(), b"scram-sha-256")
        database.execute(
            sql.SQL(
                "ALTER ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD {}"
            ).format(sql.Identifier(role), secret.decode() if passwords[role] else None)
        )
    owner, app, backup = map(sql.Identifier, ROLES)
    name = sql.Identifier(database.info.dbname)
    for statement in (
        "ALTER DATABASE {name} OWNER TO {owner}",
        "ALTER SCHEMA public OWNER TO {owner}",
        "REVOKE ALL ON DATABASE {name} FROM PUBLIC",
        "REVOKE ALL ON SCHEMA public FROM PUBLIC",
        "GRANT CONNECT ON DATABASE {name} TO {app}, {backup}",
        "GRANT TEMPORARY ON DATABASE {name} TO {app}",  # plans of calls are made in a table of the session's
        "GRANT USAGE ON SCHEMA public TO {app}, {backup}",
    ):
        database.execute(sql.SQL(statement).format(name=name, owner=owner, app=app, backup=backup))
    for kind, thing, arguments in database.execute(_OWNABLE, {"owner": OWNER}).fetchall():
        shown = sql.Identifier(thing) + sql.SQL(f"({arguments})" if kind == "FUNCTION" else "")
        database.execute(sql.SQL(f"ALTER {kind} {{}} OWNER TO {{}}").format(shown, owner))


def grant(database: Connection) -> None:
    """Give the site's and the backups' roles their rights to the tables as they are now.

    `database` is the owner's connection, or a superuser's. Nothing is granted that is not named here, and what an
    earlier version granted is taken back first.
    """
    app, backup = sql.Identifier(APP), sql.Identifier(BACKUP)
    for statement in (
        "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {app}, {backup}",
        "REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {app}, {backup}",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {app}",
        "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {app}",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO {backup}",
        "GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO {backup}",
    ):
        database.execute(sql.SQL(statement).format(app=app, backup=backup))
    on_record = [name for (name,) in database.execute(_ON_RECORD).fetchall()]
    for name in on_record:
        database.execute(sql.SQL("REVOKE UPDATE, DELETE ON {} FROM {}").format(sql.Identifier(name), app))
    database.execute(sql.SQL("REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {}").format(app))
