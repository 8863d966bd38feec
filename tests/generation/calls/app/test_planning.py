"""Planning: what is missing is listed once, with what it may cost; nothing is sent."""

from collections import Counter
from decimal import Decimal
from itertools import pairwise

import pytest
from django.core.exceptions import PermissionDenied

from annotation.platform.core.errors import Refused
from annotation.platform.models.work import Task
from annotation.study.models.prompts import PromptVersion
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm, Kind, PromptPlan, Stimulus
from annotation.texts.services import intake
from generation.calls.core.work_kinds import PLAN_RUN, WORK_RUN
from generation.calls.models import Attempt, Call, GenerationRun, RunShare
from generation.calls.services import planning, runs, targets_in_use
from generation.catalogue.models import Target
from generation.catalogue.services import templates
from tests.factories import a_person, a_study, coordinator_of
from tests.generation.calls.engine import known
from tests.generation.calls.model_runs import (
    FAMILIES,
    a_locked_study,
    a_target,
    collected,
    planned,
    started,
    worked_off,
)

pytestmark = pytest.mark.django_db


def wanted(run: GenerationRun) -> Counter[tuple[str, str]]:
    """Calls of the run by prompt and family."""
    calls = Call.objects.filter(run=run)
    return Counter(calls.values_list("prompt_version__prompt__code", "target__family"))


def share_of(run: GenerationRun, family: str) -> RunShare:
    return RunShare.objects.get(run=run, target__family=family)


def reject_one(study: Study) -> Stimulus:
    stimulus = Stimulus.objects.filter(study=study).order_by("pk")[0]
    intake.decide(stimulus=stimulus, verb="reject", reason="Quotes itself.", by=coordinator_of(study))
    return stimulus


class TestAPlan:
    def test_a_plan_wants_one_answer_of_each_model_to_each_prompt(self) -> None:
        run = planned(a_locked_study(prompts=3))
        codes = ("BBQ_01", "HLE_02", "MSC_03")
        assert wanted(run) == {(code, family): 1 for code in codes for family in FAMILIES}
        assert (share_of(run, "gpt").planned, share_of(run, "gpt").known) == (3, 0)

    def test_a_plan_wants_two_answers_of_each_model_where_the_source_is_to_be_attributed(self) -> None:
        study = a_locked_study(prompts=3, source_attribution_prompts=1, answers_per_target_in_attribution=2)
        by_prompt = Counter(code for code, _ in wanted(planned(study)).elements())
        attribution = PromptPlan.objects.get(kind=Kind.SOURCE_ATTRIBUTION).prompt.code
        assert by_prompt.pop(attribution) == 4
        assert set(by_prompt.values()) == {2}

    def test_a_plan_wants_one_deliberately_weak_answer_for_each_quality_floor(self) -> None:
        run = planned(a_locked_study(prompts=4, quality_floor_prompts=2))
        floors = PromptPlan.objects.filter(kind=Kind.QUALITY_FLOOR).values_list("prompt__code", flat=True)
        weak = Call.objects.filter(run=run, arm=Arm.WEAK).values_list("prompt_version__prompt__code", flat=True)
        assert sorted(weak) == sorted(floors)
        assert Call.objects.filter(run=run, arm=Arm.MODEL).count() == 8

    def test_a_plan_of_maximum_effort_wants_one_answer_of_each_model_whatever_a_prompt_is_for(self) -> None:
        study = a_locked_study(prompts=3, quality_floor_prompts=1, source_attribution_prompts=1)
        run = planned(study, track="maximum")
        assert set(wanted(run).values()) == {1}
        assert len(wanted(run)) == 6
        assert set(Call.objects.filter(run=run).values_list("arm", flat=True)) == {Arm.MAXIMUM}

    def test_a_plan_asks_only_the_models_it_is_for(self) -> None:
        study = a_locked_study()
        run = planned(study, targets=list(Target.objects.filter(study=study, family="gpt")))
        assert {family for _, family in wanted(run)} == {"gpt"}

    def test_a_plan_sends_nothing_and_keeps_no_request(self) -> None:
        study = a_locked_study()
        run = planning.plan_run(study=study, by=coordinator_of(study), purpose="answers", track="matched")
        assert run.state == "planning"
        assert Task.objects.get(kind=PLAN_RUN).subject == str(run.pk)
        planning.fill_plan(run.pk)
        run.refresh_from_db()
        assert run.state == "planned"
        assert not Attempt.objects.exists()
        assert not Task.objects.filter(kind=WORK_RUN).exists()

    def test_a_plan_is_made_once_however_often_it_is_asked_for(self) -> None:
        run = planned(a_locked_study())
        planning.fill_plan(run.pk)
        assert (share_of(run, "gpt").planned, share_of(run, "gpt").known) == (2, 0)

    def test_a_plan_takes_any_number_of_parts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(planning, "AT_A_TIME", 2)
        run = planned(a_locked_study(prompts=3))
        assert sum(wanted(run).values()) == 6
        assert share_of(run, "claude").planned + share_of(run, "gpt").planned == 6

    def test_a_plan_keeps_its_templates_prices_and_efforts(self) -> None:
        study = a_locked_study(families=("claude",), of_targets={"model_id": "demo-large"})
        run = planned(study)
        target = str(Target.objects.get(study=study).pk)
        templates.save_template(
            study=study, name="answer", text="Another wording: {prompt}", origin="Me", by=coordinator_of(study)
        )
        run.refresh_from_db()
        assert "Another" not in run.materials["templates"]["answer"]
        assert run.materials["efforts"] == {target: study.matched_effort}
        assert Decimal(run.materials["prices"][target]["output"]) == 20
        assert run.template_version.startswith("answer:")
        assert len(run.price_version) == 64


class TestEstimates:
    def test_estimates_are_of_the_price_and_of_what_a_reply_may_take(self) -> None:
        """At $20 for a million tokens written, and nothing for those read, two calls are to cost

        at worst 2 × 4,000 × 20 / 1,000,000 = $0.16; at 3 tokens for each of 400 words, 2 × 0.024 = $0.048.
        """
        of_targets = {"price": {"input": 0, "output": 20}, "effort": "none"}
        study = a_locked_study(families=("claude",), output_token_cap=4_000, of_targets=of_targets)
        share = share_of(planned(study), "claude")
        assert (share.output_tokens, share.cost, share.worst_cost) == (2_400, Decimal("0.048"), Decimal("0.16"))

    def test_estimates_do_not_tell_a_prompt_that_is_asked_for_more_from_another(self) -> None:
        """Two studies with the same prompts, of different lengths; another prompt serves calibration in each."""
        estimated = set()
        for number, slug in enumerate(("one", "other")):
            study = a_locked_study(slug, prompts=2, source_attribution_prompts=1, families=("gpt",))
            longer = PromptVersion.objects.filter(prompt__study=study).order_by("pk")[0]
            PromptVersion.objects.filter(pk=longer.pk).update(text=longer.text * 3)
            kinds = [Kind.SOURCE_ATTRIBUTION, Kind.STANDARD]
            for prompt, kind in zip(study_prompts(study), kinds[::-1] if number else kinds, strict=True):
                PromptPlan.objects.filter(prompt_id=prompt).update(kind=kind)
            estimated.add(share_of(planned(study), "gpt").input_tokens)
        assert len(estimated) == 1

    def test_estimates_count_half_where_the_provider_takes_batches(self) -> None:
        of_targets = {"provider": "openai", "model_id": "gpt-6-sol", "weak_temperature": None}
        study = a_locked_study(families=("gpt",), of_targets={**of_targets, "price": {"input": 0, "output": 20}})
        at_once = share_of(planned(study), "gpt").cost
        runs.withdraw_plan(run=GenerationRun.objects.get(study=study), by=coordinator_of(study))
        assert share_of(planned(study, uses_batches=True), "gpt").cost == known(at_once) / 2


def study_prompts(study: Study) -> list[int]:
    return list(PromptPlan.objects.filter(prompt__study=study).order_by("prompt").values_list("prompt", flat=True))


class TestRefusals:
    def test_planning_is_refused_while_models_are_missing(self) -> None:
        study = a_locked_study(families=("claude",), model_targets_expected=2)
        with pytest.raises(Refused, match="answers of 2 models, 1 are configured"):
            planned(study)

    def test_planning_is_refused_while_the_design_is_open(self) -> None:
        with pytest.raises(Refused, match="after the design is locked"):
            planned(a_study())

    def test_planning_is_refused_once_judging_is_open_except_for_answers_that_no_judge_sees(self) -> None:
        study = a_locked_study()
        Study.objects.filter(pk=study.pk).update(state="judging")
        with pytest.raises(Refused, match="before judging opens"):
            planned(study)
        assert planned(study, track="maximum").state == "planned"

    def test_planning_is_refused_to_everybody_but_coordinators(self) -> None:
        study = a_locked_study()
        with pytest.raises(PermissionDenied):
            planning.plan_run(study=study, by=a_person("Sam"), purpose="answers", track="matched")

    def test_planning_is_refused_where_a_model_would_refuse_the_temperature_of_its_weak_answers(self) -> None:
        of_targets = {"provider": "google", "model_id": "some", "price": {"input": "2", "output": "10"}}
        study = a_locked_study(families=("gemini",), of_targets=of_targets)
        Target.objects.filter(study=study).update(weak_temperature=2.5)
        with pytest.raises(Refused, match="“gemini” cannot be asked like this: its temperatures are 0 to 2"):
            planned(study)
        assert planned(study, track="maximum").state == "planned"

    def test_planning_is_refused_where_a_price_is_not_known(self) -> None:
        study = a_locked_study(families=("gpt",))
        Target.objects.filter(study=study).update(provider="openai", model_id="no-longer-listed", price=None)
        with pytest.raises(Refused, match="What “gpt” costs is not known"):
            planned(study)
        assert not GenerationRun.objects.exists()


class TestASecondPlan:
    def test_a_second_plan_wants_nothing_that_the_first_one_wants_and_says_so(self) -> None:
        study = a_locked_study()
        planned(study)
        again = planned(study)
        assert again.state == "withdrawn"
        assert again.stopped_because.startswith("Nothing is missing")
        assert (share_of(again, "gpt").planned, share_of(again, "gpt").known) == (0, 2)

    def test_a_second_plan_wants_nothing_anew_because_a_template_was_changed(self) -> None:
        study = a_locked_study()
        planned(study)
        templates.save_template(
            study=study, name="answer", text="Another wording: {prompt}", origin="Me", by=coordinator_of(study)
        )
        assert planned(study).state == "withdrawn"

    def test_a_second_plan_leaves_what_failed_to_the_run_in_which_it_did(self) -> None:
        study = a_locked_study(of_targets={"options": {"fail_every": 1}})
        assert collected(study).state == "finished"
        assert Call.objects.filter(state="failed").count() == 4
        assert planned(study).state == "withdrawn"

    def test_a_second_plan_wants_everything_where_the_first_one_was_withdrawn(self) -> None:
        study = a_locked_study()
        first = planned(study)
        runs.withdraw_plan(run=first, by=coordinator_of(study))
        assert not Call.objects.exists()
        assert sum(wanted(planned(study)).values()) == 4

    def test_a_second_plan_wants_a_rejected_text_anew_and_nothing_else(self) -> None:
        study = a_locked_study(prompts=2)
        collected(study)
        stimulus = reject_one(study)
        again = planned(study)
        assert wanted(again) == {(stimulus.prompt.code, stimulus.source_code): 1}
        assert Call.objects.get(run=again).replicate == 2
        assert share_of(again, stimulus.source_code).known == 1

    def test_a_second_plan_wants_of_a_new_model_what_a_retired_one_of_its_family_did_not_bring(self) -> None:
        study = a_locked_study(prompts=3, families=("gpt",))
        run = started(study)
        first = Call.objects.filter(run=run)[0]
        Call.objects.filter(run=run).exclude(pk=first.pk).update(state="failed")
        RunShare.objects.filter(run=run).update(failed=2)
        worked_off(run)
        targets_in_use.retire_target(target=first.target, by=coordinator_of(study))
        a_target(study, "gpt", model_id="another")
        again = planned(study)
        assert sum(wanted(again).values()) == 2
        assert first.prompt_version
        assert first.prompt_version.prompt.code not in {code for code, _ in wanted(again)}
        assert share_of(again, "gpt").known == 1

    def test_a_second_plan_wants_no_second_weak_answer_because_the_models_changed(self) -> None:
        study = a_locked_study(prompts=3, quality_floor_prompts=1)
        collected(study)
        a_target(study, "gemini")
        assert not Call.objects.filter(run=planned(study), arm=Arm.WEAK).exists()


def test_a_withdrawn_run_is_not_planned_after_all() -> None:
    study = a_locked_study()
    run = planning.plan_run(study=study, by=coordinator_of(study), purpose="answers", track="matched")
    runs.withdraw_plan(run=run, by=coordinator_of(study))
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    assert run.state == "withdrawn"
    assert not Call.objects.exists()


def test_the_order_in_which_calls_are_listed_tells_nothing_of_their_prompts() -> None:
    """That 12 prompts × 2 models come prompt by prompt, by chance: 12! · 2^12 / 24!, about 3e-12."""
    run = planned(a_locked_study(prompts=12))
    listed = list(Call.objects.filter(run=run).order_by("pk").values_list("prompt_version_id", flat=True))
    assert sum(one != other for one, other in pairwise(listed)) > 11
