"""Loads the demonstration, then measures what people wait for."""

import logging
import os
import statistics
import time
from collections.abc import Callable

import django
import httpx
from django.core.management import call_command

from benchmarks.support.server import web_server

ROUNDS = 300


def measure(name: str, request: Callable[[], httpx.Response]) -> None:
    """Print the median and the 95th percentile, in milliseconds, of `ROUNDS` requests after ten for warmth."""
    for _ in range(10):
        request().raise_for_status()
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        answer = request()
        times.append(1000 * (time.perf_counter() - started))
        answer.raise_for_status()
    size = len(answer.content) / 1000
    p95 = statistics.quantiles(times, n=20)[-1]
    print(f"{name:<34} p50 {statistics.median(times):6.1f} ms   p95 {p95:6.1f} ms   {size:7.1f} kB")


def signed_in(address: str, email: str) -> httpx.Client:
    """A keep-alive client signed in as a demonstration person."""
    from annotation.platform.models.users import User  # noqa: PLC0415 - models exist only once Django is set up

    client = httpx.Client(base_url=address, follow_redirects=True)
    client.get("/demo/people/")
    person = User.objects.get(email=email)
    client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
    client.post(f"/demo/people/{person.pk}/sign-in/").raise_for_status()
    client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
    return client


def main() -> None:
    started = time.perf_counter()
    call_command("prepare_demo")
    print(f"{'demonstration prepared in':<34} {time.perf_counter() - started:.1f} s")
    with web_server() as address:
        measure_rooms(address)


def measure_rooms(address: str) -> None:
    coordinator = signed_in(address, "ines.okafor@example.org")
    measure("coordinator's page, finished study", lambda: coordinator.get("/studies/finished/"))
    researcher = signed_in(address, "mei.tanaka@example.org")
    measure("results, finished study", lambda: researcher.get("/studies/finished/results/"))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    os.environ.setdefault("DEMO_MODE", "1")
    django.setup()
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it reports every request
    main()
