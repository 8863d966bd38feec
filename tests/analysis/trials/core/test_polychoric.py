import numpy as np
import pytest
from scipy.stats import multivariate_normal

from analysis.trials.core.polychoric import bivariate_normal, polychoric


def test_olssons_table_has_the_correlation_that_he_published() -> None:
    """ρ = .49 (Olsson 1979, Psychometrika 44: 443–460; the table as the manual of R's psych gives it)."""
    assert polychoric(np.array([[13, 6, 0], [69, 113, 22], [41, 132, 104]])) == pytest.approx(0.49, abs=5e-3)


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
