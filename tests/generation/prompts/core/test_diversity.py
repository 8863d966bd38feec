"""How different the prompts of a scenario are: every expected value has its arithmetic above it."""

from math import sqrt

import pytest

from generation.prompts.core.diversity import Cell, across, across_pairs, evaluators, within

CLAUDE, GEMINI, GPT = 1, 2, 3
BBQ, HLE = 7, 8


def bundle(scenario: int, both: int, either: int | None = None, *, generator: int = CLAUDE, **fields: int) -> Cell:
    """Five prompts, so ten pairs, compared by two models: 20 votes."""
    return a_cell(scenario, (generator,), both, either, **{"pairs": 10, "evaluators": 2, **fields})


def mixed(scenario: int, alike: int, *, generators: tuple[int, int] = (CLAUDE, GPT), **fields: int) -> Cell:
    """Five prompts by each of two, so 25 pairs, compared by the third model."""
    return a_cell(scenario, generators, alike, alike, **{"pairs": 25, "evaluators": 1, **fields})


def a_cell(
    scenario: int,
    generators: tuple[int, ...],
    both: int,
    either: int | None,
    *,
    pairs: int,
    evaluators: int,
    votes: int | None = None,
    source: int = BBQ,
) -> Cell:
    all_votes = pairs * evaluators
    equivalent = {"both": both, "either": both if either is None else either}
    return Cell(source, scenario, generators, pairs, evaluators, all_votes if votes is None else votes, equivalent)  # type: ignore[arg-type]


class TestWithinABundle:
    def test_diversity_within_a_bundle_is_one_less_the_share_of_equivalent_pairs(self) -> None:
        # 3 of C(5, 2) = 10 pairs by both judges, 4 by one at least: 1 − 3/10 and 1 − 4/10.
        cell = bundle(1, both=3, either=4)
        assert cell.diversity("both") == 0.7
        assert cell.diversity("either") == 0.6

    def test_diversity_within_a_bundle_is_averaged_over_scenarios_with_its_standard_error(self) -> None:
        # 0.7, 0.9 and 1.0: mean 2.6/3; squared deviations 1/36 + 1/900 + 4/225 = 42/900, over n − 1 = 2: 21/900;
        # SE = √(21/900) / √3 = √7 / 30.
        found = within([bundle(1, 3), bundle(2, 1), bundle(3, 0)], "both")[BBQ, CLAUDE]
        assert found.mean == pytest.approx(2.6 / 3)
        assert found.se == pytest.approx(sqrt(7) / 30)
        assert (found.n, found.left_out) == (3, 0)

    def test_diversity_within_a_bundle_is_told_by_source_and_over_all_sources(self) -> None:
        found = within([bundle(1, 5), bundle(2, 0, source=HLE), bundle(1, 1, generator=GPT)], "both")
        # Over all sources Claude's are 0.5 and 1: 0.75 ± (√(2·0.25²) / √2 = 0.25).
        assert {place: (each.mean, each.se, each.n) for place, each in found.items()} == {
            (BBQ, CLAUDE): (0.5, None, 1),
            (HLE, CLAUDE): (1, None, 1),
            (None, CLAUDE): (0.75, pytest.approx(0.25), 2),
            (BBQ, GPT): (0.9, None, 1),
            (None, GPT): (0.9, None, 1),
        }

    def test_diversity_within_a_bundle_that_lacks_a_vote_is_not_known_yet(self) -> None:
        found = within([bundle(1, 0), bundle(2, 0, votes=19)], "both")[BBQ, CLAUDE]
        assert (found.mean, found.n, found.left_out) == (1, 1, 1)
        alone = within([bundle(2, 0, votes=19)], "both")[BBQ, CLAUDE]
        assert (alone.mean, alone.se, alone.n, alone.left_out) == (None, None, 0, 1)

    def test_diversity_within_a_bundle_says_nothing_of_mixed_pairs(self) -> None:
        assert within([mixed(1, 3)], "both") == {}


class TestAcrossGenerators:
    def test_diversity_across_generators_is_averaged_over_pairs_of_generators_before_scenarios(self) -> None:
        # Scenario 1: 1 − 5/25 = 0.8 and 1 − 10/25 = 0.6, mean 0.7; scenario 2: 1 − 0/25 = 1, of one pair alone.
        # Mean 0.85, SE = √(2 · 0.15²) / √2 = 0.15.
        cells = [mixed(1, 5), mixed(1, 10, generators=(CLAUDE, GEMINI)), mixed(2, 0)]
        found = across(cells, "both")[BBQ]
        assert found.mean == pytest.approx(0.85)
        assert found.se == pytest.approx(0.15)
        assert found.n == 2
        assert across(cells, "both")[None] == found

    def test_diversity_across_generators_waits_for_every_pair_of_a_scenario(self) -> None:
        cells = [mixed(1, 5), mixed(1, 0, generators=(CLAUDE, GEMINI), votes=24), mixed(2, 0)]
        found = across(cells, "either")[BBQ]
        assert (found.mean, found.n, found.left_out) == (1, 1, 1)

    def test_diversity_across_generators_is_told_by_pair_of_generators_too(self) -> None:
        cells = [mixed(1, 5), mixed(1, 10, generators=(CLAUDE, GEMINI)), mixed(2, 0)]
        found = across_pairs(cells, "both")
        # Claude with GPT: 0.8 and 1.
        assert found[BBQ, (CLAUDE, GPT)].mean == pytest.approx(0.9)
        assert found[None, (CLAUDE, GEMINI)].mean == pytest.approx(0.6)

    def test_diversity_across_generators_says_nothing_of_bundles(self) -> None:
        assert across([bundle(1, 3)], "both") == {}


@pytest.mark.parametrize(
    ("writers", "mixed", "expected"),
    [
        ((CLAUDE, CLAUDE), "third", [GEMINI, GPT]),
        ((CLAUDE, CLAUDE), "all", [GEMINI, GPT]),  # nobody judges two of their own
        ((CLAUDE,), "all", [GEMINI, GPT]),
        ((CLAUDE, GPT), "third", [GEMINI]),
        ((CLAUDE, GPT), "all", [CLAUDE, GEMINI, GPT]),
        ((4, 4), "third", [CLAUDE, GEMINI, GPT]),  # the writer is not among the models any more
    ],
)
def test_prompts_are_compared_by_whoever_wrote_neither_unless_all_are_to(
    writers: tuple[int, ...], mixed: str, expected: list[int]
) -> None:
    assert evaluators([CLAUDE, GEMINI, GPT], writers, mixed=mixed) == expected  # type: ignore[arg-type]
