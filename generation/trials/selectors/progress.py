"""How far a study's trials are: answers that are there, evaluations by approach, runs with what each takes."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from generation.calls.models import Call, GenerationRun
from generation.calls.selectors.planned_runs import PlannedRun, planned_runs
from generation.trials.models import CaseAnswer
from generation.trials.selectors.answers import standing
from generation.trials.selectors.designs import approaches_of

PLACE = ("subject_id", "target_id", "replicate", "dimension")
PURPOSES = (GenerationRun.Purpose.TRIAL_ANSWER, GenerationRun.Purpose.TRIAL_SCORE)


@dataclass(frozen=True)
class ApproachProgress:
    """Evaluators' replies in one approach. `failed` never became scores."""

    letter: str
    name: str
    wanted: int
    scored: int
    failed: int


@dataclass(frozen=True)
class TrialProgress:
    """`answers` and `controls` are there, of those wanted; nothing here says what any was scored."""

    answers: int
    answers_wanted: int
    controls: int
    controls_wanted: int
    approaches: tuple[ApproachProgress, ...]


def progress_of(study: Study) -> TrialProgress:
    slots = CaseAnswer.objects.filter(case__prompt__study=study, take=1)
    counted = slots.aggregate(
        answers=Count("pk", filter=Q(call__isnull=False, is_control=False)),
        answers_wanted=Count("pk", filter=Q(is_control=False)),
        controls=Count("pk", filter=Q(call__isnull=False, is_control=True)),
        controls_wanted=Count("pk", filter=Q(is_control=True)),
    )
    return TrialProgress(**counted, approaches=tuple(_approaches(study)))


def _approaches(study: Study) -> Iterator[ApproachProgress]:
    """Of what was asked more than once, of a text that changed or of a reply that failed, the last time counts."""
    calls = (
        Call.objects.filter(run__study=study, run__purpose=GenerationRun.Purpose.TRIAL_SCORE)
        .filter(subject__in=standing(study).values("pk"))
        .exclude(state="superseded")
        .exclude(run__state="withdrawn")
    )
    for letter, key, name, _ in approaches_of(rubric_by_hash(study.rubric_id)):
        asked = calls.filter(run__materials__approach=key).order_by(*PLACE, "-pk").distinct(*PLACE)
        found = Call.objects.filter(pk__in=asked.values("pk")).aggregate(
            wanted=Count("pk"),
            scored=Count("pk", filter=Q(state="accepted")),
            failed=Count("pk", filter=Q(state="failed")),
        )
        yield ApproachProgress(letter, name, **found)


def runs_of_coding(study: Study) -> list[PlannedRun]:
    """Those in which models code conclusions, the newest first."""
    runs = GenerationRun.objects.filter(study=study, purpose=GenerationRun.Purpose.TRIAL_CODE)
    return planned_runs(runs, lambda run: str(run.get_purpose_display()))


def runs_of_trials(study: Study) -> list[PlannedRun]:
    """The newest first."""
    letters = {key: f"approach {letter}" for letter, key, _, _ in approaches_of(rubric_by_hash(study.rubric_id))}

    def title(run: GenerationRun) -> str:
        named = letters.get(run.materials.get("approach", ""), "")
        return ", ".join(filter(None, [str(run.get_purpose_display()), named]))

    return planned_runs(GenerationRun.objects.filter(study=study, purpose__in=PURPOSES), title)
