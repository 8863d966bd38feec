import numpy as np
import pytest

from analysis.uncertainty.core.crossed import crossed_mean, with_more_judges
from tests.analysis.agreement.core.rankings import NAN, ends, ranking, value

# Two prompts by two judges, once each.
PROMPTS, JUDGES = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])


def test_components_of_a_complete_table_are_those_worked_out_by_hand() -> None:
    # Values 1 2 | 5 8, mean 4. Prompts 1.5, 6.5: mean square 2·(2.5² + 2.5²) = 25; judges 3, 5: 2·(1 + 1) = 4;
    # residuals ±½: 1. Without gaps σ²_prompts = (25 − 1)/2 = 12, σ²_judges = (4 − 1)/2 = 1.5, σ²_rest = 1.
    found = crossed_mean("score", ranking(1, 2, 5, 8), PROMPTS, JUDGES)
    parts = found.components
    assert [part.value for part in (parts.prompts, parts.judges, parts.rest)] == pytest.approx([12, 1.5, 1])
    # Var = 12·8/16 + 1.5·8/16 + 1/4 = 7.
    assert (found.mean.value, found.se.value) == pytest.approx((4, 7**0.5))


def test_missing_values_are_left_out_and_counted() -> None:
    found = crossed_mean("score", ranking(1, 2, 5, 8, NAN), np.append(PROMPTS, 1), np.append(JUDGES, 2))
    assert (found.mean.n, found.mean.left_out) == (4, 1)
    assert found.se.value == pytest.approx(7**0.5)


def test_a_component_is_never_negative() -> None:
    found = crossed_mean("score", ranking(1, 2, 2, 1), PROMPTS, JUDGES)
    assert found.components.prompts.value == 0


@pytest.mark.parametrize(
    ("values", "prompts", "judges", "reason"),
    [
        ([1, 2], [0, 0], [0, 1], "fewer than two prompts"),
        ([1, 2], [0, 1], [0, 0], "fewer than two judges"),
        ([1, 2], [0, 1], [0, 1], "prompts and judges cannot be told apart: hardly any judge has two prompts"),
        (
            [1, 1, 2, 2],
            [0, 1, 2, 3],
            [0, 0, 1, 1],
            "prompts and judges cannot be told apart: hardly any prompt has two judges",
        ),
    ],
)
def test_a_mean_without_a_standard_error_says_why(
    values: list[float], prompts: list[int], judges: list[int], reason: str
) -> None:
    found = crossed_mean("score", ranking(*values), np.array(prompts), np.array(judges))
    assert found.mean.value == 1.5
    assert (found.se.reason, found.components.rest.reason) == (reason, reason)


def test_a_mean_of_nothing_is_undefined() -> None:
    assert (
        crossed_mean("score", ranking(NAN), np.array([0]), np.array([0])).mean.reason == "there is no observation"
    )


def test_crossed_mean_finds_the_components_that_data_were_drawn_with() -> None:
    rng, found = np.random.default_rng(3), []
    for _ in range(150):
        prompts, judges = np.nonzero(rng.random((30, 15)) < 0.6)  # unequal numbers, with gaps
        values = rng.normal(0, 1, 30)[prompts] + rng.normal(0, 0.7, 15)[judges] + rng.normal(0, 0.5, prompts.size)
        parts = crossed_mean("score", values, prompts, judges).components
        found.append([value(part) for part in (parts.prompts, parts.judges, parts.rest)])
    assert np.mean(found, axis=0) == pytest.approx([1, 0.49, 0.25], abs=0.06)


def test_more_judges_lessen_what_judges_and_the_rest_contribute() -> None:
    # Of the complete table: 12/2 + 1.5/2 + 1/4 = 7 with two judges, 12/2 + 1.5/6 + 1/12 with four more.
    found = crossed_mean("score", ranking(1, 2, 5, 8), PROMPTS, JUDGES)
    se, reach = with_more_judges(found, 0)
    assert value(se) == pytest.approx(7**0.5)
    assert found.mean.value == pytest.approx(ends(found.mean)[0] + value(reach))
    se, fewer = with_more_judges(found, 4)
    assert value(se) == pytest.approx((6 + 0.25 + 1 / 12) ** 0.5)
    assert value(fewer) < value(reach)


def test_without_an_error_more_judges_promise_nothing() -> None:
    found = crossed_mean("score", ranking(1, 2), np.array([0, 0]), np.array([0, 1]))
    assert [figure.reason for figure in with_more_judges(found, 3)] == ["fewer than two prompts"] * 2


def test_where_nothing_varies_more_judges_promise_nothing() -> None:
    found = crossed_mean("score", ranking(2, 2, 2, 2), PROMPTS, JUDGES)
    figures = with_more_judges(found, 3)
    assert [(figure.value, figure.reason) for figure in figures] == [(None, "all observations are alike")] * 2
