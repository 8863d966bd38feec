"""Annotating a benchmark's questions: keeping what is said of them, as it is said."""

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db import transaction

from annotation.benchmarks.core.reviews import Given, Posted, as_fields, given_from, lacks
from annotation.benchmarks.models.reviews import QuestionFlag, Review
from annotation.benchmarks.selectors.own_reviews import given_of
from annotation.benchmarks.selectors.schemes import scheme
from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now
from annotation.study.policies.participation import check_ready


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
