"""Constitutional trials, finished and unblinded: synthetic answers and evaluations that say so."""

from collections.abc import Sequence

from analysis.ceremony.services import ceremony
from analysis.report.selectors.runs import parameters_of
from analysis.report.services import runs
from annotation.assignment.services import assembling, designing
from annotation.platform.services import work
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.study.services import studies
from generation.calls.core.work_kinds import PLAN_RUN
from generation.calls.models import GenerationRun
from generation.calls.services import planning
from generation.calls.services.claiming import Outgoing
from generation.catalogue.services import targets
from generation.demo.providers import DemoProvider
from generation.providers.base import Reply
from generation.providers.catalogue import endpoint
from generation.trials.core.scenarios import EXAMPLES
from generation.trials.selectors.designs import approaches_of
from generation.trials.services.answers import plan_answers
from generation.trials.services.designs import add_scenarios, make_cases
from generation.trials.services.model_coding import plan_codes
from generation.trials.services.scores import plan_scores
from scrub_site.demo import cast, texts, trial_people

EVALUATORS = 3


def load_trials() -> Study:
    """Eight scenarios, six conditions and two controls; three models answer, and three evaluate in four ways; two
    people judge every case, and two code what answers recommend, as the evaluators do.

    Asked for pass or fail alone, evaluators let every answer pass: that approach tells nothing apart.
    """
    coordinator = cast.person(cast.COORDINATOR)
    study = studies.create_study(
        slug="trials",
        title="Constitutional trials: synthetic",
        description="Models reason about cases under frameworks of values, and models evaluate how they reason.",
        preset="trial",
        is_demo=True,
        consent_text=cast.CONSENT,
        is_synthetic=True,
        by=coordinator,
        panel_judge_models=EVALUATORS,
        ratings_per_prompt=len(trial_people.JUDGES),
    )
    cast.staff(study)
    trial_people.take_part(study)
    for role in ("answers", "panel"):
        for family, model_id in texts.MODELS.items():
            targets.add_target(
                study=study, role=role, family=family, provider="demo", model_id=model_id, by=coordinator
            )
    add_scenarios(study=study, new=EXAMPLES, by=coordinator)
    make_cases(study=study, by=coordinator)
    cast.unblinders(study)
    designing.lock_design(study=study, by=coordinator, seed=b"finished demo trials open to all")
    study.refresh_from_db()
    _work_off(plan_answers(study=study, by=coordinator))
    texts.clear_quarantine(study)
    assembling.open_judging(study=study, by=coordinator, reason=cast.LOOKED_AT)
    study.refresh_from_db()
    trial_people.judge(study)
    trial_people.code(study)
    _work_off(plan_codes(study=study, by=coordinator))
    trial_people.decide(study)
    approaches = [key for _, key, _, _ in approaches_of(rubric_by_hash(study.rubric_id))]
    for run in plan_scores(study=study, approaches=approaches, by=coordinator):
        _work_off(run)
    _unblind(study)
    return study


def _work_off(run: GenerationRun) -> None:
    planning.fill_plan(run.pk)
    work.cancel_open_tasks(kind=PLAN_RUN, subject=run.pk)
    run.refresh_from_db()
    provider = DemoProvider(endpoint("demo"))

    def replies(batch: Sequence[Outgoing]) -> list[Reply]:
        return [provider.reply(outgoing.request) for outgoing in batch]

    texts.work_off(run, replies)


def _unblind(study: Study) -> None:
    first, second = (cast.person(name) for name in cast.RESEARCHERS)
    ceremony.close_study(study=study, by=first, despite_missing=True)
    study.refresh_from_db()
    request = ceremony.request_unblinding(study=study, reason="Evaluation is complete.", by=first)
    ceremony.decide_unblinding(request=request, approve=True, by=second)
    study.refresh_from_db()
    runs.ask_for_run(study=study, parameters=parameters_of(study), by=second)
