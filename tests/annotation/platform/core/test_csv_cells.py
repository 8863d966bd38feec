"""Cells that a spreadsheet shows and does not run."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.platform.core.csv_cells import csv_line, inert, restored


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_a_text_that_would_be_run_gets_an_apostrophe(start: str) -> None:
    assert inert(f"{start}1+1") == f"'{start}1+1"
    assert inert(f"'{start}1+1") == f"''{start}1+1", "or one could not tell it from the one above"


@pytest.mark.parametrize("text", ["", "Ada", "a=1", "'tis", "ada@example.org", " =1"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert inert(text) == text


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\x00")), min_size=2))
def test_any_texts_come_back_as_they_were(texts: list[str]) -> None:
    line = csv_line(map(inert, texts))
    [cells] = csv.reader(io.StringIO(line, newline=""), strict=True)
    assert [restored(cell) for cell in cells] == texts
