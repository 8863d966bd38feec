import numpy as np
import pytest
from scipy.stats import multivariate_normal

from analysis.trials.core.polychoric import bivariate_normal, polychoric


def test_pearsons_table_of_smallpox_has_the_correlation_that_he_published() -> None:
    """Vaccination and recovery: r = 0.5954 (Pearson 1900, Philosophical Transactions A 195: 1–47), by a series."""
    assert polychoric(np.array([[1562, 42], [383, 94]])) == pytest.approx(0.5954, abs=5e-4)


def test_tables_cut_at_the_medians_follow_sheppards_formula() -> None:
    """P(both below) = 1/4 + arcsin ρ / 2π (Sheppard 1899)."""
    assert polychoric(np.array([[30, 20], [20, 30]])) == pytest.approx(np.sin(2 * np.pi * 0.05), abs=1e-6)


@pytest.mark.parametrize("rho", [-0.95, -0.3, 0.0, 0.6, 0.97])
def test_the_bivariate_normal_is_that_of_scipy(rho: float) -> None:
    points = np.array([[0.3, -0.7], [-1.2, 1.4], [2.0, 2.5]])
    theirs = [multivariate_normal.cdf(point, cov=[[1, rho], [rho, 1]]) for point in points]
    assert bivariate_normal(points[:, 0], points[:, 1], rho) == pytest.approx(theirs, abs=1e-7)


def test_one_category_alone_has_no_correlation() -> None:
    assert np.isnan(polychoric(np.array([[10, 20], [0, 0]])))
