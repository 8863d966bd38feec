"""How long a design takes to be drawn, and how much memory: `python -m benchmarks.assignment`.

Judges have capacities, exclusions and preferences, as people do. Ends with 1 where the largest design takes too
much.
"""

import random
import resource
import time
from collections.abc import Sequence
from dataclasses import replace

from annotation.assignment.core.assignment import allocate
from annotation.assignment.core.feasibility import Infeasible, Person
from annotation.assignment.core.human_sets import human_sets

SEED = bytes(range(32))
RATINGS = 10
SIZES = ((30, 15), (125, 62), (250, 125), (500, 250), (1000, 500))  # prompts, judges
MAX_SECONDS, MAX_MEGABYTES = 5, 1000


def main() -> None:
    print("prompts  judges   design drawn   refused   sets of answers   loads     against a preference   memory")
    slowest = 0.0
    for number_of_prompts, number_of_judges in SIZES:
        prompts = [f"P{number:04}" for number in range(number_of_prompts)]
        judges = people(number_of_judges, prompts)
        began = time.process_time()
        allocation = allocate(judges, prompts, each=RATINGS, seed=SEED, work="ratings")
        drawn = time.process_time() - began
        refused, sets = seconds_to_refuse(judges, prompts), seconds_for_sets(prompts)
        loads = [len(own) for own in allocation.prompts.values()]
        slowest = max(slowest, drawn)
        print(
            f"{len(prompts):>7}  {len(judges):>6}   {drawn:10.2f} s  {refused:6.2f} s   {sets:13.2f} s   "
            f"{min(loads):>2} to {max(loads):<2}  {len(allocation.unwished):>14}   {megabytes():4.0f} MB",
            flush=True,
        )
    if slowest >= MAX_SECONDS or megabytes() >= MAX_MEGABYTES:
        raise SystemExit(1)


def people(number: int, prompts: Sequence[str]) -> list[Person]:
    """A third have little time; nobody can judge a twentieth of the prompts, and everybody prefers a tenth."""
    numbers = random.Random(number)  # noqa: S311 - the same every time
    return [
        Person(
            f"J{person:03}",
            capacity=numbers.choice([None, None, 15]),
            excluded=frozenset(numbers.sample(prompts, len(prompts) // 20)),
            unwished=frozenset(numbers.sample(prompts, len(prompts) * 9 // 10)),
        )
        for person in range(number)
    ]


def seconds_to_refuse(judges: Sequence[Person], prompts: Sequence[str]) -> float:
    """How long it takes to find out that judges with so little time are too few, and what would do."""
    hurried = [replace(judge, capacity=15) for judge in judges]
    began = time.process_time()
    try:
        allocate(hurried, prompts, each=RATINGS, seed=SEED, work="ratings")
    except Infeasible:
        return time.process_time() - began
    raise AssertionError("There is no such design.")


def seconds_for_sets(prompts: Sequence[str]) -> float:
    """Triples of ten answers, for every judge of every prompt."""
    answers = [f"r{number}" for number in range(10)]
    began = time.process_time()
    for prompt in prompts:
        human_sets(answers, size=3, ratings=RATINGS, seed=SEED, context=prompt)
    return time.process_time() - began


def megabytes() -> float:
    """The most memory that this process has had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
