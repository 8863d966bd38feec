import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.data.core.judgment_frame import split_by_domain
from analysis.data.core.results import Estimate
from analysis.outcomes.core.outcomes import (
    SourceOutcome,
    heads,
    lead_of_models,
    model_first,
    model_human_pairs,
    outcomes_by_prompt,
    outcomes_by_source,
    prompts_led_by_models,
    score_card,
)
from analysis.uncertainty.core.crossed import crossed_mean
from analysis.uncertainty.core.judgment_arrays import JudgmentArrays
from tests.analysis.agreement.core.rankings import ends, ranking, value, why_no_interval
from tests.analysis.data.core.judgments import judgments

# Mid-ranks, in the order written: 1, 2.5, 2.5, 4 | 1.5, 1.5, 3, 4 | 1, 2, 3, 4.
RANKS = {
    ("BBQ_01", "j1"): {"claude-1": 1, "gpt-1": 2, "human-1": 2, "human-2": 4},
    ("BBQ_01", "j2"): {"human-1": 1, "claude-1": 1, "gpt-1": 3, "human-2": 4},
    ("HLE_01", "j1"): {"human-1": 1, "claude-1": 2, "gpt-1": 3, "human-2": 4},
}
SCORES = {"claude-1": (8, 7), "gpt-1": (9, 5), "human-1": (6, 5), "human-2": (4, 6)}
DIMENSIONS = ("clarity", "evidence")

no_mixed_judgment = "no judgment has both a model's and a person's answer"


def study() -> pd.DataFrame:
    return judgments(RANKS, scores=SCORES, dimensions=DIMENSIONS)


def by_source(frame: pd.DataFrame) -> dict[str, SourceOutcome]:
    return {outcome.source: outcome for outcome in outcomes_by_source(JudgmentArrays.of(frame))}


class TestOutcomesBySource:
    def test_outcomes_by_source_have_people_and_every_model_family(self) -> None:
        assert [outcome.source for outcome in outcomes_by_source(JudgmentArrays.of(study()))] == [
            "claude",
            "gpt",
            "human",
        ]

    def test_competition_ranks_by_source_are_the_published_ones(self) -> None:
        # Claude 1, 1, 2: mean 4/3, of prompts 0, 0, 1 by judges 0, 1, 0.
        claude = by_source(study())["claude"].competition_rank
        assert claude.mean.value == pytest.approx(4 / 3)
        own = crossed_mean("competition_rank", ranking(1, 1, 2), np.array([0, 0, 1]), np.array([0, 1, 0]))
        assert claude.se == own.se
        # People 2, 4, 1, 4, 1, 4.
        assert by_source(study())["human"].competition_rank.mean.value == pytest.approx(16 / 6)

    def test_mid_ranks_share_the_places_of_a_tie(self) -> None:
        # Claude 1, 1.5, 2; people 2.5, 4, 1.5, 4, 1, 4.
        assert by_source(study())["claude"].mid_rank.mean.value == 1.5
        assert by_source(study())["claude"].mid_rank.sd.value == 0.5
        assert by_source(study())["human"].mid_rank.mean.value == pytest.approx(17 / 6)

    def test_a_sources_score_is_the_mean_of_the_dimensions_over_ratings(self) -> None:
        # People: three ratings of 5.5 and three of 5, mean 5.25 of all and in every judgment: nothing varies
        # between prompts or judges.
        score = by_source(study())["human"].score
        assert (score.mean.value, score.mean.n) == (5.25, 6)
        assert value(score.se) == pytest.approx(0)
        assert why_no_interval(score.mean) == "all observations are alike"

    def test_a_rating_with_a_blank_dimension_has_no_score_and_is_counted(self) -> None:
        frame = study()
        frame["evidence"] = frame["evidence"].astype(float)
        frame.loc[0, "evidence"] = math.nan
        score = by_source(frame)["claude"].score
        assert (score.mean.value, score.mean.n, score.mean.left_out) == (7.5, 2, 1)

    def test_a_ranking_without_a_rubric_has_ranks_and_no_scores(self) -> None:
        outcome = by_source(judgments(RANKS))["gpt"]
        assert outcome.competition_rank.mean.value == pytest.approx(8 / 3)
        assert outcome.score.mean == Estimate(
            "score_mean", None, n=0, left_out=3, reason="no answer of the source has a score"
        )

    def test_whoever_ranks_a_single_answer_ranks_nothing(self) -> None:
        alone = judgments({("BBQ_01", "j1"): {"gpt-1": 1}, ("BBQ_02", "j1"): {"claude-1": 1, "human-1": 2}})
        found = by_source(alone)
        assert {each.mean.reason for each in (found["gpt"].competition_rank, found["gpt"].mid_rank)} == {
            "no judgment ranks an answer of the source among others"
        }
        assert found["gpt"].first.reason == "no judgment ranks an answer of the source among others"
        assert found["claude"].mid_rank.mean.value == 1

    def test_outcomes_by_domain_use_the_domains_ratings(self) -> None:
        domains = {domain: by_source(part) for domain, part in split_by_domain(study()).items()}
        assert domains["BBQ"]["claude"].competition_rank.mean.value == 1
        assert domains["HLE"]["claude"].competition_rank.mean.value == 2
        assert domains["HLE"]["claude"].competition_rank.se.reason == "fewer than two prompts"


def test_score_card_has_every_source_on_every_dimension() -> None:
    card = {(cell.source, cell.dimension): cell.score for cell in score_card(JudgmentArrays.of(study()))}
    assert list(card) == list(itertools.product(["claude", "gpt", "human"], DIMENSIONS))
    assert (card["gpt", "evidence"].mean.value, card["gpt", "evidence"].mean.n) == (5, 3)
    # People's clarity 6, 4, three times each.
    assert card["human", "clarity"].mean.value == 5
    assert card["human", "clarity"].se.value is not None


class TestModelHumanPairs:
    def test_pairs_set_every_model_answer_of_a_judgment_against_every_human_one(self) -> None:
        # First judgment 3 wins, 1 tie; second 2 wins, 1 tie, 1 loss; third 2 wins, 2 losses.
        pairs = model_human_pairs(JudgmentArrays.of(study()))
        assert (pairs.wins, pairs.ties, pairs.losses) == (7, 2, 3)
        # (7 + 2/2) / 12.
        assert pairs.preference.value == pytest.approx(8 / 12)
        assert pairs.preference.n == 12

    def test_three_by_three_answers_make_nine_pairs_per_judgment(self) -> None:
        ranking = {f"{source}-{number}": 1 for source in ("human", "gpt") for number in range(3)}
        pairs = model_human_pairs(JudgmentArrays.of(judgments({("BBQ_01", f"j{n}"): ranking for n in range(130)})))
        assert (pairs.ties, pairs.preference.n, pairs.preference.value) == (1170, 1170, 0.5)

    @given(st.lists(st.lists(st.integers(1, 4), min_size=5, max_size=5), min_size=1, max_size=4))
    def test_pairs_of_models_and_people_agree_with_a_count_by_hand(self, rankings: list[list[int]]) -> None:
        answers = ("human-1", "human-2", "gpt-1", "gpt-2", "claude-1")
        frame = judgments(
            {("P_1", f"j{n}"): dict(zip(answers, ranks, strict=True)) for n, ranks in enumerate(rankings)}
        )
        leads = [human - model for ranks in rankings for human in ranks[:2] for model in ranks[2:]]
        pairs = model_human_pairs(JudgmentArrays.of(frame))
        assert pairs.wins == sum(lead > 0 for lead in leads)
        assert pairs.ties == leads.count(0)
        assert pairs.wins + pairs.ties + pairs.losses == pairs.preference.n == len(leads)

    def test_without_people_no_model_is_preferred_to_them(self) -> None:
        pairs = model_human_pairs(JudgmentArrays.of(judgments({("P_1", "j1"): {"gpt-1": 1, "claude-1": 2}})))
        assert (pairs.wins, pairs.ties, pairs.losses) == (0, 0, 0)
        assert pairs.preference == Estimate("model_preference", None, n=0, reason=no_mixed_judgment)


class TestModelFirst:
    def test_the_share_of_models_first_counts_a_shared_first_place_wholly_and_by_share(self) -> None:
        # A model alone, a model with a person, a person alone: any (1 + 1 + 0)/3, fractional (1 + 1/2 + 0)/3.
        first = model_first(JudgmentArrays.of(study()))
        assert first.any_first.value == pytest.approx(2 / 3)
        assert first.any_first.n == 3
        assert (first.fractional.value, first.fractional.n) == (0.5, 3)

    def test_the_share_of_models_first_leaves_out_judgments_of_one_kind_of_answer(self) -> None:
        models_alone = judgments({("MSC_01", "j1"): {"gpt-1": 1, "claude-1": 2}})
        first = model_first(JudgmentArrays.of(pd.concat([study(), models_alone], ignore_index=True)))
        assert first.any_first.value == pytest.approx(2 / 3)
        assert (first.any_first.n, first.any_first.left_out) == (3, 1)

    def test_the_share_of_models_first_without_people_is_undefined(self) -> None:
        first = model_first(JudgmentArrays.of(judgments({("MSC_01", "j1"): {"gpt-1": 1, "claude-1": 2}})))
        assert first.fractional == Estimate(
            "model_first_fractional", None, n=0, left_out=1, reason=no_mixed_judgment
        )


@pytest.mark.parametrize("outcome", [outcomes_by_source, score_card, model_human_pairs, model_first])
def test_calibration_items_never_enter_an_outcome(outcome: Callable[[JudgmentArrays], Sequence[object]]) -> None:
    calibration = judgments(
        {("CAL_01", "j1"): {"gpt-1": 1, "human-1": 2, "weak-1": 3}},
        scores={"gpt-1": (1, 1), "human-1": (1, 1), "weak-1": (1, 1)},
        dimensions=DIMENSIONS,
        item_type="cal_quality_floor",
    )
    both = pd.concat([study(), calibration], ignore_index=True)
    assert outcome(JudgmentArrays.of(both)) == outcome(JudgmentArrays.of(study()))


@pytest.mark.parametrize("outcome", [outcomes_by_source, score_card])
def test_no_judgment_has_no_source(outcome: Callable[[JudgmentArrays], Sequence[object]]) -> None:
    assert outcome(JudgmentArrays.of(study().iloc[:0])) == []


def test_shares_of_no_judgments_are_undefined() -> None:
    empty = study().iloc[:0]
    assert model_human_pairs(JudgmentArrays.of(empty)).preference.reason == no_mixed_judgment
    assert model_first(JudgmentArrays.of(empty)).any_first.reason == no_mixed_judgment


class TestPromptsLedByModels:
    def test_prompts_led_by_models_are_counted_and_a_draw_as_half(self) -> None:
        # Claude and gpt 7.5 and 7 against people's 5.5 and 5 on both prompts.
        assert prompts_led_by_models(JudgmentArrays.of(study())) == Estimate("prompts_led_by_models", 1, n=2)
        scores = {"gpt-1": (4,), "human-1": (4,)}
        ranks = {("P_1", "j1"): {"gpt-1": 1, "human-1": 2}}
        level = judgments(ranks, scores=scores, dimensions=("clarity",))
        assert prompts_led_by_models(JudgmentArrays.of(level)).value == 0.5

    def test_equal_means_are_a_draw_however_their_fractions_are_rounded(self) -> None:
        # Totals of 30, 30, 34 and of 30, 31, 33: the means of their fifths differ in the last digit.
        names = ("a", "b", "c", "d", "e")
        totals = {"gpt": (30, 30, 34), "human": (30, 31, 33)}
        marks = {f"{who}-{n}": (6, 6, 6, 6, total - 24) for who, of in totals.items() for n, total in enumerate(of)}
        ranks = {("P_1", "j1"): dict.fromkeys(marks, 1)}
        found = prompts_led_by_models(JudgmentArrays.of(judgments(ranks, scores=marks, dimensions=names)))
        assert found.value == 0.5

    def test_prompts_that_models_lead_throughout_have_an_exact_interval(self) -> None:
        ranks = {(f"P_{n}", f"j{judge}"): {"gpt-1": 1, "human-1": 2} for n in range(6) for judge in range(3)}
        frame = judgments(ranks, scores={"gpt-1": (4,), "human-1": (2,)}, dimensions=("clarity",))
        # Of 6 prompts by 3 judges 3 are surely independent: Clopper and Pearson's lower end of 3 of 3 is where p³ =
        # 0.025.
        low, high = ends(prompts_led_by_models(JudgmentArrays.of(frame), draws=50, seed=1))
        assert low == pytest.approx(0.025 ** (1 / 3))
        assert high == 1

    def test_the_count_of_led_prompts_leaves_out_those_without_scores_of_both(self) -> None:
        alone = judgments({("P_1", "j1"): {"gpt-1": 1}}, scores=SCORES | {"gpt-1": (9, 5)}, dimensions=DIMENSIONS)
        found = prompts_led_by_models(JudgmentArrays.of(pd.concat([study(), alone], ignore_index=True)))
        assert (found.n, found.left_out) == (2, 1)
        found = prompts_led_by_models(JudgmentArrays.of(alone))
        assert found.reason == "no prompt has scored answers of both models and people"


def test_the_error_of_a_share_is_that_of_whole_judgments() -> None:
    # Of two judges' judgments of two prompts one wins all of its four pairs, the others half of them: by judgment
    # 1, ½, ½, ½, as four observations of a crossed table, however many pairs each of them has.
    half = {"gpt-1": 2, "gpt-2": 2, "human-1": 2, "human-2": 2}
    ranks = {(prompt, judge): half for prompt in ("P_1", "P_2") for judge in ("j1", "j2")}
    ranks["P_1", "j1"] = {"gpt-1": 1, "gpt-2": 1, "human-1": 3, "human-2": 3}
    found = model_human_pairs(JudgmentArrays.of(judgments(ranks))).preference
    crossed = crossed_mean(
        "share", np.array([1, 0.5, 0.5, 0.5]), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), bounds=(0, 1)
    )
    assert (found.value, found.n) == (0.625, 16)
    assert ends(found) == pytest.approx(ends(crossed.mean))


class TestHeads:
    def test_heads_set_every_source_against_every_other(self) -> None:
        # Claude beats gpt twice and once more; people 2, 4 | 1, 4 | 1, 4 against claude's 1 | 1 | 2.
        found = {(head.one, head.other): head for head in heads(JudgmentArrays.of(study()))}
        assert list(found) == [("claude", "gpt"), ("claude", "human"), ("gpt", "human")]
        assert (found["claude", "gpt"].wins, value(found["claude", "gpt"].preference)) == (3, 1)
        people = found["claude", "human"]
        assert (people.wins, people.ties, people.losses) == (4, 1, 1)
        assert value(people.preference) == pytest.approx(4.5 / 6)

    def test_sources_that_never_meet_have_no_preference(self) -> None:
        ranks = {("P_1", "j1"): {"claude-1": 1, "human-1": 2}, ("P_1", "j2"): {"gpt-1": 1, "human-1": 2}}
        (apart, *_) = heads(JudgmentArrays.of(judgments(ranks)))
        assert (apart.one, apart.other) == ("claude", "gpt")
        assert apart.preference.reason == "no judgment has answers of both sources"


def test_a_source_that_nobody_ranked_has_no_first_places() -> None:
    frame = study().astype({"rank": float})
    frame.loc[frame["model"] == "gpt", "rank"] = math.nan
    assert by_source(frame)["gpt"].first.reason == "no judgment ranks an answer of the source among others"


def test_first_places_are_divided_among_those_who_share_them() -> None:
    # Claude alone, claude and a person, a person alone.
    first = {outcome.source: outcome.first for outcome in outcomes_by_source(JudgmentArrays.of(study()))}
    assert [value(first[source]) for source in ("claude", "gpt", "human")] == pytest.approx([0.5, 0, 0.5])
    assert first["human"].n == 3


def test_the_models_lead_is_taken_judgment_by_judgment() -> None:
    # Models 7.5 and 7 against people's 5.5 and 5, in every judgment.
    lead = lead_of_models(JudgmentArrays.of(study()))
    assert (lead.mean.value, lead.mean.n) == (2, 3)


class TestOutcomesByPrompt:
    def test_outcomes_by_prompt_set_the_mean_of_models_beside_that_of_people(self) -> None:
        frame = study().assign(evidence=lambda frame: frame["evidence"] + (frame["judge_id"] == "j2"))
        frame.loc[(frame["judge_id"] == "j2") & (frame["model"] == "claude"), "clarity"] = 10.0
        first, second = outcomes_by_prompt(JudgmentArrays.of(frame))
        assert (first.prompt_id, second.prompt_id) == ("BBQ_01", "HLE_01")
        # j1: models 7.5, 7; people 5.5, 5: lead 2. j2: models 9, 7.5; people 6, 5.5: lead 2.5.
        assert first.models.value == pytest.approx(31 / 4)
        assert first.models.n == 4
        assert first.people.value == pytest.approx(22 / 4)
        assert first.people.n == 4
        assert first.lead.value == pytest.approx(2.25)
        assert first.lead.n == 2
        # t of one degree of freedom at 97.5 % is 12.706; the error is 0.25.
        assert ends(first.lead) == pytest.approx((2.25 - 12.7062 * 0.25, 2.25 + 12.7062 * 0.25), abs=1e-4)
        assert why_no_interval(second.lead) == "needs at least 2 values, has 1"

    def test_outcomes_by_prompt_are_undefined_without_answers_of_both(self) -> None:
        ranks = {("P_1", "j1"): {"gpt-1": 1}}
        (found,) = outcomes_by_prompt(
            JudgmentArrays.of(judgments(ranks, scores={"gpt-1": (4,)}, dimensions=("a",)))
        )
        assert (found.models.value, found.people.reason) == (4, "no such answer was scored")
        assert found.lead.value is None


def test_answers_that_were_not_ranked_enter_no_comparison() -> None:
    frame = study().astype({"rank": float})
    frame.loc[(frame["prompt_id"] == "HLE_01") & (frame["true_id"] == "human-1"), "rank"] = math.nan
    found = {(head.one, head.other): head for head in heads(JudgmentArrays.of(frame))}["claude", "human"]
    # Of HLE_01 claude's win against human-2 is left; that of human-1 is gone.
    assert (found.wins, found.ties, found.losses) == (4, 1, 0)
    first = {outcome.source: outcome.first for outcome in outcomes_by_source(JudgmentArrays.of(frame))}
    assert value(first["claude"]) == pytest.approx(2.5 / 3)


def test_mean_ranks_have_intervals_between_the_first_place_and_the_last() -> None:
    for outcome in outcomes_by_source(JudgmentArrays.of(study())):
        for mean in (outcome.competition_rank.mean, outcome.mid_rank.mean):
            if why_no_interval(mean) is None:
                low, high = ends(mean)
                assert 1 <= low < high <= 4


def test_led_prompts_have_an_interval_over_prompts_where_judges_agree() -> None:
    ranks = {(f"P_{n}", f"j{judge}"): {"gpt-1": 1, "human-1": 2} for n in range(6) for judge in range(3)}
    frame = judgments(ranks, scores={"gpt-1": (4,), "human-1": (4,)}, dimensions=("clarity",))
    frame.loc[(frame["prompt_id"] < "P_3") & (frame["model"] == "gpt"), "clarity"] = 9.0
    found = prompts_led_by_models(JudgmentArrays.of(frame), draws=200, seed=1)
    low, high = ends(found)
    # Means of 1, 1, 1, ½, ½, ½ vary by 0.075/6 = 0.1118²; logit 0.75 = 1.0986 ± 2.571 · 0.1118 / (0.75 · 0.25).
    assert value(found) == 0.75
    assert (low, high) == pytest.approx((0.3931, 0.9328), abs=1e-4)


def test_what_judges_move_together_is_the_same_however_often_they_are_drawn() -> None:
    # Of 15 judges 5 to a prompt, some of whom all put models first and others people: with 2,000 draws hardly any
    # prompt has a judge in all of them.
    rng = np.random.default_rng(7)
    likes = rng.normal(0, 1, 15)
    judged = [(prompt, judge) for prompt in range(26) for judge in rng.choice(15, 5, replace=False)]
    frame = judgments({(f"P_{n:02}", f"j{judge:02}"): {"gpt-1": 1, "human-1": 2} for n, judge in judged})
    marks = [5 + own for _, judge in judged for own in (likes[judge] + rng.normal(0, 0.5), 0.0)]
    arrays = JudgmentArrays.of(frame.assign(clarity=marks))
    few, many = (ends(prompts_led_by_models(arrays, draws=draws, seed=1)) for draws in (200, 2000))
    assert many[1] - many[0] == pytest.approx(few[1] - few[0], rel=0.1)
