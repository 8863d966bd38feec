"""The overview of the way from sources to prompts, as a study's coordinator sees it."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.platform.core.lifecycle import STUDY
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services.targets_in_use import retire_target
from generation.prompts.models import Candidate, PromptSample, SampledPrompt
from generation.prompts.selectors.candidate_facts import facts_of
from generation.prompts.selectors.pool import Amounts, Votes, pool_of
from generation.prompts.selectors.pool_steps import WayStep, way_steps
from generation.sources.templatetags import share_bar
from tests.clients import signed_in
from tests.factories import a_member, a_study, coordinator_of
from tests.generation.prompts.candidates import a_pool, a_source, compared, prompt_models, replaced, voted
from tests.pages import in_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return a_study()


def step(study: Study, name: str) -> WayStep:
    [found] = [step for step in way_steps(study, pool_of(study)) if name in step.name.lower()]
    return found


def states(study: Study) -> list[str]:
    return [step.state for step in way_steps(study, pool_of(study))]


def sampled(study: Study, candidates: list[Candidate], *, prompts: list[Any] | None = None) -> PromptSample:
    sample = PromptSample.objects.create(study=study, report=[], content_sha256="0" * 64)
    SampledPrompt.objects.bulk_create(
        SampledPrompt(sample=sample, candidate=candidate, position=number, code=f"BBQ_{number:02}", prompt=prompt)
        for number, (candidate, prompt) in enumerate(
            zip(candidates, prompts or [None] * len(candidates), strict=True), start=1
        )
    )
    return sample


class TestAmounts:
    def test_amounts_follow_a_source_from_its_items_to_the_study_s_prompts(self, study: Study) -> None:
        # 2 scenarios × 3 models × 5 prompts = 30; two of three models fail every third one: 10 of 30 do not pass.
        candidates = a_pool(study)
        voted(candidates[::3], fails=("claude", "gpt"))
        voted([*candidates[1::3], *candidates[2::3]], fails=("gpt",))
        sampled(study, candidates[1:3])
        [source] = pool_of(study).sources
        assert source.amounts == Amounts(items=2, scenarios=2, asked=30, written=30, passed=20, sampled=2)

    def test_amounts_tell_what_models_declined_and_what_could_not_be_used_from_what_is_to_come(
        self, study: Study
    ) -> None:
        # One of three models wrote: 2 × 5 = 10 of 30. Of the other four bundles one was declined (5 prompts), one
        # unreadable (5), and two are to come (10).
        a_pool(study, generators=("claude",))
        gemini, gpt = (target for target in prompt_models(study) if target.family != "claude")
        first, second = a_source().scenarios.order_by("key")
        run = GenerationRun.objects.get(study=study, purpose="prompts")
        for scenario, target, outcome in ((first, gemini, "refused"), (second, gpt, "not_five")):
            call = Call.objects.create(
                run=run, key=f"{target.pk}-{scenario.pk}", target=target, scenario=scenario, state="failed"
            )
            now = timezone.now()
            Attempt.objects.create(call=call, number=1, sent_at=now, ended_at=now, outcome=outcome, cost=0)
        [source] = pool_of(study).sources
        assert (source.amounts.asked, source.amounts.written, source.amounts.to_come) == (30, 10, 10)
        assert (source.amounts.declined, source.amounts.given_up) == (5, 5)

    def test_amounts_stay_what_they_were_where_bundles_become_smaller(self, study: Study) -> None:
        # 2 bundles of 5 are written; of 2 scenarios × 3 models 4 bundles are to come, of 4 prompts each.
        a_pool(study, generators=("claude",))
        prompt_models(study)
        Study.objects.filter(pk=study.pk).update(prompts_per_scenario=4)
        study.refresh_from_db()
        amounts = pool_of(study).amounts
        assert (amounts.asked, amounts.written, amounts.to_come) == (26, 10, 16)

    def test_amounts_of_what_was_taken_are_of_every_sample(self, study: Study) -> None:
        prompts = a_pool(study)
        first, second = study.prompts.all()[:2]
        sampled(study, prompts[:2], prompts=[first, second])
        sampled(study, prompts[1:2], prompts=[second])
        sampled(study, prompts[2:3])
        amounts = pool_of(study).amounts
        assert (amounts.sampled, amounts.taken) == (1, 2)

    def test_amounts_of_several_sources_add_up(self, study: Study) -> None:
        a_pool(study, sources=("BBQ", "HLE"))
        pool = pool_of(study)
        assert [source.amounts.written for source in pool.sources] == [30, 30]
        assert (pool.amounts.scenarios, pool.amounts.written) == (4, 60)

    def test_amounts_follow_the_study_s_own_rule_of_voting(self) -> None:
        # The model gpt fails everything: of three votes two pass, of the others' two only those on its own prompts.
        study = a_study(quality_voting="others")
        voted(a_pool(study), fails=("gpt",))
        assert pool_of(study).amounts.passed == 10

    def test_amounts_of_one_study_leave_out_what_another_has_from_the_same_source(self, study: Study) -> None:
        a_pool(a_study("other"))
        a_pool(study, generators=("claude",))
        assert pool_of(study).amounts.written == 10


class TestVotes:
    def test_votes_wanted_are_those_that_the_study_s_scheme_asks_for(self) -> None:
        # 30 prompts by three models. Among others each is for two models, though all three have voted.
        study = a_study(quality_voting="others")
        voted(a_pool(study))
        assert pool_of(study).quality == Votes(wanted=60, given=60, failed=0)
        # gpt is retired: its 10 prompts are for both that are left, the other 20 for one each.
        retire_target(target=prompt_models(study)[2], by=coordinator_of(study))
        assert pool_of(study).quality == Votes(wanted=40, given=40, failed=0)

    def test_votes_of_a_model_that_was_replaced_are_not_waited_for_again(self, study: Study) -> None:
        voted(a_pool(study))
        passed = pool_of(study).amounts.passed
        replaced(study, "gpt")
        pool = pool_of(study)
        assert pool.quality == Votes(wanted=90, given=90, failed=0)
        assert pool.amounts.passed == passed == 30
        assert {fact.passes for fact in facts_of(study, scheme="all")} == {"3"}

    def test_votes_that_were_given_up_count_once_and_only_while_they_are_missing(self, study: Study) -> None:
        prompts = a_pool(study, scenarios=1)
        claude, gemini, gpt = prompt_models(study)
        voted(prompts[:1])
        run = GenerationRun.objects.get(study=study, purpose="quality")
        for number, (prompt, target) in enumerate(
            [(prompts[0], claude), (prompts[1], gemini), (prompts[1], gemini), (prompts[1], gpt)]
        ):
            Call.objects.create(run=run, key=f"again {number}", target=target, candidate=prompt, state="failed")
        assert pool_of(study).quality == Votes(wanted=45, given=3, failed=2)
        retire_target(target=gpt, by=coordinator_of(study))
        assert pool_of(study).quality == Votes(wanted=30, given=2, failed=1)


class TestTheWay:
    def test_the_way_to_prompts_begins_with_a_source(self, study: Study) -> None:
        assert states(study) == ["Next", "Possible now", *["Later"] * 5]

    def test_the_way_to_prompts_goes_on_to_the_models_and_to_a_plan_of_the_right_run(self, study: Study) -> None:
        a_pool(study, generators=())
        assert step(study, "models").state == "Next"
        prompt_models(study)
        writing = step(study, "written")
        assert (writing.state, writing.says) == ("Next", "0 of 30 prompts written.")
        assert writing.address == reverse("study_runs", args=[study.slug]) + "?plan=prompts"

    def test_the_way_to_prompts_leads_to_a_run_that_waits_instead_of_planning_another(self, study: Study) -> None:
        a_pool(study, generators=("claude",))
        run = GenerationRun.objects.get(study=study, purpose="prompts")
        GenerationRun.objects.filter(pk=run.pk).update(state="planned", finished_at=None)
        writing = step(study, "written")
        assert (writing.state, writing.address) == ("Waits for you", reverse("run", args=[run.pk]))
        GenerationRun.objects.filter(pk=run.pk).update(state="running")
        assert step(study, "written").state == "Under way"

    def test_the_way_to_prompts_is_done_where_everything_is_settled_and_a_sample_was_taken(
        self, study: Study
    ) -> None:
        candidates = a_pool(study)
        voted(candidates)
        assert states(study) == ["Done"] * 4 + ["Next", "Possible now", "Later"]
        compared(candidates[0], candidates[1], by="gpt", is_equivalent=False)
        prompt = study.prompts.first()
        sampled(study, candidates[:1])
        assert states(study) == ["Done"] * 6 + ["Next"]
        sampled(study, candidates[:1], prompts=[prompt])
        assert states(study) == ["Done"] * 7
        sampled(study, candidates[1:2])  # another sample changes nothing of what was taken
        assert states(study) == ["Done"] * 7
        assert step(study, "the study’s").says == "1 prompt taken."

    def test_the_way_to_prompts_marks_whatever_can_be_done_of_prompts_that_are_there(self, study: Study) -> None:
        prompts = a_pool(study, generators=("claude",))
        prompt_models(study)
        assert states(study) == ["Done", "Done", "Next", "Possible now", *["Later"] * 3]
        voted(prompts)
        assert states(study) == ["Done", "Done", "Next", "Done", "Possible now", "Possible now", "Later"]

    def test_the_way_to_prompts_makes_a_sample_the_study_s_once_there_is_one(self, study: Study) -> None:
        prompts = a_pool(study)
        assert step(study, "the study’s").state == "Later"
        sample = sampled(study, prompts[:1])
        taking = step(study, "the study’s")
        assert (taking.state, taking.address) == (
            "Possible now",
            reverse("pool_sample", args=[study.slug, sample.pk]),
        )

    def test_the_way_to_prompts_ends_where_the_design_is_locked(self, study: Study) -> None:
        Study.objects.filter(pk=study.pk).update(state="writing")
        study.refresh_from_db()
        assert study.state != STUDY.initial
        assert step(study, "the study’s").state == "Too late"


class TestThePage:
    def test_the_page_of_the_pool_shows_steps_and_amounts(self, study: Study) -> None:
        voted(a_pool(study, sources=("BBQ", "HLE"), scenarios=3))
        page = signed_in(coordinator_of(study)).get(reverse("pool", args=[study.slug]))
        words = in_words(page)
        assert "All sources together Items read 6 Scenarios left 6 Prompts asked for 90 Written 90" in words
        assert "270 of 270 votes given; 90 prompts passed." in words
        assert f"{reverse('candidates', args=[study.slug])}?source=bbq&amp;verdict=passes" in page.content.decode()

    def test_the_page_of_the_pool_is_for_coordinators_alone(self, study: Study) -> None:
        judge = a_member(study, Role.JUDGE).user
        for name in ("pool", "pool_sources", "source_add"):
            assert signed_in(judge).get(reverse(name, args=[study.slug])).status_code == 403


class TestTheBar:
    def test_the_bar_is_as_wide_as_the_share_of_what_is_kept(self) -> None:
        bar = share_bar(343, 58_492, 14_280)
        # 343 / 58,492 = 0.586 %; 14,280 / 58,492 = 24.41 %
        assert 'class="share-kept" width="0.59%"' in bar
        assert 'x="0.59%" width="24.41%"' in bar

    def test_no_bar_is_drawn_of_nothing(self) -> None:
        assert share_bar(0, 0) == ""
        assert share_bar(0, 5) == ""
