"""What the database's roles may do: the site's adds to what is on record and changes none of it."""

from collections.abc import Iterator, Mapping

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import Error, connection, transaction
from pytest_django import Settings

from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.services import audit
from scrub_site.database.roles import ADDRESSES, APP, BACKUP, MAKER, OWNER, ROLES, grant, make_roles, passwords

pytestmark = pytest.mark.django_db

SECRETS = {OWNER: "owner's", APP: "app's", BACKUP: "backup's"}


@pytest.fixture
def server() -> psycopg.Connection:
    """The connection of the test: one superuser's, as that of the site was before there were roles."""
    connection.ensure_connection()
    opened: psycopg.Connection = connection.connection
    return opened


@pytest.fixture
def roles(server: psycopg.Connection) -> Iterator[None]:
    """The roles, in a database that a superuser owned until now; gone with the test's transaction."""
    audit.record(verb=AuditVerb.STUDY_CREATED, by=None, subject="before")
    server.execute("SET CONSTRAINTS ALL IMMEDIATE")  # what is still to be checked would hold its table
    make_roles(server, SECRETS)
    grant(server)
    yield
    as_role("NONE")


def as_role(role: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL ROLE {role}")


def refusal(role: str, statement: str) -> str:
    """The code of the error by which this role is refused; empty where it is not."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL ROLE {role}")
            cursor.execute(statement)
    except Error as error:
        return str(getattr(error.__cause__, "sqlstate", error))
    return ""


@pytest.mark.usefixtures("roles")
class TestRoles:
    @pytest.mark.parametrize(
        "statement",
        [
            "ALTER TABLE annotation_auditevent DISABLE TRIGGER append_only",
            "ALTER TABLE annotation_auditevent DISABLE TRIGGER ALL",
            "TRUNCATE annotation_auditevent CASCADE",
            "TRUNCATE annotation_task",
            "DROP TABLE annotation_auditseal",
            "DROP TRIGGER append_only ON annotation_draftrevision",
            "CREATE TABLE anything (id int)",
            "CREATE OR REPLACE FUNCTION annotation_refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'",
            "SET session_replication_role = replica",
            "UPDATE annotation_auditevent SET verb = ''",
            "DELETE FROM annotation_auditseal",
            "UPDATE annotation_draftrevision SET inserted = ''",
            "DELETE FROM annotation_studystep",
            "DELETE FROM django_migrations",
            "SET ROLE scrub_owner",
            "ALTER ROLE scrub_app SUPERUSER",
            "COPY annotation_user TO PROGRAM 'cat'",
        ],
    )
    def test_the_sites_role_is_refused_what_would_rewrite_the_record(self, statement: str) -> None:
        assert refusal(APP, f"SET SESSION AUTHORIZATION {APP}; {statement}") == "42501"

    def test_the_sites_role_adds_to_the_record_and_writes_what_changes(self) -> None:
        for statement in (
            "INSERT INTO annotation_auditevent (verb, subject, detail) VALUES ('study.created', '', '{}')",
            "UPDATE annotation_user SET name = name",
            "DELETE FROM annotation_task",
            "CREATE TEMPORARY TABLE wanted (id int)",
            "SELECT count(*) FROM django_migrations",
        ):
            assert refusal(APP, statement) == "", statement

    def test_events_are_sealed_and_verified_by_the_sites_role(self) -> None:
        as_role(APP)
        audit.record(verb=AuditVerb.STUDY_CREATED, by=None, subject="after")
        assert audit.seal() == 2
        assert audit.verify().intact

    def test_the_backups_role_reads_everything_and_writes_nothing(self) -> None:
        for table in connection.introspection.table_names():
            assert refusal(BACKUP, f"TABLE {table}") == ""
        assert refusal(BACKUP, "DELETE FROM annotation_task") == "42501"

    def test_everything_belongs_to_the_owner_who_is_no_superuser(self, server: psycopg.Connection) -> None:
        owners = server.execute(
            "SELECT DISTINCT relowner::regrole::text FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            " UNION SELECT proowner::regrole::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
        ).fetchall()
        assert owners == [(OWNER,)]
        found = server.execute("SELECT bool_or(rolsuper) FROM pg_roles WHERE rolname = ANY(%s)", [[*ROLES]])
        assert found.fetchone() == (False,)
        assert refusal(OWNER, "ALTER TABLE annotation_user ADD COLUMN another int") == ""

    def test_making_roles_again_changes_nothing_and_new_tables_get_their_rights(
        self, server: psycopg.Connection
    ) -> None:
        server.execute("SET LOCAL ROLE scrub_owner; CREATE TABLE of_another_version (id int); SET LOCAL ROLE NONE")
        assert refusal(APP, "SELECT FROM of_another_version") == "42501"
        make_roles(server, SECRETS)
        grant(server)
        assert refusal(APP, "INSERT INTO of_another_version VALUES (1)") == ""
        assert refusal(APP, "DELETE FROM annotation_auditevent") == "42501"

    def test_passwords_are_kept_as_scram_verifiers(self, server: psycopg.Connection) -> None:
        kept = server.execute("SELECT rolpassword FROM pg_authid WHERE rolname = ANY(%s)", [[*ROLES]]).fetchall()
        assert all(secret.startswith("SCRAM-SHA-256$") for (secret,) in kept)


def test_whatever_is_on_record_is_not_emptied_by_truncate_even_by_a_superuser(server: psycopg.Connection) -> None:
    with_triggers: Mapping[str, set[str]] = {
        name: {
            table
            for (table,) in server.execute(
                "SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = %s", [name]
            ).fetchall()
        }
        for name in ("append_only", "append_only_truncate")
    }
    assert AuditEvent._meta.db_table in with_triggers["append_only"]
    assert with_triggers["append_only"] == with_triggers["append_only_truncate"]
    assert refusal("NONE", "TRUNCATE annotation_auditevent CASCADE") == "23001"


def test_roles_are_known_by_their_names_and_an_address_of_another_is_refused() -> None:
    addresses = {name: f"postgres://{role}:of%20{role}@host/scrub" for role, name in ADDRESSES.items()}
    assert passwords(addresses)[APP] == f"of {APP}"
    with pytest.raises(ImproperlyConfigured, match="APP_DATABASE_URL must be the address of the role scrub_app"):
        passwords(addresses | {"APP_DATABASE_URL": "postgres://postgres@host/scrub"})


def test_two_roles_have_two_passwords_and_without_any_whoever_reaches_the_server_is_trusted() -> None:
    one = {name: f"postgres://{role}:one@host/scrub" for role, name in ADDRESSES.items()}
    with pytest.raises(ImproperlyConfigured, match="APP_DATABASE_URL has the password of another role"):
        passwords(one)
    assert passwords({name: f"postgres://{role}@host/scrub" for role, name in ADDRESSES.items()})[APP] == ""


@pytest.mark.parametrize("name", [MAKER, "DATABASE_URL"])
def test_an_address_that_leads_to_no_database_is_told_with_what_was_kept(name: str, settings: Settings) -> None:
    nowhere = {name: "postgres://scrub_owner:S3cret@127.0.0.1:1/none"}
    settings.ROLE_ADDRESSES = settings.ROLE_ADDRESSES | nowhere
    with pytest.raises(CommandError, match=f"{name} leads to no database: .*Nothing was changed") as told:
        call_command("prepare_database")
    assert "S3cret" not in str(told.value)


def test_without_a_superusers_address_a_database_is_prepared_with_one_role(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not settings.ROLE_ADDRESSES[MAKER]
    call_command("prepare_database")
    assert "One role for everything" in capsys.readouterr().out
