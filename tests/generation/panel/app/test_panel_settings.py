"""What of the rubric a study's panel is told, and that scores given otherwise are not mixed with it."""

import json
from collections import Counter

import pytest
from django.urls import reverse

from annotation.platform.core.errors import Refused
from annotation.study.core.rubric_parts import PARTS
from annotation.study.models.studies import Study
from generation.calls.models import Call
from generation.calls.services import recording
from generation.calls.services.claiming import Outgoing
from generation.calls.services.purposes import purpose_of
from generation.calls.services.recording import Arrival
from generation.calls.services.runs import start_run
from generation.calls.services.targets_in_use import retire_target
from generation.catalogue.services.templates import save_template
from generation.panel.core.perspectives import PERSPECTIVES
from generation.panel.models import PanelScore
from generation.panel.selectors.panel import opinions, panel_settings
from generation.providers.base import Reply
from tests.clients import signed_in
from tests.factories import a_closed_study, a_judging_study, coordinator_of
from tests.generation.calls.model_runs import CAP, claimed, good, planned, worked_off
from tests.generation.panel.panels import HOLISTIC, ONE_JUDGE, SEATS, asked, item_of, labels_of, seven, with_judges

pytestmark = pytest.mark.django_db


def test_a_panel_told_other_parts_of_the_rubric_is_asked_again_in_a_setting_of_its_own() -> None:
    study = with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")
    low = f"Low: {study.rubric.toml.split('low = ')[1][1:30]}"
    sent: list[str] = []

    def noted(outgoing: Outgoing) -> Reply:
        sent.append(outgoing.request.prompt)
        return seven(outgoing)

    for parts in (list(PARTS), ["definitions"]):
        study.panel_rubric_parts = parts
        study.save()
        run = worked_off(asked(study), noted)
        assert run.materials["told"] == parts
    texts = len(sent) // (2 * SEATS)
    assert [low in prompt for prompt in sent] == [True] * texts * SEATS + [False] * texts * SEATS
    [setting] = panel_settings(study)
    assert setting.template_version == run.template_version
    assert len(opinions(study, setting)) == texts * SEATS


def test_reasons_are_kept_beside_scores_shown_once_unblinded_and_a_setting_of_their_own() -> None:
    study = with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")
    worked_off(asked(study), seven)
    study.panel_gives_reasons = True
    study.save()
    run = worked_off(asked(study), lambda _: good('{"reason": "It weighs both sides.", "score": 8}'))
    scores = PanelScore.objects.filter(call__run=run)
    assert {tuple(score.reasons.items()) for score in scores} == {(("holistic", "It weighs both sides."),)}
    [setting] = panel_settings(study)
    assert setting.template_version == run.template_version
    assert setting.template_version.endswith(", reasons")
    assert {opinion.scores.mean for opinion in opinions(study, setting)} == {8}
    assert ("Reasons beside scores", "asked for") in purpose_of(run).scope(run)
    client, call = signed_in(coordinator_of(study)), scores[0].call_id
    assert "It weighs both sides." not in client.get(reverse("call", args=[call])).content.decode()
    Study.objects.filter(pk=study.pk).update(state="unblinded")
    assert "It weighs both sides." in client.get(reverse("call", args=[call])).content.decode()


def test_pages_of_calls_call_a_perspective_by_its_name() -> None:
    study = with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")
    run = asked(study)
    client = signed_in(coordinator_of(study))
    listed = client.get(reverse("run_calls", args=[run.pk])).content.decode()
    call = run.calls.get(perspective="political_scientist", response=run.calls.order_by("pk")[0].response)
    page = client.get(reverse("call", args=[call.pk])).content.decode()
    for shown in (listed, page):
        assert "Political scientist" in shown
        assert "political_scientist" not in shown


def test_a_judge_model_that_is_replaced_leaves_its_scores_until_its_successors_come() -> None:
    study = with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")
    run = worked_off(asked(study), seven)
    [setting] = panel_settings(study)

    def scores() -> list[float]:
        return sorted(opinion.scores.mean for opinion in opinions(study, setting))

    before = scores()
    assert set(before) == {7}
    first = run.shares.get().target
    retire_target(target=first, by=coordinator_of(study))
    assert scores() == before
    with_judges(study, "gemini")
    half = asked(study)
    recorded = claimed(half, most=len(before) // 2)
    recording.record(half.pk, [Arrival(each.attempt_id, good('{"score": 8}'), 20) for each in recorded])
    assert Counter(scores()) == {7: len(before) - len(recorded), 8: len(recorded)}
    worked_off(half, lambda _: good('{"score": 8}'))
    assert scores() == [8.0] * len(before)


def test_reasons_about_answers_judged_together_stand_under_their_letters() -> None:
    study = with_judges(a_closed_study(1, 1, 1, **ONE_JUDGE), "gpt")
    study.panel_gives_reasons = True
    study.save()

    def by_letter(outgoing: Outgoing) -> Reply:
        letters = labels_of(item_of(outgoing))
        return good(json.dumps({letter: {"reason": f"So {letter}.", "score": 7} for letter in letters}))

    run = worked_off(asked(study, presentation="as_judged"), by_letter)
    call = Call.objects.filter(run=run).first()
    assert call
    assert call.item
    said = purpose_of(run).said(call)
    assert [line.label for line in said] == [f"{letter}: Overall" for letter in labels_of(call.item)]
    assert [line.reason for line in said] == [f"So {letter}." for letter in labels_of(call.item)]


def test_a_study_whose_panel_speaks_from_other_perspectives_has_another_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")
    first = worked_off(asked(study), seven)
    monkeypatch.setattr("generation.panel.services.panel.PERSPECTIVES", PERSPECTIVES[:3])
    second = worked_off(asked(study), seven)
    assert "perspectives:" in second.template_version
    assert second.template_version != first.template_version
    [setting] = panel_settings(study)
    assert {each.perspective for each in opinions(study, setting)} == {each.key for each in PERSPECTIVES[:3]}


def test_worked_examples_of_the_study_are_shown_and_make_a_setting_of_their_own() -> None:
    study = with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")
    worked_off(asked(study), seven)
    example = '[[examples]]\nprompt = "Is it fair?"\nanswer = "It is."\n[examples.reply]\nscore = 2'
    save_template(study=study, name="panel_examples", text=example, origin="Our pilot.", by=coordinator_of(study))
    run = planned(study, **HOLISTIC)
    assert "examples:" in run.template_version
    assert ("Worked examples", "1") in purpose_of(run).scope(run)
    sent: list[str] = []

    def noted(outgoing: Outgoing) -> Reply:
        sent.append(outgoing.request.prompt)
        return seven(outgoing)

    start_run(run=run, spend_cap=CAP, by=coordinator_of(study))
    worked_off(run, noted)
    assert all('The reply to it:\n\n{"score": 2}' in prompt for prompt in sent)
    assert planned(study, **HOLISTIC).state == "withdrawn"
    save_template(
        study=study,
        name="panel_examples",
        text=example.replace("score = 2", "score = 20"),
        origin="Our pilot.",
        by=coordinator_of(study),
    )
    with pytest.raises(Refused, match="worked example 1 is not what is asked for"):
        planned(study, **HOLISTIC)
