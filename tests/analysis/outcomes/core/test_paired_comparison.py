from math import exp, log

import numpy as np
import pytest
from scipy import optimize

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import FloatArray
from analysis.outcomes.core.davidson import davidson
from analysis.outcomes.core.paired_comparison import Clusters, Strengths
from analysis.outcomes.core.plackett_luce import plackett_luce
from tests.analysis.agreement.core.rankings import ends, ranking, value, why_no_interval
from tests.libraries import library

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
# Wins of the row over the column, American League, Eastern Division, 1987 (Agresti, Categorical Data Analysis).
BASEBALL = ranking(
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
)
# Chocolate puddings i and j: how often i, how often j, how often neither was preferred (Davidson 1970).
PUDDING = (
    (1, 2, 19, 22, 16),
    (1, 3, 16, 19, 12),
    (2, 3, 19, 19, 10),
    (1, 4, 18, 23, 13),
    (2, 4, 23, 19, 9),
    (3, 4, 19, 20, 15),
    (1, 5, 13, 19, 18),
    (2, 5, 16, 20, 12),
    (3, 5, 16, 15, 17),
    (4, 5, 17, 14, 16),
    (1, 6, 18, 21, 12),
    (2, 6, 22, 20, 12),
    (3, 6, 13, 18, 10),
    (4, 6, 14, 19, 18),
    (5, 6, 11, 21, 12),
)


def pudding() -> tuple[FloatArray, FloatArray]:
    wins, ties = np.zeros((6, 6)), np.zeros((6, 6))
    for i, j, one, other, neither in PUDDING:
        wins[i - 1, j - 1], wins[j - 1, i - 1] = one, other
        ties[i - 1, j - 1] = ties[j - 1, i - 1] = neither
    return wins, ties


def values(strengths: Strengths) -> list[float]:
    return [value(item.log_strength) for item in strengths.items]


class TestDavidsonWithoutTies:
    """The model of Bradley and Terry."""

    def test_davidson_without_ties_gives_agrestis_strengths_of_baseball_teams(self) -> None:
        found = values(davidson(TEAMS, BASEBALL, np.zeros((7, 7))))
        assert [round(strength - found[-1], 2) for strength in found] == [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0]

    def test_davidson_without_ties_of_two_items_is_the_log_odds(self) -> None:
        # 6 wins to 2: odds 3, and the strengths are half of log 3 on either side of 0. Var(log odds) = 1/6 + 1/2.
        found = davidson("ab", ranking([0, 6], [2, 0]), np.zeros((2, 2)))
        assert values(found) == pytest.approx([log(3) / 2, -log(3) / 2])
        assert found.items[0].se.value == pytest.approx((1 / 6 + 1 / 2) ** 0.5 / 2)
        assert (found.items[0].log_strength.n, value(found.ties)) == (8, 0)
        assert found.ties is not None
        assert why_no_interval(found.ties) == "no comparison is a tie"


class TestDavidson:
    def test_davidson_of_the_puddings_is_as_printed(self) -> None:
        found = davidson("123456", *pudding())
        assert round(value(found.ties), 4) == 0.7468
        worths = np.exp(values(found))
        # Davidson's worths, which sum to 1.
        assert worths / worths.sum() == pytest.approx([0.1388, 0.1729, 0.1617, 0.1653, 0.1586, 0.2025], abs=2e-4)

    def test_davidson_of_two_items_is_that_worked_out_by_hand(self) -> None:
        # πₐ : π_b = 4 : 1 by the wins alone, and ties 6 = ν√(πₐπ_b) to 8 + 2 wins: ν = 6·(√4 + √(1/4))/10 = 1.5.
        found = davidson("ab", ranking([0, 8], [2, 0]), ranking([0, 6], [6, 0]))
        assert values(found) == pytest.approx([log(4) / 2, -log(4) / 2])
        assert value(found.ties) == pytest.approx(1.5)

    def test_an_interval_without_end_is_none(self) -> None:
        wins = np.array([[[0, 2], [1, 0]], [[0, 1], [1, 0]]])
        ties = np.array([[[0, 1], [1, 0]], [[0, 3], [3, 0]]])
        judgments = Clusters(np.array([0, 1]), np.array([0, 1]))
        found = davidson("ab", wins, ties, clusters=judgments, level=1 - 1e-12)
        assert found.ties is not None
        assert value(found.ties) > 0
        assert why_no_interval(found.ties) == "too few prompts for an interval"

    @pytest.mark.parametrize(
        ("wins", "ties", "reason"),
        [
            (ranking([0]), ranking([0]), "fewer than two items"),
            (np.zeros((2, 2)), np.zeros((2, 2)), "nothing is compared"),
            (ranking([0, 3], [0, 0]), np.zeros((2, 2)), "some items were never put before any of the others"),
            (np.zeros((2, 2)), ranking([0, 3], [3, 0]), "every comparison is a tie"),
        ],
    )
    def test_undefined_davidson_says_why(self, wins: FloatArray, ties: FloatArray, reason: str) -> None:
        found = davidson("ab"[: len(wins)], wins, ties)
        assert found.ties is not None
        assert {item.log_strength.reason for item in found.items} == {found.ties.reason} == {reason}


def test_what_prompts_and_judges_share_has_its_degrees_of_freedom_once() -> None:
    # Four judgments, each of its own prompt and by its own judge: the sums of prompts, of judges and of both are
    # the same, 1 + 1 + 4 + 4 = 10, and 10 · 4/3 · 4/3 is that of four things, leaving out one at a time.
    judgments = Clusters(np.arange(4), np.arange(4))
    variances, degrees = judgments.variances(ranking([1], [-1], [2], [-2]), np.eye(1))
    assert variances == pytest.approx([160 / 9])
    assert degrees == pytest.approx([3])


def test_strengths_have_no_more_degrees_of_freedom_than_prompts_and_ties_than_judges() -> None:
    # Two prompts, six judges of both: 2 − 1 for the strengths. The interval of ν is symmetric about 1/ν.
    rng = np.random.default_rng(4)
    wins = rng.integers(1, 4, (12, 2, 2)) * (1 - np.eye(2))
    ties = np.full((12, 2, 2), 1.0) * (1 - np.eye(2))
    judgments = Clusters(np.repeat([0, 1], 6), np.tile(np.arange(6), 2))
    assert (judgments.variances(rng.normal(size=(12, 2)), np.eye(2))[1] <= 1).all()
    found = davidson("ab", wins, ties, clusters=judgments, level=0.5).ties
    assert found is not None
    low, high = ends(found)
    assert 1 / low - 1 / value(found) == pytest.approx(1 / value(found) - 1 / high)


def side_by_side(*rankings: tuple[IntArray, FloatArray]) -> tuple[IntArray, FloatArray]:
    """Codes and ranks of rankings of equally many things, given as pairs."""
    codes, ranks = zip(*rankings, strict=True)
    return np.array(codes), np.array(ranks)


class TestPlackettLuce:
    def test_plackett_luce_has_no_parameter_for_ties_even_where_it_is_undefined(self) -> None:
        found = plackett_luce("ab", *side_by_side((np.array([0, 1]), ranking(1, 2))))
        assert found.items[0].log_strength.reason == "some items were never put before any of the others"
        assert found.ties is None

    def test_plackett_luce_of_two_items_is_bradley_terry(self) -> None:
        rankings = [(np.array([0, 1]), ranking(*row)) for row in [[1, 2]] * 6 + [[2, 1]] * 2]
        assert values(plackett_luce("ab", *side_by_side(*rankings))) == pytest.approx([log(3) / 2, -log(3) / 2])

    def test_plackett_luce_reaches_the_greatest_likelihood(self) -> None:
        orders = [[1, 2, 3, 4], [2, 1, 3, 4], [1, 3, 2, 4], [4, 2, 3, 1], [2, 3, 1, 4]]
        rankings = [(np.arange(4), ranking(*order)) for order in orders]

        def against(strengths: FloatArray) -> float:
            worths = np.exp([*strengths, 0])
            best_first = [worths[np.argsort(order)] for order in orders]
            return -sum(log(each[place] / each[place:].sum()) for each in best_first for place in range(3))

        oracle = [*optimize.minimize(against, np.zeros(3), tol=1e-12).x, 0]
        found = values(plackett_luce("abcd", *side_by_side(*rankings)))
        assert found == pytest.approx([strength - sum(oracle) / 4 for strength in oracle], abs=1e-5)

    def test_plackett_luce_without_ties_is_that_of_choix(self) -> None:
        rng = np.random.default_rng(4)
        orders = [tuple(rng.permutation(5).tolist()) for _ in range(40)]
        oracle = library("choix").opt_rankings(5, orders)
        rankings = [(np.arange(5), np.argsort(order) + 1.0) for order in orders]
        found = values(plackett_luce("abcde", *side_by_side(*rankings)))
        assert found == pytest.approx(oracle - oracle.mean(), abs=1e-5)

    def test_ties_for_any_place_are_those_of_efron_as_of_a_proportional_hazards_model(self) -> None:
        # A ranking is a stratum, its ranks are times of events: the partial likelihood is the same.
        rows = [[1, 2, 2, 4], [2, 1, 3, 3], [3, 3, 1, 2], [1, 1, 3, 4], [4, 2, 1, 2], [2, 3, 3, 1], [1, 1, 1, 4]]
        ranks = ranking(*rows)
        items = np.tile(np.eye(4)[:, 1:], (len(rows), 1))
        strata = np.repeat(np.arange(len(rows)), 4)
        hazards = library("statsmodels.duration.hazard_regression").PHReg
        oracle = [0, *hazards(ranks.ravel(), items, strata=strata, ties="efron").fit().params]
        found = values(plackett_luce("abcd", *side_by_side(*((np.arange(4), row) for row in ranks))))
        assert found == pytest.approx(np.array(oracle) - np.mean(oracle), abs=1e-6)

    def test_items_tied_for_the_last_place_are_drawn_together(self) -> None:
        told = [ranking(*row) for row in ([1, 2, 3], [1, 2, 3], [2, 1, 3], [3, 1, 2], [2, 3, 1])]
        tied = [*told, *[ranking(1, 2, 2)] * 3]
        apart, together = (
            values(plackett_luce("abc", *side_by_side(*((np.arange(3), row) for row in rows))))
            for rows in (told, tied)
        )
        assert 0 < together[1] - together[2] < apart[1] - apart[2]

    def test_plackett_luce_finds_the_strengths_that_rankings_were_drawn_with(self) -> None:
        true, rng = np.array([0.8, 0.2, -0.3, -0.7]), np.random.default_rng(2)
        drawn = (true + rng.gumbel(size=(3000, 4))).argsort(axis=1)[:, ::-1].argsort(axis=1) + 1
        found = plackett_luce("abcd", np.tile(np.arange(4), (3000, 1)), drawn.astype(float))
        for item, strength in zip(found.items, true, strict=True):
            assert abs(value(item.log_strength) - strength) < 4 * value(item.se)

    def test_plackett_luce_takes_items_that_are_ranked_more_than_once(self) -> None:
        # One of two a's is first in 2 of 3 rankings: 2π/(2π + 1) = 2/3 at π = 1, and a and b are equal.
        rankings = [(np.array([0, 0, 1]), ranking(*row)) for row in ([1, 2, 2], [2, 1, 2], [2, 2, 1])]
        assert exp(values(plackett_luce("ab", *side_by_side(*rankings)))[0]) == pytest.approx(1)

    def test_ties_share_their_places_in_plackett_luce(self) -> None:
        tied = [(np.arange(3), ranking(*row)) for row in ([1, 1, 3], [2, 3, 1], [3, 2, 1])]
        found = values(plackett_luce("abc", *side_by_side(*tied)))
        assert found[0] == pytest.approx(found[1])

    def test_plackett_luce_is_undefined_where_one_was_always_first(self) -> None:
        found = plackett_luce("ab", *side_by_side((np.array([0, 1]), ranking(1, 2))))
        assert found.items[0].log_strength.reason == "some items were never put before any of the others"
