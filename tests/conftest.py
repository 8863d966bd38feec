"""What every test can count on."""

import gc
import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from subprocess import Popen

import hypothesis
import pytest
from django.conf import settings
from django.db import connection, transaction
from django.db.backends.postgresql.operations import DatabaseOperations
from django.db.models.signals import post_migrate
from django.test.utils import teardown_databases
from pytest_django.plugin import DjangoDbBlocker
from xdist.remote import Producer

# Fixtures. Imported here they come before those of Playwright's plugin, some of which have the same names.
from tests.browser import (  # noqa: F401
    a_browser,
    base_url,
    browser_context_args,
    browser_type_launch_args,
    context,
    kept_contexts,
    settled_requests,
    sign_in,
)
from tests.killable import killable  # noqa: F401
from tests.migrated import begin_migrating, make_database
from tests.remembered import WRITTEN_BY_MIGRATING, memory_of_factories, shared_snapshots  # noqa: F401
from tests.scheduling import BrowserBesideScheduling
from tests.thorough import IS_THOROUGH, long_runs

# What modules import by which tests load libraries that take seconds to load.
SLOW_TO_LOAD = {"library", "official"}

# A busy machine is no fault of the code under test; and what is found by chance is found before it is submitted.
EXAMPLES = 200 if IS_THOROUGH else 40
hypothesis.settings.register_profile("studio", max_examples=EXAMPLES, deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("studio")


def pytest_configure(config: pytest.Config) -> None:
    """Without DEBUG pages link hashed static files, and nothing has collected those before a test."""
    if not settings.DEBUG:
        raise pytest.UsageError("Run the tests by `make test`, or set DEBUG=1 besides DATABASE_URL and REDIS_URL.")
    # Passwords are hashed so that checking them is slow; the tests of accounts would do little else.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Processes that test side by side have a database of their own each; so have their queues.
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    for queue in settings.RQ_QUEUES.values():
        queue["URL"] = f"{str(queue['URL']).partition('?')[0]}?db={1 + int(worker)}"
    if config.getoption("numprocesses", None):
        migrating = begin_migrating()
        config.add_cleanup(lambda: _end(migrating))
    # Where nothing has been compiled yet, this process does it before the others begin, which load the same.
    import_module("scrub_site.urls")


def _end(process: Popen[bytes]) -> None:
    """Long since done, but where the run has been broken off."""
    process.terminate()
    process.wait()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """What is collected stays until the end: there is no garbage in it, and little in what tests leave."""
    gc.disable()
    _import_tests(session.config)
    collected = yield
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()
    return collected


def _import_tests(config: pytest.Config) -> None:
    """Of processes that collect the same tests each begins elsewhere, and finds compiled what others began with.

    Modules of tests take twice as long to compile as all else takes in collecting. What is wrong with one is told
    when it is collected.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    number = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
    folders = [Path(argument) for argument in config.args if Path(argument).is_dir()]
    files = [file for folder in folders for file in sorted(folder.rglob("test_*.py"))]
    first = len(files) * number // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for file in files[first:] + files[:first]:
        with suppress(Exception):
            import_module(".".join(file.absolute().relative_to(config.rootpath).with_suffix("").parts))


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None]:
    """Long runs are left out before xdist puts groups behind the tests' names; the order is what all others leave.

    Browser tests come last: Playwright keeps an event loop running, and no other can run beside it.
    The crawl comes first: it is one process's for minutes, while which the others would have nothing left to do.
    """
    long = long_runs(config.args)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in long])
    items[:] = [item for item in items if item.nodeid not in long]
    yield
    items.sort(key=lambda item: ("browser" in item.keywords, "visits" not in getattr(item, "fixturenames", ())))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> BrowserBesideScheduling | None:
    """What `make test` asks for, with browser tests beside the others; any other order is xdist's own."""
    return BrowserBesideScheduling(config, log) if config.getoption("dist") == "loadgroup" else None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Tests that share what is made once share a process: a module's fixture, the crawl of the site, or a library
    that takes seconds to load.
    """
    if "visits" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.xdist_group("crawl"))
    elif isinstance(item, pytest.Function) and SLOW_TO_LOAD & vars(item.module).keys():
        item.add_marker(pytest.mark.xdist_group("libraries"))
    elif isinstance(item, pytest.Function) and _shares_a_fixture(item):
        item.add_marker(pytest.mark.xdist_group(item.path.stem))


def _shares_a_fixture(item: pytest.Function) -> bool:
    """Whether one of its own module's fixtures is made once for the module."""
    made = [fixture for fixtures in item._fixtureinfo.name2fixturedefs.values() for fixture in fixtures]
    return any(fixture.scope == "module" and fixture.baseid == item.nodeid.partition("::")[0] for fixture in made)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """The test database, whoever asks for it.

    pytest-django makes it for tests that are marked alone: fixtures that open the database by themselves would then
    find the real one. A live server's threads keep their connections: they are ended before it is dropped.
    """
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", _deletions)
        made = make_database()
        patch.setattr(post_migrate, "receivers", [])  # else they would write anew what migrating has written
        yield
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        teardown_databases(made, verbosity=0)


@pytest.fixture(scope="module")
def passing_database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database for a world that a module's tests share: gone after the last of them."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def _deletions(_: object, style: object, tables: Iterable[str], **options: object) -> list[str]:
    """Empty the tables between tests: a few rows of many tables are deleted far sooner than they are truncated.

    A live server may still be answering a page that has been closed. What it has begun is waited for; where the two
    wait for each other it is the request that is given up, for it looks for deadlocks sooner.
    """
    names = [f'"{table}"' for table in tables if table not in WRITTEN_BY_MIGRATING]
    return [
        "SET LOCAL deadlock_timeout = '60s'",
        "SET LOCAL lock_timeout = '30s'",
        "SET LOCAL session_replication_role = replica",
        f"LOCK TABLE {', '.join(names)} IN EXCLUSIVE MODE",
        *(f"DELETE FROM {name}" for name in names),  # noqa: S608
    ]
