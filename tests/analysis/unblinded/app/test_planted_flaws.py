"""Flaws planted without relation to a model's errors, through a whole audit: from the file to the report."""

import json
from io import BytesIO

import numpy as np
import pytest

from analysis.benchmarks.core.audit import CLEANED, ORIGINAL, WEIGHTED
from analysis.benchmarks.core.audit_report import BenchmarkReport, audit_report
from analysis.benchmarks.core.study_audits import audits_in
from analysis.data.core.parameters import Parameters
from analysis.data.core.results import Estimate
from analysis.unblinded.selectors.study_tables import study_tables
from annotation.assignment.services import assembling
from annotation.benchmarks.core.contents import read_contents
from annotation.benchmarks.models.benchmarks import Benchmark, DrawnQuestion, Question
from annotation.benchmarks.models.reviews import Review
from annotation.benchmarks.models.rulings import Ruling
from annotation.benchmarks.services.adjudicating import freeze_subsets, open_adjudication
from annotation.benchmarks.services.benchmarks import add_benchmark, set_rules
from annotation.study.models.participation import Role
from generation.benchmarks.models import Wording
from generation.benchmarks.services.missed import draw_missed
from generation.calls.models import Call
from generation.calls.services.claiming import Outgoing
from generation.providers.base import Reply
from tests.annotation.benchmarks.audits import SOUND, audit_in_design, flawed, reviews_of, ruled, said
from tests.factories import a_member, closed, coordinator_of, locked, unblinded
from tests.generation.benchmarks.asked import planned, started
from tests.generation.calls.model_runs import a_target, good, worked_off

pytestmark = pytest.mark.django_db

QUESTIONS = 80
SAMPLED = 40  # per cent of the questions that the model never missed
# The annotator first by pseudonym overlooks one flaw in five, which the adjudicator then rules on.
OVERLOOKED = 5
# The model is right on 60 per cent; a quarter of what it misses is flawed, and a quarter of the rest.
_SHUFFLED = list(map(int, np.random.default_rng(25).permutation(QUESTIONS) + 1))
HITS = set(_SHUFFLED[:48])
FLAWS = {*_SHUFFLED[:12], *_SHUFFLED[48:56]}


def a_made_file() -> bytes:
    numbers = range(1, QUESTIONS + 1)
    rows = ({"story": f"Story {n}.", "question": f"What is told in {n}?", "gold": "this"} for n in numbers)
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def answering(outgoing: Outgoing) -> Reply:
    call = Call.objects.get(pk=outgoing.call_id)
    number = Wording.objects.select_related("question").get(pk=call.subject_id).question.number
    return good("this" if number in HITS else "that")


def audited(reviewed: str) -> BenchmarkReport:
    """Everything through the services by which coordinator, annotators and adjudicator do it."""
    study = audit_in_design(reviewed)
    by = coordinator_of(study)
    contents = read_contents("table", {"questions": ("made.jsonl", BytesIO(a_made_file()))})
    benchmark: Benchmark = add_benchmark(study=study, name="Made", contents=contents, by=by)
    set_rules(
        benchmark=benchmark,
        several_flaws=False,
        agreements_adjudicated=0,
        reviewed=reviewed,
        shows_answers=False,
        never_missed_sampled=SAMPLED,
        by=by,
    )
    a_target(study)
    for role in (Role.ANNOTATOR, Role.ANNOTATOR, Role.ADJUDICATOR):
        a_member(study, role)
    locked(study)
    benchmark.refresh_from_db()
    worked_off(started(planned(benchmark)), answering)
    if reviewed == "missed":
        draw_missed(benchmark=benchmark, by=by)
    assembling.open_judging(study=study, by=by)
    benchmark.refresh_from_db()
    for question in Question.objects.filter(reviews__isnull=False).distinct():
        first, second = reviews_of(question)
        is_flawed = question.number in FLAWS
        said(second, flawed("semantic.under_specified") if is_flawed else SOUND)
        said(first, flawed("semantic.under_specified") if is_flawed and question.number % OVERLOOKED else SOUND)
    open_adjudication(benchmark=benchmark, by=by)
    study.refresh_from_db()
    for ruling in Ruling.objects.select_related("question"):
        ruled(study, ruling.question.number, "semantic", "excluded")
    benchmark.refresh_from_db()
    freeze_subsets(benchmark=benchmark, by=by)
    [found] = audit_report(audits_in(study_tables(unblinded(closed(study)))), Parameters(draws=400)).benchmarks
    return found


def score(found: BenchmarkReport, subset: str) -> Estimate:
    [one] = [each for each in found.scores if (each.of, each.subset, each.part) == ("questions", subset, "")]
    return one.estimate


def holds(estimate: Estimate, value: float) -> bool:
    return estimate.interval is not None and estimate.interval.holds(value)


def test_the_cleaned_score_does_not_rise_where_all_questions_are_reviewed() -> None:
    found = audited("all")
    assert Review.objects.count() == 2 * QUESTIONS
    assert score(found, ORIGINAL).value == pytest.approx(len(HITS) / QUESTIONS)
    assert score(found, CLEANED).value == score(found, ORIGINAL).value
    assert found.flawed.questions == len(FLAWS)
    assert not found.was_sampled


def test_accuracy_rises_where_missed_questions_are_reviewed_and_the_weighted_figures_do_not() -> None:
    found = audited("missed")
    missed = set(range(1, QUESTIONS + 1)) - HITS
    drawn = dict(DrawnQuestion.objects.values_list("question__number", "weight"))
    assert {number for number, weight in drawn.items() if weight == 1} == missed
    sampled = drawn.keys() - missed
    assert len(sampled) == -(-len(HITS) * SAMPLED // 100)
    seen = FLAWS & drawn.keys()
    assert found.flawed.questions == len(seen)
    original, cleaned, weighted = (score(found, name) for name in (ORIGINAL, CLEANED, WEIGHTED))
    assert original.value is not None
    assert cleaned.value == pytest.approx((len(HITS) - len(seen & HITS)) / (QUESTIONS - len(seen)))
    by_name = {each.subset: each.estimate for each in found.differences}
    rise, weighted_rise = (by_name[f"{name} − {ORIGINAL}"] for name in (CLEANED, WEIGHTED))
    assert rise.value is not None
    assert rise.value > 3, "percentage points"
    assert holds(weighted, original.value)
    assert holds(weighted_rise, 0)
    assert holds(found.flawed.share, len(FLAWS) / QUESTIONS)
