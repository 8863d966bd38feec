"""Reports compared: the same to the last digit, or each difference under its name."""

from dataclasses import replace
from math import nextafter

from analysis.core.report import WHOLE, Agreement, Report
from analysis.core.report_comparison import ABSENT, Difference, compare
from analysis.core.report_leaves import figures, leaves
from analysis.core.results import Estimate
from tests.core.made_reports import made_report

ALPHA = "agreement.all.summary.alpha_ordinal"


def with_alpha(report: Report, alpha: Estimate) -> Report:
    whole = report.agreement[WHOLE]
    summary = replace(whole.summary, alpha_ordinal=alpha)
    return replace(report, agreement={**report.agreement, WHOLE: replace(whole, summary=summary)})


def alpha_of(report: Report) -> Estimate:
    return report.agreement[WHOLE].summary.alpha_ordinal


def test_a_report_is_the_same_as_one_made_like_it() -> None:
    comparison = compare(made_report(), made_report())
    assert comparison.is_same
    assert comparison.compared == len(dict(leaves(made_report())))


def test_the_last_digit_of_one_figure_is_found() -> None:
    report = made_report()
    alpha = alpha_of(report)
    assert alpha.value is not None
    changed = replace(alpha, value=nextafter(alpha.value, 1))
    comparison = compare(report, with_alpha(report, changed))
    assert comparison.differences == (Difference(ALPHA, alpha, changed),)


def test_an_interval_alone_is_a_difference() -> None:
    report = made_report()
    alone = replace(alpha_of(report), interval=None)
    assert [each.name for each in compare(report, with_alpha(report, alone)).differences] == [ALPHA]


def test_what_was_asked_for_is_compared_too() -> None:
    report = made_report()
    other = replace(report, parameters=replace(report.parameters, seed=7))
    assert compare(report, other).differences == (Difference("parameters.seed", report.parameters.seed, 7),)


def test_what_one_of_them_lacks_is_named_on_its_side() -> None:
    report = made_report()
    found: dict[str, Agreement] = dict(report.agreement)
    del found["BBQ"]
    fewer = replace(report, agreement=found)
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
    assert not is_rounding(replace(alpha, value=alpha.value * (1 + 1e-6)))
    assert not is_rounding(replace(alpha, n=alpha.n + 1))
    assert not is_rounding(replace(alpha, interval=None))
    assert not is_rounding(replace(alpha, value=None, reason="nobody ranked"))
