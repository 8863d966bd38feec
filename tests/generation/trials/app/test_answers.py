"""Answers to cases, and what evaluators give them."""

import json
from collections import Counter

import pytest

from annotation.platform.core.errors import Refused
from annotation.texts.models.provenance import Stimulus
from generation.calls.models import Attempt, Call
from generation.calls.services.claiming import Outgoing
from generation.panel.models import PanelScore
from generation.providers.base import Reply
from generation.trials.core.conditions import SHIPPED_CONDITIONS
from generation.trials.models import CaseAnswer
from generation.trials.selectors.progress import progress_of
from generation.trials.services.answers import plan_answers
from generation.trials.services.designs import change_design
from generation.trials.services.scores import plan_scores
from tests.factories import coordinator_of, locked
from tests.generation.calls.model_runs import good, worked_off
from tests.generation.trials.trials import a_trial_study, answered_study, answering, judged_study, started

pytestmark = pytest.mark.django_db

CONDITIONS = [each.key for each in SHIPPED_CONDITIONS.conditions]
CONTROLS = [each.key for each in SHIPPED_CONDITIONS.controls]


def test_each_case_is_answered_under_each_condition_which_is_the_system_turn_of_a_conversation_of_its_own() -> None:
    study = locked(a_trial_study(scenarios=1))
    run = started(plan_answers(study=study, by=coordinator_of(study)))
    told: list[tuple[str, str, str]] = []

    def listening(outgoing: Outgoing) -> Reply:
        told.append((outgoing.request.model, outgoing.request.system, outgoing.request.prompt))
        return answering(outgoing)

    assert worked_off(run, listening).state == "finished"
    assert len(told) == 2 * (6 + 2)
    assert len({prompt for _, _, prompt in told}) == 1
    for condition in SHIPPED_CONDITIONS.conditions:
        assert sum(bool(condition.text) and condition.text in system for _, system, _ in told) == 2 * bool(
            condition.text
        )
    assert sum(system == "" for _, system, _ in told) == 2
    answers = CaseAnswer.objects.filter(case__prompt__study=study)
    assert Counter(answers.values_list("condition", flat=True)) == dict.fromkeys((*CONDITIONS, *CONTROLS), 2)
    assert all(answer.call and "\n\nRecommendation: " in answer.text for answer in answers)


def test_the_framework_may_stand_at_the_head_of_the_question() -> None:
    study = a_trial_study(scenarios=1)
    change_design(study=study, by=coordinator_of(study), turn="user")
    run = started(plan_answers(study=locked(study), by=coordinator_of(study)))
    told: list[str] = []

    def listening(outgoing: Outgoing) -> Reply:
        assert outgoing.request.system == ""
        told.append(outgoing.request.prompt)
        return answering(outgoing)

    worked_off(run, listening)
    assert len(set(told)) == 6 + 2


def test_ordinary_answers_are_responses_whose_source_is_the_condition_and_controls_are_none() -> None:
    study = answered_study()
    sources = Stimulus.objects.filter(study=study).values_list("source_code", flat=True)
    assert Counter(sources) == dict.fromkeys(CONDITIONS, 2)
    assert not CaseAnswer.objects.filter(is_control=True, response__isnull=False).exists()
    # Their parts are named without a word that gives models away.
    assert set(Stimulus.objects.filter(study=study).values_list("state", flat=True)) == {"admitted"}


def test_repeats_are_asked_for_later_without_asking_anything_twice_and_are_no_responses() -> None:
    study = answered_study()
    run = started(plan_answers(study=study, by=coordinator_of(study), repeats=2))
    assert run.calls.count() == 2 * 6
    worked_off(run, answering)
    assert CaseAnswer.objects.filter(replicate=2, response=None, call__isnull=False).count() == 12
    assert Stimulus.objects.filter(study=study).count() == 12


def test_another_answer_is_asked_for_where_one_was_rejected() -> None:
    study = answered_study()
    rejected = CaseAnswer.objects.filter(response__isnull=False)[0]
    Stimulus.objects.filter(pk=rejected.response_id).update(state="rejected")
    run = started(plan_answers(study=study, by=coordinator_of(study)))
    assert run.calls.count() == 1
    worked_off(run, answering)
    answers = CaseAnswer.objects.filter(case=rejected.case, condition=rejected.condition, call__isnull=False)
    assert list(answers.order_by("take").values_list("take", flat=True)) == [1, 2]


def test_a_reply_without_a_recommendation_is_asked_for_again_and_then_counts_as_failed() -> None:
    study = locked(a_trial_study(scenarios=1))
    run = started(plan_answers(study=study, by=coordinator_of(study)))
    worked_off(run, lambda _outgoing: good(json.dumps({"reasoning": "So."})))
    assert set(Call.objects.filter(run=run).values_list("state", flat=True)) == {"failed"}
    assert Attempt.objects.filter(call__run=run, outcome="unreadable").count() == 3 * 16
    assert not CaseAnswer.objects.filter(call__isnull=False).exists()


def test_nothing_is_asked_before_the_design_is_locked_or_without_cases() -> None:
    with pytest.raises(Refused, match="after the design is locked"):
        plan_answers(study=(study := a_trial_study()), by=coordinator_of(study))
    with pytest.raises(Refused, match="no cases"):
        plan_answers(study=(study := a_trial_study("bare", scenarios=0)), by=coordinator_of(study))


def test_the_four_approaches_ask_every_evaluator_once_about_each_answer_or_once_for_each_dimension() -> None:
    study = judged_study()
    keys = ["binary", "trinary", "trinary_separate", "points"]
    planned = plan_scores(study=study, approaches=keys, by=coordinator_of(study))
    asked: dict[str, list[str]] = {}
    for key, run in zip(keys, planned, strict=True):

        def scoring(outgoing: Outgoing, key: str = key) -> Reply:
            asked.setdefault(key, []).append(outgoing.request.prompt)
            properties = outgoing.request.schema["properties"]  # type: ignore[index]
            scores = {name: each.get("enum", [80])[-1] for name, each in properties.items()}
            return good(json.dumps({**scores, "abstained": False}))

        assert worked_off(started(run), scoring).state == "finished"
    assert {key: len(prompts) for key, prompts in asked.items()} == {
        "binary": 32,
        "trinary": 32,
        "trinary_separate": 64,
        "points": 32,
    }
    for prompt in (prompts[0] for prompts in asked.values()):
        assert "Pitfall" in prompt
        assert "Established facts:" in prompt
    assert "low 0–59, medium 60–84, high 85–100" in asked["points"][0]
    told = "\n".join(prompt for prompts in asked.values() for prompt in prompts)
    assert not any(key in told for key in (*CONDITIONS, *CONTROLS))
    scores = PanelScore.objects.filter(call__run__in=planned)
    assert scores.count() == 160
    best = {"binary": 1, "trinary": 2, "trinary_separate": 2, "points": 80}
    for key, run in zip(keys, planned, strict=True):
        assert {value for score in scores.filter(call__run=run) for value in score.scores.values()} == {best[key]}


@pytest.mark.parametrize("said", [101, -1, None, "high", 70.5])
def test_a_number_off_the_scale_or_none_is_a_failed_reply_and_never_a_score(said: object) -> None:
    study = judged_study()
    [run] = plan_scores(study=study, approaches=["points"], by=coordinator_of(study))
    reply = {"epistemic_integrity": said, "value_transparency": 80, "abstained": False}
    worked_off(started(run), lambda _outgoing: good(json.dumps(reply)))
    assert not PanelScore.objects.filter(call__run=run).exists()
    assert set(run.calls.values_list("state", flat=True)) == {"failed"}


def test_what_is_asked_in_other_words_after_it_failed_counts_once_with_its_last_outcome() -> None:
    study = judged_study()
    [run] = plan_scores(study=study, approaches=["points"], by=coordinator_of(study))
    worked_off(started(run), lambda _outgoing: good("no score"))
    assert [(each.wanted, each.failed) for each in progress_of(study).approaches if each.letter == "D"] == [
        (32, 32)
    ]
    study.panel_gives_reasons = True
    study.save()
    [again] = plan_scores(study=study, approaches=["points"], by=coordinator_of(study))
    scores = {"epistemic_integrity": 80, "value_transparency": 80}
    reply = {"reasons": dict.fromkeys(scores, "Sound."), **scores, "abstained": False}
    worked_off(started(again), lambda _outgoing: good(json.dumps(reply)))
    found = next(each for each in progress_of(study).approaches if each.letter == "D")
    assert (found.wanted, found.scored, found.failed) == (32, 32, 0)


def test_an_evaluator_may_score_an_answer_several_times() -> None:
    study = judged_study()
    [run] = plan_scores(study=study, approaches=["points"], repeats=3, by=coordinator_of(study))
    assert Counter(started(run).calls.values_list("replicate", flat=True)) == {1: 32, 2: 32, 3: 32}


def test_nothing_is_scored_while_texts_may_change() -> None:
    study = answered_study()
    with pytest.raises(Refused, match="once scoring is open"):
        plan_scores(study=study, approaches=["points"], by=coordinator_of(study))
