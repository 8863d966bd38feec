"""Rows of SQL written by hand go by the names of their columns."""

import pytest
from django.db import connection

from annotation.platform.services.rows import first_named, named

pytestmark = pytest.mark.django_db


def test_rows_are_taken_by_the_names_of_their_columns() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT n AS number, n * n AS square FROM generate_series(1, 2) n")
        assert list(named(cursor)) == [{"number": 1, "square": 1}, {"number": 2, "square": 4}]


def test_there_may_be_no_first_row() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 AS number WHERE false")
        assert first_named(cursor) is None


def test_two_columns_of_one_name_are_refused_for_one_would_hide_the_other() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1, 2")
        with pytest.raises(ValueError, match=r"\?column\?, \?column\?"):
            first_named(cursor)
