"""What a study's prompts come to by the votes on them, one by one and two by two."""

from itertools import combinations
from math import sqrt
from typing import Any

import pytest

from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.calls.services import recording
from generation.calls.services.recording import Arrival
from generation.calls.services.targets_in_use import retire_target
from generation.catalogue.models import Target
from generation.prompts.core.diversity import Cell
from generation.prompts.core.quality import Scheme
from generation.prompts.models import Candidate
from generation.prompts.selectors.candidate_facts import facts_of
from generation.prompts.selectors.candidates import (
    judged,
    passing,
    people_and_models,
    reasons_by_generator,
    tallied,
    verdicts,
)
from generation.prompts.selectors.pairs import cells, people_and_models_on_pairs, position_biases, sampled_pairs
from generation.prompts.services.reviews import compare_pair
from generation.sources.models import Scenario
from tests.factories import a_member, a_study, coordinator_of
from tests.generation.calls.model_runs import claimed, started, worked_off
from tests.generation.prompts.candidates import (
    GENERATORS,
    a_pool,
    compared,
    prompt_models,
    replaced,
    reviewed,
    voted,
)
from tests.generation.prompts.votes import call_of, shallow, sound

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return a_study()


@pytest.fixture
def pool(study: Study) -> list[Candidate]:
    """Five prompts by each of three models for one scenario: Claude's, then Gemini's, then GPT's."""
    return a_pool(study, scenarios=1)


def target(study: Study, family: str) -> Target:
    return Target.objects.get(study=study, family=family, role="prompts")


def tally(candidate: Candidate) -> Any:
    return tallied(candidate.bundle.study).get(pk=candidate.pk)


def passes(candidate: Candidate, scheme: Scheme, least_passes: int = 2) -> bool:
    """As both selectors say it."""
    rows = tallied(candidate.bundle.study).filter(pk=candidate.pk)
    found = judged(rows, scheme=scheme, least_passes=least_passes).get().is_passing
    assert passing(rows, scheme=scheme, least_passes=least_passes).exists() is found
    return bool(found)


class TestTheCountOfVotes:
    def test_the_count_of_votes_is_of_models_alone_and_knows_the_writers_own(self, pool: list[Candidate]) -> None:
        voted(pool[:1], fails=["gpt"])
        reviewed(pool[0], passes=False)
        row = tally(pool[0])
        assert (row.vote_count, row.pass_count, row.own_passes) == (3, 2, True)
        assert (row.other_vote_count, row.other_pass_count) == (2, 1)
        assert (row.review_count, row.is_failed_by_people) == (1, True)

    def test_the_count_of_votes_of_a_prompt_without_votes_is_nothing(self, pool: list[Candidate]) -> None:
        row = tally(pool[0])
        assert (row.vote_count, row.pass_count, row.own_passes) == (0, 0, None)
        assert (row.review_count, row.is_failed_by_people) == (0, False)

    def test_the_count_of_votes_is_the_same_after_a_model_was_retired(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        voted(pool[:1])
        said = verdicts(study)
        retire_target(target=target(study, "claude"), by=coordinator_of(study))
        row = tally(pool[0])
        assert (row.vote_count, row.pass_count, row.own_passes) == (3, 3, True)
        assert verdicts(study) == said

    def test_a_vote_of_a_replaced_model_stands_until_its_successor_has_voted_on_the_same_prompt(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        voted(pool[:2], fails=["gpt"])
        successor = replaced(study, "gpt")
        assert [(row.vote_count, row.pass_count) for row in map(tally, pool[:2])] == [(3, 2), (3, 2)]
        run = started(study, purpose="quality", track="", targets=[successor])
        [first, *_] = claimed(run, most=1)
        recording.record(run.pk, [Arrival(first.attempt_id, sound(first), 20)])
        voted_on = call_of(first).candidate_id
        assert {row.pk: (row.vote_count, row.pass_count) for row in map(tally, pool[:2])} == {
            row.pk: (3, 3) if row.pk == voted_on else (3, 2) for row in pool[:2]
        }

    def test_a_vote_of_a_replaced_model_that_comes_after_its_successors_does_not_stand(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        run = started(study, purpose="quality", track="", targets=[target(study, "gpt")])
        on_their_way = claimed(run)
        new = replaced(study, "gpt")
        worked_off(started(study, purpose="quality", track="", targets=[new]), sound)
        recording.record(run.pk, [Arrival(each.attempt_id, shallow(each), 20) for each in on_their_way])
        assert {(row.vote_count, row.pass_count) for row in map(tally, pool)} == {(1, 1)}

    def test_the_count_of_votes_has_every_prompt_of_the_study_once_and_none_of_another(
        self, pool: list[Candidate]
    ) -> None:
        voted(pool)
        a_pool(a_study("other"), scenarios=1)
        assert list(tallied(pool[0].bundle.study)) == pool


def test_prompts_are_listed_in_the_order_of_their_source(study: Study) -> None:
    prompts = a_pool(study, strata=1)
    Scenario.objects.filter(pk=prompts[0].bundle.scenario_id).update(key="bbq-10")  # after “bbq-002” by its letters
    assert [fact.id for fact in facts_of(study, scheme="all")] == [prompt.pk for prompt in prompts]


class TestTheQualityFilter:
    @pytest.mark.parametrize(
        ("fails", "by_all", "by_others"),
        [
            ([], True, True),
            (["claude"], True, True),  # the writer alone is against it
            (["gpt"], True, False),  # one of the two others is
            (["claude", "gpt"], False, False),
            (["gemini", "gpt"], False, False),
            (GENERATORS, False, False),
        ],
    )
    def test_the_quality_filter_counts_every_vote_or_those_of_others(
        self, pool: list[Candidate], fails: list[str], by_all: bool, by_others: bool
    ) -> None:
        voted(pool[:1], fails=fails)
        assert pool[0].bundle.target.family == "claude"
        assert passes(pool[0], "all") is by_all
        assert passes(pool[0], "others") is by_others

    def test_the_quality_filter_can_ask_for_more_passes(self, pool: list[Candidate]) -> None:
        voted(pool[:1], fails=["gpt"])
        assert not passes(pool[0], "all", least_passes=3)
        assert passes(pool[0], "all", least_passes=1)
        assert not passes(pool[0], "others", least_passes=1)

    def test_the_quality_filter_lets_nothing_through_that_nobody_has_judged(self, pool: list[Candidate]) -> None:
        assert not passes(pool[0], "all")
        assert not passes(pool[0], "others")

    def test_the_quality_filter_ends_at_a_person_who_fails_a_prompt(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        voted(pool[:1])
        reviewed(pool[0], passes=True)
        assert passes(pool[0], "all")
        reviewed(pool[0], passes=False, by=a_member(study, Role.COORDINATOR).user)
        assert not passes(pool[0], "all")
        assert not passes(pool[0], "others")

    def test_the_quality_filter_is_not_passed_by_a_person_alone(self, pool: list[Candidate]) -> None:
        voted(pool[:1], fails=GENERATORS)
        reviewed(pool[0], passes=True)
        assert not passes(pool[0], "all")


class TestWhatSpeaksAgainstPrompts:
    def test_what_speaks_against_prompts_is_counted_by_the_model_that_wrote_them(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        voted(pool[:5], fails=["gpt"])
        voted(pool[5:6], fails=["claude", "gpt"])
        reviewed(pool[0], passes=False)
        assert reasons_by_generator(study) == {
            target(study, "claude").pk: {"votes": 15, "depth": 5, "embedded_answer": 5},
            target(study, "gemini").pk: {"votes": 3, "depth": 2, "embedded_answer": 2},
        }


class TestPeopleAndModels:
    def test_people_and_models_are_set_side_by_side_where_both_have_judged(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        voted(pool[:2])
        voted(pool[2:3], fails=["gpt"])
        reviewed(pool[0], passes=True)
        reviewed(pool[1], passes=False)
        reviewed(pool[2], passes=True)
        reviewed(pool[3], passes=True)  # no model has judged it
        assert people_and_models(study, scheme="all") == [(True, True), (False, True), (True, True)]
        assert people_and_models(study, scheme="others") == [(True, True), (False, True), (True, False)]


class TestComparisons:
    def test_comparisons_are_counted_within_each_generator_and_across_each_two(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        claude, gemini, gpt = (target(study, family).pk for family in GENERATORS)
        found = {cell.generators: cell for cell in cells(study, stage="before")}
        assert list(found) == [(claude,), (claude, gemini), (claude, gpt), (gemini,), (gemini, gpt), (gpt,)]
        scenario = pool[0].bundle.scenario
        nothing = {"both": 0, "either": 0}
        assert found[claude,] == Cell(scenario.source_id, scenario.pk, (claude,), 10, 2, 0, nothing)  # type: ignore[arg-type]
        assert found[claude, gpt] == Cell(scenario.source_id, scenario.pk, (claude, gpt), 25, 1, 0, nothing)  # type: ignore[arg-type]

    def test_comparisons_are_equivalent_by_all_or_by_one_of_those_who_compared(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        """Of Claude's ten pairs one is equivalent to both others, one to one of them."""
        for number, (first, second) in enumerate(combinations(pool[:5], 2)):
            compared(first, second, by="gemini", is_equivalent=number < 2)
            compared(first, second, by="gpt", is_equivalent=number < 1)
        [cell] = [cell for cell in cells(study, stage="before") if cell.votes]
        assert cell.generators == (target(study, "claude").pk,)
        assert (cell.votes, cell.is_complete, cell.equivalent) == (20, True, {"both": 1, "either": 2})

    def test_comparisons_of_two_generators_hear_their_writers_only_where_all_are_to_be_heard(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        for judge in GENERATORS:
            compared(pool[0], pool[10], by=judge, is_equivalent=judge != "gemini")
        by_third = next(cell for cell in cells(study, stage="before") if cell.votes)
        assert (by_third.votes, by_third.equivalent) == (1, {"both": 0, "either": 0})
        by_all = next(cell for cell in cells(study, stage="before", mixed="all") if cell.votes)
        assert (by_all.evaluators, by_all.votes, by_all.equivalent) == (3, 3, {"both": 0, "either": 1})

    def test_comparisons_after_the_filter_are_of_what_passes_it(self, study: Study, pool: list[Candidate]) -> None:
        """Two of Claude's prompts pass, one of Gemini's: a pair within, two across."""
        voted([*pool[:2], pool[5]])
        voted(pool[2:3], fails=["gpt"])
        reviewed(pool[2], passes=False)
        compared(pool[0], pool[1], by="gpt", is_equivalent=True)
        compared(pool[0], pool[3], by="gpt", is_equivalent=True)
        found = cells(study)
        assert [(cell.pairs, cell.evaluators, cell.votes) for cell in found] == [(1, 2, 1), (2, 1, 0)]

    def test_comparisons_by_a_replaced_model_count_for_its_successor(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        compared(pool[0], pool[1], by="gpt", is_equivalent=True)
        before = cells(study, stage="before")
        replaced(study, "gpt")
        after = cells(study, stage="before")
        [voted_on] = [cell for cell in after if cell.votes]
        assert voted_on in before
        assert (voted_on.evaluators, voted_on.votes, voted_on.equivalent) == (2, 1, {"both": 1, "either": 1})

    def test_comparisons_that_both_orders_are_asked_for_are_complete_with_both(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        compared(pool[0], pool[1], by="gpt", is_equivalent=True)
        compared(pool[0], pool[1], by="gpt", is_equivalent=False, is_swapped=True)
        [cell] = [cell for cell in cells(study, stage="before") if cell.votes]
        assert (cell.evaluators, cell.votes, cell.equivalent) == (2, 1, {"both": 0, "either": 1})
        study.pair_order = "both"
        [cell] = [cell for cell in cells(study, stage="before") if cell.votes]
        assert (cell.evaluators, cell.votes, cell.equivalent) == (4, 2, {"both": 0, "either": 1})

    def test_comparisons_tell_what_the_order_does_to_each_models_verdicts(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        for second, (as_written, other_way) in zip(pool[1:5], [(1, 1), (1, 0), (1, 0), (0, 1)], strict=True):
            compared(pool[0], second, by="gpt", is_equivalent=bool(as_written))
            compared(pool[0], second, by="gpt", is_equivalent=bool(other_way), is_swapped=True)
        compared(pool[0], pool[1], by="gemini", is_equivalent=True)
        gemini, gpt = position_biases(study)
        assert (gpt.model.split(",")[0], gpt.written_share, gpt.swapped_share, gpt.difference) == (
            *("gpt", 0.75, 0.5, 0.25),
        )
        assert (gpt.twice, gpt.gained, gpt.lost, gpt.changed) == (4, 2, 1, 3)
        assert gpt.se == pytest.approx(sqrt(3 - 1 / 4) / 4)
        assert (gemini.written, gemini.swapped, gemini.difference, gemini.se, gemini.twice) == (1, 0, None, None, 0)

    def test_comparisons_leave_models_of_other_names_to_be_asked_where_one_was_retired(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        compared(pool[0], pool[1], by="gpt", is_equivalent=True)
        retire_target(target=target(study, "gpt"), by=coordinator_of(study))
        # Claude's and Gemini's are compared by one other; GPT's, and GPT's with theirs, by those two or one.
        assert [cell.evaluators for cell in cells(study, stage="before")] == [1, 1, 1, 1, 2]

    def test_comparisons_of_a_study_without_prompts_are_none(self, study: Study) -> None:
        assert cells(study) == []


class TestPairsForPeople:
    @pytest.fixture
    def judged_pool(self, pool: list[Candidate]) -> list[Candidate]:
        """Of the 25 pairs of Claude and GPT every fifth is equivalent; one of Claude's own has one vote of two."""
        for number, (first, second) in enumerate((one, other) for one in pool[:5] for other in pool[10:]):
            compared(first, second, by="gemini", is_equivalent=number % 5 == 0)
        compared(pool[0], pool[1], by="gemini", is_equivalent=True)
        return pool

    def test_pairs_for_people_are_of_both_kinds_and_of_those_alone_that_models_are_done_with(
        self, study: Study, judged_pool: list[Candidate]
    ) -> None:
        drawn = sampled_pairs(study, coordinator_of(study))
        assert sorted(str(pair.models_say) for pair in drawn) == ["False"] * 20 + ["True"] * 5
        assert (judged_pool[0].pk, judged_pool[1].pk) not in {(pair.first_id, pair.second_id) for pair in drawn}

    @pytest.mark.usefixtures("judged_pool")
    def test_pairs_for_people_are_the_same_for_everybody_in_an_order_of_their_own(self, study: Study) -> None:
        mine = sampled_pairs(study, coordinator_of(study))
        theirs = sampled_pairs(study, a_member(study, Role.COORDINATOR).user)
        assert mine == sampled_pairs(study, coordinator_of(study))
        assert mine != theirs
        assert set(mine) == set(theirs)

    @pytest.mark.usefixtures("judged_pool")
    def test_pairs_for_people_say_what_this_person_said(self, study: Study) -> None:
        person, other = coordinator_of(study), a_member(study, Role.COORDINATOR).user
        pair = sampled_pairs(study, person)[0]
        first, second = Candidate.objects.get(pk=pair.first_id), Candidate.objects.get(pk=pair.second_id)
        compare_pair(first=first, second=second, is_equivalent=not pair.models_say, by=person)
        assert [each.person_says for each in sampled_pairs(study, person)] == [not pair.models_say] + [None] * 24
        assert {each.person_says for each in sampled_pairs(study, other)} == {None}
        assert people_and_models_on_pairs(study) == [(not pair.models_say, pair.models_say)]

    def test_pairs_for_people_of_a_generator_that_was_retired_wait_for_all_that_are_left(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        """Both others compare what Claude wrote, whether Claude is still in use or not."""
        compared(pool[0], pool[1], by="gemini", is_equivalent=True)
        retire_target(target=target(study, "claude"), by=coordinator_of(study))
        assert sampled_pairs(study, coordinator_of(study)) == []
        compared(pool[0], pool[1], by="gpt", is_equivalent=True)
        assert len(sampled_pairs(study, coordinator_of(study))) == 1

    def test_pairs_for_people_keep_what_a_person_has_compared_whatever_is_drawn_later(
        self, study: Study, judged_pool: list[Candidate]
    ) -> None:
        person, other = coordinator_of(study), a_member(study, Role.COORDINATOR).user
        compare_pair(first=judged_pool[0], second=judged_pool[1], is_equivalent=True, by=person)
        [own] = [pair for pair in sampled_pairs(study, person) if pair.person_says is not None]
        assert (own.first_id, own.second_id, own.models_say) == (judged_pool[0].pk, judged_pool[1].pk, None)
        assert len(sampled_pairs(study, person)) == len(sampled_pairs(study, other)) + 1

    def test_pairs_for_people_are_none_where_models_have_compared_nothing(self, study: Study) -> None:
        prompt_models(study)
        assert sampled_pairs(study, coordinator_of(study)) == []
        assert people_and_models_on_pairs(study) == []
