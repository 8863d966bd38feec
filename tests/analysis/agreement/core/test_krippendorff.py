from collections.abc import Sequence

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.agreement.core.krippendorff import Level, Ratings
from analysis.data.core.results import FloatArray
from tests.analysis.agreement.core.rankings import NAN, krippendorff_alpha, ranking, tables

# Four observers and twelve units, the worked example that Krippendorff uses for alpha with missing ratings.
FOUR_OBSERVERS = ranking(
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
)

few_values_or_missing = st.one_of(st.just(NAN), st.integers(-2, 4).map(float))


class TestAlpha:
    # The last unit has one rating, so 40 ratings remain: 9 ones, 13 twos, 10 threes, 5 fours, 3 fives.
    # Coincidences above the diagonal: 4/3 for (1,2) and (2,3); 1/3 for (1,3), (1,4), (2,4) and (3,4).
    @pytest.mark.parametrize(
        ("level", "expected"),
        [
            # Observed 2·4 = 8, expected (40² − 9² − 13² − 10² − 5² − 3²)/39 = 1216/39.
            ("nominal", 1 - 39 * 8 / 1216),
            # Sums over the upper half: observed (4·1 + 4 + 9 + 4·1 + 4 + 1)/3 = 26/3;
            # expected·39 = 117 + 360 + 405 + 432 + 130 + 260 + 351 + 50 + 120 + 15 = 2240.
            ("interval", 1 - 39 * (26 / 3) / 2240),
            # Middles of the cumulated counts 4.5, 15.5, 27, 34.5, 38.5 give squared distances
            # 121, 506.25, 900, 1156 | 132.25, 361, 529 | 56.25, 132.25 | 16;
            # observed (4·121 + 506.25 + 900 + 4·132.25 + 361 + 56.25)/3 = 945.5; expected·39 = 199740.
            ("ordinal", 1 - 39 * 945.5 / 199740),
        ],
    )
    def test_alpha_of_the_worked_example_is_as_printed(self, level: Level, expected: float) -> None:
        estimate = krippendorff_alpha(FOUR_OBSERVERS, level=level)
        assert estimate.value == pytest.approx(expected, abs=1e-14)
        assert round(expected, 3) == {"nominal": 0.743, "interval": 0.849, "ordinal": 0.815}[level]
        assert (estimate.n, estimate.left_out) == (11, 1)

    @pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
    @given(tables(8, few_values_or_missing, min_rows=1, min_columns=1))
    def test_alpha_agrees_with_the_krippendorff_package(self, level: Level, values: FloatArray) -> None:
        estimate = krippendorff_alpha(values, level=level)
        assume(estimate.value is not None)
        oracle = krippendorff.alpha(reliability_data=values, level_of_measurement=level)
        assert estimate.value == pytest.approx(oracle, abs=1e-12)

    @given(arrays(float, (3, 9), elements=st.integers(-(10**6), 10**6).map(lambda number: number / 1000)))
    def test_alpha_takes_any_number_of_distinct_values(self, values: FloatArray) -> None:
        estimate = krippendorff_alpha(values, level="interval")
        assume(estimate.value is not None)
        oracle = krippendorff.alpha(reliability_data=values, level_of_measurement="interval")
        assert estimate.value == pytest.approx(oracle, abs=1e-12)

    @given(tables(6, few_values_or_missing))
    def test_alpha_does_not_know_the_order_of_raters_or_units(self, values: FloatArray) -> None:
        here = krippendorff_alpha(values, level="ordinal")
        there = krippendorff_alpha(values[::-1, ::-1], level="ordinal")
        assert (here.n, here.left_out, here.reason) == (there.n, there.left_out, there.reason)
        assert here.value == pytest.approx(there.value, abs=1e-12)

    @pytest.mark.parametrize(
        ("values", "reason"),
        [
            (ranking([1, 2, 3]), "no unit has two ratings"),
            (ranking([1, NAN], [NAN, 2]), "no unit has two ratings"),
            (np.empty((0, 0)), "there is no rating of this kind"),
            (ranking([2, 2, 5], [2, 2, NAN]), "all ratings are equal"),
        ],
    )
    @pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
    def test_undefined_alpha_says_why(self, values: FloatArray, reason: str, level: Level) -> None:
        estimate = krippendorff_alpha(values, level=level)
        assert (estimate.value, estimate.reason) == (None, reason)


class TestResamples:
    @staticmethod
    def drawn(
        values: FloatArray,
        level: Level,
        *,
        raters: Sequence[float] | FloatArray | None = None,
        units: Sequence[float] | FloatArray | None = None,
    ) -> float:
        """α of one resample of raters × units, everybody and everything once if nothing else is said."""
        of_raters, of_units = np.nonzero(~np.isnan(values))
        ratings = Ratings.of(values[of_raters, of_units], of_units, of_raters, shape=values.shape[::-1])
        of_each_rater, of_each_unit = (
            np.ones(number) if weights is None else np.array(weights, dtype=float)
            for weights, number in zip((raters, units), values.shape, strict=True)
        )
        return float(ratings.of_raters(of_each_rater[None], level=level)(of_each_unit[None])[0])

    @pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
    def test_a_unit_drawn_twice_is_two_units(self, level: Level) -> None:
        twice = np.ones(12)
        twice[3] = 2
        longer = np.hstack([FOUR_OBSERVERS, FOUR_OBSERVERS[:, [3]]])
        own = krippendorff_alpha(longer, level=level).value
        assert self.drawn(FOUR_OBSERVERS, level, units=twice) == pytest.approx(own, abs=1e-12)

    @pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
    def test_a_rater_never_drawn_does_not_enter_alpha(self, level: Level) -> None:
        without = krippendorff_alpha(FOUR_OBSERVERS[[0, 1, 3]], level=level)
        drawn = self.drawn(FOUR_OBSERVERS, level, raters=[1, 1, 0, 1])
        assert drawn == pytest.approx(without.value, abs=1e-12)

    @pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
    @given(tables(6, few_values_or_missing), st.data())
    def test_resamples_drawn_together_are_those_of_each_alone(
        self, level: Level, values: FloatArray, data: st.DataObject
    ) -> None:
        number, units = values.shape
        counts = [
            data.draw(arrays(float, (3, size), elements=st.integers(0, 3).map(float))) for size in (number, units)
        ]
        of_raters, of_units = np.nonzero(~np.isnan(values))
        ratings = Ratings.of(values[of_raters, of_units], of_units, of_raters, shape=(units, number))
        together = ratings.of_raters(counts[0], level=level)(counts[1])
        alone = [
            self.drawn(values, level, raters=raters, units=drawn) for raters, drawn in zip(*counts, strict=True)
        ]
        assert together == pytest.approx(alone, abs=1e-12, nan_ok=True)

    def test_copies_of_a_rater_do_not_agree_with_themselves(self) -> None:
        # Two raters who never agree on three units of two values: α = 1 − 2·(n − 1)/n·… is the same from each once
        # and, but for the few ratings it rests on, from one of them often.
        assert self.drawn(ranking([1, 2, 1], [2, 1, 2]), "nominal", raters=[50, 1]) < 0

    def test_alpha_is_undefined_where_no_two_raters_were_drawn(self) -> None:
        assert np.isnan(self.drawn(FOUR_OBSERVERS, "ordinal", raters=[1, 0, 0, 0]))
