"""Answers by models: planned once, sent in batches, accepted once, and asked for anew where one is rejected."""

from collections import Counter
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from annotation.core.errors import Refused
from annotation.models.allocation import Arm, Kind, PromptPlan, Stimulus
from annotation.models.participation import Role
from annotation.models.people import User
from annotation.models.responses import Response
from annotation.models.studies import Study
from annotation.models.work import Task
from annotation.services import designing, intake
from generation import jobs
from generation.models.runs import Attempt, Call, GenerationRun, ModelAnswer, Target
from generation.providers import demo
from generation.providers.base import Outcome, Reply, Usage
from generation.selectors.runs import run_page
from generation.services import answers
from tests.clients import signed_in
from tests.factories import SEED, a_member, a_study, coordinator_of

pytestmark = pytest.mark.django_db

FAMILIES = ("claude", "gpt")


def a_locked_study(
    *,
    prompts: int = 2,
    families: tuple[str, ...] = FAMILIES,
    options: dict[str, Any] | None = None,
    **parameters: Any,
) -> Study:
    """A study whose design is locked, with a demo target for each family."""
    study = a_study(prompts=prompts, **{"model_targets_expected": len(families), **parameters})
    coordinator = coordinator_of(study)
    for family in families:
        answers.add_target(
            study=study,
            family=family,
            provider="demo",
            model_id=f"demo-{family}",
            by=coordinator,
            **(options or {}),
        )
    designing.lock_design(study=study, by=coordinator, seed=SEED)
    study.refresh_from_db()
    return study


def planned(study: Study) -> GenerationRun:
    return answers.plan_run(study=study, by=coordinator_of(study))


def started(study: Study) -> GenerationRun:
    run = planned(study)
    answers.start_run(run=run, by=coordinator_of(study))
    return run


def worked_off(run: GenerationRun, *, most: int = 20) -> GenerationRun:
    """The run after the worker came back for it until it ended."""
    for _ in range(most):
        jobs.collect_answers(str(run.pk))
        run.refresh_from_db()
        if run.state != "running":
            return run
    raise AssertionError(f"the run is still {run.state} after {most} batches")


def collected(study: Study) -> GenerationRun:
    return worked_off(started(study))


def texts_by_source(study: Study, *, arm: Arm = Arm.MODEL) -> Counter[tuple[str, str]]:
    stimuli = Stimulus.objects.filter(study=study, arm=arm).exclude(state="rejected")
    return Counter(stimuli.values_list("prompt__code", "source_code"))


class TestPlanning:
    def test_wants_one_answer_of_each_model_to_each_prompt(self) -> None:
        run = planned(a_locked_study(prompts=3))
        wanted = Counter(Call.objects.filter(run=run).values_list("prompt_version__prompt__code", "target__family"))
        codes = ("BBQ_01", "HLE_02", "MSC_03")
        assert wanted == {(code, family): 1 for code in codes for family in FAMILIES}

    def test_sends_nothing(self) -> None:
        run = planned(a_locked_study())
        jobs.collect_answers(str(run.pk))
        assert run.state == "planned"
        assert not Attempt.objects.exists()
        assert not Task.objects.filter(kind=answers.COLLECT).exists()

    def test_a_second_time_is_refused_while_the_first_plan_stands(self) -> None:
        study = a_locked_study()
        planned(study)
        with pytest.raises(Refused, match="No model answer is missing"):
            planned(study)
        assert GenerationRun.objects.filter(study=study).count() == 1

    def test_is_refused_while_models_are_missing(self) -> None:
        study = a_locked_study(families=("claude",), model_targets_expected=2)
        with pytest.raises(Refused, match="answers of 2 models, 1 are configured"):
            planned(study)

    def test_is_refused_while_the_design_is_open(self) -> None:
        with pytest.raises(Refused, match="after the design is locked"):
            planned(a_study())

    def test_is_for_coordinators(self) -> None:
        study = a_locked_study()
        with pytest.raises(PermissionDenied):
            answers.plan_run(study=study, by=User.objects.create_user("sam@example.org", name="Sam"))

    def test_is_of_models_that_coordinators_alone_name(self) -> None:
        study = a_study()
        researcher = a_member(study, Role.RESEARCHER).user
        with pytest.raises(PermissionDenied):
            answers.add_target(study=study, family="gpt", provider="demo", model_id="demo-gpt", by=researcher)
        assert not Target.objects.exists()

    def test_wants_two_answers_of_each_model_where_the_source_is_to_be_attributed(self) -> None:
        study = a_locked_study(prompts=3, source_attribution_prompts=1, answers_per_target_in_attribution=2)
        run = planned(study)
        attribution = PromptPlan.objects.get(kind=Kind.SOURCE_ATTRIBUTION).prompt.code
        wanted = Counter(Call.objects.filter(run=run).values_list("prompt_version__prompt__code", flat=True))
        assert wanted.pop(attribution) == 4
        assert set(wanted.values()) == {2}

    def test_wants_one_deliberately_weak_answer_for_each_quality_floor(self) -> None:
        study = a_locked_study(prompts=4, quality_floor_prompts=2)
        run = planned(study)
        floors = set(PromptPlan.objects.filter(kind=Kind.QUALITY_FLOOR).values_list("prompt__code", flat=True))
        weak = Call.objects.filter(run=run, arm=Arm.WEAK).values_list("prompt_version__prompt__code", flat=True)
        assert sorted(weak) == sorted(floors)
        assert Call.objects.filter(run=run, arm=Arm.MODEL).count() == 8

    def test_from_the_study_s_page_leads_to_the_run(self) -> None:
        study = a_locked_study()
        answer = signed_in(coordinator_of(study)).post(reverse("plan_run", args=[study.slug]))
        assert answer["Location"] == reverse("run", args=[GenerationRun.objects.get(study=study).pk])

    def test_that_is_refused_leads_back_and_says_why(self) -> None:
        study = a_locked_study()
        planned(study)
        answer = signed_in(coordinator_of(study)).post(reverse("plan_run", args=[study.slug]), follow=True)
        assert answer.redirect_chain[-1][0] == reverse("study", args=[study.slug])
        assert "No model answer is missing." in answer.content.decode()


class TestCollecting:
    def test_brings_every_wanted_text_into_the_study_once(self) -> None:
        study = a_locked_study(prompts=3)
        run = collected(study)
        assert run.state == "finished"
        assert run.finished_at
        assert set(texts_by_source(study).values()) == {1}
        assert len(texts_by_source(study)) == 6
        assert ModelAnswer.objects.filter(call__run=run).count() == 6

    def test_takes_several_batches_where_one_does_not_hold_all_calls(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "BATCH", 2)
        run = started(a_locked_study(prompts=3))
        jobs.collect_answers(str(run.pk))
        assert Call.objects.filter(run=run, state="accepted").count() == 2
        assert Task.objects.get(kind=answers.COLLECT).subject == str(run.pk)
        assert worked_off(run, most=2).state == "finished"

    def test_shows_judges_the_normalised_text_and_keeps_the_model_s_own(self) -> None:
        study = a_locked_study(options={"markdown": True})
        run = collected(study)
        for answer in ModelAnswer.objects.filter(call__run=run).select_related("response"):
            assert answer.raw_text != answer.response.text
            assert answer.response.word_count > 100
            assert "**" not in answer.response.text
            assert not answer.response.text.startswith("#")

    def test_quarantines_a_text_that_gives_its_source_away(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(demo, "compose", lambda *_, **__: "As an AI language model, I cannot take sides.")
        study = a_locked_study(prompts=1, families=("gpt",))
        collected(study)
        stimulus = Stimulus.objects.get(study=study)
        assert stimulus.state == "quarantined"
        assert {flag["kind"] for flag in stimulus.flags} >= {"self_reference"}

    def test_quarantines_a_text_that_names_its_own_model(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(demo, "compose", lambda *_, **__: "Demo-gpt wonders whether towns can be fair.")
        study = a_locked_study(prompts=1, families=("gpt",))
        collected(study)
        assert Stimulus.objects.get(study=study).state == "quarantined"

    def test_asks_for_weak_answers_in_their_own_words_and_hot(self) -> None:
        study = a_locked_study(prompts=2, quality_floor_prompts=1)
        run = collected(study)
        [weak] = texts_by_source(study, arm=Arm.WEAK)
        attempt = Attempt.objects.get(call__run=run, call__arm=Arm.WEAK)
        ordinary = Attempt.objects.filter(call__run=run, call__arm=Arm.MODEL)[0]
        assert weak[0] == PromptPlan.objects.get(kind=Kind.QUALITY_FLOOR).prompt.code
        assert (attempt.request["temperature"], ordinary.request["temperature"]) == (1.5, None)
        assert attempt.request["prompt"] != ordinary.request["prompt"]

    def test_gives_each_repetition_a_text_of_its_own(self) -> None:
        study = a_locked_study(prompts=2, source_attribution_prompts=1)
        collected(study)
        attribution = PromptPlan.objects.get(kind=Kind.SOURCE_ATTRIBUTION).prompt
        texts = list(Response.objects.filter(prompt=attribution).values_list("text", flat=True))
        assert len(texts) == 4
        assert len(set(texts)) == 4

    def test_tries_again_what_failed_for_the_moment(self) -> None:
        study = a_locked_study(prompts=3, options={"fail_every": 3})
        run = collected(study)
        outcomes = Counter(Attempt.objects.filter(call__run=run).values_list("outcome", flat=True))
        assert run.state == "finished"
        assert Call.objects.filter(run=run, state="accepted").count() == 6
        assert outcomes["ok"] == 6
        assert outcomes["retryable"] >= 2

    def test_gives_a_call_up_after_its_last_attempt(self) -> None:
        run = collected(a_locked_study(prompts=1, families=("gpt",), options={"fail_every": 1}))
        call = Call.objects.get(run=run)
        assert (run.state, call.state) == ("finished", "failed")
        assert call.attempts.count() == answers.MOST_ATTEMPTS

    def test_ends_at_once_where_the_request_can_never_succeed(self) -> None:
        run = collected(a_locked_study(prompts=1, families=("gpt",), options={"quality": 7}))
        call = Call.objects.get(run=run)
        assert (call.state, call.attempts.count()) == ("failed", 1)

    def test_counts_a_provider_that_raises_as_an_attempt_that_failed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(*_: object, **__: object) -> str:
            raise RuntimeError("the provider's own fault")

        monkeypatch.setattr(demo, "compose", broken)
        run = collected(a_locked_study(prompts=1, families=("gpt",)))
        attempt = Attempt.objects.filter(call__run=run)[0]
        assert attempt.outcome == "retryable"
        assert attempt.reply == {"error": 'RuntimeError("the provider\'s own fault")'}

    def test_accepts_the_first_of_two_replies_and_keeps_the_other_as_an_attempt(self) -> None:
        study = a_locked_study(prompts=1, families=("gpt",))
        run = started(study)
        [sent] = answers.begin_batch(run_id=run.pk, limit=10)
        reply = Reply(Outcome.OK, "Towns differ. So do rules.", Usage(3, 5), {}, "", "demo-gpt")
        late = Attempt.objects.create(
            call=Call.objects.get(run=run), number=2, sent_at=run.planned_at, request={"late": True}
        )
        answers.record_reply(attempt_id=sent.attempt_id, reply=reply)
        answers.record_reply(attempt_id=late.pk, reply=reply)
        assert Stimulus.objects.filter(study=study).count() == 1
        assert Attempt.objects.filter(call__run=run, outcome="ok").count() == 2

    def test_is_not_sent_twice_while_a_request_is_away(self) -> None:
        run = started(a_locked_study(prompts=2))
        assert len(answers.begin_batch(run_id=run.pk, limit=10)) == 4
        assert answers.begin_batch(run_id=run.pk, limit=10) == []


class TestRejectedTexts:
    def test_are_asked_for_anew_and_nothing_else_is(self) -> None:
        study = a_locked_study(prompts=2)
        collected(study)
        stimulus = Stimulus.objects.filter(study=study).order_by("pk")[0]
        intake.decide(stimulus=stimulus, verb="reject", reason="Quotes itself.", by=coordinator_of(study))
        again = planned(study)
        [call] = Call.objects.filter(run=again)
        assert (call.prompt_version.prompt, call.target.family) == (stimulus.prompt, stimulus.source_code)
        assert call.replicate == 2

    def test_are_replaced_by_another_text(self) -> None:
        study = a_locked_study(prompts=1, families=("gpt",))
        collected(study)
        stimulus = Stimulus.objects.get(study=study)
        intake.decide(stimulus=stimulus, verb="reject", reason="Quotes itself.", by=coordinator_of(study))
        collected(study)
        one, other = Response.objects.filter(study=study).values_list("text", flat=True)
        assert one != other
        assert set(texts_by_source(study).values()) == {1}


class TestStoppingAndGoingOn:
    def test_a_stopped_run_sends_nothing_more(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "BATCH", 1)
        run = started(a_locked_study(prompts=2))
        jobs.collect_answers(str(run.pk))
        answers.stop_run(run=run, reason="Lunch.", by=coordinator_of(run.study))
        jobs.collect_answers(str(run.pk))
        run.refresh_from_db()
        assert run.state == "stopped"
        assert Attempt.objects.filter(call__run=run).count() == 1

    def test_it_keeps_replies_that_were_on_their_way(self) -> None:
        run = started(a_locked_study(prompts=1, families=("gpt",)))
        [sent] = answers.begin_batch(run_id=run.pk, limit=10)
        answers.stop_run(run=run, reason="Lunch.", by=coordinator_of(run.study))
        reply = Reply(Outcome.OK, "Towns differ. So do rules.", Usage(3, 5), {}, "", "demo-gpt")
        answers.record_reply(attempt_id=sent.attempt_id, reply=reply)
        assert Call.objects.get(run=run).state == "accepted"

    def test_it_goes_on_where_it_stopped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "BATCH", 1)
        run = started(a_locked_study(prompts=2))
        coordinator = coordinator_of(run.study)
        jobs.collect_answers(str(run.pk))
        answers.stop_run(run=run, reason="Lunch.", by=coordinator)
        answers.start_run(run=run, by=coordinator)
        assert worked_off(run).state == "finished"
        assert Attempt.objects.filter(call__run=run).count() == 4

    def test_a_spent_account_stops_the_run_and_says_so(self) -> None:
        run = started(a_locked_study(prompts=1))
        sent = answers.begin_batch(run_id=run.pk, limit=1)
        reply = Reply(Outcome.FINAL_ACCOUNT, "", Usage(0, 0), {}, "", "demo-claude")
        answers.record_reply(attempt_id=sent[0].attempt_id, reply=reply)
        run.refresh_from_db()
        assert run.state == "stopped"
        assert "cannot pay" in run.stopped_because


class TestRunPage:
    @staticmethod
    def page(client: Client, run: GenerationRun, **headers: str) -> Any:
        return client.get(reverse("run", args=[run.pk]), headers=headers)

    def test_starts_stops_and_goes_on(self) -> None:
        run = planned(a_locked_study())
        client = signed_in(coordinator_of(run.study))
        assert "Start: send 4 requests" in self.page(client, run).content.decode()
        client.post(reverse("start_run", args=[run.pk]))
        assert 'hx-trigger="every 2s"' in self.page(client, run).content.decode()
        client.post(reverse("stop_run", args=[run.pk]))
        stopped = self.page(client, run).content.decode()
        assert "Go on" in stopped
        assert "hx-trigger" not in stopped
        client.post(reverse("start_run", args=[run.pk]))
        worked_off(run)
        assert "4 of 4" in self.page(client, run).content.decode()

    def test_gives_htmx_only_the_part_that_changes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "BATCH", 3)
        run = started(a_locked_study())
        jobs.collect_answers(str(run.pk))
        part = self.page(signed_in(coordinator_of(run.study)), run, hx_request="true").content.decode()
        assert "3 of 4" in part
        assert "3 complete" in part
        assert "<html" not in part
        assert "<table" not in part

    def test_asks_htmx_for_a_new_page_once_the_run_has_ended(self) -> None:
        run = collected(a_locked_study())
        answer = self.page(signed_in(coordinator_of(run.study)), run, hx_request="true")
        assert answer.headers["HX-Refresh"] == "true"

    def test_counts_the_calls_of_each_model(self) -> None:
        run = collected(a_locked_study(prompts=3))
        failed = Call.objects.filter(run=run, target__family="gpt").order_by("pk")[0]
        Call.objects.filter(pk=failed.pk).update(state="failed")
        assert [(line.family, line.accepted, line.failed, line.waiting) for line in run_page(run).models] == [
            ("claude", 3, 0, 0),
            ("gpt", 2, 1, 0),
        ]

    def test_tells_no_prompt_and_shows_no_answer(self) -> None:
        run = collected(a_locked_study(prompts=3, quality_floor_prompts=1, source_attribution_prompts=1))
        page = self.page(signed_in(coordinator_of(run.study)), run).content.decode()
        assert not any(code in page for code in ("BBQ_01", "HLE_02", "MSC_03"))
        assert not any(escape(text) in page for text in Response.objects.values_list("text", flat=True))
        assert "weak" not in page.lower()

    def test_offers_no_start_once_judging_is_open(self) -> None:
        run = planned(a_locked_study())
        Study.objects.filter(pk=run.study_id).update(state="judging")
        assert "Start: send" not in self.page(signed_in(coordinator_of(run.study)), run).content.decode()

    def test_is_not_there_for_people_outside_the_study(self) -> None:
        run = planned(a_locked_study())
        stranger = User.objects.create_user("sam@example.org", name="Sam")
        assert self.page(signed_in(stranger), run).status_code == 404


def test_once_judging_has_begun_nothing_more_is_asked_for() -> None:
    study = a_locked_study()
    run = started(study)
    Study.objects.filter(pk=study.pk).update(state="judging")
    jobs.collect_answers(str(run.pk))
    run.refresh_from_db()
    assert run.state == "stopped"
    assert not Attempt.objects.filter(call__run=run).exists()
    with pytest.raises(Refused, match="Judging has begun"):
        answers.start_run(run=run, by=coordinator_of(study))


def test_a_reply_without_words_counts_as_empty_and_costs_the_batch_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    compose = demo.compose

    def heading_only(prompt: str, **options: Any) -> str:
        return "## Only a heading" if "2 towns" in prompt else compose(prompt, **options)

    monkeypatch.setattr(demo, "compose", heading_only)
    run = worked_off(started(a_locked_study()))
    assert run.state == "finished"
    states = Call.objects.filter(run=run).order_by("prompt_version__prompt__position", "pk")
    assert list(states.values_list("state", flat=True)) == ["failed", "failed", "accepted", "accepted"]
    assert set(Attempt.objects.filter(call__state="failed").values_list("outcome", flat=True)) == {"empty"}


def test_an_account_that_is_spent_stops_the_run_once_however_many_replies_say_so() -> None:
    run = started(a_locked_study())
    spent = Reply(Outcome.FINAL_ACCOUNT, "", Usage(1, 0), {}, "", "demo-claude")
    for outgoing in answers.begin_batch(run_id=run.pk, limit=2):
        answers.record_reply(attempt_id=outgoing.attempt_id, reply=spent)
    run.refresh_from_db()
    assert run.state == "stopped"
    assert Attempt.objects.filter(call__run=run, outcome=Outcome.FINAL_ACCOUNT).count() == 2
