"""Calls to models: how fast workers are, and what is left where they are killed.

    python -m benchmarks.calls

On the database of `DATABASE_URL` and the Redis of `REDIS_URL`, with workers and a provider of its own. Ends with 1
where one worker is slower than 1.15 × the ideal, its memory grows, two workers ask for more at once than the
provider allows, or anything is missing, accepted twice or dearer than approved after workers were killed.
"""

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

import django
import httpx

CONCURRENCY, DELAY = 64, 0.3
TEXTS = 156  # × 10 perspectives × 3 models = 4,680 calls
TEXTS_OF_KILLS = 34  # 1,020 calls
SLOWEST = 1.15
MAX_GROWTH = 20.0  # megabytes
LEASE = 6  # seconds; a dead worker's calls are somebody else's soon
PROVIDERS = """
[providers.fake]
label = "Fake"
wire = "chat_completions"
base_url = "{address}/v1"
concurrency = {concurrency}
"""


@contextmanager
def fake_provider(*, delay: float = DELAY) -> Iterator[str]:
    """The address of a provider in a process of its own, which `PROVIDERS_FILE` names “fake”; its replies take so
    many seconds.
    """
    command = [sys.executable, "-m", "tests.fake_providers", "0", "--delay", str(delay)]
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().decode().strip()
            file = Path(folder) / "providers.toml"
            file.write_text(PROVIDERS.format(address=address, concurrency=CONCURRENCY))
            os.environ["PROVIDERS_FILE"] = str(file)
            yield address
        finally:
            server.terminate()


def replies_made(address: str) -> int:
    """What the provider would charge for, until now."""
    return sum(httpx.get(f"{address}/-/counts").json()["made"].values())


def throughput(address: str, *, crew_size: int) -> bool:
    """Whether the run was as fast as it has to be, in as much memory."""
    from benchmarks.support import calls_run  # noqa: PLC0415 - models exist only once Django is set up

    run = calls_run.a_run(TEXTS, provider="fake")
    megabytes: list[float] = []
    with calls_run.workers(crew_size) as crew:
        calls_run.work_off(run, cap=Decimal(10_000), meanwhile=lambda _: megabytes.append(crew.megabytes()))
    calls = sum(share.accepted for share in run.shares.all())
    seconds, ideal = calls_run.seconds_of_calls(run), calls / CONCURRENCY * DELAY
    half = len(megabytes) // 2
    at_half, at_end = max(megabytes[:half]), max(megabytes[half:])
    at_once = httpx.get(f"{address}/-/counts").json()["most_at_once"]
    print(
        f"{calls} calls, {crew_size} worker(s): {seconds:.1f} s, {seconds / ideal:.2f} × the ideal;"
        f" at most {at_once} at once; {at_half:.0f} MB after half the time, {at_end:.0f} MB at the end"
    )
    return at_once <= CONCURRENCY and seconds / ideal <= SLOWEST and at_end - at_half < MAX_GROWTH


def kills(address: str) -> bool:
    """Whether everything is there after workers were killed again and again and Redis was emptied."""
    from benchmarks.support import calls_run  # noqa: PLC0415 - models exist only once Django is set up

    draw = random.Random(1)  # noqa: S311
    run = calls_run.a_run(TEXTS_OF_KILLS, provider="fake")
    faults: list[str] = []
    before = replies_made(address)
    with calls_run.workers(2) as crew:

        def disturb(_: float) -> None:
            """Once more for every 80 replies, so that there is always something on its way."""
            if replies_made(address) - before > 80 * (len(faults) + 1) and len(faults) < 12:
                if len(faults) % 4 == 3:
                    calls_run.empty_redis()
                    faults.append("Redis emptied")
                else:
                    faults.append(f"{crew.kill_one(draw)} killed")

        seconds = calls_run.work_off(run, cap=Decimal(10_000), meanwhile=disturb)
    found = calls_run.findings(run, made=replies_made(address) - before)
    print(f"{', '.join(faults)}; ended after {seconds:.0f} s")
    print(f"{found}; {found.paid_twice} replies were paid for in vain")
    return found.is_well


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    os.environ["LEASE_SECONDS"] = str(LEASE)
    with fake_provider() as address:
        django.setup()
        well = [throughput(address, crew_size=1), throughput(address, crew_size=2), kills(address)]
    if not all(well):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
