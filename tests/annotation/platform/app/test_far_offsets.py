"""Changes far into a text: offsets that fit a small number of the database each, but not together."""

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from annotation.writing.models import WritingAssignment
from annotation.writing.services.drafts import Status
from tests.answers import begin, change_of, save, send, text_of
from tests.factories import a_writing_study, assignments_of

pytestmark = pytest.mark.django_db

LONG = "word " * 5_900  # nearly as many characters as an answer may have


@pytest.fixture
def answer() -> WritingAssignment:
    """One whose held text is long."""
    answer = begin(assignments_of(a_writing_study())[0])
    assert save(answer, 1, LONG)[0] is Status.SAVED
    return answer


def test_a_change_near_the_end_of_the_longest_answers_takes_one_statement(
    answer: WritingAssignment, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    sent = change_of(answer, at=25_000, delete=3_000, insert="thing")
    with django_assert_num_queries(1):
        status, _ = send(answer, sent)
    assert status is Status.SAVED
    assert text_of(answer) == LONG[:25_000] + "thing" + LONG[28_000:]


def test_a_change_whose_offsets_sum_to_more_than_32767_is_asked_for_whole(answer: WritingAssignment) -> None:
    status, held = send(answer, change_of(answer, at=20_000, delete=20_000, insert="thing"))
    assert (status, held.length) == (Status.FULL, len(LONG))


def test_a_change_beyond_all_texts_is_asked_for_whole(answer: WritingAssignment) -> None:
    status, held = send(answer, change_of(answer, at=2**30, delete=2**30, insert=""))
    assert (status, held.length) == (Status.FULL, len(LONG))


def test_what_is_asked_again_and_again_is_prepared(answer: WritingAssignment) -> None:
    for _ in range(7):
        send(answer, change_of(answer, at=0, delete=0, insert="a "))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%UPDATE annotation_draft %'"
        )
        assert cursor.fetchone()[0] == 1
