from itertools import combinations
from math import nan
from typing import Literal

import krippendorff
import numpy as np
import pytest

from annotation.platform.core.category_agreement import CategoryAgreement, Coefficient, category_agreement, cohen
from tests.libraries import library

# Twelve things by four raters with ratings missing, an example of Gwet's (Handbook of Inter-Rater Reliability).
GWET = [
    *([1, 1, nan, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4]),
    *([4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [nan, 5, 5, 5], [nan, nan, 1, 1], [nan, nan, 3, nan]),
]
COMPLETE = np.random.default_rng(3).integers(0, 3, size=(40, 1)) + (
    np.random.default_rng(4).random((40, 5)) < 0.3
) * np.random.default_rng(5).integers(-1, 2, size=(40, 5))


def of(table: object, clusters: int | None = None) -> CategoryAgreement:
    """Things × raters, NaN for a missing rating, in clusters of neighbours."""
    ratings = np.asarray(table, dtype=float)
    units, raters = np.nonzero(~np.isnan(ratings))
    size = clusters or len(ratings)
    return category_agreement(
        ratings[units, raters].tolist(), units.tolist(), raters.tolist(), (units % size).tolist()
    )


def value(coefficient: Coefficient) -> float:
    assert coefficient.value is not None
    return coefficient.value


def test_coefficients_of_gwets_example_are_as_printed() -> None:
    found = of(GWET)
    assert (found.n, found.categories) == (11, (1, 2, 3, 4, 5))
    printed = {"share": 0.81818, "ac1": 0.77544, "fleiss": 0.76117, "alpha_nominal": 0.74342}
    assert {name: round(value(getattr(found, name)), 5) for name in printed} == printed


def test_categories_that_nobody_used_count_for_ac1_and_ac2_and_for_nothing_else() -> None:
    """As irrCAC 0.4.4 has it, Gwet's method in Python, with 0 to 6 as categories and quadratic weights."""
    units, raters = np.nonzero(~np.isnan(np.array(GWET)))
    ratings = np.array(GWET)[units, raters].tolist()
    found = category_agreement(ratings, units.tolist(), raters.tolist(), units.tolist(), offered=range(7))
    assert (round(value(found.ac1), 5), round(value(found.ac2), 5)) == (0.79176, 0.96461)
    used = of(GWET)
    for name in ("share", "cohen", "fleiss", "alpha_nominal", "alpha_ordinal"):
        assert value(getattr(found, name)) == pytest.approx(value(getattr(used, name)))


def test_where_all_chose_one_of_two_categories_chance_brings_nothing_and_ac1_is_1() -> None:
    found = category_agreement([1, 1, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1], offered=(0, 1))
    assert (found.ac1.value, found.fleiss.value) == (1.0, None)


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
def test_alpha_is_that_of_the_krippendorff_package(level: Literal["nominal", "ordinal"]) -> None:
    found = of(GWET)
    oracle = krippendorff.alpha(np.array(GWET).T, level_of_measurement=level)
    assert value(getattr(found, f"alpha_{level}")) == pytest.approx(oracle)


def test_fleiss_kappa_is_that_of_statsmodels() -> None:
    rating = library("statsmodels.stats.inter_rater")
    oracle = rating.fleiss_kappa(rating.aggregate_raters(COMPLETE)[0])
    assert value(of(COMPLETE).fleiss) == pytest.approx(oracle)


def test_cohens_kappa_is_the_mean_over_pairs_of_raters_of_that_of_scikit_learn() -> None:
    kappa = library("sklearn.metrics").cohen_kappa_score
    oracle = [kappa(COMPLETE[:, one], COMPLETE[:, other]) for one, other in combinations(range(5), 2)]
    assert value(of(COMPLETE).cohen) == pytest.approx(np.mean(oracle))
    pairs = zip(COMPLETE[:, 0].tolist(), COMPLETE[:, 1].tolist(), strict=True)
    assert cohen(pairs).kappa == pytest.approx(oracle[0])


def test_ac2_is_that_worked_out_by_hand() -> None:
    # Places 0 1 2 with weights 1, 3/4, 0: ratings (0, 1), (2, 2), (0, 0) agree by 3/4, 1 and 1. Shares of
    # categories are 1/2, 1/6 and 1/3, Σπ(1 − π) = 11/18, and weights sum to 6: pe = 6 · 11/18 / (3 · 2) = 11/18.
    found = of([[0, 1], [2, 2], [0, 0]])
    agreed, chance = 11 / 12, 11 / 18
    assert value(found.ac2) == pytest.approx((agreed - chance) / (1 - chance))


def test_ac1_stays_high_where_nearly_everything_is_in_one_category_and_kappa_does_not() -> None:
    ratings = np.zeros((50, 3))
    ratings[0, 0] = ratings[1, 1] = 1
    found = of(ratings)
    assert value(found.ac1) > 0.9
    assert value(found.fleiss) < 0.1


def test_errors_are_those_of_leaving_out_one_cluster_at_a_time() -> None:
    found = of(COMPLETE, clusters=8)
    places = np.arange(40) % 8
    for name in ("share", "fleiss", "alpha_nominal", "alpha_ordinal", "ac1", "ac2"):
        without = np.array([value(getattr(of(COMPLETE[places != left]), name)) for left in range(8)])
        figure = getattr(found, name)
        assert figure.error == pytest.approx((7 / 8 * np.sum((without - without.mean()) ** 2)) ** 0.5)
        assert figure.bias == pytest.approx(7 * (without.mean() - value(figure)))
        assert 1 <= figure.degrees <= 7
        low, high = figure.interval()
        assert low < value(figure) < high < 1


def test_what_is_corrected_for_chance_is_least_where_all_raters_of_a_thing_disagree() -> None:
    complete = of(COMPLETE)
    least = {name: getattr(complete, name).least for name in ("share", "cohen", "fleiss", "alpha_nominal", "ac1")}
    assert least == {"share": 0, "cohen": -1, "fleiss": -1 / 4, "alpha_nominal": -1 / 4, "ac1": -1 / 4}
    # Gwet's eleven things that were rated twice have 40 ratings.
    assert of(GWET).fleiss.least == pytest.approx(-1 / (40 / 11 - 1))


def test_near_the_least_that_raters_can_disagree_an_interval_reaches_from_minus_1() -> None:
    # Three raters who choose three categories disagree by −1/2.
    found = of([[1, 2, 3], [2, 3, 1], [3, 1, 2], [1, 1, 2]]).fleiss
    assert -1 / 2 < value(found) < -0.35
    assert found.least == -1
    low, high = found.interval() or (0, 0)
    assert -1 < low < value(found) < high < 0.5


def test_the_interval_of_cohens_mean_lies_about_what_all_pairs_show_where_pairs_have_few_things_in_common() -> None:
    """Fifteen raters, five of each thing: two of them have some ten things in common, whose κ is drawn to 0."""
    rng, true, held, means = np.random.default_rng(2), 0.36, 0, []
    for _ in range(150):
        # Each says the true one of two categories with probability 0.8: two agree in 0.68, by chance in 0.5.
        truth = rng.integers(0, 2, size=(100, 1))
        said = np.where(rng.random((100, 15)) < 0.8, truth, 1 - truth).astype(float)
        said[np.argsort(rng.random((100, 15)), axis=1) >= 5] = nan
        cohen_mean = of(said).cohen
        low, high = cohen_mean.interval() or (nan, nan)
        held += low <= true <= high
        means.append(value(cohen_mean))
    assert np.mean(means) < true - 0.02
    assert 0.91 < held / 150 < 0.99


def test_intervals_of_ac1_hold_what_is_true_about_as_often_as_they_say() -> None:
    # Two categories, half of the things hard: a rater says the true one with probability 0.95 or 0.6, so that two
    # agree with 0.905 or 0.52, and the true share of agreement is 0.7125; shares are halves, and chance brings 1/2.
    rng, held = np.random.default_rng(7), 0
    for _ in range(300):
        true = rng.integers(0, 2, size=(60, 1))
        skill = np.where(rng.random((60, 1)) < 0.5, 0.95, 0.6)
        said = np.where(rng.random((60, 3)) < skill, true, 1 - true)
        low, high = of(said).ac1.interval() or (0, 0)
        held += low <= 0.425 <= high
    assert 0.91 < held / 300 < 0.985


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[1, nan], [nan, 2]], "nothing has two ratings"),
        ([[1, 1], [1, 1]], "all ratings are in one category"),
    ],
    ids=["apart", "constant"],
)
def test_undefined_coefficients_say_why(table: list[list[float]], reason: str) -> None:
    assert of(table).fleiss.reason == reason
    assert of(table).ac1.interval() is None


def test_one_cluster_tells_nothing_of_others_like_it() -> None:
    found = of(COMPLETE, clusters=1)
    assert (found.ac1.error, found.ac1.why_no_error) == (None, "fewer than two clusters of things")


@pytest.mark.parametrize(("clusters", "has_one"), [(9, False), (40, True)])
def test_where_pairs_of_raters_share_fewer_than_two_clusters_cohens_mean_has_no_interval(
    clusters: int, has_one: bool
) -> None:
    """Fifteen raters, five of each cluster of six things: two share 20 of 210 clusters."""
    rng = np.random.default_rng(6)
    said = rng.integers(0, 3, size=(6 * clusters, 15)).astype(float)
    who = np.argsort(rng.random((clusters, 15)), axis=1) < 5
    said[~np.tile(who, (6, 1))] = nan
    found = of(said, clusters=clusters)
    assert (found.cohen.interval() is not None) == has_one
    assert found.cohen.why_no_error == (
        "" if has_one else "pairs of raters have too few clusters of things in common for an interval"
    )
    assert found.fleiss.interval() is not None
