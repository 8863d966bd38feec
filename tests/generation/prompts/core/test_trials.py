"""A trial's scenarios: few of many, spread over strata, and the same whenever they are drawn."""

from collections import Counter
from itertools import pairwise

import pytest

from generation.prompts.core.trials import drawn_for_trial

SIZES = {"A": 5, "B": 2, "C": 1}
STRATA = {f"{stratum}-{number}": stratum for stratum, size in SIZES.items() for number in range(size)}


def drawn(number: int, *, seed: int = 42, source: str = "bbq", strata: dict[str, str] = STRATA) -> set[str]:
    return drawn_for_trial(strata, source=source, number=number, seed=seed)


@pytest.mark.parametrize(
    ("number", "shares"),
    [
        (3, {"A": 1, "B": 1, "C": 1}),
        (5, {"A": 2, "B": 2, "C": 1}),  # a turn of all, a turn of A and B
        (7, {"A": 4, "B": 2, "C": 1}),  # then only A has any left
        (9, {"A": 5, "B": 2, "C": 1}),  # there are no more than 8
    ],
)
def test_strata_take_turns_until_they_have_no_more(number: int, shares: dict[str, int]) -> None:
    assert Counter(STRATA[key] for key in drawn(number)) == shares


def test_a_larger_trial_adds_to_a_smaller_one() -> None:
    trials = [drawn(number) for number in range(9)]
    assert [len(trial) for trial in trials] == [*range(9)]
    assert all(smaller < larger for smaller, larger in pairwise(trials))


def test_the_seed_and_the_names_decide_and_the_order_does_not() -> None:
    assert drawn(2, strata=dict(reversed(STRATA.items()))) == drawn(2)
    assert len({frozenset(drawn(2, seed=seed)) for seed in range(20)}) > 5
    assert len({frozenset(drawn(2, source=f"source {number}")) for number in range(20)}) > 5
