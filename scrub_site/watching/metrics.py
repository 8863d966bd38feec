"""The site's figures for Prometheus. What requests take is counted in each process and added up; the rest is read
from the database and Redis when it is asked for. Where one of the two is away its figures are missing, and the
others are told nevertheless.
"""

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import django_rq
from django.conf import settings
from django.db import Error, connection
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector
from redis.exceptions import RedisError
from rq import Worker

from annotation.platform.services.rows import named
from scrub_site.jobs import DONE_BY_THE_LOOP, KINDS_BY_QUEUE

log = logging.getLogger(__name__)
CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4

# What people wait for, by the names of addresses; everything else is one.
PAGES: Final[Mapping[str, str]] = {
    "writing_save": "save",
    "judging_save": "save",
    "writing_submit": "submit",
    "judging_submit": "submit",
}
# Forms to sign in by: one that is shown again has failed, as has one that is refused for a limit's sake.
SIGN_IN: Final = frozenset({"account_login", "account_confirm_login_code", "mfa_authenticate"})
FAILED: Final = frozenset({200, 403, 429})
# Seconds. Writers are told after two that a save takes long.
BUCKETS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

LOCAL: Final = CollectorRegistry()
REQUESTS: Final = Counter("scrub_requests", "Requests, by what was asked for.", ["page", "status"], registry=LOCAL)
SECONDS: Final = Histogram(
    "scrub_request_seconds", "How long requests took.", ["page"], buckets=BUCKETS, registry=LOCAL
)
SIGN_IN_FAILURES: Final = Counter("scrub_sign_in_failures", "Attempts to sign in that failed.", registry=LOCAL)

_FROM_THE_DATABASE: Final = """
SELECT
    (SELECT extract(epoch FROM max(seen_at)) FROM annotation_upperiod) AS seen_at,
    (SELECT count(*) FROM annotation_unsealedevent) AS unsealed,
    (SELECT coalesce(sum(spent - assumed), 0) FROM generation_generationrun) AS billed,
    (SELECT coalesce(sum(assumed), 0) FROM generation_generationrun) AS assumed,
    (SELECT coalesce(sum(reserved), 0) FROM generation_generationrun) AS reserved,
    (SELECT count(*) FROM annotation_sitepause) AS paused
"""
_TASKS: Final = """
SELECT kind,
       count(*) FILTER (WHERE gave_up_at IS NULL AND due_at <= now()) AS due,
       coalesce(max(extract(epoch FROM now() - least(due_at, asked_at)))
           FILTER (WHERE gave_up_at IS NULL AND (due_at <= now() OR attempts > 0)), 0) AS waiting,
       count(*) FILTER (WHERE gave_up_at IS NULL AND last_error <> '') AS failing,
       count(*) FILTER (WHERE gave_up_at IS NOT NULL) AS given_up
FROM annotation_task WHERE done_at IS NULL GROUP BY kind
"""
QUEUE_OF: Final[Mapping[str, str]] = {
    **{kind: queue for queue, kinds in KINDS_BY_QUEUE.items() for kind in kinds},
    **dict.fromkeys(DONE_BY_THE_LOOP, "loop"),
}


def note_request(route: str, method: str, status: int, seconds: float) -> None:
    """Count a request that was answered. `route` is the address's name, empty where there is no such address."""
    page = PAGES.get(route, "other")
    REQUESTS.labels(page, f"{status // 100}xx").inc()
    SECONDS.labels(page).observe(seconds)
    if method == "POST" and route in SIGN_IN and status in FAILED:
        SIGN_IN_FAILURES.inc()


def exposition() -> bytes:
    """Everything, as Prometheus reads it."""
    registry = CollectorRegistry()
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(LOCAL)  # a registry collects like any collector
    registry.register(Site())
    return generate_latest(registry)


class Site(Collector):
    """What all of the site's processes share."""

    def collect(self) -> Iterable[Metric]:
        sources: tuple[tuple[str, Callable[[], Iterator[Metric]]], ...] = (
            ("database", _database),
            ("redis", _redis),
        )
        reached = GaugeMetricFamily("scrub_reached", "Whether it answers the web server.", labels=["server"])
        for name, source in sources:
            try:
                found = list(source())
            except (Error, RedisError) as error:
                log.warning("no figures from the %s: %s", name, error)
                reached.add_metric([name], 0)
            else:
                reached.add_metric([name], 1)
                yield from found
        yield reached


def _database() -> Iterator[Metric]:
    with connection.cursor() as cursor:
        cursor.execute(_FROM_THE_DATABASE)
        [site] = named(cursor)
        cursor.execute(_TASKS)
        tasks = list(named(cursor))
    if site["seen_at"] is not None:
        yield GaugeMetricFamily(
            "scrub_loop_beat_timestamp_seconds",
            "When the loop last found the site ready, in seconds since 1970.",
            value=float(site["seen_at"]),
        )
    yield GaugeMetricFamily("scrub_seals_behind", "Audit events without a seal.", value=site["unsealed"])
    yield GaugeMetricFamily("scrub_paused", "Whether mail and calls are paused.", value=site["paused"])
    # No counters: an invoice takes the place of what was assumed, and may be less.
    yield GaugeMetricFamily("scrub_billed_dollars", "What calls to models have cost.", value=float(site["billed"]))
    yield GaugeMetricFamily(
        "scrub_assumed_dollars",
        "The worst case of calls of which nothing tells what they cost.",
        value=float(site["assumed"]),
    )
    yield GaugeMetricFamily(
        "scrub_reserved_dollars", "The worst case of calls on their way.", value=float(site["reserved"])
    )
    yield from _by_queue(tasks)


def _by_queue(tasks: Iterable[Mapping[str, object]]) -> Iterator[Metric]:
    found = {
        "due": GaugeMetricFamily("scrub_tasks_due", "Tasks that are due and not done.", labels=["queue"]),
        "waiting": GaugeMetricFamily(
            "scrub_task_waiting_seconds", "How long the oldest task has been due, or tried.", labels=["queue"]
        ),
        "failing": GaugeMetricFamily("scrub_tasks_failing", "Tasks whose last attempt failed.", labels=["queue"]),
        "given_up": GaugeMetricFamily("scrub_tasks_given_up", "Tasks that were given up.", labels=["queue"]),
    }
    rows = list(tasks)
    for queue in (*settings.RQ_QUEUES, "loop"):
        own = [row for row in rows if QUEUE_OF.get(str(row["kind"])) == queue]
        for name, metric in found.items():
            figures = [float(str(row[name])) for row in own]
            metric.add_metric([queue], max(figures, default=0) if name == "waiting" else sum(figures))
    yield from found.values()


def _redis() -> Iterator[Metric]:
    lengths = GaugeMetricFamily("scrub_queue_length", "Messages that wait for a worker.", labels=["queue"])
    workers = GaugeMetricFamily("scrub_workers", "Workers that have given a sign of life.", labels=["queue"])
    for name in settings.RQ_QUEUES:
        queue = django_rq.get_queue(name)
        lengths.add_metric([name], queue.count)
        workers.add_metric([name], Worker.count(queue=queue))
    yield lengths
    yield workers
