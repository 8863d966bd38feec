"""Loads the demonstration, then measures what people wait for."""

import logging
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import django
import httpx
from django.core.management import call_command

from benchmarks.support.server import web_server
from scrub_site.local_stack.demo import PROJECT

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
    from tests import clients  # noqa: PLC0415 - likewise

    session = clients.signed_in(User.objects.get(email=email)).cookies["sessionid"].value
    return httpx.Client(base_url=address, follow_redirects=True, cookies={"sessionid": session})


def main() -> None:
    started = time.perf_counter()
    # The demonstration is loaded in demo mode, which needs DEBUG; what is measured runs without both.
    command = [sys.executable, "manage.py", "prepare_demo"]
    subprocess.run(command, cwd=PROJECT, env={**os.environ, "DEMO_MODE": "1", "DEBUG": "1"}, check=True)
    call_command("collectstatic", interactive=False, verbosity=0)
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
    django.setup()
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it reports every request
    main()
