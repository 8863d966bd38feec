from datetime import date

import pytest

from annotation.platform.core import cells
from annotation.platform.core.errors import Refused


def test_a_day_is_read_in_the_notation_with_the_year_first() -> None:
    assert cells.day("2026-03-31") == date(2026, 3, 31)


@pytest.mark.parametrize(
    "cell", ["31.3.2026", "3/31/26", "2026-02-30", "soon", "2026-3-31", "20260331", "2026-W10-1"]
)
def test_a_cell_that_is_not_a_day_in_iso_form_is_refused(cell: str) -> None:
    with pytest.raises(Refused, match="written like 2026-03-31"):
        cells.day(cell)


@pytest.mark.parametrize(("cell", "number"), [("0", 0), ("12", 12), ("40", 40)])
def test_a_number_is_whole_and_within_its_range(cell: str, number: int) -> None:
    assert cells.number(40)(cell) == number


@pytest.mark.parametrize("cell", ["41", "-1", "1.5", "ten", "²", "9" * 5000])
def test_a_cell_that_is_not_a_number_in_its_range_is_refused(cell: str) -> None:
    with pytest.raises(Refused, match="from 0 to 40"):
        cells.number(40)(cell)


def test_topics_are_parted_by_semicolons_and_kept_once_in_their_order() -> None:
    assert cells.topics("Law;  Social\nwork ; ;Law; BBQ;") == ("Law", "Social work", "BBQ")


def test_a_topic_longer_than_the_table_of_the_database_is_refused() -> None:
    assert cells.topics("x" * 80) == ("x" * 80,)
    with pytest.raises(Refused, match="80 characters"):
        cells.topics("Law; " + "x" * 81)


def test_text_has_its_length_named_where_it_is_too_long() -> None:
    assert cells.text(3)("abc") == "abc"
    with pytest.raises(Refused, match="3 characters at most, and has 1,200"):
        cells.text(3)("a" * 1200)


def test_text_of_one_line_loses_its_line_ends() -> None:
    assert cells.one_line(20)("Ada \n  Lovelace") == "Ada Lovelace"


def test_a_pattern_has_to_fit_as_a_whole() -> None:
    take = cells.matching("[A-Z]{2}", "two capital letters")
    assert take("AB") == "AB"
    for cell in ("ABC", "AB\n", "ab"):
        with pytest.raises(Refused, match="must be two capital letters"):
            take(cell)
