"""What somebody has to mark, and how far marking is."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.benchmarks.core.marks import VERDICTS
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.models.marks import AnswerMark
from annotation.platform.models.users import User
from annotation.study.models.participation import Participation

LETTERS: Mapping[str, str] = {"right": "r", "wrong": "w", "granularity": "g", "same": "s", "changed": "c"}


@dataclass(frozen=True)
class Choice:
    verdict: str
    label: str
    letter: str
    is_chosen: bool


@dataclass(frozen=True)
class MarkPage:
    mark: AnswerMark
    of: int
    done: int
    choices: tuple[Choice, ...]
    before: int | None
    after: int | None
    open: int | None


@dataclass(frozen=True)
class OwnMarks:
    done: int
    total: int
    next: int | None


@dataclass(frozen=True)
class MarkProgress:
    """`asked` and `done` count marks, by people; `items` what they are of."""

    kind: str
    items: int
    asked: int
    done: int


def mark_of(person: User, pk: int) -> AnswerMark | None:
    return (
        AnswerMark.objects.filter(pk=pk, marker__user=person, marker__left_at__isnull=True)
        .select_related("marker__study", "marker__consent", "marker__profile", "question__story")
        .first()
    )


def mark_page(mark: AnswerMark) -> MarkPage:
    own = AnswerMark.objects.filter(marker=mark.marker_id)
    beside = dict(own.filter(position__in=(mark.position - 1, mark.position + 1)).values_list("position", "pk"))
    return MarkPage(
        mark=mark,
        of=own.count(),
        done=own.exclude(verdict="").count(),
        choices=tuple(
            Choice(verdict, label, LETTERS[verdict], verdict == mark.verdict)
            for verdict, label in VERDICTS[mark.kind].items()
        ),
        before=beside.get(mark.position - 1),
        after=beside.get(mark.position + 1),
        open=_open_after(mark),
    )


def marks_of(marker: Participation) -> OwnMarks:
    own = AnswerMark.objects.filter(marker=marker)
    left = own.filter(verdict="").order_by("position").values_list("pk", flat=True)
    return OwnMarks(own.exclude(verdict="").count(), own.count(), left.first())


def mark_progress(benchmark: Benchmark) -> list[MarkProgress]:
    rows = AnswerMark.objects.filter(question__story__benchmark=benchmark).order_by("kind").values_list("kind")
    return [
        MarkProgress(kind, items, asked, done)
        for kind, items, asked, done in rows.annotate(
            items=Count("about", distinct=True), asked=Count("pk"), done=Count("pk", filter=~Q(verdict=""))
        )
    ]


def _open_after(mark: AnswerMark) -> int | None:
    left = (
        AnswerMark.objects.filter(marker=mark.marker_id, verdict="")
        .order_by("position")
        .values_list("pk", flat=True)
    )
    found: int | None = left.filter(position__gt=mark.position).first() or left.exclude(pk=mark.pk).first()
    return found
