"""The demonstration: the platform's own processes on top of the servers."""

import http.client
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from scrub_site.local_stack import StackError
from scrub_site.local_stack.process import Child

PROJECT = Path(__file__).resolve().parent.parent.parent


def demo_port() -> int:
    """The port from the environment's PORT, 8000 when it is not set. Raises StackError when it is no port."""
    text = os.environ.get("PORT") or "8000"
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise StackError(f"PORT must be a number from 1 to 65535, not {text!r}: PORT=8001 make demo")
    return int(text)


def demo_environment(state: Path, address: str) -> dict[str, str]:
    """What the settings need to know for the demonstration, besides the servers' addresses."""
    return {
        "DEBUG": "1",  # demo mode starts with it alone
        "DEMO_MODE": "1",
        "SITE_URL": address,
        "STATIC_ROOT": str(state / "static"),
        "PYTHONUNBUFFERED": "1",
    }


def preparation(environment: Mapping[str, str]) -> Child:
    """The command that brings database, static files and demo study up to date."""
    return _manage("prepare_demo", environment, "prepare_demo")


def platform(environment: Mapping[str, str], port: int) -> tuple[Child, ...]:
    """The web server, a worker for each queue and the loop."""
    server = ["gunicorn", "scrub_site.wsgi:application", "--bind", f"127.0.0.1:{port}", "--no-control-socket"]
    # The application is imported once, before the workers are forked.
    threads = ["--preload", "--workers", "2", "--threads", "4", "--worker-class", "gthread"]
    web = Child(
        name="web",
        command=[sys.executable, "-m", *server, *threads],
        environment={**environment, "DATABASE_KEEP_SECONDS": "600"},
        folder=PROJECT,
        ready=lambda: _is_healthy(port),
    )
    return (
        web,
        _manage("worker", environment, "rqworker", "default", "--skip-checks", "--verbosity=0"),
        _manage("mail", environment, "rqworker", "mail", "--skip-checks", "--verbosity=0"),
        _manage("calls", environment, "rqworker", "calls", "--skip-checks", "--verbosity=0"),
        _manage("loop", environment, "run_loop"),
    )


def _manage(name: str, environment: Mapping[str, str], *arguments: str) -> Child:
    command = [sys.executable, str(PROJECT / "manage.py"), *arguments]
    return Child(name=name, command=command, environment=environment, folder=PROJECT)


def _is_healthy(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health/ready/")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
