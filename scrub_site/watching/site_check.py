"""What is wrong with the site as it runs: its proxy, mail, clock, workers and loop; in words, with what to do."""

import http.client
import json
import smtplib
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final

import django_rq
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage, get_connection
from django.db import Error
from django.urls import reverse
from redis.exceptions import RedisError, ResponseError
from rq import Worker

from annotation.platform.core.phrases import counted
from annotation.platform.models.uptime import UpPeriod
from annotation.platform.services.clock import database_now
from annotation.platform.services.uptime import MAX_SILENCE, check_writes
from scrub_site.database.migration_check import missing
from scrub_site.probe import DIRECT, PATIENCE
from scrub_site.watching.selectors import is_mail_delayed

SALT: Final = "scrub_site.watching.site_check"
VALID: Final = 60  # seconds that a question about the proxy is answered for
# An address for documentation (RFC 5737), which no visitor has: a proxy drops it, or notes another one after it.
FORGED: Final = "203.0.113.77"
MAX_DIFFERENCE: Final = timedelta(seconds=2)


def faults(*, mail_to: str = "") -> Iterator[str]:
    """A sentence for each thing that is wrong; with `mail_to` a mail is sent there."""
    checks: tuple[Callable[[], Iterator[str]], ...] = (_database, _workers, lambda: _mail(mail_to), _proxy)
    for check in checks:
        yield from check()


def _database() -> Iterator[str]:
    """The database, and what is known from it: the loop's last sign of life, and the host's clock."""
    try:
        check_writes()
        now = database_now()
        newest = UpPeriod.objects.order_by("-seen_at").first()
        is_late = is_mail_delayed()
        to_come = missing()
    except Error as error:
        yield f"The database takes no writes: {error}".strip()
        return
    if abs(now.timestamp() - time.time()) > MAX_DIFFERENCE.total_seconds():
        yield "This host's clock differs from the database's by more than 2 s: keep both by NTP."
    if to_come:
        yield (
            f"The database is not of this version: {counted(len(to_come), 'migration')} to come, the first of them "
            f"{'.'.join(to_come[0])}. Run `docker compose run --rm migrate`, "
            "or `manage.py prepare_database` as the owner."
        )
    if newest and newest.seen_at - now > MAX_DIFFERENCE:
        yield (
            f"The database's clock was set back: the site was last seen at {newest.seen_at:%Y-%m-%d %H:%M:%S} UTC, "
            f"and it is {now:%Y-%m-%d %H:%M:%S} now. Deadlines count by it: set it right, and keep it by NTP."
        )
    elif newest is None or now - newest.seen_at > MAX_SILENCE:
        yield (
            "The loop has not found the site ready for 15 s: it does not run (`manage.py run_loop`), or the site "
            f"does not answer it at PROBE_URL ({settings.PROBE_URL})."
        )
    if is_late:
        yield "A mail has been waiting for more than a minute: the administration page shows why."


def _workers() -> Iterator[str]:
    try:
        django_rq.get_connection().set("scrub_site_check", 1, ex=60)
    except ResponseError as error:
        said = str(error).partition(". ")[0]
        yield f"Redis takes no writes, so that no worker is told of work. Is its disk or its memory full? {said}"
        return
    except RedisError as error:
        yield f"Redis does not answer at REDIS_URL: {error}"
        return
    for name in settings.RQ_QUEUES:
        if not Worker.count(queue=django_rq.get_queue(name)):
            yield f"No worker does the work of “{name}”: start `manage.py rqworker {name}`."


def _mail(to: str) -> Iterator[str]:
    if settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        yield "Mails are written to the log and sent to nobody: set EMAIL_URL."
    try:
        with get_connection() as server:
            if to:
                body = f"This site can send mail: {settings.SITE_URL}"
                EmailMessage("A mail to try out", body, to=[to], connection=server).send()
    except (smtplib.SMTPException, OSError) as error:
        yield f"The mail server of EMAIL_URL does not take mail: {error}"


def _proxy() -> Iterator[str]:
    """Asks the site under its public address, and as a visitor would who lies about where they come from."""
    url = f"{settings.SITE_URL}{reverse('health_proxy')}?question={signing.dumps('', salt=SALT)}"
    headers = {"X-Forwarded-For": FORGED, "X-Forwarded-Proto": "gopher"}
    try:
        with DIRECT.open(urllib.request.Request(url, headers=headers), timeout=PATIENCE) as reply:  # noqa: S310
            yield from proxy_faults(json.load(reply))
    except urllib.error.HTTPError as error:
        if error.code == http.client.BAD_REQUEST:
            yield (
                "The proxy does not pass the visitor's Host header on, so that every form would be refused: "
                "`proxy_set_header Host $host;` (nginx), `ProxyPreserveHost On` (Apache)."
            )
        else:
            yield f"{settings.SITE_URL} answers {error.code}: is it this site?"
    except (OSError, http.client.HTTPException, ValueError) as error:
        yield f"{settings.SITE_URL} is not reached from here: {error}"


def proxy_faults(seen: dict[str, Any]) -> Iterator[str]:
    """What is wrong with how a request arrived: see `views.health.proxy`, which says it."""
    trusted = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    if settings.SITE_URL.startswith("https") and not seen["is_secure"]:
        yield (
            "The proxy does not say that a visitor came by TLS, so that everybody is redirected for ever: "
            "`proxy_set_header X-Forwarded-Proto $scheme;` (nginx), "
            "`RequestHeader set X-Forwarded-Proto https` (Apache)."
        )
    if seen["address"] == FORGED:
        yield (
            f"Visitors choose the address that rate limits count by: TRUSTED_PROXY_COUNT is {trusted}, and so many "
            "proxies do not note who asked them in X-Forwarded-For."
        )
    elif seen["noted"] > trusted + 1:
        yield f"{seen['noted'] - 1} proxies note who asked them; TRUSTED_PROXY_COUNT is {trusted}."
    elif seen["noted"] < trusted:
        yield f"TRUSTED_PROXY_COUNT is {trusted}, and {seen['noted']} proxies have noted who asked them."
