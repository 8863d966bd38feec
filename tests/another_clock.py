"""Processes whose host's clock is wrong: a library that is loaded before the C library answers in its place."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from benchmarks.support.server import free_port, wait_until_ready

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += atol(getenv("CLOCK_IS_OFF_BY"));
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    int failed = clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *into) {
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    if (into) *into = precise.tv_sec;
    return precise.tv_sec;
}
"""


def library(folder: Path) -> Path:
    """The library, compiled into `folder`; it needs a C compiler."""
    built = folder / "another-clock.so"
    command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(built), "-x", "c", "-", "-ldl"]
    subprocess.run(command, input=SOURCE.encode(), check=True)
    return built


def off_by(difference: timedelta, library: Path) -> dict[str, str]:
    """What a process's environment says for its clock to be ahead by `difference`, or behind by a negative one."""
    return {"LD_PRELOAD": str(library), "CLOCK_IS_OFF_BY": str(round(difference.total_seconds()))}


@contextmanager
def web_server(environment: Mapping[str, str]) -> Iterator[int]:
    """The port of a web server of one worker with that environment; it ends with the block."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "scrub_site.wsgi:application", "--bind", f"127.0.0.1:{port}"]
    command += ["--threads", "2", "--worker-class", "gthread", "--no-control-socket", "--log-level", "critical"]
    site = {**os.environ, **environment, "SITE_URL": f"http://127.0.0.1:{port}"}
    server = subprocess.Popen(command, env=site)
    try:
        wait_until_ready(site["SITE_URL"], server)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=60)
