"""What trials of any size take and can show, before and after there is a variance to tell it from."""

import pytest
from django.urls import reverse

from analysis.data.core.parameters import Parameters
from analysis.trials.core.trial_report import trial_report
from analysis.trials.sections import TRIALS
from generation.calls.models import Attempt, Call
from tests.analysis.report.analyses import a_finished_run
from tests.analysis.report.core.made_reports import made_report
from tests.analysis.trials.core.worlds import world
from tests.clients import signed_in
from tests.factories import closed, coordinator_of, researchers_of, unblinded
from tests.generation.trials.trials import a_trial_study, judged_study

pytestmark = pytest.mark.django_db


def test_any_factors_are_counted_and_the_protocols_validation_takes_2100_evaluations() -> None:
    study = a_trial_study(scenarios=0)
    client, address = signed_in(coordinator_of(study)), reverse("trial_sizing", args=[study.slug])
    present = client.get(address)
    assert "Assumed from the models’ prices" in present.content.decode()
    assert "112 answers to 14 cases under 6 conditions, 28 of them positive controls" in " ".join(
        present.content.decode().split()
    )
    size, approaches = present.context["size"], present.context["approaches"]
    assert {letter: calls for letter, _, calls, _ in approaches} == dict(size.calls)
    asked = {**present.context["form"].data, "controls": 0, "evaluators": 5, "sd": 4}
    page = client.get(address, asked).content.decode()
    assert "All, 2,100 of them evaluations" in page
    page = client.get(address, {**asked, "margin": "2.25", "smallest_effect": "10"}).content.decode()
    assert "within ±2.25 points" in page
    assert "one of 10 points" in page
    full = client.get(address, {**asked, "scenarios": 55, "cases": 165}).content.decode()
    assert "990 answers to 165 cases" in " ".join(full.split())
    assert client.get(address, {**asked, "cases": 7}).status_code == 400  # fewer than scenarios


def test_once_there_are_results_a_researcher_is_told_what_follows_from_the_variance_found() -> None:
    study = unblinded(closed(judged_study()))
    coordinator = coordinator_of(study)
    address = reverse("trial_sizing", args=[study.slug])
    report = made_report().having(TRIALS, trial_report(world(), Parameters(draws=50)))
    a_finished_run(study, report)
    page = signed_in(coordinator).get(address)
    assert "assumed" in page.content.decode()
    calls = Call.objects.filter(run__study=study, run__purpose="trial_answer")
    spent = sum(each.cost or 0 for each in Attempt.objects.filter(call__in=calls))
    assert page.context["form"].data["answer_price"] == pytest.approx(float(spent) / calls.count(), rel=0.005)
    assert "Billed so far in this study: the mean of 16 calls" in page.content.decode()
    lost = Attempt.objects.filter(call=calls[0])
    lost.update(cost=1000, is_assumed=True)
    page = signed_in(coordinator).get(address)
    assert page.context["form"].data["answer_price"] < 100
    assert (
        "the mean of 15 calls, failed attempts among them; 1 call of unknown cost left out."
        in page.content.decode()
    )
    Attempt.objects.filter(call__in=calls).update(is_assumed=True)
    page = signed_in(coordinator).get(address)
    assert "the bill of none of 16 calls so far is known." in page.content.decode()
    researcher = signed_in(researchers_of(study)[0])
    page = researcher.get(address)
    assert "variance that was found" in page.content.decode()
    few, many = (
        researcher.get(address, {**page.context["form"].data, "scenarios": number, "cases": 2 * number})
        for number in (8, 32)
    )
    for (_, one), (_, other) in zip(few.context["expected"], many.context["expected"], strict=True):
        assert other.half_width < one.half_width
        assert other.chance >= one.chance
