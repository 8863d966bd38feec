"""Audits whose models are asked, as tests want them."""

from typing import Any

from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.models.rulings import Ruling
from annotation.benchmarks.services.adjudicating import freeze_subsets
from generation.benchmarks.services.predictions import plan_predictions
from generation.calls.models import GenerationRun
from generation.calls.services import planning, runs
from tests.annotation.benchmarks.audits import SOUND, an_adjudication, audit_in_design, flawed, ruled
from tests.annotation.benchmarks.tomi_stories import SWAPPED, a_benchmark
from tests.factories import coordinator_of, locked
from tests.generation.calls.model_runs import CAP, a_target
from tests.remembered import remembered

FRAGMENTED = {"evaluation": ["context_fragmentation"], "scope:context_fragmentation": "story"}
MODELS = ("claude", "gpt")


@remembered
def an_asked_audit(data: bytes = SWAPPED, *, slug: str = "audit", models: tuple[str, ...] = MODELS) -> Benchmark:
    """The benchmark of an audit whose design is locked, with models that answer."""
    study = audit_in_design(slug)
    benchmark = a_benchmark(study, data)
    for family in models:
        a_target(study, family)
    locked(study)
    benchmark.refresh_from_db()
    return benchmark


def planned(benchmark: Benchmark, **how: Any) -> GenerationRun:
    run = plan_predictions(benchmark=benchmark, by=coordinator_of(benchmark.study), **how)
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    return run


def started(run: GenerationRun) -> GenerationRun:
    assert run.study
    runs.start_run(run=run, spend_cap=CAP, by=coordinator_of(run.study))
    run.refresh_from_db()
    return run


@remembered
def a_frozen_audit(slug: str = "audit") -> Benchmark:
    """One whose second question was worded anew, and whose fourth has another label; both were found flawed."""
    study = an_adjudication(
        slug=slug,
        flaws={
            2: ({**SOUND, **FRAGMENTED}, flawed("semantic.under_specified")),
            4: (SOUND, flawed("structural.wrong_label")),
        },
    )
    ruled(study, 2, "semantic", "corrected", text="Where does Nora look?")
    ruled(study, 4, "structural", "corrected", gold="trunk")
    for ruling in Ruling.objects.filter(ruled_at=None, question__story__benchmark__study=study):
        ruled(study, ruling.question.number, "none", "stays")
    benchmark: Benchmark = study.benchmarks.get()
    freeze_subsets(benchmark=benchmark, by=coordinator_of(study))
    a_target(study, "claude")
    return benchmark
