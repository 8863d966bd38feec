"""Giving a benchmark's questions to annotators, and those of annotators who have left to others."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count, Max, QuerySet

from annotation.benchmarks.core.allocation import allot, passed_on
from annotation.benchmarks.models.benchmarks import Benchmark, Question
from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.reviews import QuestionFlag, Review
from annotation.benchmarks.selectors.progress import GONE, reviewed_questions
from annotation.notifications.core.occasions import ANNOTATING_BEGUN
from annotation.notifications.services import notifications
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted, in_words
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.core.phases import AUDIT_PHASE, check_open
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from annotation.texts.models.seeds import StudySeed

ROWS_AT_ONCE = 2_000


def give_out(study: Study, seed: bytes, *, by: User) -> int:
    """Give every question of the study's benchmarks that is reviewed to two annotators, and mail them; returns the
    number of reviews.

    Belongs in the transaction in which the audit opens. Raises `Refused` for fewer than two annotators, and where
    questions have still to be drawn.
    """
    annotators = {person.pseudonym: person for person in _here(study, Role.ANNOTATOR)}
    benchmarks: list[dict[str, int]] = []
    questions: dict[str, list[Question]] = {}
    for benchmark in Benchmark.objects.filter(study=study).order_by("id"):
        stories: dict[str, list[Question]] = {}
        for question in reviewed_questions(benchmark).select_related("story").order_by("number"):
            stories.setdefault(f"{benchmark.name}/{question.story.key}", []).append(question)
        if not stories:
            raise Refused(f"The questions of {benchmark.name} that are reviewed have still to be drawn.")
        benchmarks.append({key: len(asked) for key, asked in stories.items()})
        questions |= stories
    allotted = allot(benchmarks, sorted(annotators), seed=seed)
    reviews = [
        Review(annotator=annotators[pseudonym], question=question, position=position)
        for pseudonym, stories in allotted.items()
        for position, question in enumerate(_in_order(stories, questions), start=1)
    ]
    Review.objects.bulk_create(reviews, batch_size=ROWS_AT_ONCE)
    asked = Counter(review.annotator.user_id for review in reviews)
    work = {
        user: {"work": f"{counted(number, 'question')} to annotate{by_when(study)}"}
        for user, number in asked.items()
    }
    notifications.tell(study=study, occasion=ANNOTATING_BEGUN, people=work, by=by)
    return len(reviews)


def by_when(study: Study) -> str:
    """The day by which all should be annotated and ruled on, to stand behind it; empty where no day is set."""
    return f", by {in_words(study.judging_due_on)}" if study.judging_due_on else ""


def _in_order(stories: Sequence[str], questions: dict[str, list[Question]]) -> Iterator[Question]:
    return (question for story in stories for question in questions[story])


def _here(study: Study, *roles: Role) -> list[Participation]:
    members = Participation.objects.filter(study=study, role__in=roles).exclude(GONE)
    return list(members.order_by("pseudonym"))


@transaction.atomic
def pass_on(*, study: Study, by: User) -> int:
    """Give what those who have left, or withdrew their consent, did not finish to others who do not have it yet:
    questions to annotators, marks to whoever marks. Returns how many pieces change hands.

    What is done stays theirs; what is begun is begun anew. Raises `Refused` where there is nothing to pass on, and
    where for something nobody is left.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    check_open(AUDIT_PHASE, study.state, ": nothing changes hands.")
    seed = bytes(StudySeed.objects.get(study=study).seed)
    gone = list(Participation.objects.filter(GONE, study=study).values_list("pk", flat=True))
    moved = {**_pass_reviews(study, gone, seed), **_pass_marks(study, gone, seed)}
    if not moved:
        raise Refused("Nobody who has left had anything to do still.")
    audit.record(
        verb=AuditVerb.AUDIT_REVIEWS_MOVED,
        by=by,
        study=study,
        subject=study.slug,
        moves=moved,
    )
    return len(moved)


def _pass_reviews(study: Study, gone: Sequence[int], seed: bytes) -> dict[str, str]:
    """Whole stories, as far as they are left; in each receiver's order behind what they have."""
    left = list(
        Review.objects.select_for_update(of=("self",))
        .filter(annotator__in=gone, done_at=None, question__story__benchmark__adjudication_opened_at=None)
        .select_related("question")
        .order_by("question__story", "question__number")
    )
    here = {person.pseudonym: person for person in _here(study, Role.ANNOTATOR)}
    theirs = Review.objects.filter(annotator__in=[*here.values()])
    loads = _loads(here, theirs.filter(done_at=None).values_list("annotator__pseudonym"))
    pieces: dict[str, list[Review]] = {}
    for review in left:
        pieces.setdefault(f"{review.question.story_id} {review.annotator_id}", []).append(review)
    stories = {key: reviews[0].question.story_id for key, reviews in pieces.items()}
    of_stories = Review.objects.filter(question__story__in=stories.values()).order_by()
    holders_of = _people_by(of_stories.values_list("question__story", "annotator__pseudonym"))
    holders = {key: holders_of[story] for key, story in stories.items()}
    given = passed_on({key: len(reviews) for key, reviews in pieces.items()}, holders, loads, seed=seed)
    last = _last(theirs.values_list("annotator"))
    moved = {}
    for key, pseudonym in given.items():
        receiver = here[pseudonym]
        for review in pieces[key]:
            last[receiver.pk] += 1
            moved[f"review {review.pk}"] = pseudonym
            review.annotator, review.position = receiver, last[receiver.pk]
            review.verdict, review.revision = "", 0
            review.begun_at = review.saved_at = None
    QuestionFlag.objects.filter(review__in=left).delete()
    Review.objects.bulk_update(
        left, ["annotator", "position", "verdict", "revision", "begun_at", "saved_at"], batch_size=ROWS_AT_ONCE
    )
    return moved


def _pass_marks(study: Study, gone: Sequence[int], seed: bytes) -> dict[str, str]:
    left = list(
        AnswerMark.objects.select_for_update(of=("self",))
        .filter(marker__in=gone, verdict="")
        .order_by("marker", "position")
    )
    here = {person.pseudonym: person for person in _here(study, Role.ANNOTATOR, Role.ADJUDICATOR)}
    theirs = AnswerMark.objects.filter(marker__in=[*here.values()])
    loads = _loads(here, theirs.filter(verdict="").values_list("marker__pseudonym"))
    pieces = {str(mark.pk): mark for mark in left}
    of_things = AnswerMark.objects.filter(about__in=[mark.about for mark in left]).order_by()
    holders_of = _people_by(of_things.values_list("about", "marker__pseudonym"))
    holders = {key: holders_of[mark.about] for key, mark in pieces.items()}
    given = passed_on(dict.fromkeys(pieces, 1), holders, loads, seed=seed)
    last = _last(theirs.values_list("marker"))
    moved = {}
    for key, pseudonym in given.items():
        receiver = here[pseudonym]
        last[receiver.pk] += 1
        moved[f"mark {key}"] = pseudonym
        pieces[key].marker, pieces[key].position = receiver, last[receiver.pk]
    AnswerMark.objects.bulk_update(left, ["marker", "position"], batch_size=ROWS_AT_ONCE)
    return moved


def _people_by(pairs: Iterable[tuple[int, str]]) -> dict[int, set[str]]:
    """The pseudonyms that stand beside each id."""
    found: dict[int, set[str]] = {}
    for held, pseudonym in pairs:
        found.setdefault(held, set()).add(pseudonym)
    return found


def _loads(people: Iterable[str], holders: QuerySet[Any, tuple[str]]) -> dict[str, int]:
    """How many of the rows each has, by pseudonym; also who has none."""
    return {**dict.fromkeys(people, 0), **dict(holders.order_by().annotate(Count("pk")))}


def _last(holders: QuerySet[Any, tuple[int]]) -> Counter[int]:
    """The last position of each who holds any of the rows, by id."""
    return Counter(dict(holders.order_by().annotate(Max("position"))))
