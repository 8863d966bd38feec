"""What the published audit asked, planned with its costs before anything is sent."""

import io
import json
from typing import Any

import pytest
from django.utils import timezone

from annotation.benchmarks.core.contents import read_contents
from annotation.benchmarks.core.layouts import LayoutName
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.models.rulings import Subset
from annotation.benchmarks.services.benchmarks import add_benchmark
from annotation.study.models.studies import Study
from generation.benchmarks.core.asking import HISTORY
from generation.benchmarks.models import Wording
from generation.benchmarks.services.rephrasings import plan_rephrasings
from generation.calls.models import GenerationRun, Subject
from generation.calls.services import planning
from tests.annotation.benchmarks.audits import audit_in_design
from tests.annotation.benchmarks.tomi_stories import ANSWERS, FALSE_BELIEF, as_generated
from tests.factories import coordinator_of, locked
from tests.generation.benchmarks.asked import planned
from tests.generation.calls.model_runs import a_target

pytestmark = pytest.mark.django_db

PRICE = {"input": "1", "output": "4"}
ENDINGS: dict[str, dict[str, str]] = {
    "socialiqa": {"questions": ".jsonl", "labels": ".lst"},
    "tomi": {"questions": ".txt"},
    "fauxpas": {"questions": ".csv"},
}
FIVE = ("gpt-3", "chatgpt", "gpt-4", "o1", "llama")


def social_iqa(questions: int) -> dict[str, bytes]:
    rows = (
        {
            "context": f"Robin met neighbour {number} at the market.",
            "question": "What will Robin do next?",
            **{f"answer{letter}": f"{letter} {number}" for letter in "ABC"},
        }
        for number in range(questions)
    )
    return {
        "questions": "".join(f"{json.dumps(row)}\n" for row in rows).encode(),
        "labels": b"1\n" * questions,
    }


def to_mi(stories: int) -> dict[str, bytes]:
    told = (FALSE_BELIEF.replace("kite", f"kite{number}") for number in range(stories))
    return {"questions": b"".join(as_generated(story, ANSWERS) for story in told)}


def faux_pas(stories: int) -> dict[str, bytes]:
    rows = [
        f"{story},{question},Kim told story {story}.,Question {question}?,Yes,\n"
        for story in range(1, stories + 1)
        for question in range(1, 5)
    ]
    return {"questions": ("Story ID,Question ID,Story,Question,Answer,Source\n" + "".join(rows)).encode()}


def added(study: Study, layout: LayoutName, files: dict[str, bytes]) -> Benchmark:
    endings = ENDINGS[layout]
    read: Any = {slot: (f"{slot}{endings[slot]}", io.BytesIO(data)) for slot, data in files.items()}
    contents = read_contents(layout, read)
    return add_benchmark(study=study, name=layout, contents=contents, by=coordinator_of(study))


def calls_and_cost(run: GenerationRun) -> int:
    """How many are planned; that each model has its price, and the worst case is above what is expected."""
    shares = list(run.shares.all())
    assert all(0 < share.cost < share.worst_cost for share in shares if share.cost and share.worst_cost)
    assert all(share.cost for share in shares)
    return sum(share.planned for share in shares)


def test_the_published_audits_questions_are_9770_and_3000_with_3000_and_880_with_880_calls() -> None:
    study = audit_in_design()
    files: dict[LayoutName, dict[str, bytes]] = {
        "socialiqa": social_iqa(1_954),
        "tomi": to_mi(100),
        "fauxpas": faux_pas(44),
    }
    benchmarks = {layout: added(study, layout, data) for layout, data in files.items()}
    for family in FIVE:
        a_target(study, family, price=PRICE)
    locked(study)
    for benchmark in benchmarks.values():
        benchmark.refresh_from_db()
    assert calls_and_cost(planned(benchmarks["socialiqa"])) == 9_770
    several: dict[LayoutName, int] = {"tomi": 3_000, "fauxpas": 880}
    for layout, number in several.items():
        singly, history = planned(benchmarks[layout]), planned(benchmarks[layout], mode=HISTORY)
        assert (calls_and_cost(singly), calls_and_cost(history)) == (number, number)
        costs = [sum(share.cost or 0 for share in run.shares.all()) for run in (singly, history)]
        assert costs[1] > costs[0], "what was said before is told again in each turn"


def cleaned(benchmark: Benchmark, questions: int) -> None:
    Subset.objects.create(
        benchmark=benchmark,
        kind="cleaned",
        members=list(range(1, questions + 1)),
        files=[],
        sha256="d" * 64,
        frozen_at=timezone.now(),
    )


def rephrasings_planned(benchmark: Benchmark, *, one_each: bool) -> GenerationRun:
    run = plan_rephrasings(benchmark=benchmark, by=coordinator_of(benchmark.study), one_each=one_each)
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    return run


def test_cleaned_questions_are_rephrased_by_1378_or_6890_calls_answered_by_34450_and_told_in_800() -> None:
    study = audit_in_design()
    social = added(study, "socialiqa", social_iqa(1_954))
    faux = added(study, "fauxpas", faux_pas(44))
    for family in FIVE:
        a_target(study, family, price=PRICE)
    a_target(study, "writer", role="prompts", price=PRICE)
    locked(study)
    for benchmark, questions in ((social, 1_378), (faux, 160)):
        benchmark.refresh_from_db()
        cleaned(benchmark, questions)
    assert calls_and_cost(rephrasings_planned(social, one_each=True)) == 6_890
    run = rephrasings_planned(social, one_each=False)
    assert calls_and_cost(run) == 1_378
    assert calls_and_cost(planned(faux, mode=HISTORY, subset="cleaned")) == 800
    _as_if_rephrased(run)
    assert calls_and_cost(planned(social, subset="cleaned", rephrased=True)) == 34_450


def _as_if_rephrased(run: GenerationRun) -> None:
    """Each call of the run gave five rephrasings."""
    calls = list(run.calls.select_related("subject__wording__question"))
    run.calls.update(state="accepted")
    subjects = Subject.objects.bulk_create(Subject(kind="wording") for _ in range(5 * len(calls)))
    Wording.objects.bulk_create(
        Wording(
            subject=subjects[5 * place + number - 1],
            question=call.subject.wording.question,  # type: ignore[union-attr]
            kind="rephrased",
            number=number,
            text=f"{number}: {call.subject.wording.text}",  # type: ignore[union-attr]
            options=call.subject.wording.options,  # type: ignore[union-attr]
            call=call,
        )
        for place, call in enumerate(calls)
        for number in range(1, 6)
    )
