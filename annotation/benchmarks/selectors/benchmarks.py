"""Benchmarks as the coordinator of their study sees them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Prefetch, Q, QuerySet

from annotation.benchmarks.core.findings import KINDS
from annotation.benchmarks.core.layouts import LAYOUTS
from annotation.benchmarks.core.options import FROM_0, way_to_name
from annotation.benchmarks.models.benchmarks import Benchmark, MechanicalFinding, Question, Story
from annotation.study.models.studies import Study

NOT_SAID = "not said"


@dataclass(frozen=True)
class BenchmarkLine:
    pk: int
    name: str
    layout: str
    stories: int
    questions: int
    findings: int
    added_at: datetime


@dataclass(frozen=True)
class GroupSize:
    """Stories and questions of one kind or source."""

    name: str
    stories: int
    questions: int


@dataclass(frozen=True)
class FindingCount:
    kind: str
    name: str
    findings: int
    questions: int


def benchmarks(study: Study) -> list[BenchmarkLine]:
    found = Benchmark.objects.filter(study=study).annotate(
        story_count=Count("stories", distinct=True),
        question_count=Count("stories__questions", distinct=True),
        finding_count=Count("stories__questions__findings", distinct=True),
    )
    return [
        BenchmarkLine(
            benchmark.pk,
            benchmark.name,
            LAYOUTS[benchmark.layout].label,
            benchmark.story_count,
            benchmark.question_count,
            benchmark.finding_count,
            benchmark.added_at,
        )
        for benchmark in found
    ]


def counts(benchmark: Benchmark) -> Mapping[str, Sequence[GroupSize]]:
    """Counts by what the file tells apart: kinds of questions, kinds of stories, sources; only what it does
    tell.
    """
    asked = Question.objects.filter(story__benchmark=benchmark)
    headings = {"Kind of question": "kind", "Kind of story": "story__kind", "Source": "story__source"}
    found = {
        heading: [
            GroupSize(name or NOT_SAID, stories, questions)
            for name, stories, questions in asked.order_by(field)
            .values_list(field)
            .annotate(Count("story", distinct=True), Count("pk"))
        ]
        for heading, field in headings.items()
    }
    return {heading: rows for heading, rows in found.items() if any(row.name != NOT_SAID for row in rows)}


def ways_to_name(benchmark: Benchmark) -> Mapping[str, int]:
    """How the right answers of a mapped table name one of their options, and of how many questions, most first."""
    if benchmark.layout != "table":
        return {}
    asked = Question.objects.filter(story__benchmark=benchmark).exclude(options=[])
    return dict(
        Counter(
            way_to_name(gold, options) if index is None else FROM_0
            for gold, options, index in asked.values_list("gold", "options", "raw__gold_index").iterator()
        ).most_common()
    )


def finding_counts(benchmark: Benchmark) -> list[FindingCount]:
    """Findings by kind, in the order of the kinds; those of which there are any."""
    found = {
        kind: (findings, questions)
        for kind, findings, questions in MechanicalFinding.objects.filter(question__story__benchmark=benchmark)
        .order_by("kind")
        .values_list("kind")
        .annotate(Count("pk"), Count("question", distinct=True))
    }
    return [FindingCount(kind, name, *found[kind]) for kind, name in KINDS.items() if kind in found]


def questions(benchmark: Benchmark, *, finding: str = "", kind: str = "", words: str = "") -> QuerySet[Question]:
    """Questions in the file's order: those with a kind of finding (`any` for some), of a kind, with some words."""
    found = Question.objects.filter(story__benchmark=benchmark)
    if finding:
        with_findings = MechanicalFinding.objects.filter(question__story__benchmark=benchmark)
        if finding != "any":
            with_findings = with_findings.filter(kind=finding)
        found = found.filter(pk__in=with_findings.values("question"))
    if kind:
        found = found.filter(kind=kind)
    if words:
        found = found.filter(
            Q(text__icontains=words)
            | Q(gold__icontains=words)
            | Q(story__text__icontains=words)
            | Q(story__key=words)
        )
    return found.select_related("story").prefetch_related("findings").order_by("number")


def story(benchmark: Benchmark, number: int) -> Story | None:
    """A story with its questions and what was found in them."""
    asked = Question.objects.order_by("number").prefetch_related("findings")
    return (
        Story.objects.filter(benchmark=benchmark, number=number)
        .prefetch_related(Prefetch("questions", queryset=asked))
        .first()
    )


def neighbours(benchmark: Benchmark, number: int) -> tuple[int | None, int | None]:
    """The numbers of the stories before and after one."""
    last = Story.objects.filter(benchmark=benchmark).count()
    return (number - 1 if number > 1 else None), (number + 1 if number < last else None)
