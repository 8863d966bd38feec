"""Annotating: everything is given out twice, kept as it is said, and seen by nobody else."""

import json

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.assignment.services import assembling, designing
from annotation.benchmarks.models.reviews import QuestionFlag, Review
from annotation.benchmarks.selectors.progress import audit_progress
from annotation.benchmarks.services import benchmarks
from annotation.coordination.selectors.honoraria import ledger
from annotation.people.selectors.pending_work import pending_work
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Participation, Role
from tests.annotation.benchmarks.audits import (
    NOTE,
    SOUND,
    all_said,
    an_audit,
    audit_in_design,
    flawed,
    questions_of,
    reviews_of,
    said,
)
from tests.annotation.benchmarks.tomi_stories import a_benchmark
from tests.clients import signed_in
from tests.factories import a_member, a_study, coordinator_of, locked, ready_to_lock
from tests.pages import in_words

pytestmark = pytest.mark.django_db

WRONG = "structural.wrong_label"


def test_every_question_goes_to_two_annotators_and_the_certificate_says_so() -> None:
    study = an_audit(annotators=3)
    assert study.state == "judging"
    [benchmark] = study.benchmarks.all()
    found = audit_progress(benchmark)
    assert found is not None
    assert (found.certificate.questions, found.certificate.by_two, found.total) == (6, 6, 12)
    assert not Review.objects.exclude(annotator__role=Role.ANNOTATOR).exists()


def test_beside_the_name_of_a_benchmark_stands_how_much_of_that_benchmark_is_done() -> None:
    study = audit_in_design()
    a_benchmark(study)
    a_benchmark(study, name="ToMi again")
    for _ in range(2):
        annotator = a_member(study, Role.ANNOTATOR)
    locked(study)
    assembling.open_judging(study=study, by=coordinator_of(study))
    own = Review.objects.filter(annotator=annotator)
    of_first = own.filter(question__story__benchmark__name="ToMi")
    of_second = own.filter(question__story__benchmark__name="ToMi again")
    for review in of_first[:2]:
        said(review, SOUND)
    for review, line in ((of_first[0], "ToMi: 2 of 6 done"), (of_second[0], "ToMi again: 0 of 6 done")):
        page = in_words(signed_in(annotator.user).get(reverse("review", args=[review.pk])))
        assert f"Question {review.position} of 12" in page
        assert line in page


def test_an_audit_without_a_benchmark_or_a_second_annotator_does_not_open() -> None:
    study = audit_in_design()
    with pytest.raises(Refused, match="has none so far"):
        designing.lock_design(study=ready_to_lock(study), by=coordinator_of(study))
    a_benchmark(study)
    a_member(study, Role.ANNOTATOR)
    locked(study)
    with pytest.raises(Refused, match="there is 1 annotator"):
        assembling.open_judging(study=study, by=coordinator_of(study))
    assert not Review.objects.exists()


def test_a_locked_audit_is_told_by_its_benchmarks_and_models_and_not_by_texts() -> None:
    study = audit_in_design()
    a_benchmark(study)
    locked(study)
    client = signed_in(coordinator_of(study))
    page = client.get(reverse("study", args=[study.slug])).content.decode()
    assert "Benchmarks are fixed; models can answer." in page
    assert "Texts are checked" not in page
    assert "Assembling" not in page + client.get("/").content.decode()


def test_what_is_said_is_kept_with_its_flags_and_counts_once_it_is_complete() -> None:
    study = an_audit()
    review = reviews_of(questions_of(study)[0])[0]
    first = said(review, flawed(WRONG, note="Wrong"))
    assert first.lacks
    review.refresh_from_db()
    assert (review.verdict, review.revision, review.done_at) == ("flawed", 1, None)
    assert not said(review, flawed(WRONG)).lacks
    [flag] = QuestionFlag.objects.filter(review=review)
    assert (flag.category, flag.flaw, flag.note) == ("structural", "wrong_label", NOTE)
    review.refresh_from_db()
    assert review.done_at is not None
    said(review, SOUND)
    assert not QuestionFlag.objects.filter(review=review).exists()


def test_what_is_sent_again_changes_nothing_and_another_windows_word_is_not_replaced_unasked() -> None:
    review = reviews_of(questions_of(an_audit())[0])[0]
    assert said(review, SOUND, over=0).revision == 1
    assert said(review, SOUND, over=0).revision == 1  # the answer was lost on its way
    late = said(review, flawed(WRONG), over=0)
    assert late.conflict is not None
    assert late.conflict["verdict"] == ["sound"]
    assert not QuestionFlag.objects.exists()
    assert said(review, flawed(WRONG), over=late.revision).conflict is None
    assert QuestionFlag.objects.count() == 1


def test_nobody_reads_or_changes_what_another_says() -> None:
    study = an_audit()
    own, others = reviews_of(questions_of(study)[0])
    said(others, flawed(WRONG, note="Words that only one annotator knows."))
    client = signed_in(own.annotator.user)
    shown = client.get(reverse("review", args=[own.pk]))
    assert shown.status_code == 200
    assert "only one annotator knows" not in shown.content.decode()
    for address in ("review", "review_state"):
        assert client.get(reverse(address, args=[others.pk])).status_code == 404
    assert client.post(reverse("review_save", args=[others.pk]), SOUND).status_code == 404
    for outsider in (coordinator_of(study), Participation.objects.get(study=study, role=Role.ADJUDICATOR).user):
        assert signed_in(outsider).get(reverse("review", args=[own.pk])).status_code == 404
    with pytest.raises(PermissionDenied):
        said(Review(pk=others.pk, annotator=own.annotator), SOUND)


def test_the_script_is_told_the_revision_and_the_form_goes_on_to_what_is_open() -> None:
    study = an_audit()
    review = Review.objects.filter(annotator__study=study).order_by("annotator", "position")[0]
    client = signed_in(review.annotator.user)
    address = reverse("review_save", args=[review.pk])
    sent = client.post(address, {**flawed(WRONG, note="Bad"), "over": "0"}, headers={"Accept": "application/json"})
    assert json.loads(sent.content) == {
        "revision": 1,
        "lacks": ["Say in 3 words at least what is wrong."],
        "conflict": None,
    }
    assert client.post(address, SOUND).headers["Location"] == reverse("review", args=[review.pk + 1])
    refused = client.post(address, {**SOUND, "over": "x"}, headers={"Accept": "application/json"})
    assert refused.status_code == 409


def test_who_withdraws_consent_says_nothing_more() -> None:
    review = reviews_of(questions_of(an_audit())[0])[0]
    consent = review.annotator.consent
    consent.withdrawn_at = consent.given_at
    consent.save()
    with pytest.raises(Refused, match="withdrew"):
        said(review, SOUND)


def test_annotators_are_told_what_is_left_and_paid_for_what_is_done() -> None:
    study = an_audit()
    all_said(study, flaws={})
    people = list(Participation.objects.filter(study=study, role=Role.ANNOTATOR).select_related("study", "user"))
    said_first = Review.objects.filter(annotator=people[0])[0]
    Review.objects.filter(pk=said_first.pk).update(done_at=None)
    pending = pending_work(people)
    assert pending[people[0].pk] == "1 of 6 questions left to annotate"
    assert pending[people[1].pk] == "Nothing to do: 6 questions handed in"
    assert {line.account.pieces for line in ledger(study).lines if line.role == "Annotator"} == {5, 6}
    home = signed_in(people[0].user).get(reverse("study", args=[study.slug])).content.decode()
    assert reverse("review", args=[said_first.pk]) in home


def test_how_a_benchmark_is_annotated_is_fixed_with_the_design() -> None:
    study = a_study()
    benchmark = a_benchmark(study)
    assert benchmark.several_flaws  # ToMi's own guidelines
    client = signed_in(coordinator_of(study))
    address = reverse("benchmark_rules", args=[study.slug, benchmark.pk])
    given = {"agreements_adjudicated": "25", "reviewed": "all", "never_missed_sampled": "10"}
    client.post(address, {**given, "shows_answers": "on"})
    benchmark.refresh_from_db()
    assert (benchmark.several_flaws, benchmark.agreements_adjudicated) == (False, 25)
    assert not benchmark.shows_answers, "where all are reviewed, nobody sees an answer"
    for wrong in ({"agreements_adjudicated": "101"}, {"never_missed_sampled": "0"}, {"reviewed": "some"}):
        client.post(address, {**given, **wrong})
    benchmark.refresh_from_db()
    assert (benchmark.agreements_adjudicated, benchmark.never_missed_sampled) == (25, 10)
    locked(study)
    with pytest.raises(Refused, match="locked"):
        benchmarks.set_rules(
            benchmark=benchmark, several_flaws=True, agreements_adjudicated=5, by=coordinator_of(study)
        )


def test_a_save_is_a_handful_of_statements() -> None:
    review = reviews_of(questions_of(an_audit())[0])[0]
    said(review, SOUND)
    with CaptureQueriesContext(connection) as queries:
        said(review, flawed(WRONG))
    statements = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
    assert len(statements) <= 3, "\n".join(statements)
