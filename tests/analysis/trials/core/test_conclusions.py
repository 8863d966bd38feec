import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from analysis.trials.core.conclusions import DEGENERATE, NO_CODES, conclusions, corrected_v


def answers(*rows: tuple[str, str, str, str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["scenario", "model", "condition", "conclusion"])


def test_conditions_that_decide_what_is_recommended_are_found_and_repeats_stand_beside() -> None:
    frame = answers(
        *(
            (f"s{s}", f"m{m}", c, f"{c}{s}")
            for s in range(4)
            for m in range(3)
            for c in "ab"
            for _repeat in range(2)
        )
    )
    found = conclusions(frame, draws=500, seed=1)
    # By case 2 × 2 pairs of conditions, all different, and two pairs of repeats, all alike.
    assert (found.differ.value, found.differ.n) == (1.0, 48)
    assert (found.repeats.value, found.repeats.n) == (0.0, 24)
    assert found.chi_squared.value == pytest.approx(4 * 12)  # n in each scenario's 2 × 2 table
    assert found.p.value == pytest.approx(1 / 501)


def of_unlike_scenarios(seed: int, *, scenarios: int = 10, departs: float = 0.4) -> pd.DataFrame:
    """Two models, four conditions, two answers of each; a scenario's own chance that an answer departs."""
    random = np.random.default_rng(seed)
    chances = random.beta(8 * departs, 8 * (1 - departs), scenarios)
    return answers(
        *(
            (f"s{s}", f"m{m}", c, "stay" if random.random() < chances[s] else "go")
            for s in range(scenarios)
            for m in range(2)
            for c in "abcd"
            for _repeat in range(2)
        )
    )


def test_intervals_of_shares_take_scenarios_as_the_sample() -> None:
    frame = of_unlike_scenarios(4)
    found = conclusions(frame, draws=50, seed=1)
    # Another route: every two answers from a join, and the ratio's error from its linear terms by scenario.
    both = frame.reset_index().merge(frame.reset_index(), on=["scenario", "model"], suffixes=("", "_2"))
    both = both[both["index"] < both["index_2"]]
    both = both.assign(is_other=both["conclusion"] != both["conclusion_2"])
    for estimate, of in (
        (found.differ, both["condition"] != both["condition_2"]),
        (found.repeats, both["condition"] == both["condition_2"]),
    ):
        by_scenario = both[of].groupby("scenario")["is_other"].agg(["sum", "size"])
        share = by_scenario["sum"].sum() / by_scenario["size"].sum()
        error = (
            np.sqrt(10 / 9 * ((by_scenario["sum"] - share * by_scenario["size"]) ** 2).sum()) / both[of].shape[0]
        )
        reach = stats.t.ppf(0.975, 9) * error / (share * (1 - share))
        expected = special.expit(special.logit(share) + np.array([-reach, reach]))
        assert estimate.value == pytest.approx(share)
        assert estimate.interval is not None
        assert (estimate.interval.low, estimate.interval.high) == pytest.approx(tuple(expected), rel=1e-6)
    assert found.beyond is not None
    assert found.beyond.value == pytest.approx((found.differ.value or 0) - (found.repeats.value or 0))
    assert found.beyond.interval is not None
    assert found.beyond.interval.holds(0.0)  # conditions do nothing here


@pytest.mark.parametrize(("codes", "ends"), [("aaaa", (0, 1 - 0.025 ** (1 / 6))), ("abcd", (0.025 ** (1 / 6), 1))])
def test_a_share_of_none_or_all_has_the_exact_interval_of_as_many_scenarios(
    codes: str, ends: tuple[float, float]
) -> None:
    rows = ((f"s{s}", "m", c, code) for s in range(6) for c, code in zip("wxyz", codes, strict=True))
    interval = conclusions(answers(*rows), draws=50, seed=1).differ.interval
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(ends)
    assert (interval.least, interval.most) == (0.0, 1.0)


def test_one_case_of_a_scenario_with_one_answer_a_condition_is_degenerate_and_that_is_said() -> None:
    found = conclusions(answers(*(("s", "m", c, c) for c in "abc")), draws=100, seed=1)
    assert (found.p.value, found.p.reason) == (None, DEGENERATE)
    assert found.differ.value == 1.0


def test_uncoded_answers_are_left_out_and_counted() -> None:
    found = conclusions(answers(("s", "m", "a", ""), ("s", "m", "b", "")), draws=100, seed=1)
    assert (found.differ.reason, found.differ.left_out) == (NO_CODES, 2)


def test_corrected_v_follows_bergsmas_formula_step_by_step() -> None:
    table = np.array([[20.0, 5.0, 5.0], [4.0, 18.0, 8.0]])
    n, expected = 60.0, np.outer(table.sum(axis=1), table.sum(axis=0)) / 60
    phi = ((table - expected) ** 2 / expected).sum() / n - (1 * 2) / (n - 1)
    rows, columns = 2 - 1 / (n - 1), 3 - 4 / (n - 1)
    assert corrected_v(table) == pytest.approx(np.sqrt(phi / (min(rows, columns) - 1)))
    assert corrected_v(np.full((2, 2), 10.0)) == 0.0


def test_kappa_of_two_coders_has_an_interval_of_scenarios_and_none_where_they_always_agree() -> None:
    frame = of_unlike_scenarios(3, scenarios=12).assign(answer=lambda rows: [f"a{place}" for place in rows.index])
    said = dict(zip(frame["answer"], frame["conclusion"], strict=True))
    other = {answer: "stay" if place % 7 == 0 else code for place, (answer, code) in enumerate(said.items())}
    coders = {answer: {"P1": code, "P2": other[answer]} for answer, code in said.items()}
    kappa = conclusions(frame, draws=100, seed=1, coders=coders).kappa
    codes = [frame["scenario"] + of.to_numpy() for of in (frame["conclusion"], pd.Series(other))]

    def of(kept: "pd.Series[bool]") -> float:
        one, two = (code[kept.to_numpy()] for code in codes)
        table = pd.crosstab(one, two.to_numpy())
        names = sorted({*table.index, *table.columns})
        shares = table.reindex(index=names, columns=names, fill_value=0).to_numpy() / kept.sum()
        expected = shares.sum(axis=0) @ shares.sum(axis=1)
        return float((np.trace(shares) - expected) / (1 - expected))

    value = of(frame["scenario"].notna())
    assert kappa.value == pytest.approx(value)
    without = np.array([of(frame["scenario"] != scenario) for scenario in frame["scenario"].unique()])
    assert kappa.interval is not None
    assert kappa.interval.low is not None
    assert kappa.interval.high is not None
    middle = np.arctanh([kappa.interval.low, kappa.interval.high]).mean()
    bias = 11 * (without.mean() - value)
    assert middle == pytest.approx(np.arctanh(value) - bias / (1 - value**2))
    alike = {answer: {"P1": code, "P2": code} for answer, code in said.items()}
    always = conclusions(frame, draws=100, seed=1, coders=alike).kappa
    assert always.value == 1
    assert always.interval is not None
    assert always.interval.reason == "the same whichever scenario is left out"


@pytest.mark.parametrize(("scenarios", "has_one"), [(19, False), (20, True)])
def test_how_much_more_conditions_differ_than_repeats_has_an_interval_from_twenty_scenarios(
    scenarios: int, has_one: bool
) -> None:
    found = conclusions(of_unlike_scenarios(4, scenarios=scenarios), draws=100, seed=1).beyond
    assert found is not None
    assert found.interval is not None
    assert (found.interval.low is not None) == has_one
    assert found.interval.reason == (None if has_one else "too few scenarios for an interval")


def changed_in(changed: int, *, scenarios: int = 40) -> pd.DataFrame:
    """In so many scenarios the conditions decide what is recommended, in the others nothing does."""
    return answers(
        *(
            (f"s{s}", f"m{m}", c, c if s < changed else "a")
            for s in range(scenarios)
            for m in range(2)
            for c in "ab"
            for _repeat in range(2)
        )
    )


def test_an_interval_of_what_some_scenarios_bring_is_shifted_to_where_these_lie() -> None:
    found = conclusions(changed_in(6), draws=100, seed=1).beyond
    assert found is not None
    assert found.value == pytest.approx(6 / 40)
    assert found.interval is not None
    assert found.interval.low is not None
    assert found.interval.high is not None
    assert found.interval.high - 6 / 40 > 1.5 * (6 / 40 - found.interval.low)


def test_where_a_few_scenarios_bring_most_how_many_more_there_are_is_not_told() -> None:
    found = conclusions(changed_in(2), draws=100, seed=1).beyond
    assert found is not None
    assert found.value == pytest.approx(2 / 40)
    assert found.interval is not None
    assert (found.interval.low, found.interval.reason) == (None, "a few scenarios bring most of it")
