import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.agreement.core.intraclass import COEFFICIENTS, RaterPairs, coefficients
from analysis.data.core.results import FloatArray
from tests.analysis.agreement.core.rankings import NAN, ranking

# Six targets by four judges: Shrout and Fleiss (1979), table 2.
SHROUT_FLEISS = ranking([9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7])
RATINGS = np.random.default_rng(3).normal(size=(6, 4)) + np.arange(6)[:, None] + np.arange(4)


def of_tables(
    *tables: FloatArray, drawn: FloatArray | None = None, weights: FloatArray | None = None
) -> dict[str, float]:
    """Of tables of targets × raters of one shape, each weighing as much as its targets less one."""
    ratings = np.stack([table.T for table in tables])
    pairs = RaterPairs.of(ratings)
    everyone = np.ones((1, *ratings.shape[:2])) if drawn is None else drawn
    found = coefficients(
        pairs.components(everyone), pairs.targets - 1 if weights is None else weights, raters=ratings.shape[1]
    )
    return {name: float(values[0]) for name, values in found.items()}


def by_variance(*tables: FloatArray) -> dict[str, float]:
    """The formulas of Shrout and Fleiss, from mean squares pooled over tables of one shape."""
    n, k = tables[0].shape
    squares = []
    for table in tables:
        around = table - table.mean()
        targets = k * (around.mean(axis=1) ** 2).sum()
        raters = n * (around.mean(axis=0) ** 2).sum()
        squares.append((targets, (around**2).sum() - targets, raters, (around**2).sum() - targets - raters))
    bms, wms, jms, ems = np.mean(squares, axis=0) / (n - 1, n * (k - 1), k - 1, (n - 1) * (k - 1))
    return {
        "one_way": (bms - wms) / (bms + (k - 1) * wms),
        "random": (bms - ems) / (bms + (k - 1) * ems + k * (jms - ems) / n),
        "fixed": (bms - ems) / (bms + (k - 1) * ems),
        "one_way_mean": (bms - wms) / bms,
        "random_mean": (bms - ems) / (bms + (jms - ems) / n),
        "fixed_mean": (bms - ems) / bms,
    }


def test_intraclass_correlations_of_the_worked_example_are_those_of_shrout_and_fleiss() -> None:
    # Mean squares: between targets 11.24, within 6.26, between judges 32.49, residual 1.02.
    found = of_tables(SHROUT_FLEISS)
    assert {name: round(value, 2) for name, value in found.items()} == {
        "one_way": 0.17,
        "random": 0.29,
        "fixed": 0.71,
        "one_way_mean": 0.44,
        "random_mean": 0.62,
        "fixed_mean": 0.91,
    }


@given(st.lists(arrays(float, (6, 4), elements=st.integers(1, 9).map(float)), min_size=1, max_size=4))
def test_intraclass_correlations_of_several_tables_are_those_of_their_pooled_mean_squares(
    drawn: list[FloatArray],
) -> None:
    # Added, so that something always varies between targets, raters and beside both.
    tables = [table + RATINGS for table in drawn]
    assert of_tables(*tables) == pytest.approx(by_variance(*tables), abs=1e-9)


def test_one_table_in_which_targets_hardly_differ_does_not_spoil_the_mean() -> None:
    # Alone its mean square between targets is nearly nothing, and ICC(3,k) = 1 − EMS/BMS far below −1.
    flat = ranking([1, 3, 2, 4], [3, 1, 4, 2], [2, 4, 3, 1], [4, 2, 1, 3], [1, 2, 3, 4], [4, 3, 2, 1.1])
    assert of_tables(flat)["fixed_mean"] < -1
    assert 0 < of_tables(RATINGS, flat)["fixed_mean"] < of_tables(RATINGS)["fixed_mean"] < 1


def test_the_levels_of_fixed_raters_do_not_count() -> None:
    here, there = (of_tables(RATINGS + levels) for levels in (0, np.array([0, 5, -3, 1])))
    assert there["fixed"] == pytest.approx(here["fixed"])
    assert there["random"] < here["random"]


def test_intraclass_correlation_of_a_mean_is_by_spearman_and_brown() -> None:
    # Of k = 4 raters: 4·r / (1 + 3·r).
    found = of_tables(RATINGS)
    for kind in ("one_way", "random", "fixed"):
        assert found[f"{kind}_mean"] == pytest.approx(4 * found[kind] / (1 + 3 * found[kind]))


def test_tables_drawn_twice_weigh_twice() -> None:
    other = RATINGS[::-1] * np.array([1, -1, 1, 1])
    drawn = of_tables(RATINGS, other, weights=ranking([10, 5]))
    assert drawn == pytest.approx(of_tables(RATINGS, RATINGS, other))


def test_targets_that_a_rater_did_not_rate_are_left_out() -> None:
    gap = np.vstack([RATINGS, [1, 2, NAN, 4]])
    assert of_tables(gap) == pytest.approx(of_tables(RATINGS))


def test_a_rater_drawn_twice_does_not_agree_with_itself() -> None:
    # Raters 0 and 1 alone, however often they were drawn: as of the two of them.
    drawn = of_tables(RATINGS, drawn=ranking([[3, 1, 0, 0]]))
    two = of_tables(RATINGS[:, :2])
    assert [drawn["random"], drawn["fixed"]] == pytest.approx([two["random"], two["fixed"]])


def test_perfect_agreement_is_one() -> None:
    assert of_tables(ranking([1, 1], [2, 2], [4, 4])) == dict.fromkeys(COEFFICIENTS, 1)


@pytest.mark.parametrize(
    "ratings",
    [ranking([1, 2, 3]), ranking([1], [2]), ranking([1, 2], [2, NAN]), ranking([3, 3], [3, 3])],
    ids=["one target", "one rater", "one target that both rated", "all equal"],
)
def test_intraclass_correlations_are_undefined_where_nothing_is_to_be_compared(ratings: FloatArray) -> None:
    assert np.isnan(list(of_tables(ratings).values())).all()


@pytest.mark.parametrize("weights", [[4, 0, 0, 0], [0, 0, 0, 0]])
def test_intraclass_correlations_of_one_rater_are_undefined(weights: list[int]) -> None:
    assert np.isnan(list(of_tables(RATINGS, drawn=ranking([weights])).values())).all()
