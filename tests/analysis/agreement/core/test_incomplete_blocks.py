import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from analysis.agreement.core.concordance import friedman_test
from analysis.agreement.core.incomplete_blocks import connected_parts, skillings_mack
from analysis.data.core.results import FloatArray
from tests.analysis.agreement.core.rankings import NAN, UNTIED, ranking, value

# Nine blocks of four treatments with gaps, the worked example of Skillings and Mack (assembly times).
ASSEMBLY = ranking(
    [3.2, 4.1, 3.8, 4.2],
    [3.1, 3.9, 3.4, 4.0],
    [4.3, 3.5, 4.6, 4.8],
    [3.5, 3.6, 3.9, 4.0],
    [3.6, 4.2, 3.7, 3.9],
    [4.5, 4.7, 3.7, NAN],
    [NAN, 4.2, 3.4, NAN],
    [4.3, 4.6, 4.4, 4.9],
    [3.5, NAN, 3.7, 3.9],
)


class TestSkillingsMack:
    def test_skillings_mack_of_the_worked_example_is_as_printed(self) -> None:
        test = skillings_mack(ASSEMBLY)
        assert (round(value(test.statistic), 4), test.degrees, round(value(test.p), 4)) == (15.4930, 3, 0.0014)

    @given(st.lists(st.permutations(range(1, 6)), min_size=2, max_size=6))
    def test_skillings_mack_without_gaps_or_ties_is_friedmans(self, rankings: list[list[int]]) -> None:
        ranks = ranking(*rankings)
        friedman = friedman_test(ranks)
        assert skillings_mack(ranks).statistic.value == pytest.approx(friedman.statistic.value, abs=1e-9)

    @given(
        st.lists(
            st.lists(st.one_of(st.just(NAN), st.integers(1, 4)), min_size=4, max_size=4), min_size=2, max_size=6
        )
    )
    def test_skillings_mack_does_not_know_the_order_of_judges_or_objects(self, rows: list[list[float]]) -> None:
        ranks = ranking(*rows)
        here, there = skillings_mack(ranks), skillings_mack(ranks[::-1, ::-1])
        assert (here.statistic.n, here.statistic.reason) == (there.statistic.n, there.statistic.reason)
        assume(here.statistic.value is not None)
        assert here.statistic.value == pytest.approx(there.statistic.value, abs=1e-9)

    def test_skillings_mack_leaves_out_and_counts_judges_who_tell_nothing(self) -> None:
        alone = ranking([1, NAN, NAN, NAN], [1, 1, 1, 1], [NAN] * 4)
        test = skillings_mack(ranking(*UNTIED, *alone))
        assert test.statistic.value == pytest.approx(friedman_test(UNTIED).statistic.value)
        assert (test.statistic.n, test.statistic.left_out) == (3, 3)

    @pytest.mark.parametrize(
        ("ranks", "reason"),
        [
            (ranking([1, 2]), "fewer than two judges"),
            (ranking([1, 1], [2, 2]), "fewer than two judges distinguish any objects"),
            (ranking([1, 2, NAN, NAN], [NAN, NAN, 1, 2]), "the judges' sets of objects are not connected"),
        ],
    )
    def test_undefined_skillings_mack_says_why(self, ranks: FloatArray, reason: str) -> None:
        test = skillings_mack(ranks)
        assert (test.statistic.reason, test.p.reason) == (reason, reason)


class TestConnection:
    def test_parts_that_no_judge_compares_are_told_apart(self) -> None:
        ranks = ranking([1, NAN, 2, NAN, NAN], [NAN, 1, NAN, 2, NAN], [NAN, NAN, NAN, NAN, 1])
        assert connected_parts(ranks) == [(0, 2), (1, 3), (4,)]

    def test_rotated_sets_hang_together_by_what_they_share(self) -> None:
        ranks = ranking([1, 2, 3, NAN, NAN], [1, 2, NAN, 3, NAN], [1, 2, NAN, NAN, 3])
        assert connected_parts(ranks) == [(0, 1, 2, 3, 4)]
