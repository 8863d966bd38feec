"""How far the audit of a benchmark is, for its coordinator: numbers of people, and nothing that anybody said."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotation.benchmarks.core.allocation import AuditCertificate, certify
from annotation.benchmarks.core.drawing import ALL
from annotation.benchmarks.models.benchmarks import Benchmark, DrawnQuestion, Question
from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.reviews import Review
from annotation.benchmarks.models.rulings import Ruling, Subset
from annotation.platform.core.phrases import counted
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study

GONE = Q(left_at__isnull=False) | Q(consent__withdrawn_at__isnull=False)


@dataclass(frozen=True)
class AnnotatorLine:
    pseudonym: str
    done: int
    total: int


@dataclass(frozen=True)
class DrawnCounts:
    """Counts for a benchmark of which not all questions are reviewed: those that models missed, and the sampled
    ones.
    """

    missed: int
    sampled: int
    never_missed: int


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


@dataclass(frozen=True)
class AuditAmounts:
    """Amounts over all benchmarks of a study. `reviews` are questions of annotators, one of each; `undrawn` are the
    names of benchmarks whose questions to be reviewed have still to be drawn.
    """

    benchmarks: int
    questions: int
    undrawn: tuple[str, ...]
    reviews: int
    reviewed: int
    opened: int
    rulings: int
    ruled: int
    frozen: int
    marks: int
    marked: int


def audit_amounts(study: Study) -> AuditAmounts:
    benchmarks = list(Benchmark.objects.filter(study=study).order_by("pk"))
    drawn = set(
        DrawnQuestion.objects.filter(question__story__benchmark__study=study).values_list(
            "question__story__benchmark", flat=True
        )
    )
    return AuditAmounts(
        benchmarks=len(benchmarks),
        questions=Question.objects.filter(story__benchmark__study=study).count(),
        undrawn=tuple(each.name for each in benchmarks if each.reviewed != ALL and each.pk not in drawn),
        opened=sum(each.adjudication_opened_at is not None for each in benchmarks),
        frozen=Subset.objects.filter(benchmark__study=study).values("benchmark").distinct().count(),
        **Review.objects.filter(annotator__study=study).aggregate(reviews=Count("pk"), reviewed=Count("done_at")),
        **Ruling.objects.filter(question__story__benchmark__study=study).aggregate(
            rulings=Count("pk"), ruled=Count("ruled_at")
        ),
        **AnswerMark.objects.filter(marker__study=study).aggregate(marks=Count("pk"), marked=Count("marked_at")),
    )


def is_any_audited(study: Study) -> bool:
    """Whether anybody has annotated, ruled on or marked anything yet."""
    return (
        Review.objects.filter(annotator__study=study, done_at__isnull=False).exists()
        or Ruling.objects.filter(question__story__benchmark__study=study, ruled_at__isnull=False).exists()
        or AnswerMark.objects.filter(marker__study=study, marked_at__isnull=False).exists()
    )


def left_to_audit(study: Study) -> Iterator[str]:
    """What, in words, is not annotated, ruled on, marked or frozen of the study's benchmarks."""
    reviews = Review.objects.filter(annotator__study=study, done_at=None).count()
    rulings = Ruling.objects.filter(question__story__benchmark__study=study, ruled_at=None).count()
    marks = AnswerMark.objects.filter(marker__study=study, verdict="").count()
    if reviews:
        yield f"{counted(reviews, 'review')} not done"
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


def reviewed_questions(benchmark: Benchmark) -> QuerySet[Question]:
    """Questions that annotators review: all, or those that were drawn."""
    questions = Question.objects.filter(story__benchmark=benchmark)
    return questions if benchmark.reviewed == ALL else questions.filter(drawn__isnull=False)


def reviews_missed(study: Study) -> bool:
    """Whether of some benchmark only those questions are reviewed that models missed, with a sample."""
    return Benchmark.objects.filter(study=study).exclude(reviewed=ALL).exists()


def drawn_counts(benchmark: Benchmark) -> DrawnCounts | None:
    """`None` before they were drawn, and where all questions are reviewed."""
    weights = list(
        DrawnQuestion.objects.filter(question__story__benchmark=benchmark).values_list("weight", "is_sampled")
    )
    if not weights:
        return None
    sampled = [weight for weight, is_sampled in weights if is_sampled]
    return DrawnCounts(len(weights) - len(sampled), len(sampled), round(sum(sampled)))


def left_behind(study: Study) -> str:
    """What, in words, those who have left did not finish; "" where nothing is."""
    gone = Participation.objects.filter(GONE, study=study).values("pk")
    reviews = Review.objects.filter(annotator__in=gone, done_at=None).count()
    marks = AnswerMark.objects.filter(marker__in=gone, verdict="").count()
    told = [counted(number, noun) for number, noun in ((reviews, "question"), (marks, "mark")) if number]
    return " and ".join(told)


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
