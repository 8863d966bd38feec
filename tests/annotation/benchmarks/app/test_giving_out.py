"""Two annotators of the study review a question, as the database holds, too; others come in place of who leaves."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.reviews import QuestionFlag, Review
from annotation.benchmarks.models.rulings import Ruling
from annotation.benchmarks.services.adjudicating import freeze_subsets, open_adjudication
from annotation.benchmarks.services.giving_out import pass_on
from annotation.benchmarks.services.marks import ToMark, give_to_mark, mark
from annotation.notifications.core.occasions import ADJUDICATION_BEGUN, ANNOTATING_BEGUN
from annotation.notifications.models import Notification
from annotation.people.services import people
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Consent, Participation, Role
from annotation.study.models.studies import Study
from annotation.study.services.studies import lock_for_update
from tests.annotation.benchmarks.audits import (
    SOUND,
    an_adjudication,
    an_audit,
    flawed,
    questions_of,
    reviews_of,
    ruled,
    said,
)
from tests.clients import signed_in
from tests.factories import a_member, a_person, coordinator_of, members_of

pytestmark = pytest.mark.django_db


def leaves(person: Participation) -> None:
    people.leave(participation=person, reason="No time any more.", by=coordinator_of(person.study))


def test_nobody_but_two_annotators_of_the_study_can_have_a_review() -> None:
    study = an_audit(annotators=3)
    other = an_audit(slug="other")
    question = questions_of(study)[0]
    review = reviews_of(question)[0]
    third = Participation.objects.filter(study=study, role=Role.ANNOTATOR).exclude(reviews__question=question).get()
    [adjudicator] = members_of(study, Role.ADJUDICATOR)
    for wrong in (third, adjudicator, coordinator_member(study)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Review.objects.create(annotator=wrong, question=question, position=99)
    for wrong in (adjudicator, members_of(other, Role.ANNOTATOR)[0]):
        with pytest.raises(IntegrityError), transaction.atomic():
            Review.objects.filter(pk=review.pk).update(annotator=wrong)
    Review.objects.filter(pk=review.pk).update(annotator=third, position=99)


def test_administrators_read_that_an_audit_is_annotated_and_not_judged() -> None:
    an_audit()
    page = signed_in(a_person("Ada Administrator", is_staff=True)).get(reverse("administration")).content.decode()
    assert "Annotating" in page
    assert "Judging" not in page


def coordinator_member(study: Study) -> Participation:
    [member] = members_of(study, Role.COORDINATOR)
    return member


def test_who_comes_instead_gets_what_is_not_done_and_begins_it_anew() -> None:
    study = an_audit()
    leaver, stays = members_of(study, Role.ANNOTATOR)
    own = list(Review.objects.filter(annotator=leaver).order_by("position").select_related("annotator__user"))
    said(own[0], SOUND)
    said(own[1], flawed("semantic.role_mismatch", note="Half"))
    leaves(leaver)
    page = signed_in(coordinator_of(study)).get(reverse("benchmarks", args=[study.slug])).content.decode()
    assert "did not finish 5 questions" in page
    with pytest.raises(Refused, match="Nobody is left"):
        pass_on(study=study, by=coordinator_of(study))
    successor = a_member(study, Role.ANNOTATOR)
    signed_in(coordinator_of(study)).post(reverse("benchmarks_pass_on", args=[study.slug]))
    assert not QuestionFlag.objects.exists()
    received = Review.objects.filter(annotator=successor)
    assert (received.count(), received.filter(revision=0, done_at=None).count()) == (5, 5)
    assert Review.objects.filter(annotator=leaver).count() == 1, "what is done stays"
    assert AuditEvent.objects.filter(study=study, verb="audit.reviews_moved").exists()
    with pytest.raises(Refused, match="had anything to do"):
        pass_on(study=study, by=coordinator_of(study))
    for review in Review.objects.filter(annotator__in=[successor, stays]).select_related("annotator__user"):
        said(review, SOUND)
    assert open_adjudication(benchmark=study.benchmarks.get(), by=coordinator_of(study)) == 1


def test_marks_of_who_has_left_go_to_others_who_have_not_the_same_to_mark() -> None:
    study = an_adjudication()
    leaver, stays = members_of(study, Role.ANNOTATOR)
    question = questions_of(study)[0]
    for place, marker in enumerate((leaver, stays)):
        AnswerMark.objects.create(
            marker=marker, question=question, kind="answer", about=7, shown={"words": "box"}, position=1 + place
        )
    leaves(leaver)
    assert pass_on(study=study, by=coordinator_of(study)) == 1
    [adjudicator] = members_of(study, Role.ADJUDICATOR)
    assert set(AnswerMark.objects.values_list("marker", flat=True)) == {stays.pk, adjudicator.pk}


def test_annotators_and_the_adjudicator_are_told_what_is_asked_of_them_once_it_begins() -> None:
    study = an_adjudication()
    told = [(mail.occasion, mail.user, mail.body) for mail in Notification.objects.order_by("pk")]
    annotators = [(ANNOTATING_BEGUN, person.user) for person in members_of(study, Role.ANNOTATOR)]
    [adjudicator] = members_of(study, Role.ADJUDICATOR)
    people = [(occasion, person) for occasion, person, _ in told]
    assert sorted(people[:2], key=str) == sorted(annotators, key=str)
    assert people[2:] == [(ADJUDICATION_BEGUN, adjudicator.user)]
    assert "We ask you for 6 questions to annotate." in told[0][2]
    questions = Ruling.objects.count()
    assert f"We ask you for {questions} question{'s' * (questions > 1)} of " in told[2][2]
    assert "to rule on." in told[2][2]


def test_nothing_is_given_to_mark_to_who_withdrew_consent() -> None:
    study = an_adjudication()
    for ruling in Ruling.objects.select_related("question"):
        ruled(study, ruling.question.number, "none", "stays")
    freeze_subsets(benchmark=study.benchmarks.get(), by=coordinator_of(study))
    gone, stays = members_of(study, Role.ANNOTATOR)
    [adjudicator] = members_of(study, Role.ADJUDICATOR)
    Consent.objects.filter(participation=gone).update(withdrawn_at=timezone.now())
    question = questions_of(study)[0]
    items = [ToMark(about, question.pk, {"words": "box"}) for about in range(1, 4)]
    give_to_mark(benchmark=study.benchmarks.get(), kind="answer", items=items, people=2, by=coordinator_of(study))
    assert set(AnswerMark.objects.values_list("marker", flat=True)) == {stays.pk, adjudicator.pk}


def test_passing_on_asks_the_database_alike_often_for_few_marks_and_for_many(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    study = an_adjudication()
    leaver, _ = members_of(study, Role.ANNOTATOR)
    question = questions_of(study)[0]
    for about in range(1, 41):
        AnswerMark.objects.create(
            marker=leaver, question=question, kind="answer", about=about, shown={"words": "box"}, position=about
        )
    leaves(leaver)
    with django_assert_max_num_queries(40):
        assert pass_on(study=study, by=coordinator_of(study)) == 40


@pytest.mark.django_db(transaction=True)
def test_closing_waits_for_a_mark_that_is_being_kept() -> None:
    study = an_adjudication()
    [marker, _] = members_of(study, Role.ANNOTATOR)
    own = AnswerMark.objects.create(
        marker=marker, question=questions_of(study)[0], kind="answer", about=1, shown={"words": "box"}, position=1
    )

    def lock() -> None:
        try:
            with transaction.atomic():
                lock_for_update(Study.objects.get(pk=study.pk))
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            mark(pk=own.pk, verdict="right", by=marker.user)
            closing = pool.submit(lock)
            with pytest.raises(TimeoutError):
                closing.result(timeout=0.5)
        closing.result(timeout=10)
