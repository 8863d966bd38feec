"""Prompts that models write from the scenarios of sources: asked for once, read strictly, kept whole."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.study.models.studies import Study
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import recording, runs, targets_in_use
from generation.calls.services.claiming import Outgoing
from generation.calls.services.recording import Arrival
from generation.catalogue.services import targets, templates
from generation.prompts.core.prompt_replies import WrittenBundle, WrittenPrompt, tagged
from generation.prompts.models import Bundle, Candidate
from generation.prompts.selectors.refusals import refusals, unwritten, violations
from generation.prompts.services.prompt_writing import PROMPTS
from generation.providers.base import Outcome, Reply
from generation.sources.models import Scenario, StudySource
from tests.factories import a_study, coordinator_of
from tests.generation.calls.model_runs import claimed, good, planned, started, worked_off
from tests.generation.prompts.candidates import a_source, prompt_models

pytestmark = pytest.mark.django_db

DECLINED = Reply(Outcome.REFUSED, detail="The model declined.", status=200)


@pytest.fixture
def study() -> Study:
    """Two models, and a source with two scenarios: four bundles are missing."""
    study = a_study()
    prompt_models(study, ("claude", "gpt"))
    draws_on(study, "BBQ")
    return study


def draws_on(study: Study, code: str, *, scenarios: int = 2, shape: str = "scenario") -> None:
    source = a_source(code, scenarios=scenarios, shape=shape)
    StudySource.objects.create(study=study, source=source, added_by=coordinator_of(study))


def bundle(number: int = 5, *, words: int = 5, sentences: int = 2) -> Reply:
    prompts = [
        WrittenPrompt(f"Kind {place}.", " ".join(["word"] * words), " ".join([f"Why {place}?"] * sentences))
        for place in range(1, number + 1)
    ]
    return good(tagged(WrittenBundle("So I think.", tuple(prompts))))


def writes(_outgoing: Outgoing) -> Reply:
    return bundle()


def missing(study: Study, **parameters: object) -> GenerationRun:
    return planned(study, purpose="prompts", track="", **parameters)


def asked(study: Study) -> GenerationRun:
    return started(study, purpose="prompts", track="")


def reword(study: Study, text: str = "Write {number}.\n\n{materials}\n\n{reply_format}") -> None:
    templates.save_template(
        study=study, name="prompts_scenario", text=text, origin="Ours.", by=coordinator_of(study)
    )


def record(run: GenerationRun, outgoing: Outgoing, reply: Reply) -> str:
    """How the attempt ended."""
    recording.record(run.pk, [Arrival(outgoing.attempt_id, reply, 20)])
    return Attempt.objects.get(pk=outgoing.attempt_id).outcome


class TestPlanning:
    def test_a_plan_of_prompts_wants_a_bundle_of_each_model_from_each_scenario(self, study: Study) -> None:
        run = missing(study)
        pairs = Call.objects.filter(run=run).values_list("scenario__key", "target__family")
        assert sorted(pairs) == [
            ("bbq-001", "claude"),
            ("bbq-001", "gpt"),
            ("bbq-002", "claude"),
            ("bbq-002", "gpt"),
        ]

    def test_a_plan_of_prompts_finds_nothing_missing_the_second_time(self, study: Study) -> None:
        worked_off(asked(study), writes)
        assert missing(study).state == "withdrawn"

    def test_a_plan_of_prompts_wants_nothing_anew_where_the_wording_changed_after_bundles_came(
        self, study: Study
    ) -> None:
        worked_off(asked(study), writes)
        reword(study)
        assert missing(study).state == "withdrawn"

    def test_a_plan_of_prompts_adds_what_a_source_that_came_later_needs(self, study: Study) -> None:
        worked_off(asked(study), writes)
        draws_on(study, "HLE", scenarios=3, shape="question")
        run = missing(study)
        assert {share.planned for share in run.shares.all()} == {3}
        assert {share.known for share in run.shares.all()} == {2}
        assert set(run.materials["templates"]) == {"prompts_question", "prompts_scenario"}

    def test_a_plan_of_prompts_can_be_about_some_sources_alone(self, study: Study) -> None:
        draws_on(study, "HLE", scenarios=1, shape="question")
        run = missing(study, only={"sources": [a_source("HLE").pk]})
        assert set(Call.objects.filter(run=run).values_list("scenario__key", flat=True)) == {"hle-001"}
        assert set(run.materials["templates"]) == {"prompts_question"}

    def test_a_plan_of_prompts_asks_with_high_effort_unless_a_model_has_its_own(self, study: Study) -> None:
        targets.add_target(
            study=study,
            role="prompts",
            family="own",
            provider="demo",
            model_id="demo-own",
            effort="low",
            by=coordinator_of(study),
        )
        run = missing(study)
        families = {str(share.target_id): share.target.family for share in run.shares.select_related("target")}
        efforts = {families[target]: effort for target, effort in run.materials["efforts"].items()}
        assert efforts == {"claude": "high", "gpt": "high", "own": "low"}

    def test_a_plan_of_prompts_is_refused_without_a_source(self) -> None:
        study = a_study()
        prompt_models(study, ("claude",))
        with pytest.raises(Refused, match="draws on no source yet"):
            missing(study)

    def test_a_plan_of_prompts_takes_as_many_queries_for_many_scenarios_as_for_few(self, study: Study) -> None:
        counts = []
        for code, scenarios in (("FEW", 2), ("MANY", 40)):
            draws_on(study, code, scenarios=scenarios)
            with CaptureQueriesContext(connection) as queries:
                missing(study, only={"sources": [a_source(code).pk]})
            counts.append(len(queries))
        assert counts[0] == counts[1]


class TestAsking:
    def test_a_request_asks_for_as_many_prompts_as_the_study_wants(self, study: Study) -> None:
        Study.objects.filter(pk=study.pk).update(prompts_per_scenario=3)
        study.refresh_from_db()
        run = asked(study)
        [one, *_] = claimed(run)
        assert "<prompt_3>" in one.request.prompt
        assert "<prompt_4>" not in one.request.prompt
        assert record(run, one, bundle()) == "not_five"
        assert record(run, claimed(run)[0], bundle(3)) == "ok"

    def test_a_request_for_prompts_has_the_scenario_and_no_schema(self, study: Study) -> None:
        run = asked(study)
        for outgoing in claimed(run):
            scenario = Call.objects.get(pk=outgoing.call_id).scenario
            assert scenario
            assert scenario.payload["context"] in outgoing.request.prompt
            assert outgoing.request.schema is None

    def test_a_call_whose_bundle_another_one_brought_is_given_up(self, study: Study) -> None:
        """Two plans with different wordings want the same bundles; what comes first stays."""
        first = asked(study)
        reword(study)
        second = asked(study)
        [early] = claimed(second, most=1)
        worked_off(first, writes)
        assert record(second, early, bundle()) == "superseded"
        worked_off(second, writes)
        assert second.state == "finished"
        assert set(Call.objects.filter(run=second).values_list("state", flat=True)) == {"failed"}
        assert Attempt.objects.filter(call__run=second).count() == 1
        assert Bundle.objects.count() == 4


class TestKeeping:
    def test_every_prompt_is_kept_with_what_is_said_of_it(self, study: Study) -> None:
        run = worked_off(asked(study), writes)
        assert (run.state, Bundle.objects.count(), Candidate.objects.count()) == ("finished", 4, 20)
        for kept in Bundle.objects.select_related("call"):
            assert kept.call
            assert (kept.study, kept.scenario_id, kept.target_id) == (
                study,
                kept.call.scenario_id,
                kept.call.target_id,
            )
            assert kept.scratchpad == "So I think."
        third = Candidate.objects.filter(position=3)[0]
        assert (third.label, third.dimensions) == ("word word word word word", "Kind 3.")
        assert (third.text, third.sha256) == ("Why 3? Why 3?", sha256_hex("Why 3? Why 3?"))

    @pytest.mark.parametrize(
        ("reply", "outcome", "detail"),
        [
            (
                good("Of course! Here they are."),
                "untagged",
                "The reply does not begin with a scratchpad in its tags.",
            ),
            (bundle(4), "not_five", "The reply has 4 prompts, asked for were 5."),
            (
                bundle(words=4),
                "label_length",
                "An underlying issue has 5 to 15 words: prompt 1 has 4, ",
            ),
            (
                bundle(sentences=6),
                "question_length",
                "A question has 2 to 5 sentences: prompt 1 has 6, ",
            ),
        ],
    )
    def test_nothing_of_a_reply_in_another_form_is_kept_and_it_is_said_why(
        self, study: Study, reply: Reply, outcome: str, detail: str
    ) -> None:
        run = asked(study)
        [one, *_] = claimed(run)
        assert record(run, one, reply) == outcome
        assert Attempt.objects.get(pk=one.attempt_id).detail.startswith(detail)
        assert not Bundle.objects.exists()
        assert Call.objects.get(pk=one.call_id).state == "pending"

    def test_a_call_for_prompts_fails_after_three_replies_of_other_forms_whichever_they_are(
        self, study: Study
    ) -> None:
        """One attempt and two retries, as the study says of unreadable replies."""
        run = asked(study)
        for reply, state in ((bundle(4), "pending"), (bundle(words=1), "pending"), (good("No."), "failed")):
            recording.record(run.pk, [Arrival(outgoing.attempt_id, reply, 20) for outgoing in claimed(run)])
            assert set(Call.objects.filter(run=run).values_list("state", flat=True)) == {state}

    def test_prompts_are_kept_no_more_once_the_study_is_released(self, study: Study) -> None:
        run = asked(study)
        [one, *_] = claimed(run)
        Study.objects.filter(pk=study.pk).update(state="released")
        assert record(run, one, bundle()) == "superseded"
        assert not Bundle.objects.exists()
        assert PROMPTS.closed(GenerationRun.objects.get(pk=run.pk)).startswith("The study is released")
        runs.go_on(run.pk, 0)
        run.refresh_from_db()
        assert run.state == "stopped"


class TestWhatDidNotCome:
    def test_what_did_not_come_is_counted_by_source_and_model(self, study: Study) -> None:
        """claude declines the first scenario and needs two attempts at the second; gpt never finds the form."""
        first, second = Scenario.objects.order_by("key")

        def answering(outgoing: Outgoing) -> Reply:
            call = Call.objects.select_related("target").get(pk=outgoing.call_id)
            if call.target.family == "gpt":
                return good("Nothing in tags.")
            if call.scenario_id == first.pk:
                return DECLINED
            return bundle() if call.attempts.count() > 1 else bundle(words=2)

        worked_off(asked(study), answering)
        claude, gpt = ((a_source("BBQ").pk, target.pk) for target in prompt_models(study, ("claude", "gpt")))
        assert refusals(study) == {claude: 1}
        assert unwritten(study) == {gpt: 2}
        # Two scenarios with three attempts each.
        assert violations(study) == {claude: {"label_length": 1}, gpt: {"untagged": 6}}
        assert Bundle.objects.get().scenario == second

    def test_what_did_not_come_is_counted_once_for_each_scenario_and_model_until_it_comes(
        self, study: Study
    ) -> None:
        """Two models decline two scenarios, decline them again in another wording, and write them in a third."""
        places = {(a_source("BBQ").pk, target.pk): 2 for target in prompt_models(study, ("claude", "gpt"))}
        worked_off(asked(study), lambda _: DECLINED)
        assert refusals(study) == places
        reword(study)
        worked_off(asked(study), lambda _: DECLINED)
        assert refusals(study) == places
        reword(study, "Write {number} prompts.\n\n{materials}\n\n{reply_format}")
        run = asked(study)
        assert refusals(study) == {}  # asked for anew
        worked_off(run, lambda _: bundle())
        assert (refusals(study), unwritten(study)) == ({}, {})
        assert Bundle.objects.count() == 4

    def test_what_did_not_come_counts_nothing_of_a_model_that_was_retired(self, study: Study) -> None:
        worked_off(asked(study), lambda _: DECLINED)
        [claude] = prompt_models(study, ("claude",))
        targets_in_use.retire_target(target=claude, by=coordinator_of(study))
        [gpt] = prompt_models(study, ("gpt",))
        assert refusals(study) == {(a_source("BBQ").pk, gpt.pk): 2}


def test_what_a_bundle_may_cost_at_worst_is_never_more_than_its_plan_said(study: Study) -> None:
    for target in prompt_models(study, ("claude", "gpt")):
        targets_in_use.change_target(
            target=target,
            by=coordinator_of(study),
            family=target.family,
            provider="demo",
            model_id=target.model_id,
            price={"input": "10", "output": "50"},
        )
    run = missing(study)
    worst = sum((share.worst_cost or Decimal(0) for share in run.shares.all()), Decimal(0))
    runs.start_run(run=run, spend_cap=worst, by=coordinator_of(study))
    assert len(claimed(run)) == 4
