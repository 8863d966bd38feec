import numpy as np
import pandas as pd
import pytest

from analysis.agreement.core.agreement import agreement_summary
from analysis.agreement.core.agreement_resampler import AgreementResampler
from analysis.agreement.core.judges import severities, without_each
from analysis.agreement.sections import JUDGES
from analysis.data.core.parameters import Parameters
from analysis.masked.core.masked_report import analyse_masked
from tests.analysis.agreement.core.rankings import NAN, value
from tests.analysis.data.core.judgments import judgments

RANKS = {
    ("P_1", "j1"): {"gpt-1": 1, "human-1": 2, "human-2": 3},
    ("P_1", "j2"): {"gpt-1": 1, "human-1": 3, "human-2": 2},
    ("P_1", "j3"): {"gpt-1": 2, "human-1": 1, "human-2": 3},
}
FRAME = judgments(RANKS)


class TestSeverity:
    def test_severity_is_the_mean_lead_over_the_others_on_the_same_answers(self) -> None:
        # Answers by judge: j1 8 6 4, j2 6 6 4, j3 4 3 1. j3's leads: 4 − 7, 3 − 6, 1 − 4.
        scores = pd.Series([8.0, 6, 4, 6, 6, 4, 4, 3, 1])
        found = {severity.judge: severity.lead.mean for severity in severities(FRAME, scores)}
        assert found["j3"].value == -3
        # j1: 8 − 5, 6 − 4.5, 4 − 2.5.
        assert found["j1"].value == pytest.approx(2)
        assert found["j1"].n == 3

    def test_severity_leaves_out_answers_that_nobody_else_scored(self) -> None:
        scores = pd.Series([8.0, 6, NAN, 6, NAN, NAN, NAN, NAN, 1])
        found = {severity.judge: severity.lead.mean for severity in severities(FRAME, scores)}
        assert (found["j1"].value, found["j1"].n, found["j1"].left_out) == (2, 1, 2)
        assert found["j3"].value is None


def test_the_figures_without_each_judge_are_those_of_the_others() -> None:
    resampler = AgreementResampler.of(FRAME)
    found = without_each(resampler, prompts=1, judges=3)
    for place, judge in enumerate(("j1", "j2", "j3")):
        others = agreement_summary(FRAME[FRAME["judge_id"] != judge])
        assert found["w"][place] == pytest.approx(value(others.w.mean))
        assert found["tau_b_pooled"][place] == pytest.approx(value(others.tau_b_pooled))
    assert np.isfinite(found["alpha_ordinal"]).all()


def test_without_a_judge_the_others_alone_decide_which_answers_are_common() -> None:
    # All four rank claude and gpt; j1 and j2 the first person too, j3 and j4 the second; j4 has not seen gemini.
    ranks = {
        ("P_1", "j1"): {"claude-1": 1, "gpt-1": 2, "gemini-1": 3, "human-1": 4},
        ("P_1", "j2"): {"gpt-1": 1, "gemini-1": 2, "claude-1": 3, "human-1": 4},
        ("P_1", "j3"): {"gpt-1": 1, "human-2": 2, "claude-1": 3, "gemini-1": 4},
        ("P_1", "j4"): {"human-2": 1, "claude-1": 2, "gpt-1": 3},
        ("P_2", "j1"): {"gpt-1": 1, "claude-1": 2},
        ("P_2", "j2"): {"claude-1": 1, "gpt-1": 2},
    }
    frame = judgments(ranks)
    resampler = AgreementResampler.of(frame)
    found = without_each(resampler, prompts=2, judges=4)["w_common"]
    for place, judge in enumerate(resampler.judges):
        others = agreement_summary(frame[frame["judge_id"] != judge])
        assert found[place] == pytest.approx(value(others.w_common.mean))


def test_without_a_judge_w_by_chance_is_that_of_those_who_are_left_of_each_prompt() -> None:
    # Four judges of the first prompt, of whom two judged the second: without one of these it has no W.
    four = {("P_1", f"j{judge}"): {"gpt-1": 1 + judge % 2, "claude-1": 2 - judge % 2} for judge in range(4)}
    two = {("P_2", f"j{judge}"): {"gpt-1": 1, "claude-1": 2} for judge in range(2)}
    report = analyse_masked(judgments({**four, **two}), parameters=Parameters(mode="paper", draws=0))
    assert [line.chance_without for line in report[JUDGES].judges] == pytest.approx([1 / 3, 1 / 3, 5 / 12, 5 / 12])
