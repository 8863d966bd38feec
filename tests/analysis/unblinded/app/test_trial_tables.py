"""Constitutional trials reach a study's tables, its report, and a release that is read back."""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.study_trials import trials_in
from analysis.data.core.trials import PEOPLE
from analysis.outcomes.sections import OUTCOMES
from analysis.release.core.release_folder import read_release
from analysis.trials.core.trial_report import TrialReport, trial_report
from analysis.unblinded.core.full_report import analyse
from analysis.unblinded.selectors.study_tables import study_tables
from annotation.assignment.selectors.certificate import Positions, certificate
from annotation.assignment.services import assembling
from annotation.design.services import protocol
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.judging.services import judging
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import standard_rubrics
from generation.calls.models import Attempt, Call
from generation.calls.services.claiming import Outgoing
from generation.catalogue.models import Target
from generation.panel.models import PanelScore
from generation.providers.base import Reply
from generation.trials.models import CaseAnswer
from generation.trials.services.answers import plan_answers
from generation.trials.services.scores import plan_scores
from tests import ceremony
from tests.analysis.release.app.test_verify_release import unpacked
from tests.analysis.report.analyses import analysed, asked_for
from tests.clients import signed_in
from tests.factories import CONSENT, a_member, closed, coordinator_of, locked, researchers_of, unblinded
from tests.factories import scored as scored_item
from tests.generation.calls.model_runs import good, worked_off
from tests.generation.trials.trials import a_trial_study, answering, judged_study, started
from tests.remembered import remembered

pytestmark = pytest.mark.django_db

APPROACHES = ("trinary", "trinary_separate", "points")
OWN_OVERALL = """[[dimensions]]
key = "overall"
name = "Overall"
short_name = "Overall"
definition = "The answer as a whole."
questions = ["How good is it?"]
low = "Poor."
high = "Good."

[[variants]]"""


def scored(study: Study, points: Callable[[CaseAnswer, str], int]) -> Study:
    """In two ways; of the answer with the lowest id one evaluator never says anything that is a score."""
    first = CaseAnswer.objects.order_by("pk")[0].pk
    for run in plan_scores(study=study, approaches=APPROACHES, by=coordinator_of(study)):

        def scoring(outgoing: Outgoing) -> Reply:
            call = Call.objects.select_related("target", "subject__case_answer").get(
                attempts__pk=outgoing.attempt_id
            )
            if call.subject_id == first and call.target.family == "second":
                return good("I would rather not say.")
            [*dimensions, _] = (schema := outgoing.request.schema["properties"])  # type: ignore[index]
            said = {}
            for name in dimensions:
                value = points(call.subject.case_answer, call.target.family)  # type: ignore[union-attr]
                words = schema[name].get("enum")
                said[name] = words[(value >= 60) + (value >= 85)] if words else value
            return good(json.dumps({**said, "abstained": False}))

        worked_off(started(run), scoring)
    return unblinded(closed(study))


@remembered
def a_scored_trial_study() -> Study:
    """Of one scenario, unblinded."""
    return scored(judged_study(), points_of)


def points_of(answer: CaseAnswer, evaluator: str) -> int:
    """Controls are far lower; evaluators differ a little."""
    if answer.is_control:
        return 30
    return int(70 + answer.pk % 4 * 7 + 2 * (evaluator == "second"))


def report_of(study: Study) -> TrialReport:
    trials = trials_in(study_tables(study))
    assert trials
    return trial_report(trials, Parameters(draws=50))


def test_what_was_asked_answered_and_scored_is_in_the_tables_failures_without_a_value() -> None:
    study = a_scored_trial_study()
    Attempt.objects.filter(call__run__purpose="trial_score").update(cost=Decimal("0.012"))
    tables = study_tables(study)
    assert list(tables.trial_conditions["kind"]) == ["baseline", *["framework"] * 5, *["control"] * 2]
    assert len(tables.trial_answers) == 16
    assert len(tables.trial_scores) == 16 * 2 * 2 * len(APPROACHES)
    failed = tables.trial_scores[tables.trial_scores["state"] == "failed"]
    assert len(failed) == 2 * len(APPROACHES)
    assert failed["value"].isna().all()
    assert PanelScore.objects.filter(call__run__study=study).count() == 16 * 2 * 4 - 4
    trials = trials_in(tables)
    assert trials
    assert {each.approach: each.calls for each in trials.efforts} == {"B": 16 * 2, "C": 16 * 2 * 2, "D": 16 * 2}
    attempts = {key: Attempt.objects.filter(call__run__materials__approach=key).count() for key in APPROACHES}
    assert [each.cost for each in trials.efforts] == pytest.approx([0.012 * attempts[key] for key in APPROACHES])
    # The panel's own scores are not meant.
    assert tables.panel.empty


def test_the_report_tells_agreement_by_approach_and_that_controls_scored_lower() -> None:
    study = scored(judged_study(scenarios=2), points_of)
    found = report_of(study)
    assert found.baseline == "no_constitution"
    assert found.integrity == "epistemic_integrity"
    assert {each.approach for each in found.agreement} == {"B", "C", "D"}
    assert all((each.difference.value or 0) < -30 for each in found.controls)
    assert {each.evaluator: each.failed.value for each in found.replies if each.approach == "D"} == {
        "first": 0,
        "second": 1 / 32,
    }
    assert "cannot be said" in found.verdict.sentence  # nobody has coded conclusions
    run = analysed(asked_for(study))
    assert run.problem == ""
    page = signed_in(researchers_of(study)[0]).get(reverse("results", args=[study.slug])).content.decode()
    assert 'id="section-constitutional-trials"' in page
    assert "cannot be said" in page


def test_a_release_has_the_trials_and_is_read_back_as_they_were(tmp_path: Path) -> None:
    study = a_scored_trial_study()
    before = study_tables(study)
    folder = unpacked(ceremony.published(study), tmp_path)
    back = read_release(folder)
    for name in ("trial_conditions", "trial_scenarios", "trial_answers", "trial_scores", "trial_conclusions"):
        assert (folder / "ConstitutionalTrials" / f"{name}.csv").exists()
        assert getattr(back, name).equals(getattr(before, name)), name
    assert "Constitutional trials" in (folder / "README.md").read_text()
    trials = trials_in(back)
    assert trials
    assert trial_report(trials, Parameters(draws=50)) == report_of(study)


def test_an_evaluator_that_was_retired_and_its_successor_of_one_name_are_two() -> None:
    study = a_scored_trial_study()
    assert sorted(study_tables(study).trial_scores["judge_model"].unique()) == ["first", "second"]
    Target.objects.filter(study=study, role="panel", family="first").update(
        retired_at=timezone.now(), retired_by=coordinator_of(study)
    )
    Target.objects.filter(study=study, role="panel", family="second").update(family="first", model_id="another")
    assert study_tables(study).trial_scores["judge_model"].nunique() == 2


@pytest.mark.parametrize("shown", [6, 1])
def test_people_who_judge_a_case_or_single_answers_are_evaluators_beside_the_models(
    shown: int, tmp_path: Path
) -> None:
    people = 6 if shown == 1 else 2
    asked: dict[str, Any] = {"ratings_per_prompt": people, "model_answers_per_item": shown, "consent_text": CONSENT}
    study = a_trial_study(scenarios=2, **asked)
    if shown == 1:  # and give a score of their own for the whole
        toml = standard_rubrics()["constitutional_reasoning-2"].toml
        protocol.choose_rubric(
            study=study, toml=toml.replace("[[variants]]", OWN_OVERALL, 1), by=coordinator_of(study)
        )
        study.refresh_from_db()
    study = locked(study)
    worked_off(started(plan_answers(study=study, by=coordinator_of(study))), answering)
    for _ in range(people):
        a_member(study, Role.JUDGE)
    assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
    study.refresh_from_db()
    worth = dict(CaseAnswer.objects.exclude(response=None).values_list("response", "pk"))
    for item in JudgingItem.objects.select_related("participation__user", "study"):
        levels = {
            slot.label: 60 + worth[slot.response_id] * 7 % 40 for slot in BlindedSlot.objects.filter(item=item)
        }
        by = item.participation.user
        scored_item(item, **levels)
        if not item.pk % people:
            room = signed_in(by).get(reverse("judging_item", args=[item.pk])).content.decode()
            assert ("data-rank>" in room and ">Rank<" in room) == (shown == 6)
        judging.submit_item(item_id=item.pk, by=by)
    receipt = signed_in(by).get(reverse("judging_receipt", args=[item.pk])).content.decode()
    assert ("Six answers, judged by" if shown == 6 else "One answer, judged by") in receipt
    assert ("Your ranking" in receipt) == (shown == 6), "one answer has scores, and no rank"
    guessed = guesses_given(study)
    study = scored(study, points_of)
    trials = trials_in(study_tables(study))
    assert trials
    assert len(trials.guesses) == guessed
    of_people = trials.frame[trials.frame["approach"] == PEOPLE]
    # Each of 24 answers, on two dimensions: by both who judged the case, or by the one whose turn it was.
    assert len(of_people) == 24 * (2 * 2 if shown == 6 else 3)
    found = report_of(study)
    measures = ["epistemic_integrity", "value_transparency", "mean", *(["overall"] if shown == 1 else [])]
    for approach in ("D", PEOPLE):
        assert [each.measure for each in found.agreement if each.approach == approach] == measures
    assert found.agreement[-1].approach == PEOPLE
    assert {each.approach for each in found.yardsticks} == {"B", "C", "D"}
    beside = {(each.approach, each.evaluator, each.measure): each for each in found.people}
    assert beside["D", "first", "mean"].spearman.n == 24
    assert beside["D", "second", "mean"].spearman.n == 23  # it said nothing of one
    assert found.recognised[0].right.n == guessed
    assert found.recognised[0].right.value == 0.5
    compared = {(each.dimension, each.condition) for each in found.contrasts}
    assert {(each.dimension, each.condition) for each in found.by_people} == compared, "people’s beside models’"
    assert found.by_people != found.contrasts
    report = analyse(study_tables(study), parameters=Parameters(draws=100))
    assert not {"calibration", "precision"} & report.found.keys(), "nothing is for calibration, and nobody wrote"
    assert "frameworks" in report.not_applicable["blinding"], "nobody guessed whether a person wrote an answer"
    sources = report[OUTCOMES].outcomes[WHOLE].sources
    names = set(study_tables(study).trial_conditions.query("kind != 'control'")["name"])
    assert {each.source for each in sources} == names, "sections go by names, as the page of conditions does"
    assert (positions := proof(study)) is None or {each.source for each in positions.sources} == names
    published = trials_in(read_release(unpacked(ceremony.published(study), tmp_path)))
    assert published is not None
    assert published.guesses.equals(trials.guesses)


def proof(study: Study) -> Positions | None:
    """Of the certificate, where sources stand under labels."""
    found = certificate(study)
    assert found
    return found.positions


def guesses_given(study: Study) -> int:
    """Every second is right; a person or a model is no guess here. Returns how many there are."""
    conditions = dict(CaseAnswer.objects.exclude(response=None).values_list("response", "condition"))
    number = 0
    for item in JudgingItem.objects.filter(study=study, asks_guess=True).select_related("participation__user"):
        by, address = item.participation.user, reverse("judging_guesses", args=[item.pk])
        page = signed_in(by).get(address).content.decode()
        asks_of = "this answer" if item.slots.count() == 1 else "these answers"
        assert f"Which framework was behind {asks_of}?" in page
        assert "Who wrote" not in page, "the window’s title asks the same"
        assert "Harm minimisation" in page
        assert "A person" not in page
        said: dict[str, Any] = {}
        for slot in BlindedSlot.objects.filter(item=item).order_by("label"):
            condition = conditions[slot.response_id]
            right = condition if number % 2 else ("utilitarian" if condition != "utilitarian" else "unknown")
            said |= {f"source:{slot.pk}": right, f"confidence:{slot.pk}": 3 if right != "unknown" else ""}
            number += 1
        wrong = {**said, next(iter(said)): "human"}
        assert signed_in(by).post(address, wrong).status_code == 400
        assert signed_in(by).post(address, said).status_code == 302
    return number
