"""Every figure of a report has an interval, or the reason why not, or is of a kind that has none by nature."""

import re

import numpy as np
import pandas as pd
import pytest

from analysis.benchmarks.core.audit_files import Flag
from analysis.benchmarks.core.audit_report import audit_report
from analysis.benchmarks.core.study_audits import Mark, StudyAudit
from analysis.benchmarks.sections import AUDITS
from analysis.data.core.parameters import Parameters
from analysis.data.core.study_tables import StudyTables
from analysis.framing.core.framing_report import framing_report
from analysis.framing.sections import FRAMING, Framing
from analysis.outcomes.sections import OUTCOMES
from analysis.report.core.report_leaves import figures
from analysis.sections.core.report import Report
from analysis.trials.core.trial_report import trial_report
from analysis.trials.sections import TRIALS
from analysis.unblinded.core.full_report import analyse
from tests.analysis.benchmarks.core.test_errors_in_words import RULINGS, STORIES, said
from tests.analysis.framing.core.test_framing_report import PLANTED
from tests.analysis.framing.planted import an_experiment
from tests.analysis.release.core.releases import a_study
from tests.analysis.trials.core.worlds import world

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


def with_models_first() -> StudyTables:
    """Of 8 prompts by 4 judges."""
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
    return StudyTables(pd.DataFrame(rows))


@pytest.fixture(scope="module")
def reports() -> tuple[Report, ...]:
    """Of a small study with everything in it, and of one with judgments alone, models first in all of them."""
    return tuple(analyse(each, parameters=Parameters(draws=40)) for each in (a_study(), with_models_first()))


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


# What has no ends by nature: differences of strengths and log-odds, slopes, words, coefficients that go below −1.
ENDLESS = re.compile(r"strength|log_odds|\.nu$|\.length\.slope$|\.words|\.longer\.|alpha")


def an_audit() -> StudyAudit:
    """Two annotators and people who mark, of like minds but not quite."""
    mind = np.random.default_rng(2).integers(0, 2, size=(2, 8))
    flags = [
        Flag(number, name, "structural" if mind[place][number - 1] or number == 1 else "semantic")
        for place, name in enumerate(("ada", "bea"))
        for number in range(1, 9)
    ]
    predictions = said("m", "singly", "nyynyyyy")
    marks = {("m", "singly", number): Mark("right" if number % 3 else "wrong") for number in range(1, 9)}
    return StudyAudit("Set", "mapped", STORIES, tuple(flags), (), RULINGS, tuple(predictions), marks, (), (), {})


@pytest.fixture(scope="module")
def of_all_kinds() -> Report:
    """With sections of data large enough for an interval, the scale known."""
    asked = Parameters(draws=40, scale=(-10.0, 20.0))
    framing = Framing((framing_report(an_experiment(PLANTED), asked),))
    found = (
        analyse(with_models_first(), parameters=asked)
        .having(FRAMING, framing)
        .having(TRIALS, trial_report(world(), asked))
    )
    return found.having(AUDITS, audit_report([an_audit()], asked))


def test_every_interval_knows_what_its_figure_can_be_or_the_figure_has_no_ends(of_all_kinds: Report) -> None:
    known = {name: figure.interval for name, figure in figures(of_all_kinds) if figure.interval}
    unbounded = {
        name
        for name, interval in known.items()
        if interval.low is not None and interval.least is None and interval.most is None
    }
    assert {name for name in unbounded if not ENDLESS.search(name)} == set()
