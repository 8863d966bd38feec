"""How far a study's trials are: answers that are there, evaluations by approach, runs with what each takes."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

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
    """Of what was asked more than once, of a text that changed or of a reply that failed, the last time counts.

    That is found here, not by the database: where nothing was gathered of its tables yet, it looks at every run's
    materials anew for each call.
    """
    runs = GenerationRun.objects.filter(study=study, purpose=GenerationRun.Purpose.TRIAL_SCORE)
    approaches = dict(runs.exclude(state="withdrawn").values_list("pk", "materials__approach"))
    stands = set(standing(study).values_list("pk", flat=True))
    calls = Call.objects.filter(run__in=[*approaches]).exclude(state="superseded").order_by("pk")
    last: defaultdict[str, dict[tuple[Any, ...], str]] = defaultdict(dict)
    for run, state, *place in calls.values_list("run_id", "state", *PLACE).iterator():
        if place[0] in stands:
            last[approaches[run]][tuple(place)] = state
    for letter, key, name, _ in approaches_of(rubric_by_hash(study.rubric_id)):
        states = Counter(last[key].values())
        yield ApproachProgress(letter, name, states.total(), states["accepted"], states["failed"])


def runs_of_coding(study: Study) -> list[PlannedRun]:
    """Runs in which models code conclusions, the newest first."""
    runs = GenerationRun.objects.filter(study=study, purpose=GenerationRun.Purpose.TRIAL_CODE)
    return planned_runs(runs, lambda run: str(run.get_purpose_display()))


def runs_of_trials(study: Study) -> list[PlannedRun]:
    """The newest first."""
    letters = {key: f"approach {letter}" for letter, key, _, _ in approaches_of(rubric_by_hash(study.rubric_id))}

    def title(run: GenerationRun) -> str:
        named = letters.get(run.materials.get("approach", ""), "")
        return ", ".join(filter(None, [str(run.get_purpose_display()), named]))

    return planned_runs(GenerationRun.objects.filter(study=study, purpose__in=PURPOSES), title)
