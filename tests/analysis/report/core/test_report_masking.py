"""Prompts that can be told apart by what was given to judges are not told of one by one."""

from collections.abc import Mapping

import pytest

from analysis.agreement.sections import AGREEMENT, JUDGES, RUBRIC
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.masked.core.masked_report import analyse_masked
from analysis.masked.core.masking import without_shapes
from analysis.sections.core.report import Report
from tests.analysis.data.core.judgments import judgments

Given = Mapping[tuple[str, str], Mapping[str, int]]

ALIKE: Given = {
    ("BBQ_01", "J1"): {"human-1": 1, "claude-1": 2, "gpt-1": 3},
    ("BBQ_01", "J2"): {"human-1": 2, "claude-1": 1, "gpt-1": 3},
    ("HLE_01", "J1"): {"human-2": 3, "claude-2": 2, "gpt-2": 1},
    ("HLE_01", "J2"): {"human-2": 3, "claude-2": 1, "gpt-2": 2},
}
# Four answers in all, and two in common, where the other prompt has three of each.
FEWER_IN_COMMON: Given = {**ALIKE, ("HLE_01", "J2"): {"human-3": 3, "claude-2": 1, "gpt-2": 2}}
MORE: Given = {
    **ALIKE,
    ("HLE_01", "J1"): {"human-2": 3, "claude-2": 2, "gpt-2": 1, "gpt-3": 4},
    ("HLE_01", "J2"): {"human-2": 3, "claude-2": 1, "gpt-2": 2, "gpt-3": 4},
}
MISSING: Given = {**ALIKE, ("BBQ_01", "J3"): {"human-1": 3, "claude-1": 2, "gpt-1": 1}}

TIES_ALL: Given = {**ALIKE, ("BBQ_01", "J1"): {"human-1": 1, "claude-1": 1, "gpt-1": 1}}
# Four judges who all share one answer alone: two pairs of them have another one in common, or three pairs.
PAIRS: Given = {
    (prompt, f"J{judge}"): {"claude-1": 1, f"human-{human}": 2}
    for prompt, sets in (("BBQ_01", (1, 1, 2, 2)), ("HLE_01", (1, 1, 1, 2)))
    for judge, human in enumerate(sets)
}


def analysed(given: Given) -> Report:
    return analyse_masked(judgments(given), parameters=Parameters(mode="paper", draws=100))


@pytest.mark.parametrize("given", [FEWER_IN_COMMON, MORE, PAIRS])
def test_where_prompts_differ_neither_they_nor_domains_are_told_of(given: Given) -> None:
    found = analysed(given)
    masked = without_shapes(found)
    assert set(found[AGREEMENT]) == {WHOLE, "BBQ", "HLE"}
    assert set(masked[AGREEMENT]) == {WHOLE}
    assert masked[AGREEMENT][WHOLE].prompts == ()


def test_what_is_found_over_all_prompts_stays() -> None:
    found = analysed(MORE)
    masked = without_shapes(found)
    assert masked[AGREEMENT][WHOLE].summary == found[AGREEMENT][WHOLE].summary
    assert masked[JUDGES] == found[JUDGES]
    assert masked[RUBRIC] == found[RUBRIC]


@pytest.mark.parametrize("given", [ALIKE, MISSING, TIES_ALL])
def test_where_prompts_differ_in_values_and_judges_alone_everything_stays(given: Given) -> None:
    found = analysed(given)
    assert without_shapes(found) == found
