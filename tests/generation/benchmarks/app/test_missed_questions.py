"""Audits of what models missed: drawn once models have answered, given out, weighted, analysed."""

import csv
import io

import pytest
from django.urls import reverse

from analysis.benchmarks.core.audit_files import read_rulings
from analysis.unblinded.selectors.audit_tables import audit_tables
from annotation.assignment.services import assembling
from annotation.benchmarks.models.benchmarks import Benchmark, DrawnQuestion
from annotation.benchmarks.models.reviews import Review
from annotation.benchmarks.services.adjudicating import open_adjudication
from annotation.benchmarks.services.benchmarks import set_rules
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Role
from generation.benchmarks.services.missed import draw_missed
from generation.calls.services.claiming import Outgoing
from generation.providers.base import Reply
from tests.annotation.benchmarks.audits import SOUND, audit_in_design, flawed, said
from tests.annotation.benchmarks.tomi_stories import SWAPPED, a_benchmark
from tests.clients import signed_in
from tests.factories import a_member, coordinator_of, locked
from tests.generation.benchmarks.asked import planned, started
from tests.generation.calls.model_runs import a_target, good, worked_off

pytestmark = pytest.mark.django_db


def an_audit_of_missed(*, shows_answers: bool = False) -> Benchmark:
    study = audit_in_design()
    benchmark = a_benchmark(study, SWAPPED)
    set_rules(
        benchmark=benchmark,
        several_flaws=True,
        agreements_adjudicated=10,
        reviewed="missed",
        shows_answers=shows_answers,
        never_missed_sampled=30,
        by=coordinator_of(study),
    )
    a_target(study, "claude")
    for role in (Role.ANNOTATOR, Role.ANNOTATOR, Role.ADJUDICATOR):
        a_member(study, role)
    locked(study)
    benchmark.refresh_from_db()
    return benchmark


def says_basket(_outgoing: Outgoing) -> Reply:
    return good("basket")


def test_an_audit_of_what_models_missed_opens_once_its_questions_are_drawn_and_the_others_are_weighted() -> None:
    benchmark = an_audit_of_missed(shows_answers=True)
    study, by = benchmark.study, coordinator_of(benchmark.study)
    with pytest.raises(Refused, match="No model has answered"):
        draw_missed(benchmark=benchmark, by=by)
    with pytest.raises(Refused, match="still to be drawn"):
        assembling.open_judging(study=study, by=by)
    run = started(planned(benchmark))
    worked_off(run, says_basket)
    client = signed_in(by)
    address = reverse("benchmark_draw", args=[study.slug, benchmark.pk])
    client.post(address)
    told = client.post(address, follow=True).content.decode()  # once more, it is the same
    assert "4 questions drawn for review" in told
    drawn = {each.question.number: each for each in DrawnQuestion.objects.select_related("question")}
    missed = {number for number, each in drawn.items() if not each.is_sampled}
    assert (len(missed), len(drawn)) == (3, 4), "of six questions three have “basket” as their answer"
    assert {each.answer for each in drawn.values()} == {"basket"}
    assembling.open_judging(study=study, by=by)
    study.refresh_from_db()
    assert Review.objects.count() == 8
    with pytest.raises(Refused, match="given to annotators already"):
        draw_missed(benchmark=benchmark, by=by)
    review = Review.objects.select_related("annotator__user")[0]
    page = signed_in(review.annotator.user).get(reverse("review", args=[review.pk])).content.decode()
    assert "What a model answered" in page
    assert "claude" not in page
    for each in Review.objects.select_related("annotator__user", "question"):
        is_flawed = each.question.number == min(missed)
        said(each, flawed("structural.wrong_label") if is_flawed else SOUND)
    open_adjudication(benchmark=benchmark, by=by)
    data = client.get(reverse("audit_file", args=[study.slug, benchmark.pk, "rulings"])).content
    rulings = read_rulings(("rulings.csv", io.BytesIO(data)), range(1, 7))
    assert {each.question: each.weight for each in rulings} == {
        number: 3.0 if each.is_sampled else 1.0 for number, each in drawn.items()
    }
    assert {row["how"] for row in csv.DictReader(io.StringIO(data.decode()))} <= {"both agree", "sampled"}
    table = audit_tables(study)["audit_rulings"]
    assert dict(zip(table["item"], table["weight"], strict=True)) == {
        number: drawn[number].weight if number in drawn else 0 for number in range(1, 7)
    }


def test_without_the_setting_annotators_see_no_answer_and_all_questions_are_reviewed_by_default() -> None:
    benchmark = an_audit_of_missed()
    study, by = benchmark.study, coordinator_of(benchmark.study)
    worked_off(started(planned(benchmark)), says_basket)
    draw_missed(benchmark=benchmark, by=by)
    assembling.open_judging(study=study, by=by)
    review = Review.objects.select_related("annotator__user")[0]
    page = signed_in(review.annotator.user).get(reverse("review", args=[review.pk])).content.decode()
    assert "What a model answered" not in page


def test_nothing_is_drawn_while_a_model_is_still_asked_or_where_all_is_reviewed() -> None:
    benchmark = an_audit_of_missed()
    by = coordinator_of(benchmark.study)
    run = started(planned(benchmark))
    worked_off(run, says_basket)
    run.calls.filter(pk=run.calls.order_by("pk").last().pk).update(state="pending")  # type: ignore[union-attr]
    with pytest.raises(Refused, match="1 question of models not asked yet"):
        draw_missed(benchmark=benchmark, by=by)
    Benchmark.objects.filter(pk=benchmark.pk).update(reviewed="all")
    run.calls.update(state="accepted")
    benchmark.refresh_from_db()
    with pytest.raises(Refused, match="All questions of this benchmark are reviewed"):
        draw_missed(benchmark=benchmark, by=by)
