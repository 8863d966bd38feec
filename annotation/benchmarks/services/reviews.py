"""Annotating a benchmark's questions: keeping what is said of them, as it is said."""

from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.db import connection, transaction

from annotation.benchmarks.core.reviews import Given, Posted, as_fields, given_from, lacks
from annotation.benchmarks.models.reviews import QuestionFlag, Review
from annotation.benchmarks.selectors.own_reviews import as_given
from annotation.benchmarks.selectors.schemes import scheme
from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.platform.services.rows import first_named
from annotation.study.core.phases import AUDIT_PHASE, check_open
from annotation.study.policies.participation import check_ready

STAYS = ": what was said stays as it is."
ADJUDICATED = f"Adjudication has begun in this benchmark{STAYS}"

# Study and benchmark are shared: closing and adjudicating wait for this one, and the other way round. Who has begun
# was found to be ready then; only consent can be withdrawn since.
LOCK = """
SELECT review.verdict, review.revision, benchmark.several_flaws, benchmark.scheme, study.state,
    benchmark.adjudication_opened_at, consent.withdrawn_at AS withdrawn_at,
    consent.id IS NOT NULL AND EXISTS (
        SELECT FROM annotation_review begun WHERE begun.annotator_id = annotator.id AND begun.begun_at IS NOT NULL
    ) AS has_begun
FROM annotation_review review
JOIN annotation_participation annotator ON annotator.id = review.annotator_id
LEFT JOIN annotation_consent consent ON consent.participation_id = annotator.id
JOIN annotation_question question ON question.id = review.question_id
JOIN annotation_story story ON story.id = question.story_id
JOIN annotation_benchmark benchmark ON benchmark.id = story.benchmark_id
JOIN annotation_study study ON study.id = annotator.study_id
WHERE review.id = %s AND annotator.user_id = %s AND annotator.left_at IS NULL
FOR NO KEY UPDATE OF review FOR SHARE OF benchmark, study
"""
# Verdict and flags in one statement, so that a save asks the database three times. What is deleted and what is kept
# are other rows, so that it is of no matter which goes first.
KEEP = """
WITH given AS (
    SELECT * FROM unnest(
        %(axes)s::text[], %(categories)s::text[], %(flaws)s::text[], %(scopes)s::text[], %(notes)s::text[]
    ) AS flag(axis, category, flaw, scope, note)
), gone AS (
    DELETE FROM annotation_questionflag held
    WHERE held.review_id = %(review)s AND NOT EXISTS (
        SELECT FROM given WHERE (given.axis, given.category, given.flaw) = (held.axis, held.category, held.flaw)
    )
), kept AS (
    INSERT INTO annotation_questionflag (review_id, axis, category, flaw, scope, note)
    SELECT %(review)s, axis, category, flaw, scope, note FROM given
    ON CONFLICT (review_id, axis, category, flaw) DO UPDATE SET scope = excluded.scope, note = excluded.note
)
UPDATE annotation_review SET verdict = %(verdict)s, revision = revision + 1, saved_at = clock_timestamp(),
    begun_at = coalesce(begun_at, clock_timestamp()), done_at = CASE WHEN %(is_done)s THEN clock_timestamp() END
WHERE id = %(review)s
"""


@dataclass(frozen=True)
class Saved:
    """`conflict`: what is held instead, as fields of the form, where another window has said something else."""

    revision: int
    lacks: tuple[str, ...]
    conflict: dict[str, list[str]] | None = None


@dataclass(frozen=True)
class _Locked:
    """A review as it stays until the transaction ends, with what decides about it."""

    verdict: str
    revision: int
    several_flaws: bool
    scheme: str
    state: str
    adjudication_opened_at: datetime | None
    withdrawn_at: datetime | None
    has_begun: bool


@transaction.atomic
def save_review(*, pk: int, posted: Posted, over: int | None, by: User) -> Saved:
    """Keep what a form says of a question. What is sent again changes nothing.

    `over` is the revision that the window knew; where another is held by now that says something else, nothing is
    kept. `None` replaces whatever is held. Raises `Refused`, and keeps nothing, where the study takes no reviews
    any more, the annotator may not work, or the form says what it cannot; `PermissionDenied` where the review is
    not theirs.
    """
    locked = _locked(pk, by)
    _check_open(locked.state, locked.adjudication_opened_at)
    if locked.withdrawn_at or not locked.has_begun:
        check_ready(_of(pk).annotator)
    given = given_from(posted, scheme(locked.scheme), several=locked.several_flaws)
    held = _held(pk, locked)
    if given == held and locked.revision:
        return Saved(locked.revision, tuple(lacks(held)))
    if over is not None and over != locked.revision:
        return Saved(locked.revision, tuple(lacks(held)), as_fields(held))
    missing = tuple(lacks(given))
    _keep(pk, given, is_done=not missing)
    return Saved(locked.revision + 1, missing)


def check_may_review(review: Review) -> None:
    """Raise `Refused` where nothing more can be said of the question."""
    _check_open(review.annotator.study.state, review.question.story.benchmark.adjudication_opened_at)
    check_ready(review.annotator)


def _check_open(state: str, adjudication_opened_at: datetime | None) -> None:
    check_open(AUDIT_PHASE, state, STAYS)
    if adjudication_opened_at:
        raise Refused(ADJUDICATED)


def _locked(pk: int, by: User) -> _Locked:
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [pk, by.pk])
        row = first_named(cursor)
    if row is None:
        raise PermissionDenied("There is no such question among yours.")
    return _Locked(**row)


def _of(pk: int) -> Review:
    told = ("annotator__study", "annotator__consent", "annotator__profile")
    return Review.objects.select_related(*told).get(pk=pk)


def _held(pk: int, locked: _Locked) -> Given:
    """What the review says. Flags are read once it is locked: before, another window could still change them."""
    if not locked.revision:
        return Given()
    flags = sorted(map(as_given, QuestionFlag.objects.filter(review=pk)))
    return Given(locked.verdict, tuple(flags))  # type: ignore[arg-type]  # the database holds which there are


def _keep(pk: int, given: Given, *, is_done: bool) -> None:
    flags = {
        "axes": [flag.axis for flag in given.flags],
        "categories": [flag.category for flag in given.flags],
        "flaws": [flag.flaw for flag in given.flags],
        "scopes": [flag.scope for flag in given.flags],
        "notes": [flag.note for flag in given.flags],
    }
    with connection.cursor() as cursor:
        cursor.execute(KEEP, {**flags, "review": pk, "verdict": given.verdict, "is_done": is_done})
