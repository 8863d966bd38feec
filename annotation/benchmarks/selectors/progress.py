"""How far the audit of a benchmark is, for its coordinator: numbers of people, and nothing that anybody said."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count

from annotation.benchmarks.core.allocation import AuditCertificate, certify
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.reviews import Review
from annotation.benchmarks.models.rulings import Ruling
from annotation.platform.core.phrases import counted
from annotation.study.models.studies import Study


@dataclass(frozen=True)
class AnnotatorLine:
    pseudonym: str
    done: int
    total: int


@dataclass(frozen=True)
class AuditProgress:
    annotators: tuple[AnnotatorLine, ...]
    certificate: AuditCertificate
    ruled: int
    to_rule: int

    @property
    def done(self) -> int:
        return sum(line.done for line in self.annotators)

    @property
    def total(self) -> int:
        return sum(line.total for line in self.annotators)


def left_to_audit(study: Study) -> Iterator[str]:
    """In words, what is not annotated, ruled on, marked or frozen of the study's benchmarks."""
    reviews = Review.objects.filter(annotator__study=study, done_at=None).count()
    rulings = Ruling.objects.filter(question__story__benchmark__study=study, ruled_at=None).count()
    marks = AnswerMark.objects.filter(marker__study=study, verdict="").count()
    if reviews:
        yield f"{counted(reviews, 'question')} of annotators not annotated"
    if rulings:
        yield f"{counted(rulings, 'question')} not ruled on"
    if marks:
        yield f"{counted(marks, 'answer')} not marked"
    if study.audits_benchmarks:
        benchmarks = Benchmark.objects.filter(study=study)
        if unopened := benchmarks.filter(adjudication_opened_at=None).count():
            yield f"adjudication not opened in {counted(unopened, 'benchmark')}"
        if unfrozen := benchmarks.filter(subsets=None).count():
            yield f"subsets not frozen in {counted(unfrozen, 'benchmark')}"


def audit_progress(benchmark: Benchmark) -> AuditProgress | None:
    """`None` before the questions were given out."""
    reviews = Review.objects.filter(question__story__benchmark=benchmark)
    rows = list(reviews.order_by().values_list("question", "question__story", "annotator__pseudonym"))
    if not rows:
        return None
    annotators_of: dict[int, list[str]] = {}
    for question, _, pseudonym in rows:
        annotators_of.setdefault(question, []).append(pseudonym)
    lines = (
        reviews.order_by("annotator__pseudonym")
        .values_list("annotator__pseudonym")
        .annotate(Count("done_at"), Count("pk"))
    )
    return AuditProgress(
        tuple(AnnotatorLine(*line) for line in lines),
        certify(annotators_of, {question: story for question, story, _ in rows}),
        **Ruling.objects.filter(question__story__benchmark=benchmark).aggregate(
            ruled=Count("ruled_at"), to_rule=Count("pk")
        ),
    )
