"""Evaluators code what answers recommend beside people, blind, and the report of the study tells how they agree."""

import json
from collections.abc import Callable

import pytest
from django.urls import reverse

from analysis.report.selectors.runs import report_of
from analysis.trials.sections import TRIALS
from annotation.platform.core.errors import Refused
from annotation.study.models.studies import Study
from generation.calls.models import Call, GenerationRun
from generation.calls.services.claiming import Outgoing
from generation.providers.base import Reply
from generation.trials.models import CaseAnswer, ModelConclusion, TrialScenario
from generation.trials.selectors.coding import answers_to_code, coding_page
from generation.trials.services import coding, model_coding
from tests.analysis.report.analyses import analysed, asked_for
from tests.analysis.unblinded.app.test_trial_tables import points_of, scored
from tests.clients import signed_in
from tests.factories import coordinator_of
from tests.generation.calls.model_runs import good, worked_off
from tests.generation.trials.trials import MODELS, judged_study, started

pytestmark = pytest.mark.django_db


def with_categories(study: Study, *names: str) -> None:
    for scenario in TrialScenario.objects.filter(study=study):
        coding.set_categories(scenario=scenario, names=names, by=coordinator_of(study))


def saying(code: Callable[[CaseAnswer, str], str]) -> Callable[[Outgoing], Reply]:
    def reply(outgoing: Outgoing) -> Reply:
        call = Call.objects.select_related("target", "subject__case_answer").get(attempts__pk=outgoing.attempt_id)
        answer = call.subject.case_answer  # type: ignore[union-attr]
        asked = outgoing.request.prompt + outgoing.request.system
        assert asked.index(answer.parts["recommendation"]) < asked.index(answer.parts["reasoning"])
        assert answer.condition not in asked
        assert not any(model in asked for model in MODELS)
        assert not any(tension in asked for tension in answer.case.scenario.tensions)
        return good(json.dumps({"category": code(answer, call.target.family)}))

    return reply


def test_models_code_blind_beside_people_and_the_studys_own_report_has_conclusions_with_kappa() -> None:
    study = judged_study()
    by = coordinator_of(study)
    with pytest.raises(Refused, match="fewer than two"):
        model_coding.plan_codes(study=study, by=by)
    with_categories(study, "Go", "Stay")
    ids = sorted(answers_to_code(study).values_list("pk", flat=True))

    def truth(answer: CaseAnswer) -> str:
        return "Go" if ids.index(answer.pk) % 2 else "Stay"

    def said(answer: CaseAnswer, family: str) -> str:
        """The second differs about one, and says of another what is no category."""
        if family == "second" and answer.pk == ids[0]:
            return "Go"
        return "Run" if family == "second" and answer.pk == ids[1] else truth(answer)

    client = signed_in(by)
    client.post(reverse("plan_conclusions", args=[study.slug]))
    run = GenerationRun.objects.get(study=study, purpose="trial_code")
    worked_off(started(run), saying(said))
    assert ModelConclusion.objects.count() == 23  # of 12 answers by two models one reply failed
    for answer in answers_to_code(study):
        coding.code(answer=answer, category=truth(answer), by=by)
    page = coding_page(study, by)
    assert [(each.first, each.second, each.found.n) for each in page.agreements] == [
        ("coder 1", "model first", 12),
        ("coder 1", "model second", 11),
        ("model first", "model second", 11),
    ]
    assert page.agreements[0].found.kappa == 1
    [difference] = page.differences
    assert difference.answer.pk == ids[0]
    coding.decide(answer=difference.answer, category="Stay", by=by)
    html = client.get(reverse("trial_conclusions", args=[study.slug])).content.decode()
    assert 'Coder 1</th> <td>model second</td> <td class="num">11</td>' in " ".join(html.split())

    # Another category is found: models are asked again, and what they say last counts.
    with_categories(study, "Go", "Stay", "Wait")
    worked_off(started(model_coding.plan_codes(study=study, by=by)), saying(lambda answer, _family: truth(answer)))
    assert coding_page(study, by).agreements[1].found.kappa == 1

    found = report_of(analysed(asked_for(scored(study, points_of))))
    assert found
    conclusions = found[TRIALS].conclusions
    assert conclusions.differ.value is not None, "the section reads what was coded"
    assert conclusions.kappa.reason == "fewer than two coders are told apart", "of people, of whom one coded"
    assert {(each.one, each.other, each.kappa.value) for each in conclusions.pairs} == {
        ("coder 1", "model first", 1),
        ("coder 1", "model second", 1),
        ("model first", "model second", 1),
    }


def test_whoever_codes_is_not_told_what_models_say_of_an_answer_before_they_have_coded_it() -> None:
    study = judged_study()
    by = coordinator_of(study)
    with_categories(study, "Go", "Stay")
    run = model_coding.plan_codes(study=study, by=by)
    worked_off(started(run), saying(lambda _answer, family: "Go" if family == "first" else "Stay"))
    assert coding_page(study, by).differences == (), "whoever has coded nothing may be about to begin"
    first = answers_to_code(study).order_by("pk")[0]
    coding.code(answer=first, category="Go", by=by)
    [difference] = coding_page(study, by).differences
    assert difference.answer == first
