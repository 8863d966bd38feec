"""Annotating a benchmark's questions: giving them out, and keeping what is said of them, as it is said."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db import transaction

from annotation.benchmarks.core.allocation import allot
from annotation.benchmarks.core.reviews import Given, Posted, as_fields, given_from, lacks
from annotation.benchmarks.models.benchmarks import Benchmark, Question, Story
from annotation.benchmarks.models.reviews import QuestionFlag, Review
from annotation.benchmarks.selectors.own_reviews import given_of
from annotation.benchmarks.selectors.schemes import scheme
from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import check_ready

ROWS_AT_ONCE = 2_000


def give_out(study: Study, seed: bytes) -> int:
    """Give every question of the study's benchmarks to two annotators; returns the number of reviews.

    Belongs in the transaction in which the audit opens. Raises `Refused` for fewer than two annotators.
    """
    annotators = {
        person.pseudonym: person
        for person in Participation.objects.filter(study=study, role=Role.ANNOTATOR, left_at__isnull=True)
    }
    benchmarks, questions = [], {}
    for benchmark in Benchmark.objects.filter(study=study).order_by("id"):
        sizes = {}
        for story in Story.objects.filter(benchmark=benchmark).prefetch_related("questions"):
            key = f"{benchmark.name}/{story.key}"
            questions[key] = sorted(story.questions.all(), key=lambda question: question.number)
            sizes[key] = len(questions[key])
        benchmarks.append(sizes)
    allotted = allot(benchmarks, sorted(annotators), seed=seed)
    reviews = [
        Review(annotator=annotators[pseudonym], question=question, position=position)
        for pseudonym, stories in allotted.items()
        for position, question in enumerate(_in_order(stories, questions), start=1)
    ]
    Review.objects.bulk_create(reviews, batch_size=ROWS_AT_ONCE)
    return len(reviews)


def _in_order(stories: Sequence[str], questions: dict[str, list[Question]]) -> list[Question]:
    return [question for story in stories for question in questions[story]]


@dataclass(frozen=True)
class Saved:
    """`conflict`: what is held instead, as fields of the form, where another window has said something else."""

    revision: int
    lacks: tuple[str, ...]
    conflict: dict[str, list[str]] | None = None


@transaction.atomic
def save_review(*, pk: int, posted: Posted, over: int | None, by: User) -> Saved:
    """Keep what a form says of a question. What is sent again changes nothing.

    `over` is the revision that the window knew; where another is held by now that says something else, nothing is
    kept. `None` replaces whatever is held. Raises `Refused`, and keeps nothing, where the study takes no reviews
    any more, the annotator may not work, or the form says what it cannot; `PermissionDenied` where the review is
    not theirs.
    """
    review = _locked(pk, by)
    benchmark = review.question.story.benchmark
    check_may_review(review)
    given = given_from(posted, scheme(benchmark.scheme), several=benchmark.several_flaws)
    held = given_of(review)
    if given == held and review.revision:
        return Saved(review.revision, tuple(lacks(held)))
    if over is not None and over != review.revision:
        return Saved(review.revision, tuple(lacks(held)), as_fields(held))
    missing = tuple(lacks(given))
    _keep(review, given, is_done=not missing)
    return Saved(review.revision, missing)


def _locked(pk: int, by: User) -> Review:
    review = (
        Review.objects.select_for_update(of=("self",))
        .filter(pk=pk, annotator__user=by, annotator__left_at__isnull=True)
        .select_related(
            "annotator__study", "annotator__consent", "annotator__profile", "question__story__benchmark"
        )
        .first()
    )
    if review is None:
        raise PermissionDenied("There is no such question among yours.")
    return review


def check_may_review(review: Review) -> None:
    """Raise `Refused` where nothing more can be said of the question."""
    if review.annotator.study.state != "judging":
        raise Refused("The audit is closed: what was said stays as it is.")
    if review.question.story.benchmark.adjudication_opened_at:
        raise Refused("Adjudication has begun in this benchmark: what was said stays as it is.")
    check_ready(review.annotator)


def _keep(review: Review, given: Given, *, is_done: bool) -> None:
    now = database_now()
    review.verdict = given.verdict
    review.revision += 1
    review.begun_at = review.begun_at or now
    review.saved_at, review.done_at = now, (now if is_done else None)
    review.save(update_fields=["verdict", "revision", "begun_at", "saved_at", "done_at"])
    if review.revision > 1:
        QuestionFlag.objects.filter(review=review).delete()
    QuestionFlag.objects.bulk_create(
        QuestionFlag(
            review=review,
            axis=flag.axis,
            category=flag.category,
            flaw=flag.flaw,
            scope=flag.scope,
            note=flag.note,
        )
        for flag in given.flags
    )
