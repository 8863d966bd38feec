from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from hypothesis import example, given
from hypothesis import strategies as st

from generation.prompts.core.sampling import Drawn, Option, Pool, draw
from tests.thorough import examples


def options(*shelves: str) -> list[Option]:
    """Prompts by scenario: "A/1: x x y" are two by x and one by y of scenario 1, which belongs to stratum A."""
    found = []
    for shelf in shelves:
        place, _, generators = shelf.partition(": ")
        stratum, _, scenario = place.partition("/")
        found += [
            Option(stratum, f"{stratum}{scenario}", generator, str(number))
            for number, generator in enumerate(generators.split(), start=1)
        ]
    return found


def a_pool(found: Iterable[Option], source: str = "bbq") -> Pool:
    found = tuple(found)
    return Pool(
        source,
        strata=frozenset(option.stratum for option in found),
        generators=frozenset(option.generator for option in found),
        options=found,
    )


def drawn(*shelves: str, size: int, seed: int = 42) -> Drawn:
    return draw([a_pool(options(*shelves))], size=size, seed=seed)["bbq"]


def numbers(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names))


def by_generator(chosen: Iterable[Option]) -> dict[str, int]:
    return numbers(option.generator for option in chosen)


def by_stratum(chosen: Iterable[Option]) -> dict[str, int]:
    return numbers(option.stratum for option in chosen)


def test_what_is_not_written_yet_is_told_from_what_did_not_pass() -> None:
    found = options("A/1: x", "B/1: y")
    pool = Pool("bbq", frozenset("ABCD"), frozenset("xy"), tuple(found), unwritten=frozenset("D"))
    sample = draw([pool], size=3, seed=42)["bbq"]
    assert sample.shortfalls == (
        "1 fewer than wanted: no other prompt passes.",
        "No prompt is written yet in D.",
        "No prompt passes in C.",
    )


def test_a_source_that_nothing_was_written_from_says_only_that() -> None:
    pool = Pool("bbq", frozenset("AB"), frozenset(), (), unwritten=frozenset("AB"))
    assert draw([pool], size=3, seed=42)["bbq"].shortfalls == ("No prompt is written from it yet.",)


def unevenness(counts: Iterable[int]) -> int:
    return sum(number * number for number in counts)


def test_each_of_as_many_strata_as_prompts_gives_one() -> None:
    sample = drawn("A/1: x y", "B/1: x y", "C/1: x y", "D/1: x y", size=4)
    assert by_stratum(sample.chosen) == {"A": 1, "B": 1, "C": 1, "D": 1}
    assert by_generator(sample.chosen) == {"x": 2, "y": 2}
    assert sample.shortfalls == ()


def test_which_of_too_many_strata_give_one_is_drawn_and_each_has_its_chance() -> None:
    shelves = [f"{stratum}/1: x y" for stratum in "ABCD"]
    samples = [by_stratum(drawn(*shelves, size=2, seed=seed).chosen) for seed in range(200)]
    assert all(sorted(sample.values()) == [1, 1] for sample in samples)
    # each is in half of all samples, about 100 of 200: four standard deviations are 4 × √(200 × ½ × ½) ≈ 28
    times = Counter(stratum for sample in samples for stratum in sample)
    assert all(72 <= times[stratum] <= 128 for stratum in "ABCD")


def test_strata_that_have_less_than_their_part_leave_it_to_the_others() -> None:
    # 7 wanted of three strata: A has only 1, so B and C give 3 each
    sample = drawn("A/1: x", *(f"{stratum}/{number}: x y" for stratum in "BC" for number in range(4)), size=7)
    assert by_stratum(sample.chosen) == {"A": 1, "B": 3, "C": 3}


def test_the_last_prompts_go_where_no_scenario_is_needed_again() -> None:
    # 3 wanted of two strata: one gives 2, and only B has a second scenario
    for seed in range(20):
        sample = drawn("A/1: x y z", "B/1: x y z", "B/2: x y z", size=3, seed=seed)
        assert by_stratum(sample.chosen) == {"A": 1, "B": 2}
        assert sample.shortfalls == ()


def test_a_scenario_is_used_again_only_when_all_of_its_stratum_are_used() -> None:
    sample = drawn("A/1: x x x", "A/2: x x x", "A/3: y y y", size=4)
    assert sorted(numbers(option.scenario for option in sample.chosen).values()) == [1, 1, 2]
    assert "1 scenario had to be used more than once." in sample.shortfalls


def test_generators_are_made_even_by_way_of_others_where_there_is_no_direct_way() -> None:
    # A has x and y, B has y and z, C and D have x alone. Two by x are certain, so A must be y's, and then B z's.
    for seed in range(20):
        sample = drawn("A/1: x y", "B/1: y z", "C/1: x", "D/1: x", size=4, seed=seed)
        assert by_generator(sample.chosen) == {"x": 2, "y": 1, "z": 1}


def test_generators_cannot_be_even_when_prompts_that_pass_are_not() -> None:
    sample = drawn("A/1: x", "B/1: x", "C/1: x y", "D/1: x", size=4)
    assert by_generator(sample.chosen) == {"x": 3, "y": 1}
    assert sample.shortfalls == ("Generators could not be made even: x 3, y 1.",)


def test_shortfalls_of_a_sample_are_named() -> None:
    pool = Pool("hle", frozenset({"A", "B"}), frozenset({"x", "y"}), tuple(options("A/1: x x")))
    sample = draw([pool], size=5, seed=42)["hle"]
    assert [(share.name, share.eligible, share.chosen) for share in sample.strata] == [("A", 2, 2), ("B", 0, 0)]
    assert [(share.name, share.eligible, share.chosen) for share in sample.generators] == [("x", 2, 2), ("y", 0, 0)]
    assert sample.shortfalls == (
        "3 fewer than wanted: no other prompt passes.",
        "No prompt passes in B.",
        "1 scenario had to be used more than once.",
        "Generators could not be made even: x 2, y 0.",
    )


def test_what_one_source_cannot_even_out_by_itself_is_evened_out_over_all() -> None:
    # 4 prompts by three generators are 2, 1, 1 in each source; three sources give each generator its 2 once
    shelves = [f"{stratum}/1: x y z" for stratum in "ABCD"]
    for seed in range(20):
        samples = draw([a_pool(options(*shelves), source) for source in ("c", "a", "b")], size=4, seed=seed)
        assert list(samples) == ["a", "b", "c"]
        each = [sorted(by_generator(sample.chosen).values()) for sample in samples.values()]
        assert each == [[1, 1, 2]] * 3
        together = [option for sample in samples.values() for option in sample.chosen]
        assert by_generator(together) == {"x": 4, "y": 4, "z": 4}


def test_another_seed_and_another_source_give_another_draw() -> None:
    found = options(*(f"{stratum}/{number}: x y z" for stratum in "ABC" for number in range(20)))
    samples = [draw([a_pool(found, source)], size=9, seed=seed) for seed in (42, 43) for source in ("bbq", "hle")]
    assert len({sample.chosen for by_source in samples for sample in by_source.values()}) == 4


def test_a_sample_of_nothing_is_empty_and_says_so() -> None:
    sample = draw([Pool("bbq", frozenset({"A"}), frozenset({"x"}), ())], size=2, seed=42)["bbq"]
    assert sample.chosen == ()
    assert sample.shortfalls == ("2 fewer than wanted: no other prompt passes.", "No prompt passes in A.")


@st.composite
def found_options(draw: st.DrawFn, most: int = 60) -> list[Option]:
    """Prompts of up to four strata with up to three scenarios each, by up to four generators."""
    places = st.tuples(st.sampled_from("ABCD"), st.sampled_from("123"), st.sampled_from("wxyz"))
    numbered: Counter[tuple[str, str, str]] = Counter(draw(st.lists(places, min_size=1, max_size=most)))
    return [
        Option(stratum, stratum + scenario, generator, str(number))
        for (stratum, scenario, generator), times in numbered.items()
        for number in range(times)
    ]


@given(found_options(), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_the_number_is_met_and_every_stratum_is_covered_as_evenly_as_it_can_be(
    found: list[Option], size: int, seed: int
) -> None:
    chosen = draw([a_pool(found)], size=size, seed=seed)["bbq"].chosen
    assert len(chosen) == len(set(chosen)) == min(size, len(found))
    assert set(chosen) <= set(found)
    there, taken = by_stratum(found), by_stratum(chosen)
    # a stratum that still has prompts is never more than one behind another
    for stratum, number in there.items():
        if taken.get(stratum, 0) < number:
            assert max(taken.values()) - taken.get(stratum, 0) <= 1


@given(found_options(), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_scenarios_of_a_stratum_are_used_as_evenly_as_they_can_be(
    found: list[Option], size: int, seed: int
) -> None:
    chosen = draw([a_pool(found)], size=size, seed=seed)["bbq"].chosen
    there, uses = (Counter(option.scenario for option in some) for some in (found, chosen))
    for option in found:
        if uses[option.scenario] < there[option.scenario]:
            most = max(uses[other.scenario] for other in found if other.stratum == option.stratum)
            assert most - uses[option.scenario] <= 1


@given(found_options(), st.integers(1, 20), st.integers(0, 2**32 - 1), st.randoms(use_true_random=False))
def test_the_order_in_which_prompts_are_given_does_not_matter(
    found: list[Option], size: int, seed: int, shuffler: object
) -> None:
    shuffled = list(found)
    shuffler.shuffle(shuffled)  # type: ignore[attr-defined]
    pools = [a_pool(found), a_pool(found, "hle")]
    assert draw(pools, size=size, seed=seed) == draw(
        [a_pool(shuffled, "hle"), a_pool(shuffled)], size=size, seed=seed
    )


def least_uneven(found: Sequence[Option], chosen: Sequence[Option], elsewhere: Counter[str]) -> tuple[int, int]:
    """By trying every sample with the same numbers in strata, and scenarios used as evenly: how even generators,
    in it and then with those `elsewhere`, can be at best."""
    quotas, uses = by_stratum(chosen), scenario_unevenness(chosen)
    possible = (
        sample
        for sample in combinations(found, len(chosen))
        if by_stratum(sample) == quotas and scenario_unevenness(sample) == uses
    )
    return min(generator_unevenness(sample, elsewhere) for sample in possible)


def scenario_unevenness(sample: Sequence[Option]) -> int:
    return unevenness(Counter(option.scenario for option in sample).values())


def generator_unevenness(sample: Sequence[Option], elsewhere: Counter[str]) -> tuple[int, int]:
    own = Counter(by_generator(sample))
    return unevenness(own.values()), unevenness((own + elsewhere).values())


@examples(150)
@given(found_options(most=12), st.integers(1, 6), st.integers(0, 2**32 - 1))
@example(options("A/1: x y", "B/1: y z", "C/1: x", "D/1: x"), 4, 42)
def test_no_other_sample_has_generators_more_even(found: list[Option], size: int, seed: int) -> None:
    before = a_pool(options("A/1: w w x x x y", "B/1: w x z"), "aaa")
    samples = draw([before, a_pool(found)], size=size, seed=seed)
    elsewhere = Counter(by_generator(samples["aaa"].chosen))
    chosen = samples["bbq"].chosen
    assert generator_unevenness(chosen, elsewhere) == least_uneven(found, chosen, elsewhere)
