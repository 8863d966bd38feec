"""Runs that write, judge and compare prompts, as their coordinator plans and watches them. Nothing is hidden."""

import re
from collections import Counter
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.study.models.studies import Study
from generation.calls.models import Call, GenerationRun
from generation.calls.selectors.run_concerns import run_concerns
from generation.calls.services import planning, recording
from generation.calls.services.claiming import Outgoing
from generation.calls.services.recording import Arrival
from generation.catalogue.core.prompt_templates import KINDS
from generation.catalogue.models import Target
from generation.prompts.core.prompt_replies import WrittenBundle, WrittenPrompt, tagged
from generation.providers.base import Reply
from generation.sources.models import Source, StudySource
from tests.clients import signed_in
from tests.factories import a_study, coordinator_of
from tests.generation.calls.model_runs import claimed, good, planned, started, worked_off
from tests.generation.prompts.candidates import a_pool, a_source, prompt_models
from tests.pages import without_markup

pytestmark = pytest.mark.django_db

PROMPT = WrittenPrompt("Another institution.", "who may judge whose work", "Who may judge? By which standard?")
BUNDLE = tagged(WrittenBundle("I think of schools.", (PROMPT,) * 5))


@pytest.fixture
def study() -> Study:
    """Three models, and two sources with two scenarios each."""
    study = a_study()
    prompt_models(study)
    for code in ("BBQ", "HLE"):
        StudySource.objects.create(study=study, source=a_source(code), added_by=coordinator_of(study))
    return study


def writes(_outgoing: Outgoing) -> Reply:
    return good(BUNDLE)


def client_of(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def page(study: Study, name: str, key: object, **query: Any) -> str:
    return client_of(study).get(reverse(name, args=[key]), query).content.decode()


def plan(study: Study, purpose: str, **fields: Any) -> Any:
    """Everything of the form for `purpose` is sent as it is filled in to begin with, but for `fields`."""
    given = {
        "purpose": purpose,
        "targets": list(Target.objects.filter(study=study).values_list("pk", flat=True)),
        "sources": list(Source.objects.values_list("pk", flat=True)),
        **fields,
    }
    return client_of(study).post(reverse("plan_run", args=[study.slug]), given, follow=True)


def opened(page: str) -> list[str]:
    """The purposes whose forms are open."""
    return re.findall(r'<details class="disclosure"\s+id="plan-(\w+)"\s+open>', page)


class TestPlanning:
    @pytest.mark.parametrize("purpose", ["prompts", "quality", "pairs"])
    def test_planning_a_run_about_prompts_opens_the_form_that_is_asked_for(
        self, study: Study, purpose: str
    ) -> None:
        assert opened(page(study, "study_runs", study.slug, plan=purpose)) == [purpose]

    def test_planning_a_run_about_prompts_opens_a_form_that_is_offered_where_none_is_asked_for(
        self, study: Study
    ) -> None:
        assert opened(page(study, "study_runs", study.slug)) == ["prompts"]
        assert opened(page(study, "study_runs", study.slug, plan="nonsense")) == ["prompts"]

    def test_planning_a_run_about_prompts_says_what_is_needed_first(self) -> None:
        study = a_study()
        assert "No model is configured for this." in without_markup(page(study, "study_runs", study.slug))
        prompt_models(study)
        words = without_markup(page(study, "study_runs", study.slug))
        assert words.count("The study draws on no source yet. Add one first.") == 3
        assert opened(page(study, "study_runs", study.slug)) == []

    def test_planning_a_run_about_prompts_begins_with_all_sources_and_the_rules_of_the_design(
        self, study: Study
    ) -> None:
        Study.objects.filter(pk=study.pk).update(
            quality_voting="others", mixed_pair_evaluators="all", diversity_after_filter=False
        )
        form = page(study, "study_runs", study.slug)
        assert len(re.findall(r'name="sources"[^>]*checked', form)) == 6  # two sources in three forms
        checked = re.findall(r'name="(scheme|stage|mixed)" value="(\w+)"[^>]*checked', form)
        assert checked == [("scheme", "others"), ("stage", "before"), ("scheme", "others"), ("mixed", "all")]

    def test_planning_a_run_about_prompts_takes_the_rules_that_are_chosen_and_tells_them(
        self, study: Study
    ) -> None:
        a_pool(study, sources=("BBQ", "HLE"))
        bbq = Source.objects.get(slug="bbq").pk
        chosen = {"stage": "before", "scheme": "others", "mixed": "all", "order": "both", "sources": [bbq]}
        answer = plan(study, "pairs", **chosen)
        run = GenerationRun.objects.latest("pk")
        assert run.materials["only"] == chosen
        words = without_markup(answer.content.decode())
        assert "Sources The BBQ source Prompts compared All prompts, before the quality filter" in words

    def test_planning_a_run_about_prompts_says_how_far_the_runs_are_that_it_builds_on(self, study: Study) -> None:
        # 4 scenarios × 3 models make 12 bundles, of which 2 are there.
        writing = started(study, purpose="prompts", track="")
        two = claimed(writing, most=2)
        recording.record(writing.pk, [Arrival(each.attempt_id, writes(each), 20) for each in two])
        says = f"Run {writing.known_as} is still under way, with 2 of 12 bundles. A plan covers only what is there"
        words = without_markup(page(study, "study_runs", study.slug))
        assert words.count(says) == 2  # beside the forms of votes and of pairs
        quality = planned(study, purpose="quality", track="")
        assert says in without_markup(page(study, "run", quality.pk))
        worked_off(writing, writes)
        assert says not in without_markup(page(study, "run", quality.pk))
        assert says not in without_markup(page(study, "study_runs", study.slug))

    def test_planning_a_run_without_a_source_is_told_at_the_field(self, study: Study) -> None:
        answer = plan(study, "prompts", sources=[])
        assert answer.status_code == 400
        assert list(answer.context["plans"][0].form.errors) == ["sources"]
        assert opened(answer.content.decode()) == ["prompts"]

    def test_planning_a_trial_lists_as_many_scenarios_of_each_source_and_says_so(self, study: Study) -> None:
        answer = plan(study, "prompts", scenarios="1")
        run = GenerationRun.objects.latest("pk")
        assert "Scenarios a trial: 1 of each source at most" in without_markup(answer.content.decode())
        planning.fill_plan(run.pk)
        # 1 of 2 scenarios of each of 2 sources, by 3 models
        assert Counter(Call.objects.values_list("scenario__source__slug", flat=True)) == {"bbq": 3, "hle": 3}

    def test_planning_a_run_without_a_number_is_about_every_scenario(self, study: Study) -> None:
        plan(study, "prompts", scenarios="")
        assert list(GenerationRun.objects.latest("pk").materials["only"]) == ["sources"]
        assert plan(study, "prompts", scenarios="0").status_code == 400

    def test_planning_a_run_on_a_source_of_another_study_is_refused(self, study: Study) -> None:
        strange = a_source("STRANGE")
        assert plan(study, "prompts", sources=[strange.pk]).status_code == 400
        assert not GenerationRun.objects.exists()


class TestWatching:
    def test_the_page_of_a_run_about_prompts_tells_what_a_few_calls_took(self, study: Study) -> None:
        run = worked_off(started(study, purpose="prompts", track="", targets=prompt_models(study)[:1]), writes)
        words = without_markup(page(study, "run", run.pk))
        assert "Calls settled 4 of 4 Spent $" in words
        assert "Which prompts the calls belong to is not shown" not in words
        assert "What for Prompts written from sources Sources all of the study" in words

    def test_the_page_of_a_run_about_prompts_lists_the_calls_by_their_scenarios(self, study: Study) -> None:
        run = planned(study, purpose="prompts", track="")
        words = without_markup(page(study, "run_calls", run.pk))
        assert words.count("demo-claude hle-002 Waiting") == 1

    def test_the_page_of_a_run_about_prompts_takes_as_many_queries_for_many_calls_as_for_few(
        self, study: Study
    ) -> None:
        counts = []
        for models in (1, 3):
            run = planned(study, purpose="prompts", track="", targets=prompt_models(study)[-models:])
            client = client_of(study)
            with CaptureQueriesContext(connection) as queries:
                client.get(reverse("run_calls", args=[run.pk]))
            counts.append(len(queries))
        assert counts[0] == counts[1]

    def test_a_run_about_prompts_is_listed_by_what_it_is_for(self, study: Study) -> None:
        run = planned(study, purpose="prompts", track="")
        assert f"Run {run.known_as} Prompts written from sources Planned" in without_markup(
            page(study, "study_runs", study.slug)
        )


class TestACall:
    def test_the_page_of_a_call_shows_what_was_asked_and_answered_and_what_came_of_it(self, study: Study) -> None:
        run = worked_off(started(study, purpose="prompts", track=""), writes)
        call = Call.objects.filter(run=run, scenario__key="bbq-001")[0]
        shown = page(study, "call", call.pk)
        words = without_markup(shown)
        assert "Context of scenario 1." in words
        assert "I think of schools." in words
        assert "Tokens written 20" in words
        assert "Scenario bbq-001, of The BBQ source" in words
        candidates = call.bundle.candidates.order_by("position")
        links = re.findall(r'href="([^"]+)">who may judge whose work<', shown)
        assert links == [reverse("candidate", args=[study.slug, candidate.pk]) for candidate in candidates]

    def test_the_page_of_a_call_tells_how_a_reply_was_not_what_was_asked_for(self, study: Study) -> None:
        run = started(study, purpose="prompts", track="")
        [one] = claimed(run, most=1)
        recording.record(run.pk, [Arrival(one.attempt_id, good("Gladly."), 20)])
        words = without_markup(page(study, "call", one.call_id))
        assert "Attempt 1: not in the tags asked for The reply does not begin with a scratchpad" in words
        assert "Not in the tags asked for 1" in without_markup(page(study, "run", run.pk))

    def test_the_page_of_a_call_about_two_prompts_names_both(self, study: Study) -> None:
        candidates = a_pool(study, sources=("BBQ",), scenarios=1)
        run = planned(study, purpose="pairs", track="", only={"stage": "before", "scheme": "all", "mixed": "third"})
        call = Call.objects.filter(run=run, candidate=candidates[0], beside=candidates[1])[0]
        shown = page(study, "call", call.pk)
        assert "Scenario bbq-001, of The BBQ source" in without_markup(shown)
        assert all(reverse("candidate", args=[study.slug, each.pk]) in shown for each in candidates[:2])


class TestConcerns:
    def test_runs_that_wait_are_told_of_as_long_as_the_study_is_designed(self, study: Study) -> None:
        planned(study, purpose="prompts", track="")
        [found] = run_concerns(study)
        assert "is planned and not started, 12 bundles missing" in str(found)
        study.state = "writing"
        assert run_concerns(study) == []


def test_the_words_of_every_request_are_on_the_page_of_templates(study: Study) -> None:
    words = without_markup(page(study, "study_templates", study.slug))
    assert [kind.title for kind in KINDS.values() if kind.title not in words] == []
