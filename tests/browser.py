"""Chromium against a live server."""

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from playwright.sync_api import Browser, BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from annotation.platform.models.users import User
from tests.browsing import SignIn
from tests.chromium import launch_options
from tests.clients import signed_in


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    # Playwright keeps an event loop in the test's thread, which Django would take for asynchronous code.
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    return {**browser_type_launch_args, **launch_options()}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Nothing moves on the pages but what a test is about: pictures of a movement cost more than the page."""
    return {**browser_context_args, "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def base_url(live_server: LiveServer) -> str:
    """Pages are opened by their path: `page.goto(reverse("home"))`."""
    return live_server.url


@pytest.fixture(scope="session")
def kept_contexts() -> list[BrowserContext]:
    """What tests leave to the next ones."""
    return []


@pytest.fixture
def a_browser(
    browser: Browser, browser_context_args: dict[str, Any], base_url: str, kept_contexts: list[BrowserContext]
) -> Iterator[Callable[[], BrowserContext]]:
    """`a_browser()` is empty, but may know the site's files: to load them anew takes longer than most tests."""
    lent: list[BrowserContext] = []

    def a_browser() -> BrowserContext:
        if kept_contexts:
            lent.append(kept_contexts.pop())
        else:
            lent.append(browser.new_context(**browser_context_args))
            lent[-1].new_page()  # it stays empty, and is what the browser is wiped through
        return lent[-1]

    yield a_browser
    for context in reversed(lent):  # the first of them knows most files, and is lent first again
        if _is_wiped(context, base_url):
            kept_contexts.append(context)
        else:
            context.close()


@pytest.fixture
def context(a_browser: Callable[[], BrowserContext]) -> BrowserContext:
    return a_browser()


def _is_wiped(context: BrowserContext, base_url: str) -> bool:
    """Take away all that a test has left but the files; False where a clock in its hands would stay there."""
    empty, *pages = context.pages
    for page in pages:
        page.close()
    context.unroute_all()
    context.set_offline(False)
    context.clear_permissions()
    context.clear_cookies()
    context.new_cdp_session(empty).send("Storage.clearDataForOrigin", {"origin": base_url, "storageTypes": "all"})
    return bool(empty.evaluate("setTimeout.toString().includes('native code')"))


@pytest.fixture
def sign_in(base_url: str) -> SignIn:
    """`sign_in(page, person)` gives the page's browser a session of that person."""

    def sign_in(page: Page, person: User) -> None:
        session = signed_in(person).cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": base_url}])

    return sign_in


LONG_ENOUGH = 3  # looks in a row at which nobody was being served


@pytest.fixture(autouse=True)
def settled_requests(request: pytest.FixtureRequest) -> Iterator[None]:
    """A page that was closed may have sent a last request: let it arrive and end before the tables are emptied."""
    if "browser" not in request.keywords:
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    deadline, quiet = time.monotonic() + 5, 0
    with connection.cursor() as cursor:
        while time.monotonic() < deadline and quiet < LONG_ENOUGH:
            time.sleep(0.02)
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()"
            )
            quiet = quiet + 1 if cursor.fetchone()[0] == 0 else 0
