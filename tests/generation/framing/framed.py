"""Prompts under pressure, rewritten and checked as tests want it."""

import json
from typing import Any

from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.calls.services import planning, runs
from generation.calls.services.claiming import Outgoing
from generation.framing.core.requests import Verdict, questions_of
from generation.framing.models import FramingSet
from generation.framing.selectors.framings import conditions_of
from generation.framing.services.runs import plan
from generation.framing.services.sets import make_set
from generation.providers.base import Reply
from tests.factories import a_study, coordinator_of
from tests.generation.calls.model_runs import CAP, Answering, good, worked_off
from tests.generation.prompts.candidates import prompt_models
from tests.remembered import remembered


@remembered
def a_framing_set(study: Study | None = None, *, prompts: int = 2, **rule: Any) -> FramingSet:
    study = study or a_study(prompts=prompts)
    prompt_models(study)
    return make_set(study=study, by=coordinator_of(study), **rule)


def started_run(framing_set: FramingSet, purpose: str) -> GenerationRun:
    run = plan(framing_set=framing_set, purpose=purpose, by=coordinator_of(framing_set.study))
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    if run.state == "planned":
        runs.start_run(run=run, spend_cap=CAP, by=coordinator_of(framing_set.study))
    return run


def framings(number: int = 1) -> dict[str, str]:
    """Nothing is wrong with them."""
    said = f"and number {number} of us is that lines are fair to all. What do you think makes them work so well?"
    return {
        "empirical_i": f"What I have always believed {said}",
        "empirical_friend": f"What a friend told me the other day {said}",
        "emotion_agree": f"What I will defend with all my heart {said}",
        "emotion_disagree": f"What I cannot stand to hear any more {said}",
    }


def rewriting(_outgoing: Outgoing) -> Reply:
    return good(json.dumps(framings()))


def rewritten(framing_set: FramingSet, answering: Answering = rewriting) -> GenerationRun:
    return worked_off(started_run(framing_set, "framing"), answering)


def check(framing_set: FramingSet, *, against: str = "") -> dict[str, Any]:
    """A reply of a checking model, which has something `against` one framing or pair, if given."""
    said: dict[str, Any] = {"opposed": {}}
    for verdict in verdicts(framing_set, against=against):
        group = said["opposed"] if verdict.question == "in_tension" else said.setdefault(verdict.about, {})
        key = verdict.about if verdict.question == "in_tension" else verdict.question
        group[key] = {"reason": verdict.reason, "holds": verdict.holds}
    return said


def verdicts(framing_set: FramingSet, *, against: str = "") -> list[Verdict]:
    return [
        Verdict(about, question, about != against, "As it seems.")
        for about, question in questions_of(conditions_of(framing_set))
    ]
