"""The steps of a study of constitutional trials."""

from collections.abc import Iterator

from annotation.coordination.core.checklist import Amount, Duty
from annotation.platform.core.phrases import counted
from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.calls.selectors.steps import BY_MODELS, step_of_runs
from generation.trials.models import TrialScenario
from generation.trials.selectors.coding import conclusions_there
from generation.trials.selectors.designs import answering_models, caution_of, evaluators_of
from generation.trials.selectors.progress import progress_of


def steps_of_trials(study: Study) -> Iterator[Duty]:
    """The steps from models and scenarios to evaluations; nothing where the study is of another kind."""
    if not study.is_trial:
        return
    answering, evaluating = len(answering_models(study)), len(evaluators_of(study))
    yield Duty(
        title="Say which models answer, and which evaluate",
        who="Coordinator",
        begins="design",
        ends="writing",
        page="study_models",
        is_settled=answering > 0 and evaluating > 0,
        note=f"{counted(answering, 'model')} to answer, {counted(evaluating, 'evaluator')}",
    )
    scenarios = TrialScenario.objects.filter(study=study).count()
    yield Duty(
        title="Add scenarios",
        who="Coordinator",
        begins="design",
        ends="writing",
        page="trial_scenarios",
        is_settled=scenarios > 0,
        note=counted(scenarios, "scenario"),
    )
    cases = study.prompts.count()
    yield Duty(
        title="Choose the conditions and make the cases",
        who="Coordinator",
        begins="design",
        ends="writing",
        page="trial_conditions",
        is_settled=cases > 0,
        note=". ".join(filter(None, [counted(cases, "case"), caution_of(study)])),
    )
    progress = progress_of(study)
    answers = Amount(
        progress.answers + progress.controls, progress.answers_wanted + progress.controls_wanted, "answer"
    )
    yield Duty(
        title="Have the models answer every case",
        who=BY_MODELS,
        begins="writing",
        ends="judging",
        page="trial_approaches",
        is_settled=0 < answers.total == answers.done,
        amount=answers,
    )
    counted_ones, of = conclusions_there(study)
    yield Duty(
        title="Code what answers recommend, before unblinding",
        who="Coordinator",
        begins="judging",
        ends="unblinded",
        page="trial_conclusions",
        is_settled=0 < of == counted_ones,
        note=f"{counted_ones:,} of {counted(of, 'answer')} with a conclusion",
    )
    yield step_of_runs(
        study,
        GenerationRun.Purpose.TRIAL_SCORE,
        title="Have the evaluators score the answers",
        begins="judging",
        ends="released",
        page="trial_approaches",
        noun="evaluation",
    )
