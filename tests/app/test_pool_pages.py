"""The overview of the way from sources to prompts, as a study's coordinator sees it."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.core.lifecycle import STUDY
from annotation.models.participation import Role
from annotation.models.studies import Study
from generation.models.candidates import Candidate, PromptSample, SampledPrompt
from generation.models.runs import Attempt, Call, GenerationRun
from generation.selectors.pool import Amounts, pool_of
from generation.selectors.pool_steps import WayStep, way_steps
from generation.templatetags.funnel import share_bar
from tests.candidates import a_pool, a_source, compared, prompt_models, voted
from tests.clients import signed_in
from tests.factories import a_member, a_study, coordinator_of
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
    def test_follow_a_source_from_its_items_to_the_study_s_prompts(self, study: Study) -> None:
        # 2 scenarios × 3 models × 5 prompts = 30; two of three models fail every third one: 10 of 30 do not pass.
        candidates = a_pool(study)
        voted(candidates[::3], fails=("claude", "gpt"))
        voted([*candidates[1::3], *candidates[2::3]], fails=("gpt",))
        sampled(study, candidates[1:3])
        [source] = pool_of(study).sources
        assert source.amounts == Amounts(items=2, scenarios=2, asked=30, written=30, passed=20, sampled=2)

    def test_tell_what_models_declined_and_what_could_not_be_used_from_what_is_to_come(self, study: Study) -> None:
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

    def test_of_several_sources_add_up(self, study: Study) -> None:
        a_pool(study, sources=("BBQ", "HLE"))
        pool = pool_of(study)
        assert [source.amounts.written for source in pool.sources] == [30, 30]
        assert (pool.amounts.scenarios, pool.amounts.written) == (4, 60)

    def test_follow_the_study_s_own_rule_of_voting(self) -> None:
        # The model gpt fails everything: of three votes two pass, of the others' two only those on its own prompts.
        study = a_study(quality_voting="others")
        voted(a_pool(study), fails=("gpt",))
        assert pool_of(study).amounts.passed == 10

    def test_of_one_study_leave_out_what_another_has_from_the_same_source(self, study: Study) -> None:
        a_pool(a_study("other"))
        a_pool(study, generators=("claude",))
        assert pool_of(study).amounts.written == 10


class TestTheWay:
    def test_begins_with_a_source(self, study: Study) -> None:
        assert states(study) == ["Next", *["Later"] * 6]

    def test_goes_on_to_the_models_and_to_a_plan_of_the_right_run(self, study: Study) -> None:
        a_pool(study, generators=())
        assert step(study, "models").state == "Next"
        prompt_models(study)
        writing = step(study, "written")
        assert (writing.state, writing.says) == ("Next", "0 of 30 prompts written.")
        assert writing.address == reverse("study_runs", args=[study.slug]) + "?plan=prompts"

    def test_leads_to_a_run_that_waits_instead_of_planning_another(self, study: Study) -> None:
        a_pool(study, generators=("claude",))
        run = GenerationRun.objects.get(study=study, purpose="prompts")
        GenerationRun.objects.filter(pk=run.pk).update(state="planned", finished_at=None)
        writing = step(study, "written")
        assert (writing.state, writing.address) == ("Waits for you", reverse("run", args=[run.pk]))
        GenerationRun.objects.filter(pk=run.pk).update(state="running")
        assert step(study, "written").state == "Under way"

    def test_is_done_where_everything_is_settled_and_a_sample_was_taken(self, study: Study) -> None:
        candidates = a_pool(study)
        voted(candidates)
        assert states(study) == ["Done"] * 4 + ["Next", "Later", "Later"]
        compared(candidates[0], candidates[1], by="gpt", is_equivalent=False)
        prompt = study.prompts.first()
        sampled(study, candidates[:1])
        assert states(study) == ["Done"] * 6 + ["Next"]
        sampled(study, candidates[:1], prompts=[prompt])
        assert states(study) == ["Done"] * 7

    def test_ends_where_the_design_is_locked(self, study: Study) -> None:
        Study.objects.filter(pk=study.pk).update(state="writing")
        study.refresh_from_db()
        assert study.state != STUDY.initial
        assert step(study, "the study’s").state == "Too late"


class TestThePage:
    def test_shows_steps_and_amounts(self, study: Study) -> None:
        voted(a_pool(study, sources=("BBQ", "HLE"), scenarios=3))
        page = signed_in(coordinator_of(study)).get(reverse("pool", args=[study.slug]))
        words = in_words(page)
        assert "All sources together Items read 6 Scenarios left 6 Prompts asked for 90 Written 90" in words
        assert "270 of 270 votes given; 90 prompts passed." in words
        assert f"{reverse('candidates', args=[study.slug])}?source=bbq&amp;verdict=passes" in page.content.decode()

    def test_is_for_coordinators_alone(self, study: Study) -> None:
        judge = a_member(study, Role.JUDGE).user
        for name in ("pool", "pool_sources", "source_add"):
            assert signed_in(judge).get(reverse(name, args=[study.slug])).status_code == 403


class TestTheBar:
    def test_is_as_wide_as_the_share_of_what_is_kept(self) -> None:
        bar = share_bar(343, 58_492, 14_280)
        # 343 / 58,492 = 0.586 %; 14,280 / 58,492 = 24.41 %
        assert 'class="share-kept" width="0.59%"' in bar
        assert 'x="0.59%" width="24.41%"' in bar

    def test_is_not_drawn_of_nothing(self) -> None:
        assert share_bar(0, 0) == ""
        assert share_bar(0, 5) == ""
