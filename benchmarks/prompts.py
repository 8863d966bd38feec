"""From sources to a sample, at full size: how long the platform itself takes, without waiting for any model.

    python -m benchmarks.prompts [--scenarios 343] [--workers 1]

On the database of `DATABASE_URL` and the Redis of `REDIS_URL`: three demonstration models write five prompts from
each scenario, judge and compare them; a map and a sample are drawn. `--workers` do some of the calls beside this
process. Ends with 1 where all of it takes three minutes or more, or anything is missing.
"""

import argparse
import os
import resource
import time
from collections.abc import Callable

import django

MAX_SECONDS = 180.0
# As different as models are: quality and variety of what they write, requests declined, replies in another form.
MODELS = {
    "aurora": {"quality": 0.9, "variety": 0.9, "declines": 0.01},
    "boreal": {"quality": 0.75, "variety": 0.7, "declines": 0.02, "spoils": 0.03},
    "cobalt": {"quality": 0.6, "variety": 0.45, "spoils": 0.06},
}


class Clock:
    """Prints how long each step took, and what was worked here meanwhile."""

    def __init__(self) -> None:
        self.began = time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def time(self, name: str, step: Callable[[], object]) -> None:
        began, worked = time.monotonic(), time.process_time()
        step()
        seconds, processor = time.monotonic() - began, time.process_time() - worked
        print(f"{name:<8} {seconds:6.1f} s   {processor:6.1f} s of this process", flush=True)


def measure(*, scenarios: int, crew_size: int) -> bool:
    """Whether it was fast enough and complete."""
    from benchmarks.support import calls_run, prompts_study  # noqa: PLC0415 - models exist only once Django is set up

    pipeline = prompts_study.a_pipeline(scenarios, MODELS)
    study = pipeline.study
    with calls_run.workers(crew_size), calls_run.woken_up():
        clock = Clock()
        clock.time("write", pipeline.write)
        clock.time("judge", pipeline.judge)
        clock.time("compare", pipeline.compare)
        clock.time("map", pipeline.draw_maps)
        clock.time("sample", lambda: pipeline.draw_sample(seed=study.sampling_seed, per_source=10))
        seconds = clock.seconds
    found = prompts_study.findings(study)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{found}; {seconds:.0f} s in all, {found.calls / seconds:.0f} calls a second; {megabytes:.0f} MB")
    return seconds < MAX_SECONDS and found.is_well


def main() -> None:
    parser = argparse.ArgumentParser(description="From sources to a sample of prompts, at full size.")
    parser.add_argument("--scenarios", type=int, default=343)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    django.setup()
    if not measure(scenarios=options.scenarios, crew_size=options.workers):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
