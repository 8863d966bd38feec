"""Runs as their coordinator plans, approves and watches them: by the pages alone."""

import re
from decimal import ROUND_CEILING, Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.study.models.studies import Study
from generation.calls.models import Call, GenerationRun, ProviderBatch, RunShare
from generation.calls.services import planning, recording, runs
from generation.calls.services.claiming import Outgoing
from generation.calls.services.recording import Arrival
from generation.catalogue.models import Target
from generation.providers.base import Outcome, Reply
from generation.providers.core.prices import Usage
from tests.clients import signed_in
from tests.factories import a_judging_study, coordinator_of
from tests.generation.calls.engine import known
from tests.generation.calls.model_runs import a_locked_study, claimed, collected, good, planned, started
from tests.pages import without_markup

pytestmark = pytest.mark.django_db

OVERLOADED = Reply(Outcome.RETRYABLE, detail="The server is overloaded.", status=503)
SENT = re.escape("sent as {&quot;effort&quot;: &quot;medium&quot;}")
DECLINED = Reply(Outcome.REFUSED, "No.", Usage(30, 20), detail="The model declined.", status=200)


@pytest.fixture
def study() -> Study:
    """Two prompts and two models, so four answers are missing."""
    return a_locked_study(of_targets={"price": {"input": "1000", "output": "2000"}})


@pytest.fixture
def large() -> Study:
    """Five prompts and two models, so ten answers are missing: enough to tell what they take."""
    return a_locked_study(
        prompts=5, prompts_per_source=5, of_targets={"price": {"input": "1000", "output": "2000"}}
    )


def client_of(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def run_page(run: GenerationRun) -> str:
    assert run.study
    return client_of(run.study).get(reverse("run", args=[run.pk])).content.decode()


def runs_page(study: Study) -> str:
    return client_of(study).get(reverse("study_runs", args=[study.slug])).content.decode()


def part(run: GenerationRun, *, state: str) -> Any:
    """What htmx gets that was shown the run in `state`."""
    assert run.study
    client = client_of(run.study)
    return client.get(reverse("run", args=[run.pk]), {"state": state}, headers={"HX-Request": "true"})


def post(study: Study, name: str, key: object, /, **fields: Any) -> Any:
    return client_of(study).post(reverse(name, args=[key]), fields, follow=True)


def plan(study: Study, **fields: Any) -> Any:
    models = [target.pk for target in Target.objects.filter(study=study)]
    return post(
        study,
        "plan_run",
        study.slug,
        **{"purpose": "answers", "track": "matched", "targets": models, **fields},
    )


def declined(run: GenerationRun, *, number: int) -> None:
    """So many of the run's calls are declined; the others are answered."""
    arrivals = [
        Arrival(outgoing.attempt_id, DECLINED if place < number else good(), 1234)
        for place, outgoing in enumerate(claimed(run))
    ]
    recording.record(run.pk, arrivals)
    runs.go_on(run.pk, 0)
    run.refresh_from_db()


class TestPlanning:
    def test_planning_a_run_begins_with_what_can_be_planned(self, study: Study) -> None:
        page = runs_page(study)
        assert "No run is planned yet." in without_markup(page)
        assert page.count('action="/studies/trial/runs/plan/"') == 1  # for the panel no model is configured
        assert len(re.findall(r'name="targets"[^>]*checked', page)) == 2

    def test_planning_shows_the_run_while_its_calls_are_listed(self, study: Study) -> None:
        page = plan(study).content.decode()
        run = GenerationRun.objects.get()
        assert "Being planned" in page
        assert f'hx-get="/runs/{run.pk}/?state=planning"' in page
        assert "<html" not in part(run, state="planning").content.decode()
        planning.fill_plan(run.pk)
        assert part(run, state="planning")["HX-Refresh"] == "true"

    def test_planning_a_run_shows_calls_tokens_and_cost_by_model(self, study: Study) -> None:
        run = planned(study)
        words = without_markup(run_page(run))
        share = RunShare.objects.get(run=run, target__family="claude")
        assert share.cost
        cost = share.cost.quantize(Decimal("0.01"), ROUND_CEILING)
        assert re.search(rf"claude demo-claude, effort medium {SENT} 2 [\d,]+ [\d,]+ \${cost} ", words)
        assert "All models 4" in words
        assert "The run sends 4 requests." in words

    def test_a_plan_at_matched_effort_warns_of_models_that_are_told_none(self) -> None:
        at_a_server = {"provider": "vllm", "model_id": "open-1", "price": {"input": "0", "output": "0"}}
        study = a_locked_study("untold", of_targets=at_a_server)
        words = without_markup(run_page(planned(study)))
        assert words.count("open-1, no effort is sent") == 2
        assert "claude, gpt cannot be told how much to think: their servers have no field for it." in words
        assert "cannot be told how much" not in without_markup(run_page(planned(study, track="maximum")))

    def test_planning_a_run_asks_only_the_models_that_are_chosen(self, study: Study) -> None:
        plan(study, targets=[Target.objects.get(family="gpt").pk])
        run = GenerationRun.objects.get()
        assert [share.target.family for share in run.shares.all()] == ["gpt"]

    def test_planning_a_run_says_what_is_missing_and_keeps_what_was_chosen(self, study: Study) -> None:
        answer = plan(study, targets=[], track="maximum")
        assert answer.status_code == 400
        assert "Choose at least one model." in answer.content.decode()
        assert re.search(r'value="maximum"[^>]*checked', answer.content.decode())

    def test_planning_a_run_for_an_unknown_purpose_is_not_found(self, study: Study) -> None:
        assert plan(study, purpose="nonsense").status_code == 404

    def test_planning_a_run_is_not_offered_once_judging_is_open(self) -> None:
        page = runs_page(a_judging_study())
        assert "Model answers are collected after the design is locked and before judging opens." in page
        assert "<form" not in page.split("Answers of models")[1].split("Scores of the panel")[0]

    def test_planning_a_run_tells_what_an_earlier_run_asked_for(self, study: Study) -> None:
        planned(study, targets=[Target.objects.get(family="gpt")])
        words = without_markup(run_page(planned(study)))
        assert (
            "2 more are wanted as well, but known from an earlier run: they are not asked for, or paid for, again."
            in words
        )

    def test_planning_a_run_that_finds_nothing_missing_says_so(self, study: Study) -> None:
        planned(study)
        words = without_markup(run_page(planned(study)))
        assert "Withdrawn Nothing is missing" in words
        assert "Approve" not in words

    def test_a_plan_is_withdrawn_after_a_warning(self, study: Study) -> None:
        run = planned(study)
        assert "This cannot be undone. Nothing was sent" in without_markup(run_page(run))
        assert "The plan is withdrawn. Nothing was sent." in post(study, "withdraw_run", run.pk).content.decode()
        assert not Call.objects.exists()


class TestApproval:
    def test_approval_of_a_run_proposes_twice_the_estimate_and_a_call_at_worst_as_the_limit(
        self, large: Study
    ) -> None:
        run = planned(large)
        estimated, worst = (
            sum((cost.quantize(Decimal("0.01"), ROUND_CEILING) for cost in costs), Decimal(0))
            for costs in zip(*run.shares.values_list("cost", "worst_cost"), strict=True)
        )
        page = run_page(run)
        assert f"probably cost about ${estimated:,.2f}" in without_markup(page)
        assert f"it would cost ${worst:,.2f}" in without_markup(page)
        proposed = (2 * estimated + runs.least_cap(run)).quantize(Decimal("0.01"), ROUND_CEILING)
        assert re.search(rf'name="spend_cap"\s+value="{proposed:.2f}"', page)
        assert proposed < worst

    def test_approval_of_a_run_proposes_the_worst_case_of_a_few_calls(self, study: Study) -> None:
        run = planned(study)
        shares = run.shares.values_list("worst_cost", flat=True)
        worst = sum((known(share).quantize(Decimal("0.01"), ROUND_CEILING) for share in shares), Decimal(0))
        assert re.search(rf'name="spend_cap"\s+value="{worst:.2f}"', run_page(run))

    def test_approval_of_a_run_starts_it_with_the_limit_that_was_set(self, large: Study) -> None:
        study = large
        run = planned(study)
        words = without_markup(post(study, "start_run", run.pk, spend_cap="120.5").content.decode())
        run.refresh_from_db()
        assert (run.state, run.spend_cap) == ("running", Decimal("120.5"))
        assert "Spent $0.00 of $120.50" in words

    @pytest.mark.parametrize("cap", ["", "-1", "much", "1.005"])
    def test_approval_of_a_run_needs_a_limit(self, study: Study, cap: str) -> None:
        run = planned(study)
        answer = post(study, "start_run", run.pk, spend_cap=cap)
        assert answer.status_code == 400
        assert re.search(r'<input[^>]* name="spend_cap"[^>]* autofocus', answer.content.decode())
        run.refresh_from_db()
        assert run.state == "planned"

    def test_approval_of_less_than_is_spent_is_refused_and_shown_again(self, study: Study) -> None:
        run = started(study)
        declined(run, number=1)
        runs.retry_failed(run=run, by=coordinator_of(study))
        runs.stop_run(run=run, reason="For lunch.", by=coordinator_of(study))
        answer = post(study, "start_run", run.pk, spend_cap="0.01")
        assert answer.status_code == 400
        assert 'role="alert" tabindex="-1" autofocus' in answer.content.decode()
        assert 'value="0.01"' in answer.content.decode()


class TestWatching:
    def test_the_page_of_a_run_asks_for_the_part_that_changes_and_leaves_the_forms_alone(
        self, study: Study
    ) -> None:
        run = started(study)
        assert f'hx-get="/runs/{run.pk}/?state=running"' in run_page(run)
        answer = part(run, state="running").content.decode()
        assert "Calls settled" in answer
        assert "<html" not in answer
        assert "<form" not in answer

    def test_the_page_of_a_run_tells_what_came_back_and_what_it_cost(self, large: Study) -> None:
        run = started(large, spend_cap=Decimal(1000))
        declined(run, number=1)
        words = without_markup(run_page(run))
        # Ten replies of 30 tokens read at $1,000 and 20 written at $2,000 a million: 10 × $0.07.
        assert "Calls settled 10 of 10 Spent $0.70 of $1,000.00" in words
        assert "Accepted 9 Failed 1 See what failed" in words
        assert "Complete 9 $0.63 Declined by the model 1 $0.07" in words
        assert "Tokens written 2,000 by models that read 2,000" in words  # up to a thousand for each outcome

    def test_the_page_of_a_run_tells_what_is_on_its_way(self, large: Study) -> None:
        run = started(large)
        claimed(run)
        run.refresh_from_db()
        reserved = run.reserved.quantize(Decimal("0.01"), ROUND_CEILING)
        assert f"10 requests on their way. ${reserved:,.2f} set aside." in without_markup(run_page(run))

    def test_the_page_of_a_run_does_not_tell_what_a_few_calls_take(self, study: Study) -> None:
        run = started(study)
        declined(run, number=1)
        words = without_markup(run_page(run))
        assert "Declined by the model 1" in words
        assert "shown once the study is unblinded, or once it has ten calls" in words
        study.state = "unblinded"
        study.save()
        assert "Complete 3 $0.21 Declined by the model 1 $0.07" in without_markup(run_page(run))

    def test_the_page_of_a_run_brings_the_table_of_models_up_to_date(self, study: Study) -> None:
        run = started(study)
        claimed_now = claimed(run, most=1)
        recording.record(run.pk, [Arrival(outgoing.attempt_id, good(), 20) for outgoing in claimed_now])
        answer = part(run, state="running").content.decode()
        assert re.search(r'id="shares"\s+hx-swap-oob="true"', answer)
        assert "All models 4 1 0 3" in without_markup(answer)
        assert run_page(run).count('id="shares"') == 1

    def test_the_page_of_a_run_lists_the_batches_with_what_their_provider_says(self, study: Study) -> None:
        run = started(study)
        GenerationRun.objects.filter(pk=run.pk).update(uses_batches=True)
        target = Target.objects.get(study=study, family="gpt")
        ProviderBatch.objects.create(
            run=run, target=target, state="sent", remote_id="batch_1", detail="in_progress"
        )
        ProviderBatch.objects.create(run=run, target=target, state="lost", detail="The provider does not know it.")
        words = without_markup(part(run, state="running").content.decode())
        assert re.search(
            r"Batches At the provider gpt made [^<]+ in_progress Not taken gpt .* does not know it", words
        )

    def test_the_page_of_a_run_tells_when_it_tries_again(self, study: Study) -> None:
        run = started(study)
        recording.record(run.pk, [Arrival(outgoing.attempt_id, OVERLOADED, 20) for outgoing in claimed(run)])
        assert re.search(r"Tries again on \d\d? [A-Z]\w+, \d\d:\d\d:\d\d", without_markup(run_page(run)))

    def test_the_page_of_a_run_tells_once_why_a_model_is_asked_nothing_more(self, study: Study) -> None:
        why = "“claude” is asked nothing more: all of its first 20 requests were refused alike."
        run = started(study)
        run.shares.filter(target__family="claude").update(stopped_because=why)
        words = without_markup(run_page(run))
        assert (words.count(why), words.count("Asked nothing more")) == (1, 1)
        assert why in without_markup(part(run, state="running").content.decode())
        runs.stop_run(run=run, reason=f"{why} The day is over.", by=None)
        words = without_markup(run_page(run))
        assert (words.count(why), words.count("Stopped The day is over.")) == (1, 1)

    def test_the_page_of_a_run_asks_for_a_new_page_once_the_run_has_ended(self, study: Study) -> None:
        run = started(study)
        post(study, "stop_run", run.pk)
        assert part(run, state="running")["HX-Refresh"] == "true"
        assert "hx-get" not in run_page(run)

    def test_the_page_of_a_run_asks_as_often_for_many_calls_as_for_few(self) -> None:
        counts = []
        for slug, prompts in (("few", 1), ("many", 6)):
            run = started(a_locked_study(slug, prompts=prompts, prompts_per_source=5))
            declined(run, number=1)
            assert run.study
            client = client_of(run.study)
            with CaptureQueriesContext(connection) as queries:
                client.get(reverse("run", args=[run.pk]))
            counts.append(len(queries))
        assert counts[0] == counts[1]


class TestStopping:
    def test_a_run_that_is_stopped_keeps_what_is_on_its_way_and_can_go_on_with_another_limit(
        self, study: Study
    ) -> None:
        run = started(study)
        page = post(study, "stop_run", run.pk).content.decode()
        assert "The run is stopped. Replies on their way are still kept." in page
        assert "Cora Coordinator stopped it." in without_markup(page)
        assert "Let it go on 4 calls left. The limit is for the whole run" in without_markup(page)
        shares = run.shares.values_list("worst_cost", flat=True)
        proposed = 1000 + sum(known(share).quantize(Decimal("0.01"), ROUND_CEILING) for share in shares)
        assert re.search(rf'name="spend_cap"\s+value="{proposed}"', page)
        post(study, "start_run", run.pk, spend_cap="1500")
        run.refresh_from_db()
        assert (run.state, run.spend_cap) == ("running", Decimal(1500))

    def test_the_limit_proposed_lets_a_stopped_run_go_on_to_its_last_call(self, large: Study) -> None:
        """All that the limit allows is spent: what was proposed for the whole would be refused."""
        run = started(large)
        runs.stop_run(run=run, reason="Out of money.", by=None)
        GenerationRun.objects.filter(pk=run.pk).update(spent=Decimal(30), spend_cap=Decimal(30))
        run.refresh_from_db()
        proposed = re.search(r'name="spend_cap"\s+value="([\d.]+)"', run_page(run))
        assert proposed
        assert Decimal(proposed[1]) >= runs.least_cap(run)
        post(large, "start_run", run.pk, spend_cap=proposed[1])
        run.refresh_from_db()
        assert run.state == "running"

    def test_stopping_a_run_that_does_not_run_is_refused(self, study: Study) -> None:
        run = planned(study)
        answer = post(study, "stop_run", run.pk)
        assert 'role="alert"' in answer.content.decode()
        run.refresh_from_db()
        assert run.state == "planned"


class TestAskingAgain:
    def test_asking_again_is_offered_for_what_failed(self, study: Study) -> None:
        run = started(study)
        declined(run, number=2)
        assert run.state == "finished"
        page = post(study, "retry_run", run.pk).content.decode()
        assert "What failed is asked for again." in page
        run.refresh_from_db()
        assert run.state == "running"
        assert Call.objects.filter(run=run, state="pending").count() == 2

    def test_asking_again_is_not_offered_where_nothing_failed(self, study: Study) -> None:
        assert "Ask again" not in run_page(collected(study, lambda _: good()))


def test_the_study_s_page_lists_its_runs_and_leads_to_them(large: Study) -> None:
    run = started(large)
    declined(run, number=1)
    page = client_of(large).get(reverse("study", args=[large.slug])).content.decode()
    assert f"Run {run.known_as} Matched effort, shown to judges Finished" in without_markup(page)
    assert "9 of 10 1 failed $0.70 of $1,000.00" in without_markup(page)
    assert f'href="{reverse("study_runs", args=[large.slug])}"' in page


def test_a_run_stopped_for_the_account_says_so_in_the_provider_s_words(study: Study) -> None:
    def broke(_: Outgoing) -> Reply:
        return Reply(Outcome.FINAL_ACCOUNT, detail="Your credit balance is too low.", status=400)

    page = without_markup(run_page(collected(study, broke)))
    assert "Your credit balance is too low." in page
    assert "Let it go on" in page
