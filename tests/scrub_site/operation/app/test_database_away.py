"""The database goes while a real web server runs, is not there or says nothing, and comes back."""

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from benchmarks.support.calls_run import environment
from tests.another_clock import web_server

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 3.0  # seconds, on a busy machine
MAX_SECONDS = 7.0  # of which three are for the connection


class Relay:
    """A port between the site and PostgreSQL, which lets everything through until it is told otherwise."""

    def __init__(self) -> None:
        self.hangs = False
        self._sockets: list[socket.socket] = []
        self.port = 0
        self.listen()

    def listen(self) -> None:
        listener = socket.create_server(("127.0.0.1", self.port))
        self.port = listener.getsockname()[1]
        self._sockets.append(listener)
        threading.Thread(target=self._accept, args=[listener], daemon=True).start()

    def vanish(self) -> None:
        """Nothing listens any more, and every connection is cut off."""
        while self._sockets:
            ended = self._sockets.pop()
            with suppress(OSError):
                ended.shutdown(socket.SHUT_RDWR)
            ended.close()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):  # once it is closed
            while True:
                near, _ = listener.accept()
                self._sockets.append(near)
                if not self.hangs:
                    far = _postgres()
                    self._sockets.append(far)
                    for ends in ((near, far), (far, near)):
                        threading.Thread(target=_pass_on, args=ends, daemon=True).start()


def _postgres() -> socket.socket:
    params = connection.get_connection_params()
    host, port = str(params["host"]), int(params.get("port") or 5432)
    if not host.startswith("/"):
        return socket.create_connection((host, port))
    far = socket.socket(socket.AF_UNIX)
    far.connect(str(Path(host) / f".s.PGSQL.{port}"))
    return far


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65_536):
            target.sendall(piece)
    for ended in (source, target):
        with suppress(OSError):
            ended.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def relay() -> Iterator[Relay]:
    relay = Relay()
    yield relay
    relay.vanish()


def asked(port: int, path: str) -> tuple[int, float]:
    """The status of the answer, and how many seconds it took."""
    browser = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    began = time.monotonic()
    try:
        browser.request("GET", path)
        return browser.getresponse().status, time.monotonic() - began
    finally:
        browser.close()


def test_a_database_that_is_gone_or_says_nothing_is_told_within_seconds_and_found_again_at_once(
    relay: Relay,
) -> None:
    database = settings.DATABASES["default"]
    site = environment() | {
        "DATABASE_URL": f"postgres://{database['USER']}@127.0.0.1:{relay.port}/{database['NAME']}",
        "DATABASE_KEEP_SECONDS": "600",
        "DEBUG": "1",
    }
    with web_server(site) as port:
        for hangs, longest in ((False, AT_ONCE), (True, MAX_SECONDS)):
            relay.vanish()
            if hangs:
                relay.hangs = True
                relay.listen()
            for _ in range(2):
                status, seconds = asked(port, "/health/ready/")
                assert (status, seconds < longest) == (503, True), (hangs, seconds)
            assert asked(port, "/health/live/")[1] < AT_ONCE
            relay.vanish()
            relay.hangs = False
            relay.listen()
            status, seconds = asked(port, "/health/ready/")
            assert (status, seconds < AT_ONCE) == (200, True), (hangs, seconds)
