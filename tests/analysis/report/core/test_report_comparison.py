"""Reports compared: the same to the last digit, or each difference under its name."""

from dataclasses import replace
from math import nextafter

import pytest

from analysis.agreement.core.agreement_by_scope import Agreement
from analysis.agreement.sections import AGREEMENT
from analysis.data.core.parameters import WHOLE
from analysis.data.core.results import Estimate, Interval
from analysis.report.core.report_comparison import ABSENT, Difference, compare
from analysis.report.core.report_leaves import figures, leaves
from analysis.sections.core.report import Report
from tests.analysis.report.core.made_reports import made_report

ALPHA = "agreement.all.summary.alpha_ordinal"


def with_alpha(report: Report, alpha: Estimate) -> Report:
    whole = report[AGREEMENT][WHOLE]
    summary = replace(whole.summary, alpha_ordinal=alpha)
    return report.having(AGREEMENT, {**report[AGREEMENT], WHOLE: replace(whole, summary=summary)})


def alpha_of(report: Report) -> Estimate:
    return report[AGREEMENT][WHOLE].summary.alpha_ordinal


def test_a_report_is_the_same_as_one_made_like_it() -> None:
    comparison = compare(made_report(), made_report())
    assert comparison.is_same
    assert comparison.compared == len({name for name, _ in leaves(made_report())})


def test_the_last_digit_of_one_figure_is_found() -> None:
    report = made_report()
    alpha = alpha_of(report)
    assert alpha.value is not None
    changed = replace(alpha, value=nextafter(alpha.value, 1))
    comparison = compare(report, with_alpha(report, changed))
    assert comparison.differences == (Difference(ALPHA, alpha, changed),)


@pytest.mark.parametrize(("value", "is_rounding"), [(3e-13, True), (3e-12, False)])
def test_near_0_only_next_to_nothing_is_rounding(value: float, is_rounding: bool) -> None:
    report = made_report()
    nought, other = (replace(alpha_of(report), value=near) for near in (0.0, value))
    assert compare(with_alpha(report, nought), with_alpha(report, other)).is_rounding is is_rounding


def test_a_domain_called_all_is_not_taken_for_everything() -> None:
    report = made_report()
    both = report.having(AGREEMENT, {**report[AGREEMENT], "all": report[AGREEMENT]["BBQ"]})
    names = [name for name, _ in leaves(both)]
    assert sum(name.startswith('agreement."all".') for name in names) == sum(
        name.startswith("agreement.BBQ.") for name in names
    )
    changed = with_alpha(both, replace(alpha_of(both), value=0.5, interval=None))
    assert [each.name for each in compare(both, changed).differences] == [ALPHA]


def test_the_level_of_an_interval_counts_where_it_has_ends() -> None:
    report = made_report()
    alpha = alpha_of(report)
    assert alpha.interval
    for interval, count in (
        (alpha.interval, 1),
        (Interval(None, None, 0.95, "resampled", reason="one judge"), 0),
    ):
        one, other = (
            with_alpha(report, replace(alpha, interval=replace(interval, level=level))) for level in (0.95, 0.9)
        )
        assert len(compare(one, other).differences) == count


def test_an_interval_alone_is_a_difference() -> None:
    report = made_report()
    alone = replace(alpha_of(report), interval=None)
    assert [each.name for each in compare(report, with_alpha(report, alone)).differences] == [ALPHA]


def test_what_was_asked_for_is_compared_too() -> None:
    report = made_report()
    other = replace(report, parameters=replace(report.parameters, seed=7))
    assert compare(report, other).differences == (Difference("parameters.seed", report.parameters.seed, 7),)


def test_what_one_of_two_reports_lacks_is_named_on_its_side() -> None:
    report = made_report()
    found: dict[str, Agreement] = dict(report[AGREEMENT])
    del found["BBQ"]
    fewer = report.having(AGREEMENT, found)
    ahead, behind = compare(report, fewer).differences, compare(fewer, report).differences
    assert {each.name.split(".")[1] for each in ahead} == {"BBQ"}
    assert {each.other for each in ahead} == {each.one for each in behind} == {ABSENT}
    assert [each.name for each in ahead] == [each.name for each in behind]


def test_figures_go_by_names_that_people_know() -> None:
    names = dict(figures(made_report()))
    for name in (
        "agreement.Theory of Mind.summary.w.mean",
        "agreement.all.prompts.BBQ_02.w_common",
        "diagnostics.judges.J-003.w_without",
        "sources.outcomes.all.card.gpt.relevance.score.se",
        "sources.precision.3.se",
        "sources.floor.judges.J-001.last",
        "participants.writer.years.mean",
    ):
        assert name in names


def test_last_digits_are_told_from_everything_else() -> None:
    report = made_report()
    alpha = alpha_of(report)
    assert alpha.value is not None

    def is_rounding(other: Estimate) -> bool:
        return compare(report, with_alpha(report, other)).is_rounding

    assert is_rounding(replace(alpha, value=nextafter(alpha.value, 1)))
    assert is_rounding(replace(alpha, value=alpha.value * (1 + 1e-10)))
    assert not is_rounding(replace(alpha, value=alpha.value * (1 + 1e-8)))
    assert not is_rounding(replace(alpha, n=alpha.n + 1))
    assert not is_rounding(replace(alpha, interval=None))
    assert not is_rounding(replace(alpha, value=None, reason="nobody ranked"))
