"""How far models are with a benchmark: who was asked what, and runs with what each takes."""

from collections import Counter
from dataclasses import dataclass

from annotation.benchmarks.models.benchmarks import Benchmark
from generation.benchmarks.core.asking import MODES, REPHRASED
from generation.benchmarks.selectors.predictions import ANSWERED, FAILED, NOT_ASKED, predicted
from generation.calls.models import GenerationRun
from generation.calls.selectors.planned_runs import PlannedRun, planned_runs

PURPOSES = (
    GenerationRun.Purpose.PREDICTION,
    GenerationRun.Purpose.REPHRASING,
    GenerationRun.Purpose.ANSWER_MARK,
)


@dataclass(frozen=True)
class AnsweredLine:
    """Answers of one model in one mode. `not_asked` are questions whose conversation broke off before them."""

    model: str
    mode: str
    answered: int
    failed: int
    not_asked: int


def answered_lines(benchmark: Benchmark) -> list[AnsweredLine]:
    counts: dict[tuple[str, str], Counter[str]] = {}
    for each in predicted(benchmark):
        mode = "rephrasings" if each.wording.kind == REPHRASED else each.mode
        counts.setdefault((str(each.target), mode), Counter())[each.state] += 1
    return [
        AnsweredLine(model, mode, found[ANSWERED], found[FAILED], found[NOT_ASKED])
        for (model, mode), found in sorted(counts.items())
    ]


def runs_of(benchmark: Benchmark) -> list[PlannedRun]:
    """The newest first."""
    return planned_runs(
        GenerationRun.objects.filter(
            study=benchmark.study, purpose__in=PURPOSES, materials__only__benchmark=benchmark.pk
        ),
        _title,
    )


def _title(run: GenerationRun) -> str:
    only = run.materials["only"]
    if run.purpose == GenerationRun.Purpose.REPHRASING:
        return f"Rephrasing the {only['subset']} questions"
    if run.purpose == GenerationRun.Purpose.ANSWER_MARK:
        return f"Marking answers to the {only['subset']} questions, {MODES[only['mode']]}"
    told = "Rephrasings" if only["rephrased"] else f"The {only['subset']} questions"
    return f"{told}, {MODES[only['mode']]}"
