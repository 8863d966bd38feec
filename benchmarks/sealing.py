"""What sealing and the site's health cost beside a long audit trail: `python -m benchmarks.sealing`.

On the database of `DATABASE_URL`, in a transaction that is rolled back. Ends with 1 where either takes two
milliseconds or more beside a million sealed events.
"""

import os
import time
from collections.abc import Callable
from statistics import median

import django

MAX_MILLISECONDS = 2
SIZES = (10_000, 200_000, 1_000_000)  # sealed events
ROUNDS = 50

# Digests are any, for nobody verifies them here.
SEALED_EVENTS = """
WITH events AS (
    INSERT INTO annotation_auditevent (verb, subject, detail)
    SELECT 'study.created', number, '{"of": "a benchmark"}' FROM generate_series(1, %s) number RETURNING id
), awaited AS (SELECT coalesce(max(number), 0) AS last FROM annotation_auditseal)
INSERT INTO annotation_auditseal (number, event_id, digest)
SELECT last + row_number() OVER (ORDER BY id), id, repeat('0', 64) FROM events, awaited
"""


def main() -> None:
    from django.db import connection, transaction  # noqa: PLC0415 - models exist only once Django is set up

    from annotation.platform.services.audit import seal  # noqa: PLC0415
    from scrub_site.watching.selectors import site_health  # noqa: PLC0415

    print("sealed events   nothing to seal   health")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # events that do not wait for a seal first
        have = 0
        for size in SIZES:
            cursor.execute(SEALED_EVENTS, [size - have])
            cursor.execute("ANALYZE annotation_auditevent, annotation_auditseal")
            have = size
            sealing, health = milliseconds(seal), milliseconds(site_health)
            print(f"{size:>13,}   {sealing:12.2f} ms   {health:.2f} ms", flush=True)
        transaction.set_rollback(True)
    if max(sealing, health) >= MAX_MILLISECONDS:
        raise SystemExit(1)


def milliseconds(call: Callable[[], object]) -> float:
    """Of the median of many calls."""
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        call()
        taken.append(time.perf_counter() - began)
    return median(taken) * 1000


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    django.setup()
    main()
