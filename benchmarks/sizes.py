"""What work takes on the disk: by answer written, item judged and call to a model.

    python -m benchmarks.sizes

On the database of `DATABASE_URL` and the Redis of `REDIS_URL`, in three amounts, each twice the one before. Where
what one more takes stays the same the disk grows with the work: docs/reference/sizing.md has the figures.
"""

import os
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final

import django
from django.core.management import call_command

SIZES: Final = (1, 2, 4)
ANSWERS, JUDGES, PROMPTS, TEXTS = 5, 4, 6, 4  # at the first size; a text has thirty calls
MEGABYTE: Final = 1e6


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    django.setup()
    from benchmarks.support import sized_work  # noqa: PLC0415 - models exist only once Django is set up

    for command in ("migrate", "createcachetable"):
        call_command(command, verbosity=0)
    print(f"{'nothing':<18} {'':>7} {sized_work.bytes_on_disk() / MEGABYTE:8.1f} MB", flush=True)
    kinds: Mapping[str, Callable[[int], int]] = {
        "answers written": lambda size: sized_work.answers(size * ANSWERS),
        "items judged": lambda size: sized_work.items(judges=JUDGES, prompts=size * PROMPTS),
        "calls to models": lambda size: sized_work.calls(size * TEXTS, cap=Decimal(10_000)),
    }
    for name, work in kinds.items():
        for size in SIZES:
            before = sized_work.bytes_on_disk()
            number = work(size)
            grown = sized_work.bytes_on_disk() - before
            each = grown / number / 1000
            print(f"{name:<18} {number:>6,}: {grown / MEGABYTE:8.1f} MB, {each:7.1f} kB each", flush=True)


if __name__ == "__main__":
    main()
