"""Audits of benchmarks reach a study's tables, its report, and a release that is read back."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from analysis.benchmarks.core.audit_report import BenchmarkReport, EvaluationCount, audit_report
from analysis.benchmarks.core.study_audits import audits_in
from analysis.benchmarks.exhibits import audit_exhibits
from analysis.benchmarks.prose import audit_headlines, audit_passages
from analysis.data.core.audits import ORDER
from analysis.data.core.number_format import percentage
from analysis.data.core.parameters import Parameters
from analysis.data.core.study_tables import StudyTables
from analysis.release.core.release_folder import read_release
from analysis.unblinded.selectors.study_tables import study_tables
from annotation.benchmarks.models.marks import AnswerMark
from annotation.study.models.studies import Study
from generation.benchmarks.core.asking import HISTORY
from generation.benchmarks.services.model_marks import plan_model_marks
from generation.benchmarks.services.people_marks import give_answers_to_mark, give_rephrasings_to_check
from generation.calls.services import planning
from tests import ceremony
from tests.analysis.release.app.test_verify_release import unpacked
from tests.analysis.report.analyses import analysed, asked_for
from tests.clients import signed_in
from tests.factories import closed, coordinator_of, researchers_of, unblinded
from tests.generation.benchmarks.app.test_rephrasings_and_marks import a_rephrased_audit
from tests.generation.benchmarks.asked import planned, started
from tests.generation.calls.model_runs import a_target, good, worked_off
from tests.pages import in_words
from tests.remembered import remembered

pytestmark = pytest.mark.django_db


@remembered
def an_answered_audit() -> Study:
    """The one model says “basket” always: right by 3 of 6 labels, of which the fourth is wrong.

    The first person marks every answer as its label has it; a judge model finds all of them right. Two check each
    rephrasing: the first by pseudonym finds it the same question, the second another one.
    """
    benchmark, _ = a_rephrased_audit()
    by = coordinator_of(benchmark.study)
    for how in ({}, {"mode": HISTORY}, {"rephrased": True}):
        worked_off(started(planned(benchmark, **how)), lambda _out: good("basket"))
    a_target(benchmark.study, "judge", role="panel")
    run = plan_model_marks(benchmark=benchmark, by=by)
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    worked_off(started(run), lambda _out: good("1"))
    give_answers_to_mark(benchmark=benchmark, by=by)
    give_rephrasings_to_check(benchmark=benchmark, by=by, people=2)
    seen: set[int] = set()
    for mark in AnswerMark.objects.select_related("question").order_by("marker__pseudonym"):
        if mark.kind == "rephrasing":
            mark.verdict = "changed" if mark.about in seen else "same"
            seen.add(mark.about)
        else:
            mark.verdict = "right" if mark.question.answer == "basket" else "wrong"
        mark.marked_at = timezone.now()
        mark.save()
    return unblinded(closed(benchmark.study))


def report_of(tables: StudyTables) -> BenchmarkReport:
    [found] = audit_report(audits_in(tables), Parameters(draws=50)).benchmarks
    return found


def test_an_audit_is_in_the_tables_and_its_report_has_the_figures_of_hand_arithmetic() -> None:
    study = an_answered_audit()
    tables = study_tables(study)
    sizes = {name: len(getattr(tables, name)) for name in ORDER}
    assert sizes == {
        "audit_questions": 6,
        "audit_flags": 12,
        "audit_rulings": 6,
        "audit_subsets": 6 + 4 + 6,
        "audit_predictions": 6 + 6 + 20,
        "audit_rephrasings": 20,
        "audit_marks": 12 + 2 * 4,
    }
    found = report_of(tables)
    assert [(flaw.category, flaw.questions, flaw.stories) for flaw in found.flaws] == [
        ("structural", 1, 1),
        ("semantic", 1, 1),
        ("pragmatic", 0, 0),
    ]
    assert (found.flawed.questions, found.flawed.stories) == (2, 1)
    assert found.evaluation == (EvaluationCount("context fragmentation", "its story", 1, 1),)
    scores = {
        (score.mode, score.subset): score.estimate.value
        for score in found.scores
        if score.of == "questions" and not score.part
    }
    assert scores["singly", "original"] == pytest.approx(3 / 6)
    assert scores["singly", "cleaned"] == pytest.approx(1 / 4)
    assert scores["singly", "corrected"] == pytest.approx(1 / 5), (
        "the wrong label was the model's luck, and the reworded question was not asked anew"
    )
    assert scores["history", "original"] == pytest.approx(3 / 6)
    [split] = [split for split in found.errors if split.mode == "singly"]
    assert split.counts == (0, 0, 0, 0, 3, 0), "on sound questions"
    kappas = {each.method: each.kappa.value for each in found.methods}
    assert kappas["exact match"] == 1
    assert kappas["judge model judge"] == 0
    [rephrased] = found.rephrased
    assert rephrased.questions == 4
    assert rephrased.flips.value == 0
    assert found.rephrasings_failed.value == 0, "the first by pseudonym counts"
    report = audit_report(audits_in(tables), Parameters(draws=50))
    assert any("published" in exhibit.title for exhibit in audit_exhibits(report))
    [passage] = audit_passages(report)
    assert "2 were found flawed" in passage.paragraphs[0]
    told = "asked singly, “ToMi” is answerable for at least {0} and at most {0}.".format(percentage(0))
    assert any(told in headline for headline in audit_headlines(report))
    run = analysed(asked_for(study))
    assert run.problem == ""
    results = signed_in(run.asked_by).get(reverse("results", args=[study.slug]))
    of_judgments = ("ranks from the scores;", "Judgments (CSV)", "undefined: no judgment")
    assert [words for words in of_judgments if words in in_words(results)] == []
    assert "resamples from seed 42" in in_words(results)
    address = reverse("benchmark_models", args=[study.slug, study.benchmarks.get().pk])
    models = in_words(signed_in(coordinator_of(study)).get(address))
    assert "Ask models for more Collection is closed." in models
    assert "Have people mark answers" not in models
    assert "given out to people" in models


def test_a_release_has_the_audit_and_is_read_back_as_it_was(tmp_path: Path) -> None:
    study = an_answered_audit()
    before = study_tables(study)
    release = ceremony.published(study)
    page = in_words(signed_in(researchers_of(study)[0]).get(reverse("release", args=[release.pk])))
    assert "Annotators stand under their pseudonyms, and rulings under none." in page
    assert "Writers and judges" not in page
    folder = unpacked(release, tmp_path)
    back = read_release(folder)
    for name in ORDER:
        assert (folder / "BenchmarkAudits" / f"{name}.csv").exists()
        assert getattr(back, name).equals(getattr(before, name)), name
    assert "Benchmark audits" in (folder / "README.md").read_text()
    assert report_of(back) == report_of(before)
    out, said = tmp_path / "analysed", StringIO()
    call_command("analyse", "--release", str(folder), "--out", str(out), "--draws", "100", stdout=said)
    names = {file.name.split(".")[0] for file in out.rglob("*.csv")}
    assert {"audit-flaws", "audit-scores", "audit-errors", "audit-published"} <= names
    told = json.loads((out / "results.json").read_text())
    assert told["not_applicable"]["outcomes"] == "nobody judged", "an audit has no judgments, and says so"
    [flaws] = out.rglob("audit-flaws.csv")
    rows = list(csv.DictReader(flaws.read_text().splitlines()))
    assert [int(row["Questions"]) for row in rows] == [1, 1, 0, 2]
