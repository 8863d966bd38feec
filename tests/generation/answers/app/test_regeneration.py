"""Rejecting a text and asking the same model for another one at once."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.urls import reverse

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm, Kind, PromptPlan, Stimulus
from annotation.texts.services import intake
from generation.answers.services import regeneration
from generation.calls.models import Call, GenerationRun
from generation.calls.services import targets_in_use
from generation.providers.base import Outcome, Reply
from generation.providers.core.prices import Usage
from tests.clients import signed_in
from tests.factories import a_quarantined_text, a_writing_study, assignments_of, coordinator_of, written
from tests.generation.calls.engine import known
from tests.generation.calls.model_runs import a_locked_study, collected, good, worked_off
from tests.remembered import remembered

pytestmark = pytest.mark.django_db

GIVEAWAY = "As an AI language model, I take no sides in the quarrel of towns."


@remembered
def a_study_of_giveaways(**parameters: Any) -> Study:
    """Every model answer it needs is there, and in quarantine."""
    study = a_locked_study(families=("claude", "gpt"), **parameters)
    collected(study, lambda _: good(GIVEAWAY), spend_cap=Decimal(100_000))
    return study


def texts_of(study: Study, **where: Any) -> list[Stimulus]:
    return list(Stimulus.objects.filter(study=study, **where).select_related("study").order_by("prompt", "pk"))


def regenerate(text: Stimulus) -> GenerationRun | None:
    return regeneration.regenerate(stimulus=text, reason="It names itself.", by=coordinator_of(text.study))


def test_the_same_model_answers_the_same_prompt_again() -> None:
    study = a_study_of_giveaways()
    text = texts_of(study, source_code="gpt")[0]
    run = regenerate(text)
    text.refresh_from_db()
    assert text.state == "rejected"
    assert AuditEvent.objects.get(verb="text.reject").detail == {"reason": "It names itself."}
    assert run is not None
    [call] = Call.objects.filter(run=run).select_related("target", "prompt_version")
    assert (call.target.family, call.arm, call.replicate) == ("gpt", Arm.MODEL, 2)
    assert call.prompt_version is not None
    assert call.prompt_version.prompt_id == text.prompt_id
    worked_off(run, lambda _: good("Another answer, about towns and their wells."))
    [admitted] = texts_of(study, state="admitted")
    assert (admitted.source_code, admitted.prompt_id) == ("gpt", text.prompt_id)


def test_the_run_may_spend_what_the_call_takes_at_worst() -> None:
    study = a_study_of_giveaways(of_targets={"price": {"input": "3", "output": "15"}})
    run = regenerate(texts_of(study)[0])
    assert run is not None
    run.refresh_from_db()
    assert run.state == "running"
    assert run.approved_by == coordinator_of(study)
    assert run.spend_cap == known(run.shares.get().worst_cost) > 0
    assert worked_off(run, lambda _: good()).state == "finished"


@pytest.mark.parametrize("are_others_rejected", [False, True])
@pytest.mark.parametrize("kind", Kind.values)
def test_no_run_tells_what_its_prompt_is_for(kind: str, are_others_rejected: bool) -> None:
    """One call is asked for and none counted as known, whatever became of the prompt's other texts."""
    study = a_study_of_giveaways(
        prompts=4,
        quality_floor_prompts=1,
        source_attribution_prompts=1,
        answers_per_target_in_attribution=2,
        human_answers_per_item=2,
        model_answers_per_item=2,
        answers_per_prompt=2,
        of_targets={"price": {"input": "1000", "output": "2000"}},
    )
    prompt = PromptPlan.objects.filter(prompt__study=study, kind=kind)[0].prompt_id
    first, *others = texts_of(study, prompt=prompt)
    for other in others if are_others_rejected else ():
        intake.decide(stimulus=other, verb="reject", reason="Hm.", by=coordinator_of(study))
    run = regenerate(first)
    assert run is not None
    share = run.shares.get()
    assert (share.planned, share.known) == (1, 0)
    standard = PromptPlan.objects.filter(prompt__study=study, kind=Kind.STANDARD).exclude(prompt=prompt)[0]
    plain = regenerate(texts_of(study, prompt=standard.prompt_id)[0])
    assert plain is not None
    expected = plain.shares.get()
    assert (share.input_tokens, share.output_tokens, share.worst_cost) == (
        expected.input_tokens,
        expected.output_tokens,
        expected.worst_cost,
    )
    assert run.template_version == plain.template_version
    weak = Reply(Outcome.OK, "Bad towns.", Usage(9_000, 40_000))
    ended = (worked_off(run, lambda _: weak), worked_off(plain, lambda _: good()))
    assert what_its_page_says(ended[0]) == what_its_page_says(ended[1])


def test_a_stopped_run_of_one_call_does_not_tell_what_it_took() -> None:
    study = a_study_of_giveaways(of_targets={"price": {"input": "3", "output": "15"}})
    run = regenerate(texts_of(study)[0])
    assert run is not None
    long = Reply(Outcome.TRUNCATED, "Towns", Usage(9_000, 3_000))  # $0.072
    run = worked_off(run, lambda _: long)
    assert (run.state, run.spent) == ("stopped", Decimal("0.072"))
    client = signed_in(coordinator_of(study))
    lists = [client.get(reverse(name, args=[study.slug])).content.decode() for name in ("study", "study_runs")]
    refused = client.post(reverse("start_run", args=[run.pk]), {"spend_cap": "0"}).content.decode()
    assert run.spend_cap
    left = f"${run.spend_cap - run.spent:.2f}"
    assert not [page for page in (what_its_page_says(run), refused, *lists) if "$0.07" in page or left in page]


def what_its_page_says(run: GenerationRun) -> str:
    """The words of the run's page, without its number, its model and the time of day."""
    assert run.study
    page = signed_in(coordinator_of(run.study)).get(reverse("run", args=[run.pk])).content.decode()
    return re.sub(rf"Run\s+{run.number}\b|claude|gpt|\d\d:\d\d", "", re.sub(r"<[^>]+>", " ", page))


def test_a_deliberately_weak_text_gives_way_to_a_weak_one() -> None:
    study = a_study_of_giveaways(quality_floor_prompts=1, answers_per_prompt=2)
    [weak] = texts_of(study, arm=Arm.WEAK)
    run = regenerate(weak)
    assert run is not None
    worked_off(run, lambda _: good("Bad towns. Bad rules."))
    assert [text.state for text in texts_of(study, arm=Arm.WEAK, prompt=weak.prompt_id)].count("quarantined") == 0
    assert len(texts_of(study, arm=Arm.WEAK, state="admitted")) == 1


def test_a_person_s_text_is_rejected_and_no_model_asked() -> None:
    study = a_writing_study()
    assignment = written(assignments_of(study)[0], "Call me an AI. As an AI, I have no view of towns.")
    text = Stimulus.objects.select_related("study").get(pk=assignment.response_id)
    assert regenerate(text) is None
    text.refresh_from_db()
    assert text.state == "rejected"
    assert not GenerationRun.objects.exists()


def test_of_a_retired_model_nothing_is_asked_and_nothing_decided() -> None:
    study = a_study_of_giveaways()
    text = texts_of(study, source_code="gpt")[0]
    call = Call.objects.select_related("target").get(answer__response=text.pk)
    targets_in_use.retire_target(target=call.target, by=coordinator_of(study))
    with pytest.raises(Refused, match="retired"):
        regenerate(text)
    text.refresh_from_db()
    assert text.state == "quarantined"


class TestTheButton:
    def test_the_page_says_in_which_run_a_text_is_asked_for_again(self) -> None:
        study = a_study_of_giveaways()
        text = texts_of(study)[0]
        client, address = signed_in(coordinator_of(study)), reverse("regenerate_text", args=[text.pk])
        page = client.post(address, {"reason": "It names itself."}, follow=True).content.decode()
        run = GenerationRun.objects.latest("pk")
        assert f"its model is asked again, in run {run.known_as}." in page
        assert f"text-{text.pk}" not in page

    def test_regenerating_does_nothing_without_a_reason(self) -> None:
        study = a_study_of_giveaways()
        text = texts_of(study)[0]
        address = reverse("regenerate_text", args=[text.pk])
        page = signed_in(coordinator_of(study)).post(address, {}, follow=True).content.decode()
        assert "Say why, so that" in page
        text.refresh_from_db()
        assert text.state == "quarantined"

    def test_regenerating_with_a_retired_model_is_refused_and_keeps_the_reason(self) -> None:
        study = a_study_of_giveaways()
        text = texts_of(study, source_code="gpt")[0]
        call = Call.objects.select_related("target").get(answer__response=text.pk)
        targets_in_use.retire_target(target=call.target, by=coordinator_of(study))
        address = reverse("regenerate_text", args=[text.pk])
        answer = signed_in(coordinator_of(study)).post(address, {"reason": "It names itself."})
        assert answer.status_code == 400
        assert "is retired, so it cannot be asked again" in answer.content.decode()
        assert "It names itself.</textarea>" in answer.content.decode()

    def test_regenerating_twice_asks_once(self) -> None:
        study = a_study_of_giveaways()
        text = texts_of(study)[0]
        client, address = signed_in(coordinator_of(study)), reverse("regenerate_text", args=[text.pk])
        before = GenerationRun.objects.count()
        client.post(address, {"reason": "It names itself."})
        page = client.post(address, {"reason": "It names itself."}, follow=True).content.decode()
        assert "applies only when it is" in page
        assert GenerationRun.objects.count() == before + 1

    def test_regenerating_a_text_nobody_generated_names_no_run(self) -> None:
        study = a_locked_study()
        text = a_quarantined_text(study, prompt=Prompt.objects.filter(study=study)[0])
        address = reverse("regenerate_text", args=[text.pk])
        page = signed_in(coordinator_of(study)).post(address, {"reason": "Hm."}, follow=True).content.decode()
        assert "No model is asked for it" in page
