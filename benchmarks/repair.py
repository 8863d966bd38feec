"""How long it takes to find the least that has to move: `python -m benchmarks.repair`.

Judges as in `benchmarks.assignment`, three of ten items begun. Ends with 1 where one who leaves takes too long.
"""

import time
from collections.abc import Sequence
from random import Random

from annotation.assignment.core.assignment import allocate
from annotation.assignment.core.feasibility import Person
from annotation.assignment.core.repair import Held, Repaired, repair
from benchmarks.assignment import RATINGS, SEED, SIZES, people

MAX_SECONDS = 2


def main() -> None:
    print("prompts  judges   one leaves          one joins           a tenth leaves")
    slowest = 0.0
    for number_of_prompts, number_of_judges in SIZES:
        prompts = [f"P{number:04}" for number in range(number_of_prompts)]
        judges = people(number_of_judges, prompts)
        held = begun_study(judges, prompts)
        wanted = dict.fromkeys(prompts, RATINGS)
        share = len(held) // (len(judges) + 1)

        def change(now: Sequence[Person], **least: int) -> tuple[float, Repaired]:
            began = time.process_time()
            repaired = repair(now, held, wanted, seed=SEED, least=least)  # noqa: B023 - called in this round alone
            return time.process_time() - began, repaired

        results = [change(judges[1:]), change([*judges, Person("N")], N=share), change(judges[len(judges) // 10 :])]
        slowest = max(slowest, results[0][0])
        figures = "".join(f"{seconds:6.2f} s {found.moves:>4} moves " for seconds, found in results)
        print(f"{len(prompts):>7}  {len(judges):>6} {figures}", flush=True)
    if slowest >= MAX_SECONDS:
        raise SystemExit(1)


def begun_study(judges: Sequence[Person], prompts: Sequence[str]) -> list[Held]:
    numbers = Random(len(prompts))  # noqa: S311 - the same every time
    allocation = allocate(judges, prompts, each=RATINGS, seed=SEED, work="ratings")
    return [
        Held(judge, prompt, is_fixed=numbers.random() < 0.3)
        for judge, own in allocation.prompts.items()
        for prompt in own
    ]


if __name__ == "__main__":
    main()
