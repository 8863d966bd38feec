import math

import pytest

from analysis.data.core.results import Estimate, Interval, summarise
from tests.analysis.agreement.core.rankings import NAN, ranking


class TestEstimate:
    @pytest.mark.parametrize(
        ("value", "reason"), [(None, None), (None, ""), (0.5, "but why"), (NAN, None), (math.inf, None)]
    )
    def test_an_estimate_holds_a_finite_value_or_a_reason_and_never_both(
        self, value: float | None, reason: str
    ) -> None:
        with pytest.raises(ValueError, match="kendall_w"):
            Estimate("kendall_w", value, n=3, reason=reason)

    def test_a_summary_leaves_missing_values_out_and_counts_them(self) -> None:
        # 1, 2, 6: mean 3, median 2, squared deviations 4 + 1 + 9 = 14, sd √(14/2) = √7, se √7/√3.
        summary = summarise("rank", ranking(1, NAN, 2, 6))
        assert (summary.mean.value, summary.median.value) == (3, 2)
        assert summary.sd.value == pytest.approx(math.sqrt(7))
        assert summary.se.value == pytest.approx(math.sqrt(7 / 3))
        assert {(e.n, e.left_out) for e in (summary.mean, summary.median, summary.sd, summary.se)} == {(3, 1)}

    def test_a_summary_of_one_value_has_no_spread_and_says_why(self) -> None:
        summary = summarise("rank", ranking(4))
        assert summary.mean == Estimate("rank_mean", 4, n=1)
        assert summary.se == Estimate("rank_se", None, n=1, reason="needs at least 2 values, has 1")

    def test_a_summary_of_nothing_has_no_mean(self) -> None:
        assert summarise("rank", ranking(NAN)).mean.reason == "needs at least 1 value, has 0"


@pytest.mark.parametrize(("low", "high"), [(0.1, None), (None, None), (0.1, NAN), (-math.inf, 0.2)])
def test_an_interval_has_two_finite_ends_or_a_reason(low: float | None, high: float | None) -> None:
    with pytest.raises(ValueError, match="bootstrap"):
        Interval(low, high, 0.95, "bootstrap")
    assert Interval(None, None, 0.95, "bootstrap", reason="too few draws").low is None
