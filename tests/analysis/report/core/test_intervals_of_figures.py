"""Every figure of a report has an interval, or the reason why not, or is of a kind that has none by nature."""

import re

import numpy as np
import pandas as pd
import pytest

from analysis.data.core.parameters import Parameters
from analysis.data.core.study_tables import StudyTables
from analysis.outcomes.sections import OUTCOMES
from analysis.report.core.report_leaves import figures
from analysis.sections.core.report import Report
from analysis.unblinded.core.full_report import analyse
from tests.analysis.release.core.releases import a_study

# What has none by nature, as the last parts of a figure's name.
WITHOUT = re.compile(
    r"\.(median|sd|se"  # what describes the spread, or the error itself
    r"|p|permutation_p|skillings_mack_p|chi_squared|skillings_mack"  # tests
    r"|reach)$"  # of an interval to be expected
    r"|\.prompts\.[^.]+\.(top_1|full"  # of one prompt: whether it is so
    r"|models|people)$"  # beside their difference, which has one
    r"|trials\.replies\..*\.failed$"  # counts
    r"|trials\.(bands|components)\..*\.share$"  # how often and how much, beside severity and r, which have one
    r"|trials\.recognised\..*\.(right|unknown)$"  # beside the index, which has one
    r"|trials\.spreads\."  # parts of a variance
    r"|trials\.agreement\..*\.(share|prevalence)$"  # beside the coefficient that corrects them, which has one
)


@pytest.fixture(scope="module")
def reports() -> tuple[Report, ...]:
    """Of a small study with everything in it, and of one with the same judgments, models first in all of them."""
    tables = a_study()
    rng = np.random.default_rng(3)
    rows = [
        {
            "prompt_id": f"{domain}_{prompt}",
            "true_id": f"{source or 'human'}-{prompt}",
            "blinded_label": f"Response {label}",
            "item_type": "standard",
            "true_source": "model" if source else "human",
            "model": source,
            "rank": float(place),
            "score": float(20 - 5 * place),
            "judge_id": f"j{judge}",
            "clarity": 9.0 - 2 * place + float(rng.normal()),
            "evidence": 9.0 - 2 * place + float(rng.normal()),
        }
        for domain in ("BBQ", "HLE")
        for prompt in range(4)
        for judge in range(4)
        for place, (label, source) in enumerate(zip("ABC", ("gpt", "claude", ""), strict=True), start=1)
    ]
    asked = Parameters(draws=40)
    return tuple(analyse(each, parameters=asked) for each in (tables, StudyTables(pd.DataFrame(rows))))


def test_every_value_has_an_interval_or_none_by_nature(reports: tuple[Report, ...]) -> None:
    bare = {
        name
        for report in reports
        for name, figure in figures(report)
        if figure.value is not None and figure.interval is None and not WITHOUT.search(name)
    }
    assert bare == set()


def test_shares_of_nothing_or_everything_have_exact_intervals(reports: tuple[Report, ...]) -> None:
    first = reports[1][OUTCOMES].outcomes[""].first.any_first
    # Models stand first in all judgments of 8 prompts by 4 judges: 4 are surely independent of each other.
    assert first.value == 1
    assert first.interval
    assert first.interval.low == pytest.approx(0.025 ** (1 / 4))
    assert first.interval.high == 1


def test_shares_stay_between_nothing_and_everything(reports: tuple[Report, ...]) -> None:
    for report in reports:
        for outcomes in report[OUTCOMES].outcomes.values():
            shares = [outcomes.led_by_models, outcomes.pairs.preference, outcomes.first.fractional]
            for interval in [share.interval for share in shares if share.interval]:
                assert interval.low is None or interval.low >= 0
                assert interval.high is None or interval.high <= 1
