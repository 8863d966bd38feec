"""Asks the site whether it answers, as its visitors would.

    python -m scrub_site.probe http://localhost:8000/health/live/

ends with 0 where it does, and with 1 where it does not. Nothing of Django's is loaded for that: it is asked often,
also on a machine that has no time.
"""

import http.client
import logging
import os
import sys
import threading
import urllib.request
from typing import Final
from urllib.parse import urlsplit

log = logging.getLogger("loop")
EVERY = 5.0  # seconds between two questions
PATIENCE = 5.0  # seconds for an answer
USUAL_SITE: Final = "http://127.0.0.1:8000"  # as the settings have it where nothing is said

# Straight to the site: a proxy's answer would say nothing about it.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def answers(url: str) -> bool:
    """Whether the site says at `url` that it is ready. It is asked under its own name, wherever it is reached."""
    name = urlsplit(os.environ.get("SITE_URL") or USUAL_SITE).netloc
    request = urllib.request.Request(url, headers={"Host": name})  # noqa: S310
    try:
        with DIRECT.open(request, timeout=PATIENCE) as reply:
            return bool(reply.status == http.client.OK)
    except (OSError, http.client.HTTPException):
        return False


class Probe(threading.Thread):
    """Asks again and again, in a thread of its own, so that a site that hangs holds nobody else up."""

    def __init__(self, url: str, stop: threading.Event) -> None:
        super().__init__(name="probe", daemon=True)
        self.url = url
        self._stopped = stop
        self._answered = threading.Event()

    def run(self) -> None:
        was_up = True
        while not self._stopped.wait(EVERY):
            is_up = answers(self.url)
            if is_up:
                self._answered.set()
            if is_up != was_up:
                log.warning("the site %s at %s", "answers again" if is_up else "does not answer", self.url)
            was_up = is_up

    def answered(self) -> bool:
        """Whether the site has answered since this was last asked."""
        has_answered = self._answered.is_set()
        if has_answered:
            self._answered.clear()
        return has_answered


if __name__ == "__main__":
    sys.exit(not answers(sys.argv[1]))
