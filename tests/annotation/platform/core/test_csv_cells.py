"""Cells that a spreadsheet shows and does not run."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.platform.core.csv_cells import Number, csv_line, earlier_csv_line, inert, restored

STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "﹦", "﹣")
UNSEEN = (
    "", " ", "  \u00a0", "\u3000", "\u200b", "\ufeff", "\u2060\u200d", "\u202e", "\u00ad", "\x1f", "\ufe0f",
    "\u034f", "\u3164", "\u2800", "\U000e0020",
)  # fmt: skip
TEXTS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\x00")), min_size=2)
# Mostly of what matters at the beginning of a cell.
CRAFTED = st.lists(st.text(st.sampled_from("'\",;a" + "".join((*STARTS, *UNSEEN)))), min_size=2)


@pytest.mark.parametrize("unseen", UNSEEN)
@pytest.mark.parametrize("start", STARTS)
def test_a_text_that_would_be_run_gets_an_apostrophe_whatever_cannot_be_seen_before_it(
    start: str, unseen: str
) -> None:
    text = f"{unseen}{start}1+1"
    assert inert(text) == f"'{text}"
    assert inert(f"'{text}") == f"''{text}", "or one could not tell it from the one above"


@pytest.mark.parametrize("text", ["", "Ada", "a=1", "'tis", "ada@example.org", " a", "\u200b", "'", "“=1”", "é-"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert inert(text) == text


def test_every_text_is_quoted_and_no_number_is() -> None:
    line = csv_line(["Ada", "", 'say "no"', "=1", "a;=1", "-1", Number("-1"), Number("")])
    assert line == '''"Ada","","say ""no""","'=1","a;=1","'-1",-1,\n'''


def test_a_line_of_an_earlier_version_can_still_be_made_out() -> None:
    cells = ["Ada", "", 'say "no"', "=1", " =1", "a,b", Number("-1")]
    assert earlier_csv_line(cells) == '''Ada,,"say ""no""",'=1, =1,"a,b",-1\n'''


@given(TEXTS | CRAFTED)
def test_any_texts_come_back_as_they_were(texts: list[str]) -> None:
    [cells] = csv.reader(io.StringIO(csv_line(texts), newline=""), strict=True)
    assert [restored(cell) for cell in cells] == texts
    assert csv_line(texts).startswith('"')
