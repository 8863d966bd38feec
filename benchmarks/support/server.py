"""A web server of our own for the time of a measurement."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def web_server(*, workers: int = 2, threads: int = 4) -> Iterator[str]:
    """The address of a server on the loopback interface, ended with the block."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "scrub_site.wsgi:application", "--bind", f"127.0.0.1:{port}"]
    command += ["--workers", str(workers), "--threads", str(threads), "--worker-class", "gthread"]
    environment = {**os.environ, "DATABASE_KEEP_SECONDS": "600", "SITE_URL": f"http://127.0.0.1:{port}"}
    server = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until_ready(address, server)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=60)


def wait_until_ready(address: str, server: subprocess.Popen[bytes], *, seconds: float = 180) -> None:
    """Return once the site at `address` answers. Raises `RuntimeError` where it does not, or `server` has ended."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and server.poll() is None:
        try:
            if httpx.get(f"{address}/health/ready/").status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise RuntimeError(f"{address} did not become ready")
