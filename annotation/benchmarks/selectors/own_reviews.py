"""What an annotator sees: their own questions, what they said of them, and nothing of anybody else's."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.benchmarks.core.reviews import SCOPES, VERDICTS, FlagGiven, Given, as_fields, lacks
from annotation.benchmarks.core.scheme import Category, Term
from annotation.benchmarks.models.benchmarks import Question, Story
from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.reviews import QuestionFlag, Review
from annotation.benchmarks.models.rulings import Ruling
from annotation.benchmarks.selectors.schemes import scheme
from annotation.platform.models.users import User
from annotation.study.models.participation import Participation, Role


@dataclass(frozen=True)
class OwnBenchmark:
    """How far an annotator is with a benchmark. `begun` questions have something and lack something."""

    name: str
    done: int
    begun: int
    total: int


@dataclass(frozen=True)
class OwnReviews:
    benchmarks: tuple[OwnBenchmark, ...]
    next: int | None  # the review to go on with
    incomplete: tuple[tuple[int, int], ...]  # id and position of what was begun and lacks something

    @property
    def done(self) -> int:
        return sum(line.done for line in self.benchmarks)

    @property
    def total(self) -> int:
        return sum(line.total for line in self.benchmarks)


@dataclass(frozen=True)
class Choice:
    """A term of the scheme as it stands on the page. `name` is what forms call it."""

    term: Term
    name: str
    is_chosen: bool
    note: str
    scope: str = "item"


@dataclass(frozen=True)
class ChoiceGroup:
    category: Category
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class ReviewPage:
    """A question as its annotator sees it, with what they said. `fields` are those of the form.

    `position` and `of` count all that they were given; `done` and `questions` those of the `benchmark`.
    """

    id: int
    position: int
    of: int
    done: int
    questions: int
    revision: int
    verdict: str
    several_flaws: bool
    benchmark: str
    study_slug: str
    study_title: str
    is_synthetic: bool
    question: Question
    story: Story
    others: tuple[Question, ...]
    groups: tuple[ChoiceGroup, ...]
    evaluation: tuple[Choice, ...]
    answer: str  # that a model gave, where annotators see one
    fields: dict[str, list[str]]
    lacks: tuple[str, ...]
    before: int | None
    after: int | None
    open: int | None  # the next one that is not complete
    verdicts = VERDICTS
    scopes = SCOPES


def pieces_of(participations: Collection[Participation]) -> dict[int, Counter[str]]:
    """Work of those who audit benchmarks: how many questions are done (“submitted”), and how many left
    (“assigned”).
    """
    people = [part.pk for part in participations if part.role == Role.ANNOTATOR]
    rows = Review.objects.filter(annotator__in=people).order_by().values_list("annotator")
    found = {
        person: Counter({"submitted": done, "assigned": total - done})
        for person, total, done in rows.annotate(Count("pk"), Count("done_at"))
    }
    found |= {part.pk: _rulings(part) for part in participations if part.role == Role.ADJUDICATOR}
    auditors = [part.pk for part in participations if part.role in (Role.ANNOTATOR, Role.ADJUDICATOR)]
    marks = AnswerMark.objects.filter(marker__in=auditors).order_by().values_list("marker")
    for person, total, done in marks.annotate(Count("pk"), Count("marked_at")):
        found.setdefault(person, Counter()).update({"submitted": done, "assigned": total - done})
    return found


def _rulings(adjudicator: Participation) -> Counter[str]:
    """What an adjudicator ruled on; what waits, for whoever adjudicates in the study. Empty before there is any."""
    rulings = Ruling.objects.filter(question__story__benchmark__study=adjudicator.study_id)
    found = rulings.aggregate(
        submitted=Count("pk", filter=Q(adjudicator=adjudicator)), assigned=Count("pk", filter=Q(ruled_at=None))
    )
    return Counter({state: number for state, number in found.items() if number})


def reviews_of(annotator: Participation) -> OwnReviews:
    own = Review.objects.filter(annotator=annotator)
    by_benchmark = (
        own.order_by()
        .values_list("question__story__benchmark", "question__story__benchmark__name")
        .annotate(done=Count("done_at"), begun=Count("pk", filter=Q(done_at=None, revision__gt=0)), all=Count("pk"))
    )
    return OwnReviews(
        tuple(OwnBenchmark(name, done, begun, total) for _, name, done, begun, total in sorted(by_benchmark)),
        _open_after(annotator.pk, 0),
        tuple(own.filter(done_at=None, revision__gt=0).order_by("position").values_list("pk", "position")[:50]),
    )


def review_of(person: User, pk: int) -> Review | None:
    """The review, where it is this person's and they have not left."""
    return (
        Review.objects.filter(pk=pk, annotator__user=person, annotator__left_at__isnull=True)
        .select_related(
            *("annotator__study", "annotator__consent", "annotator__profile"),
            *("question__story__benchmark", "question__drawn"),
        )
        .first()
    )


def review_page(review: Review) -> ReviewPage:
    question, story = review.question, review.question.story
    benchmark, study = story.benchmark, review.annotator.study
    terms, given = scheme(benchmark.scheme), given_of(review)
    said = {flag.name: flag for flag in given.flags}
    own = Review.objects.filter(annotator=review.annotator)
    beside = dict(own.filter(position__in=(review.position - 1, review.position + 1)).values_list("position", "pk"))
    of_benchmark = Q(question__story__benchmark=benchmark)
    counts = own.aggregate(
        total=Count("pk"),
        done=Count("done_at", filter=of_benchmark),
        questions=Count("pk", filter=of_benchmark),
    )
    return ReviewPage(
        id=review.pk,
        position=review.position,
        of=counts["total"],
        done=counts["done"],
        questions=counts["questions"],
        revision=review.revision,
        verdict=review.verdict,
        several_flaws=benchmark.several_flaws,
        benchmark=benchmark.name,
        study_slug=study.slug,
        study_title=study.title,
        is_synthetic=study.is_synthetic,
        question=question,
        story=story,
        others=tuple(story.questions.exclude(pk=question.pk).order_by("number")),
        groups=tuple(
            ChoiceGroup(
                category, tuple(_choice(flaw, f"{category.key}.{flaw.key}", said) for flaw in category.flaws)
            )
            for category in terms.for_layout(benchmark.layout)
        ),
        evaluation=tuple(_choice(term, term.key, said) for term in terms.evaluation),
        answer=question.drawn.answer if benchmark.shows_answers and hasattr(question, "drawn") else "",
        fields=as_fields(given),
        lacks=tuple(lacks(given)) if review.revision else (),
        before=beside.get(review.position - 1),
        after=beside.get(review.position + 1),
        open=_open_after(review.annotator_id, review.position),
    )


def _choice(term: Term, name: str, said: dict[str, FlagGiven]) -> Choice:
    flag = said.get(name)
    return Choice(term, name, flag is not None, flag.note if flag else "", flag.scope if flag else "item")


def given_of(review: Review) -> Given:
    """What a review holds, as its form would say it."""
    return Given(review.verdict, tuple(sorted(map(as_given, review.flags.all()))))  # type: ignore[arg-type]


def as_given(flag: QuestionFlag) -> FlagGiven:
    return FlagGiven(flag.axis, flag.category, flag.flaw, flag.scope, flag.note)


def _open_after(annotator: int, position: int) -> int | None:
    """The next review that is not complete: behind a position, else from the beginning."""
    left = (
        Review.objects.filter(annotator=annotator, done_at=None).order_by("position").values_list("pk", flat=True)
    )
    found: int | None = left.filter(position__gt=position).first() or left.exclude(position=position).first()
    return found
