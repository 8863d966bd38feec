"""Trials of a study, as tests want them."""

import json
from typing import Any

from annotation.assignment.services import assembling
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.services import studies
from generation.calls.models import GenerationRun
from generation.calls.services import planning, runs
from generation.calls.services.claiming import Outgoing
from generation.providers.base import Reply
from generation.trials.core.requests import PARTS
from generation.trials.core.scenarios import EXAMPLES
from generation.trials.services.answers import plan_answers
from generation.trials.services.designs import add_scenarios, make_cases
from tests.factories import a_member, a_person, coordinator_of, locked
from tests.generation.calls.model_runs import CAP, a_target, good, worked_off
from tests.remembered import remembered

MODELS = ("claude", "gpt")
EVALUATORS = ("first", "second")


@remembered
def a_trial_study(slug: str = "trials", *, scenarios: int = 2, **parameters: Any) -> Study:
    """In design, with the first of the examples as cases of two models, and with two evaluators."""
    coordinator = a_person("Cora Coordinator")
    study = studies.create_study(slug=slug, title=f"The {slug}", preset="trial", by=coordinator, **parameters)
    a_member(study, Role.COORDINATOR, coordinator)
    for family in MODELS:
        a_target(study, family)
    for family in EVALUATORS:
        a_target(study, family, role="panel")
    add_scenarios(study=study, new=EXAMPLES[:scenarios], by=coordinator)
    if scenarios:
        make_cases(study=study, by=coordinator)
    study.refresh_from_db()
    return study


def answering(outgoing: Outgoing) -> Reply:
    """An answer that differs by what was told, and says nothing of who writes."""
    told = len(outgoing.request.system)
    return good(json.dumps({name: f"Weighing {told} reasons, this is the {name}." for name in PARTS}))


def started(run: GenerationRun) -> GenerationRun:
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    if run.state == "planned":
        assert run.study
        runs.start_run(run=run, spend_cap=CAP, by=coordinator_of(run.study))
    return run


@remembered
def answered_study(scenarios: int = 1) -> Study:
    study = locked(a_trial_study(scenarios=scenarios))
    worked_off(started(plan_answers(study=study, by=coordinator_of(study))), answering)
    return study


@remembered
def judged_study(scenarios: int = 1) -> Study:
    study = answered_study(scenarios)
    assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
    study.refresh_from_db()
    return study
