"""How long the server takes for the progress page of large studies: `python -m benchmarks.progress`.

On the database of `DATABASE_URL`, in a transaction that is rolled back. Ends with 1 where the page of 300 judges
with 1,000 items takes too long or asks the database too often.
"""

import os

import django

MAX_MILLISECONDS, MAX_QUERIES = 150, 20
MEASURED = (300, 30, 1_000)
SIZES = ((30, 50, 1_500), MEASURED, (300, 100, 1_000), (200, 100, 20_000))  # judges, prompts, items


def main() -> None:
    from benchmarks.support.progress_study import measure  # noqa: PLC0415 - models exist only once Django is set up

    print("judges  prompts   items   server time   queries      page")
    failed = False
    for size in SIZES:
        milliseconds, queries, kilobytes = measure(*size)
        figures = (f"{number:>6}" for number in size)
        print(f"{'   '.join(figures)}   {milliseconds:8.0f} ms   {queries:>7}   {kilobytes:4.0f} kB", flush=True)
        failed |= size == MEASURED and (milliseconds >= MAX_MILLISECONDS or queries > MAX_QUERIES)
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    django.setup()
    main()
