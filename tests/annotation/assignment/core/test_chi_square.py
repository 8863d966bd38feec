"""Counts against chance: by hand, by full enumeration, and by drawing."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from annotation.assignment.core.chi_square import fit


def labelled(*orders: str, kinds: str) -> np.ndarray:
    """Each order as a table: one row for each of `kinds`, one column for each place."""
    return np.array([[[int(thing == kind) for thing in order] for kind in kinds] for order in orders])


def test_one_source_among_six_labels_has_the_statistic_that_is_computed_by_hand() -> None:
    # People have m = 3 of k = 6 labels in n = 4 items, so 4·3/6 = 2 are expected under each label.
    orders = ["ppxpxx", "pxppxx", "ppxxpx", "pxxpxp"]
    found = fit(labelled(*orders, kinds="px"))
    assert found.found[0] == (4, 2, 1, 3, 1, 1)
    assert found.expected[0] == (2, 2, 2, 2, 2, 2)
    # Σ(O−E)² = 4 + 0 + 1 + 1 + 1 + 1 = 8, over n·m(k−m)/(k(k−1)) = 4·9/30 = 1.2, is 6.667 on 5 degrees of freedom
    assert found.by_kind[0].value == pytest.approx(8 / 1.2, abs=1e-6)
    assert found.by_kind[0].degrees == 5
    assert found.by_kind[0].p == pytest.approx(stats.chi2.sf(8 / 1.2, 5), abs=1e-6)


def test_with_two_sources_each_says_what_both_together_say() -> None:
    found = fit(labelled("ppx", "xpp", "ppx", "pxp", kinds="px"))
    assert found.by_kind[0] == found.by_kind[1] == found.together


def test_items_with_different_numbers_of_a_source_add_up() -> None:
    # Two of three labels in one item, one in the other: 2/3 + 1/3 expected under each. The covariances are both
    # m(k−m)/(k(k−1)) = 2/6, together 4/6. Σ(O−E)² = 1 + 0 + 1 = 2, over 4/6, is 3.
    found = fit(labelled("ppx", "pxx", kinds="px"))
    assert found.found[0] == (2, 1, 0)
    assert found.expected[0] == (1, 1, 1)
    assert found.by_kind[0].value == pytest.approx(3)


def test_many_items_have_as_many_degrees_of_freedom_as_few() -> None:
    rng = np.random.default_rng(3)
    things = [list("ppp123")] * 280 + [list("112233")] * 20  # source attribution: two each by three models
    found = fit(labelled(*("".join(rng.permutation(own)) for own in things), kinds="p123"))
    assert {one.degrees for one in found.by_kind} == {5}  # six labels less one
    assert found.together.degrees == 15  # (4 − 1) sources × (6 − 1) labels


def test_labels_that_leave_nothing_to_chance_are_as_expected() -> None:
    found = fit(labelled("ppp", "ppp", kinds="px"))
    assert (found.together.value, found.together.degrees, found.together.p) == (0, 0, 1)


def test_an_empty_draw_is_as_expected() -> None:
    assert fit(np.zeros((0, 2, 3), dtype=int)).together.p == 1


@given(st.lists(st.integers(0, 3), min_size=2, max_size=4).filter(lambda numbers: sum(numbers) in (3, 4)))
def test_expectation_and_covariance_are_those_over_all_orders(numbers: list[int]) -> None:
    """The mean of (O−E)ᵀ Cov⁺ (O−E) over all equally likely orders is the rank of Cov, exactly, if Cov is right."""
    things = [kind for kind, number in enumerate(numbers) for _ in range(number)]
    tables = [
        [[int(thing == kind) for thing in order] for kind in range(len(numbers))] for order in permutations(things)
    ]
    every = [fit(np.array([table])) for table in tables]
    assert np.mean([one.found for one in every], axis=0) == pytest.approx(np.array(every[0].expected), abs=1e-5)
    assert np.mean([one.together.value for one in every]) == pytest.approx(every[0].together.degrees, abs=1e-4)


def test_p_is_small_as_often_as_it_says() -> None:
    """400 studies of 40 items with three answers by people and one each by three models, drawn at random."""
    rng, things = np.random.default_rng(20), np.array(list("ppp123"))
    values = [
        fit(labelled(*("".join(rng.permutation(things)) for _ in range(40)), kinds="p123")) for _ in range(400)
    ]
    # 5 % of 400 are 20, give or take three times √(400·0.05·0.95) = 13
    assert 7 <= sum(one.together.p < 0.05 for one in values) <= 33
    assert 7 <= sum(one.by_kind[0].p < 0.05 for one in values) <= 33


def test_a_source_that_always_stands_first_is_not_put_down_to_chance() -> None:
    found = fit(labelled(*["1pp", "1pp", "1pp", "1pp", "1pp", "1pp"], kinds="p1"))
    # O = (6, 0, 0), E = 2: Σ(O−E)² = 16 + 4 + 4 = 24, over 6·1·2/(3·2) = 2, is 12 on 2 degrees: p = e⁻⁶ = 0.0025
    assert found.by_kind[1].value == pytest.approx(12)
    assert found.by_kind[1].p == pytest.approx(np.exp(-6), abs=1e-6)
