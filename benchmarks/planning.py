"""How long it takes to plan very many calls, and to look at the run: `python -m benchmarks.planning`.

On the database of `DATABASE_URL`, in a transaction that is rolled back. Ends with 1 where planning takes too long,
its memory grows with the number of calls, a request is kept before anybody sends it, or the run's page takes too
long.
"""

import os

import django

MAX_SECONDS = 60
MAX_MEGABYTES = 60  # more than for the small plan
MAX_MILLISECONDS = 200
SMALL, LARGE = 1_000, 14_134  # answers; each is scored 30 times


def main() -> None:
    from benchmarks.support.planning_study import measure  # noqa: PLC0415 - models exist only once Django is set up

    print("  calls   planned in   processor   memory      page   queries   requests kept")
    small, large = measure(SMALL), measure(LARGE)
    for figures in (small, large):
        print(
            f"{figures.calls:>7}   {figures.seconds:8.1f} s   {figures.processor_seconds:7.1f} s   "
            f"{figures.megabytes:3.0f} MB   {figures.page_milliseconds:4.0f} ms   {figures.page_queries:>7}   "
            f"{figures.requests:>13}",
            flush=True,
        )
    failed = (
        large.seconds >= MAX_SECONDS
        or large.megabytes - small.megabytes >= MAX_MEGABYTES
        or large.page_milliseconds >= MAX_MILLISECONDS
        or large.requests
    )
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    django.setup()
    main()
