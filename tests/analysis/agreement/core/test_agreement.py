import dataclasses
import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.agreement.core.agreement import agreement_by_prompt, agreement_summary
from analysis.agreement.core.agreement_resampler import AgreementResampler
from analysis.agreement.core.concordance import kendall_w
from analysis.agreement.core.incomplete_blocks import skillings_mack
from analysis.data.core.judgment_frame import split_by_domain
from analysis.data.core.results import FloatArray
from analysis.uncertainty.core.resampling import Weights
from tests.analysis.agreement.core.rankings import NAN, TIED, UNTIED, ends, krippendorff_alpha, ranking
from tests.analysis.data.core.judgments import judgments


def same_sets() -> pd.DataFrame:
    """The two worked examples as prompts, in two domains."""
    answers = ("human-1", "human-2", "claude-1", "gpt-1")
    return judgments(
        {
            (prompt, f"j{number}"): dict(zip(answers, map(int, row), strict=True))
            for prompt, ranks in (("BBQ_01", UNTIED), ("HLE_01", TIED))
            for number, row in enumerate(ranks)
        }
    )


def rotated_sets() -> pd.DataFrame:
    """Three judges with a human answer each and two model answers in common; the third orders these in reverse."""
    return judgments(
        {
            ("BBQ_01", "j1"): {"claude-1": 1, "gpt-1": 2, "human-1": 3},
            ("BBQ_01", "j2"): {"claude-1": 1, "human-2": 2, "gpt-1": 3},
            ("BBQ_01", "j3"): {"human-3": 1, "gpt-1": 2, "claude-1": 3},
        }
    )


def exact_p(ranks: FloatArray) -> float:
    """Of all 24³ ways in which three judges can order four answers."""
    orders = np.array([list(itertools.permutations(stats.rankdata(row))) for row in ranks])
    sums = orders[0][:, None, None] + orders[1][:, None] + orders[2]
    spread = ((sums - sums.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    return float((spread >= spread[0, 0, 0] - 1e-9).mean())


class TestStudy:
    def test_agreement_by_prompt_has_one_row_per_prompt(self) -> None:
        first, second = agreement_by_prompt(same_sets())
        assert (first.prompt_id, second.prompt_id) == ("BBQ_01", "HLE_01")
        assert (first.n_judges, first.n_objects, first.n_common, first.same_set) == (3, 4, 4, True)
        assert first.w == kendall_w(UNTIED, tie_corrected=False)
        assert second.w.value == pytest.approx(49 / 60)
        assert second.w_tie_corrected.value == pytest.approx(73 / 81)
        assert second.w_common.value == second.w_tie_corrected.value
        assert first.tau_b.value == pytest.approx(5 / 9)

    def test_agreement_offers_only_the_common_answers_when_sets_rotate(self) -> None:
        (prompt,) = agreement_by_prompt(rotated_sets())
        assert (prompt.n_objects, prompt.n_common, prompt.same_set) == (5, 2, False)
        assert prompt.w.reason == prompt.w_tie_corrected.reason == "the judges did not rank the same objects"
        # Re-ranked (1,2), (1,2), (2,1): sums 4 and 5, S = 0.5, W = 12·0.5 / (9·(8 − 2)) = 1/9.
        assert prompt.w_common.value == pytest.approx(1 / 9)
        assert prompt.w_common.name == "kendall_w_common"
        # One pair of judges agrees on the two common answers, two pairs disagree: (1 − 1 − 1)/3.
        assert prompt.tau_b.value == pytest.approx(-1 / 3)
        assert prompt.top_1.value is None

    def test_agreement_tests_incomplete_blocks_where_the_answers_are_connected(self) -> None:
        # Claude, gpt and three people: 1 2 3 – – | 1 3 – 2 – | 3 2 – – 1. All share claude and gpt: one part.
        (prompt,) = agreement_by_prompt(rotated_sets())
        assert prompt.n_parts == 1
        own = skillings_mack(ranking([1, 2, 3, NAN, NAN], [1, 3, NAN, 2, NAN], [3, 2, NAN, NAN, 1]))
        assert prompt.skillings_mack.value == pytest.approx(own.statistic.value)
        assert prompt.skillings_mack_p.value == pytest.approx(own.p.value)

    def test_agreement_says_into_how_many_parts_the_answers_fall(self) -> None:
        apart = judgments(
            {
                ("P_1", "j1"): {"gpt-1": 1, "human-1": 2},
                ("P_1", "j2"): {"claude-1": 1, "human-2": 2},
            }
        )
        (prompt,) = agreement_by_prompt(apart)
        assert prompt.n_parts == 2
        assert prompt.skillings_mack.reason == "the judges' sets of objects are not connected"

    def test_a_mean_over_no_prompt_says_what_hinders_most_of_them(self) -> None:
        found = agreement_summary(rotated_sets())
        assert found.w.mean.reason == found.w.se.reason == "the judges did not rank the same objects"

    def test_agreement_tests_each_prompt_by_permutation(self) -> None:
        first, second = agreement_by_prompt(same_sets(), draws=500, seed=1)
        assert first.permutation_p.n == 500
        assert first.permutation_p.value == pytest.approx(exact_p(UNTIED), abs=0.03)
        assert second.permutation_p.value == pytest.approx(exact_p(TIED), abs=0.03)

    def test_agreement_is_summarised_over_prompts(self) -> None:
        summary = agreement_summary(same_sets())
        assert (summary.n_prompts, summary.n_judges, summary.n_answers) == (2, 3, 8)
        # W 7/9 = 140/180 and 49/60 = 147/180: mean 143.5/180, sd 7/180/√2.
        assert summary.w.mean.value == summary.w.median.value == pytest.approx(143.5 / 180)
        assert summary.w.sd.value == pytest.approx(7 / 180 / math.sqrt(2))
        # Each tied pair of judges differs in no order and shares 4 of 6 untied pairs: τ_b = 4/√(5·5).
        assert summary.tau_b.mean.value == pytest.approx((5 / 9 + 4 / 5) / 2)
        # All judges share the first place on neither: j3 prefers human-2 in one, j2 ties two in the other.
        assert (summary.top_1.value, summary.top_1.n) == (0, 2)
        # Of 0 of 2, Clopper and Pearson's upper end is where (1 − p)² = 0.025.
        low, high = ends(summary.top_1)
        assert low == 0
        assert high == pytest.approx(1 - math.sqrt(0.025))
        units = np.hstack([UNTIED, TIED])
        assert summary.alpha_ordinal == krippendorff_alpha(units, level="ordinal")

    def test_agreement_counts_prompts_without_a_figure(self) -> None:
        frame = pd.concat([same_sets(), rotated_sets().assign(prompt_id="MSC_01")])
        summary = agreement_summary(frame)
        assert (summary.w.mean.n, summary.w.mean.left_out) == (2, 1)
        assert (summary.w_common.mean.n, summary.w_common.mean.left_out) == (3, 0)

    def test_agreement_by_domain_is_of_the_domains_rows(self) -> None:
        by_domain = {domain: agreement_summary(part) for domain, part in split_by_domain(same_sets()).items()}
        assert list(by_domain) == ["BBQ", "HLE"]
        assert by_domain["HLE"].w.mean.value == pytest.approx(49 / 60)
        assert by_domain["HLE"].w.sd.reason == "needs at least 2 values, has 1"

    def test_agreement_ignores_calibration_items(self) -> None:
        calibration = same_sets().assign(item_type="cal_quality_floor", prompt_id="CAL_01")
        calibration = calibration.drop_duplicates(["judge_id", "true_id"])
        assert agreement_summary(pd.concat([same_sets(), calibration])) == agreement_summary(same_sets())

    def test_agreement_without_any_judgment_is_undefined_throughout(self) -> None:
        summary = agreement_summary(same_sets().iloc[:0])
        assert (summary.n_prompts, summary.n_judges, summary.n_answers) == (0, 0, 0)
        assert summary.w.mean.value is None
        assert summary.alpha_ordinal.reason == "there is no rating of this kind"

    def test_rows_of_agreement_are_frozen(self) -> None:
        (prompt,) = agreement_by_prompt(rotated_sets())
        with pytest.raises(dataclasses.FrozenInstanceError):
            prompt.n_judges = 9  # type: ignore[misc]

    def test_agreement_pools_pairs_of_judges_over_prompts(self) -> None:
        frame = same_sets()
        frame = frame[(frame["prompt_id"] == "BBQ_01") | (frame["judge_id"] != "j2")]
        # Three pairs with mean 5/9 on one prompt, one pair with 4/5 on the other.
        assert agreement_summary(frame).tau_b_pooled.value == pytest.approx((3 * 5 / 9 + 4 / 5) / 4)


class TestResampler:
    @pytest.mark.parametrize("frame", [same_sets(), pd.concat([same_sets(), rotated_sets()])], ids=["same", "both"])
    def test_a_draw_of_everybody_once_gives_the_summary_itself(self, frame: pd.DataFrame) -> None:
        frame = frame.drop_duplicates(["prompt_id", "judge_id", "true_id"])
        resampler, summary = AgreementResampler.of(frame), agreement_summary(frame)
        drawn = resampler(Weights(np.ones((1, len(resampler.prompts))), np.ones((1, len(resampler.judges)))))
        for name in ("w", "w_tie_corrected", "w_common"):
            assert drawn[name][0] == pytest.approx(getattr(summary, name).mean.value, abs=1e-12)
        assert drawn["tau_b"][0] == pytest.approx(summary.tau_b.mean.value, abs=1e-12)
        for name in ("tau_b_pooled", "alpha_ordinal"):
            assert drawn[name][0] == pytest.approx(getattr(summary, name).value, abs=1e-12)

    def test_a_prompt_never_drawn_is_not_among_the_resamples(self) -> None:
        resampler = AgreementResampler.of(same_sets())
        drawn = resampler(Weights(np.array([[0.0, 2.0]]), np.ones((1, 3))))
        assert drawn["w"][0] == pytest.approx(49 / 60)
        alone = agreement_summary(same_sets().query("prompt_id == 'HLE_01'"))
        assert drawn["tau_b_pooled"][0] == pytest.approx(alone.tau_b_pooled.value)

    def test_intraclass_correlations_pool_the_variance_of_all_prompts(self) -> None:
        frame = same_sets().assign(score=np.random.default_rng(1).integers(10, 40, 24).astype(float))
        found = AgreementResampler.of(frame).intraclass_correlations()
        squares = []
        for _, part in frame.groupby("prompt_id"):
            table = part.pivot(index="true_id", columns="judge_id", values="score").to_numpy()
            around = table - table.mean()
            targets = 3 * (around.mean(axis=1) ** 2).sum()
            squares.append((targets / 3, ((around**2).sum() - targets) / 8))
        between, within = np.mean(squares, axis=0)
        # ICC(1) = (BMS − WMS)/(BMS + 2·WMS) and ICC(1,3) = 1 − WMS/BMS, of four answers by three judges.
        assert found["one_way"].value == pytest.approx((between - within) / (between + 2 * within))
        assert found["one_way_mean"].value == pytest.approx(1 - within / between)
        assert (found["random"].n, found["random"].left_out) == (2, 0)

    def test_intraclass_correlations_without_each_prompt_and_judge_are_those_of_the_others(self) -> None:
        frame = pd.concat([same_sets(), rotated_sets().assign(prompt_id="MSC_01")])
        frame = frame.assign(score=np.random.default_rng(1).integers(10, 40, len(frame)).astype(float))
        resampler = AgreementResampler.of(frame)
        found = resampler.intraclass_without_each()
        for kind, (prompts, judges) in found.items():
            for place, prompt in enumerate(resampler.prompts):
                rest = AgreementResampler.of(frame[frame["prompt_id"] != prompt]).intraclass_correlations()
                assert prompts[place] == pytest.approx(rest[kind].value, abs=1e-12)
            for place in range(len(resampler.judges)):
                present = np.ones((1, len(resampler.judges)))
                present[0, place] = 0
                rest_of = resampler.of_judges(present)(np.ones((1, len(resampler.prompts))))
                assert judges[place] == pytest.approx(rest_of[kind][0], abs=1e-12, nan_ok=True)

    def test_intraclass_correlations_leave_out_prompts_with_one_answer_in_common(self) -> None:
        frame = pd.concat([same_sets(), rotated_sets().assign(prompt_id="MSC_01").query("true_id != 'gpt-1'")])
        found = AgreementResampler.of(frame.assign(score=10.0 - frame["rank"])).intraclass_correlations()
        assert (found["random"].n, found["random"].left_out) == (2, 1)

    def test_intraclass_correlations_of_scores_that_do_not_vary_are_undefined(self) -> None:
        found = AgreementResampler.of(same_sets().assign(score=3.0)).intraclass_correlations()
        assert {estimate.reason for estimate in found.values()} == {
            "every judge scored all of a prompt's answers alike"
        }

    def test_intraclass_correlations_of_judges_who_cancel_out_say_so_of_means(self) -> None:
        ranks = {("P_1", "j1"): {"gpt-1": 1, "human-1": 2, "human-2": 3}}
        ranks["P_1", "j2"] = {"gpt-1": 3, "human-1": 2, "human-2": 1}
        frame = judgments(ranks)
        found = AgreementResampler.of(frame.assign(score=frame["rank"])).intraclass_correlations()
        assert found["fixed"].value == pytest.approx(-1)
        assert found["fixed_mean"].reason == "the answers' means over judges hardly vary"

    def test_intraclass_correlations_need_two_answers_that_all_judges_scored(self) -> None:
        frame = rotated_sets().query("true_id != 'gpt-1'")
        found = AgreementResampler.of(frame.assign(score=10.0 - frame["rank"])).intraclass_correlations()
        reason = "no prompt has two judges, and two answers that all of its judges scored"
        assert {estimate.reason for estimate in found.values()} == {reason}

    def test_resampling_without_any_judgment_is_undefined_throughout(self) -> None:
        drawn = AgreementResampler.of(same_sets().iloc[:0])(Weights(np.ones((2, 0)), np.ones((2, 0))))
        assert all(np.isnan(values).all() for values in drawn.values())
