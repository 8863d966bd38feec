"""Votes of models on prompts, two by two: what they are asked, and what becomes of their replies."""

from collections import Counter
from collections.abc import Collection

import pytest

from annotation.platform.core.errors import Refused
from annotation.study.models.studies import Study
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import recording
from generation.calls.services.claiming import Outgoing
from generation.calls.services.recording import Arrival
from generation.catalogue.core.prompt_templates import SHIPPED
from generation.catalogue.services import templates
from generation.prompts.models import PairVote
from generation.prompts.services.pair_votes import PAIRS
from generation.providers.base import Reply
from tests.factories import a_study, coordinator_of
from tests.generation.calls.model_runs import claimed, good, planned, worked_off
from tests.generation.panel.panels import texts_of
from tests.generation.prompts.candidates import GENERATORS, a_pool, prompt_models, voted
from tests.generation.prompts.votes import alike, asked, call_of, compared_as

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return a_study()


def compared_by(run: GenerationRun) -> Counter[tuple[str, str, str]]:
    """How many pairs of each two generators a run has each model compare."""
    calls = Call.objects.filter(run=run).values_list(
        "candidate__bundle__target__family", "beside__bundle__target__family", "target__family"
    )
    return Counter((min(one, other), max(one, other), judge) for one, other, judge in calls)


class TestAPlan:
    def test_a_plan_of_comparisons_has_pairs_compared_by_the_models_that_wrote_neither(self, study: Study) -> None:
        voted(a_pool(study, scenarios=1))
        run = planned(study, purpose="pairs", track="")
        within = {(each, each, judge): 10 for each in GENERATORS for judge in GENERATORS if judge != each}
        across = {("claude", "gemini", "gpt"): 25, ("claude", "gpt", "gemini"): 25, ("gemini", "gpt", "claude"): 25}
        assert compared_by(run) == within | across

    def test_a_plan_of_comparisons_has_mixed_pairs_compared_by_all_where_that_is_wanted(self, study: Study) -> None:
        voted(a_pool(study, scenarios=1))
        found = compared_by(planned(study, purpose="pairs", track="", only={"mixed": "all"}))
        mixed = {place: number for place, number in found.items() if place[0] != place[1]}
        assert set(mixed.values()) == {25}
        assert len(mixed) == 3 * 3
        assert ("claude", "claude", "claude") not in found

    def test_a_plan_of_comparisons_asks_of_each_scenario_by_itself_and_of_no_pair_twice(self, study: Study) -> None:
        voted(a_pool(study, sources=["BBQ", "HLE"], scenarios=2))
        run = planned(study, purpose="pairs", track="")
        pairs = Call.objects.filter(run=run).values_list(
            "candidate__bundle__scenario", "beside__bundle__scenario", "candidate", "beside", "target"
        )
        assert all(one == other for one, other, *_ in pairs)
        assert len(set(pairs)) == len(pairs) == 4 * (3 * 10 * 2 + 3 * 25)

    def test_a_plan_of_comparisons_leaves_out_what_does_not_pass_the_quality_filter(self, study: Study) -> None:
        pool = a_pool(study, scenarios=1)
        voted(pool[:4], fails=["claude", "gpt"])  # four of Claude's five
        voted(pool[4:], fails=["claude"])
        found = compared_by(planned(study, purpose="pairs", track=""))
        assert found["claude", "claude", "gpt"] == 0  # one prompt is no pair
        assert found["claude", "gemini", "gpt"] == 5
        assert found["gemini", "gemini", "gpt"] == 10

    def test_a_plan_of_comparisons_follows_the_scheme_it_is_given(self, study: Study) -> None:
        voted(a_pool(study, scenarios=1), fails=["claude"])
        found = compared_by(planned(study, purpose="pairs", track="", only={"scheme": "others"}))
        # What Claude wrote passes with both others; of what the others wrote Claude, one of two, fails everything.
        assert found == {("claude", "claude", "gemini"): 10, ("claude", "claude", "gpt"): 10}

    def test_a_plan_of_comparisons_before_the_filter_takes_prompts_that_nobody_has_judged(
        self, study: Study
    ) -> None:
        a_pool(study, scenarios=1)
        with pytest.raises(Refused, match="no prompts to compare"):
            planned(study, purpose="pairs", track="")
        run = planned(study, purpose="pairs", track="", only={"stage": "before"})
        assert sum(compared_by(run).values()) == 135

    def test_a_plan_of_comparisons_about_some_sources_leaves_out_the_others(self, study: Study) -> None:
        pool = a_pool(study, sources=["BBQ", "HLE"], scenarios=1)
        source = pool[-1].bundle.scenario.source
        run = planned(study, purpose="pairs", track="", only={"stage": "before", "sources": [source.pk]})
        calls = Call.objects.filter(run=run)
        assert set(calls.values_list("candidate__bundle__scenario__source", flat=True)) == {source.pk}

    def test_a_plan_of_comparisons_is_refused_where_nobody_is_left_to_compare(self, study: Study) -> None:
        voted(a_pool(study, scenarios=1, generators=["claude"]))
        with pytest.raises(Refused, match="name another one"):
            planned(study, purpose="pairs", track="")

    def test_a_plan_of_comparisons_that_is_empty_says_why_and_what_is_still_to_come(self, study: Study) -> None:
        pool = a_pool(study, scenarios=1, generators=["claude", "gpt"])
        voted([pool[0], pool[5]])  # one of each: a pair that nobody else could compare
        asked(study, "quality")
        run = planned(study, purpose="pairs", track="")
        assert run.state == "withdrawn"
        [quality] = GenerationRun.objects.filter(study=study, purpose="quality", state="running")
        assert run.stopped_because == (
            "No scenario has two prompts yet that these models are to compare. "
            f"Run {quality.known_as} is still under way, with 0 of 20 votes."
        )

    def test_a_plan_of_comparisons_foresees_the_length_of_each_request(self, study: Study) -> None:
        voted(a_pool(study, scenarios=1, generators=["claude", "gpt"]))
        run = asked(study, "pairs")
        foreseen = {wanted.key: wanted.characters for wanted in PAIRS.wanted(run)}
        for outgoing in claimed(run):
            assert len(outgoing.request.prompt) == foreseen[call_of(outgoing).key]

    @pytest.mark.parametrize(("order", "swapped"), [("written", {0}), ("both", {10}), ("drawn", range(3, 8))])
    def test_a_plan_of_comparisons_shows_pairs_in_the_order_that_is_wanted(
        self, study: Study, order: str, swapped: Collection[int]
    ) -> None:
        voted(a_pool(study, scenarios=1, generators=["claude", "gpt"]))
        run = planned(study, purpose="pairs", track="", only={"order": order})
        by_judge: dict[str, list[bool]] = {"claude": [], "gpt": []}
        calls = Call.objects.filter(run=run).values_list("target__family", "candidate", "beside")
        for judge, first, second in calls.order_by("pk"):
            by_judge[judge].append(first > second)
        assert {len(each) for each in by_judge.values()} == {20 if order == "both" else 10}
        assert all(sum(each) in swapped for each in by_judge.values())

    def test_a_plan_of_comparisons_draws_the_same_orders_again(self, study: Study) -> None:
        voted(a_pool(study, scenarios=1, generators=["claude", "gpt"]))
        worked_off(asked(study, "pairs"), alike)
        assert planned(study, purpose="pairs", track="").state == "withdrawn"
        again = asked(study, "pairs", order="both")
        assert again.calls.count() == 20
        worked_off(again, alike)
        assert PairVote.objects.filter(stands=True).count() == 40


class TestAReply:
    def test_a_reply_about_a_pair_becomes_the_vote_of_its_model_on_the_two_prompts_it_was_shown(
        self, study: Study
    ) -> None:
        voted(a_pool(study, scenarios=1, generators=["claude", "gpt"]))
        shown = {}

        def differ(outgoing: Outgoing) -> Reply:
            shown[outgoing.call_id] = texts_of(outgoing)
            return compared_as(False)

        worked_off(asked(study, "pairs"), differ)
        votes = PairVote.objects.select_related("call", "first", "second")
        assert len(votes) == 20
        for vote in votes:
            assert vote.call
            one, other = (vote.second, vote.first) if vote.is_swapped else (vote.first, vote.second)
            assert shown[vote.call.pk] == {"prompt-1": one.text, "prompt-2": other.text}
            assert vote.target_id == vote.call.target_id
            assert (vote.is_equivalent, vote.reason) == (False, "As it seems.")

    def test_a_reply_about_a_pair_that_cannot_be_read_leaves_no_vote(self, study: Study) -> None:
        voted(a_pool(study, scenarios=1, generators=["claude", "gpt"]))
        run = worked_off(asked(study, "pairs"), lambda _outgoing: good('{"is_equivalent": true}'))
        outcomes = Attempt.objects.filter(call__run=run).values_list("outcome", "detail")
        assert set(outcomes) == {("unreadable", "The reply lacks reason.")}
        assert not PairVote.objects.exists()

    def test_a_reply_about_a_pair_is_asked_for_once_whatever_is_planned_after(self, study: Study) -> None:
        prompt_models(study)
        voted(a_pool(study, scenarios=1))
        worked_off(asked(study, "pairs"), alike, most=60)
        assert PairVote.objects.count() == 135
        again = planned(study, purpose="pairs", track="", only={"stage": "before"})
        assert again.state == "withdrawn"
        assert again.stopped_because == "Nothing is missing: all of it was asked for before."

    def test_a_reply_about_a_pair_by_an_older_wording_leaves_the_newer_vote_as_it_is(self, study: Study) -> None:
        voted(a_pool(study, scenarios=1, generators=["claude", "gpt"]))
        old = asked(study, "pairs")
        on_their_way = claimed(old, most=5)
        templates.save_template(
            study=study,
            name="pair_vote",
            text=SHIPPED["pair_vote"].text + "\nBe brief.",
            origin="Our own.",
            by=coordinator_of(study),
        )
        new = worked_off(asked(study, "pairs"), alike)
        recording.record(old.pk, [Arrival(each.attempt_id, compared_as(False), 20) for each in on_their_way])
        assert set(PairVote.objects.values_list("call__run", "is_equivalent")) == {(new.pk, True)}
        assert PairVote.objects.count() == 20
        assert claimed(old) == []
