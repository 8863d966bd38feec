"""Who annotates which stories of an audit."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.benchmarks.core.allocation import allot, certify
from annotation.platform.core.errors import Refused

SEED = bytes(range(32))
PEOPLE = ("A-1", "A-2", "A-3", "A-4", "A-5")


@given(
    st.lists(st.dictionaries(st.integers(0, 10_000), st.integers(1, 9), max_size=20), min_size=1, max_size=3),
    st.integers(2, 5),
    st.binary(min_size=32, max_size=32),
)
def test_every_story_has_two_people_and_loads_are_within_a_story(
    sizes: list[dict[int, int]], people: int, seed: bytes
) -> None:
    benchmarks = [{f"{number}/{key}": size for key, size in each.items()} for number, each in enumerate(sizes)]
    found = allot(benchmarks, PEOPLE[:people], seed=seed)
    of_all = {story: size for each in benchmarks for story, size in each.items()}
    assert Counter(story for stories in found.values() for story in stories) == dict.fromkeys(of_all, 2)
    assert all(len(set(stories)) == len(stories) for stories in found.values())
    loads = [sum(of_all[story] for story in stories) for stories in found.values()]
    assert max(loads) - min(loads) <= max(of_all.values(), default=0)


def test_benchmarks_come_one_after_the_other_and_the_seed_says_how() -> None:
    benchmarks = [{f"x/{n}": 4 for n in range(10)}, {f"y/{n}": 1 for n in range(10)}]
    found = allot(benchmarks, PEOPLE[:2], seed=SEED)
    assert all([story[0] for story in stories] == ["x"] * 10 + ["y"] * 10 for stories in found.values())
    assert found == allot(benchmarks, PEOPLE[:2], seed=SEED)
    assert found != allot(benchmarks, PEOPLE[:2], seed=bytes(32))
    assert found["A-1"] != found["A-2"]  # each in an order of their own


def test_one_person_alone_is_not_enough() -> None:
    with pytest.raises(Refused, match="there is 1 annotator"):
        allot([{"x/1": 1}], ["A-1"], seed=SEED)


def test_a_certificate_tells_who_has_more_and_what_only_one_has() -> None:
    fair = certify({1: ["A-1", "A-2"], 2: ["A-1", "A-3"]}, {1: 7, 2: 8})
    assert fair.is_balanced
    assert (fair.by_two, fair.least, fair.most) == (2, 1, 2)
    assert not certify({1: ["A-1", "A-2"], 2: ["A-1"]}, {1: 7, 2: 8}).is_balanced
    assert not certify({1: ["A-1", "A-1"]}, {1: 7}).is_balanced
    assert not certify({n: ["A-1", "A-2" if n else "A-3"] for n in range(4)}, {n: n for n in range(4)}).is_balanced
