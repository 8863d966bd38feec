"""Every line of the routes' table, requested by every actor."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest import mock
from zipfile import ZipFile

from django.db import connection, transaction
from django.template import Context, Template
from django.test import Client, override_settings
from django.test.client import ClientHandler
from django.urls import reverse

from tests.clients import signed_in
from tests.scrub_site.crawl.route_lines import ACTORS, AWAY, FORBIDDEN, MISSING, SIGN_IN, Route
from tests.scrub_site.crawl.routes_table import ACCOUNTS, ROUTES
from tests.scrub_site.crawl.world import World, build_world

# Planted where secrets are kept; they must turn up nowhere.
SECRET_KEY = "canary-of-the-secret-key-0123456789"
DATABASE_PASSWORD = "canary-of-the-database-password"
PROVIDER_KEY = "canary-of-a-provider-key"
CANARIES = (SECRET_KEY, DATABASE_PASSWORD, PROVIDER_KEY)
PROVIDER_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")


@dataclass(frozen=True)
class Visit:
    """What one actor got at one address."""

    route: Route
    actor: str
    outcome: str
    headers: Mapping[str, str] = field(repr=False)
    body: str = field(repr=False)

    def __str__(self) -> str:
        return f"{self.route} by {self.actor}"

    @property
    def is_page(self) -> bool:
        return self.headers.get("Content-Type", "").startswith("text/html")


def crawl(folder: Path) -> list[Visit]:
    """All visits, each from the same state of the world; nothing stays in the database."""
    with _canaries(), override_settings(DEMO_MODE=True, MAIL_OUTBOX_DIR=folder), transaction.atomic():
        world = build_world()
        browsers = {actor: signed_in(person) for actor, person in world.cast.items()}
        routes = (*ROUTES, *_undeclared())
        site = ClientHandler(enforce_csrf_checks=False)
        with mock.patch.object(Template, "_render", _rendered):
            visits = [
                _visit(route, actor, world, site, browsers.get(actor))
                for route in routes
                for actor in _asking(route)
            ]
        transaction.set_rollback(True)
    return visits


def _rendered(template: Template, context: Context) -> str:
    """As a server does: tests' own way keeps a copy of each context, at which nobody looks here."""
    return template.nodelist.render(context)


@contextmanager
def _canaries() -> Iterator[None]:
    with (
        override_settings(SECRET_KEY=SECRET_KEY),
        mock.patch.dict(connection.settings_dict, PASSWORD=DATABASE_PASSWORD),
        mock.patch.dict("os.environ", dict.fromkeys(PROVIDER_KEYS, PROVIDER_KEY)),
    ):
        yield


def _undeclared() -> Iterator[Route]:
    """The methods that the table leaves out, for all addresses but allauth's, which always take both."""
    objects = {route.name: route.of for route in ROUTES if route not in ACCOUNTS}
    declared = {(route.name, route.method) for route in ROUTES}
    for name, of in objects.items():
        for method in ("GET", "POST"):
            if (name, method) not in declared:
                yield Route(name, method, of, {})


def _asking(route: Route) -> Iterator[str]:
    """Everybody; by a method that the table leaves out those who get anything by one that it has, and two who get
    nothing: others are turned away before the method is looked at.
    """
    reached = {
        actor
        for declared in ROUTES
        for actor, outcome in declared.expected.items()
        if declared.name == route.name and outcome not in {FORBIDDEN, MISSING, SIGN_IN}
    }
    return (actor for actor in ACTORS if route.expected or actor in reached | {"anonymous", "stranger"})


def _visit(route: Route, actor: str, world: World, site: ClientHandler, browser: Client | None) -> Visit:
    client = Client(raise_request_exception=False)
    client.handler = site
    if browser:
        client.cookies.load(browser.cookies.output(header="", sep=";"))
    with transaction.atomic():
        path = reverse(route.name, args=world.objects[route.of])
        sent: dict[str, Any] = {"data": route.json, "content_type": "application/json"} if route.json else {}
        response = client.generic(route.method, path, **sent)
        transaction.set_rollback(True)
    return Visit(route, actor, _outcome(response), dict(response.headers), read(response))


def read(response: Any) -> str:
    """All that an answer holds, of a ZIP every file."""
    content = b"".join(response.streaming_content) if response.streaming else response.content
    if response.headers.get("Content-Type") == "application/zip":
        with ZipFile(BytesIO(content)) as archive:
            content = b"\n".join(name.encode() + b"\n" + archive.read(name) for name in archive.namelist())
    return content.decode(errors="replace")


def _outcome(response: Any) -> str:
    if response.status_code != 302:
        return str(response.status_code)
    return SIGN_IN if response["Location"].startswith(reverse("account_login")) else AWAY
