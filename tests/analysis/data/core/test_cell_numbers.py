"""Numbers as spreadsheets write them, and columns for every rater and dimension, however their names are put."""

import pandas as pd
import pytest

from analysis.data.core.cell_numbers import doubts_of_numbers, numbers, sums_among
from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.rating_file import ColumnMap, read_ratings


def column(*cells: str) -> "pd.Series[str]":
    return pd.Series(cells, name="points", dtype="str")


@pytest.mark.parametrize(
    ("cells", "expected", "said"),
    [
        (("3,5", "4.0", "−1"), [3.5, 4.0, -1.0], "row 2, column points: 1 decimal comma read as a point"),
        (("3,125", "2,5"), [3.125, 2.5], "row 2, column points: 2 decimal commas read as a point"),
        (("85%", "7.5 %"), [85.0, 7.5], "row 2, column points: 2 per cent signs left out: 85% is read as 85"),
        (("3", ""), [3.0], None),
    ],
)
def test_numbers_are_read_as_they_are_written_and_that_is_said(
    cells: tuple[str, ...], expected: list[float], said: str | None
) -> None:
    found = column(*cells)
    assert numbers(found, {}).dropna().tolist() == expected
    assert [str(doubt) for doubt in doubts_of_numbers(found)] == ([said] if said else [])


@pytest.mark.parametrize("code", ["-1", "−1"])
def test_a_code_is_met_whichever_minus_sign_the_cell_or_the_code_has(code: str) -> None:
    assert numbers(column("−1", "-1", "2"), {code: 0}).tolist() == [0, 0, 2]


@pytest.mark.parametrize("code", ["0.5", ".5", "0,5", "+0.50", "0.5%"])
def test_a_code_of_a_number_is_of_every_way_to_write_it(code: str) -> None:
    assert numbers(column("0.5", ".50", "0,5", "+0.5", "1"), {code: 7}).tolist() == [7, 7, 7, 7, 1]


def test_a_comma_that_may_part_thousands_or_decimals_is_refused() -> None:
    with pytest.raises(JudgmentFileError, match=r"row 3, column points: '1,033' may be 1.033 or 1033"):
        doubts_of_numbers(column("12", "1,033", "2,500"))


@pytest.mark.parametrize(
    ("cells", "what"),
    [([("1", "2", "3"), ("2", "2", "4"), ("5", "1", "6")], "sum"), ([("1", "2", "1.5")] * 3, "mean")],
)
def test_a_column_that_is_the_sum_or_the_mean_of_the_others_is_said(
    cells: list[tuple[str, ...]], what: str
) -> None:
    table = pd.DataFrame(cells, columns=["a", "b", "total"], dtype="str")
    [doubt] = sums_among(table, ["a", "b", "total"], {})
    assert str(doubt).startswith(f"row 1, column total: it is the {what} of a and b")
    assert sums_among(table.assign(total="9"), ["a", "b", "total"], {}) == []


@pytest.mark.parametrize("form", ["R{rater}{dimension}", "{dimension} [R{rater}]", "Rater {rater} - {dimension}"])
def test_a_column_for_every_rater_and_dimension_is_read_however_it_is_called(form: str) -> None:
    names = [form.format(rater=rater, dimension=each) for each in ("Clarity", "Depth") for rater in (1, 2)]
    text = f"item;{';'.join(names)}\nq1;1;2;3;4\n"
    frame = read_ratings(text.encode(), ColumnMap()).frame
    assert sorted(frame["dimension"].unique()) == ["Clarity", "Depth"]
    assert frame.sort_values(["dimension", "evaluator"])["value"].tolist() == [1, 2, 3, 4]


def test_answers_side_by_side_are_refused_with_what_to_do() -> None:
    with pytest.raises(JudgmentFileError, match="“gpt” and “claude” are each of one answer, write a row for each"):
        read_ratings(b"judge,question,gpt,claude\nj1,q1,1,2\n", ColumnMap())


@pytest.mark.parametrize("name", ["Passage", "doc_id", "model", "worker_id"])
def test_numbers_that_name_a_prompt_a_source_or_a_rater_are_no_scores(name: str) -> None:
    known = "evaluator,unit,prompt,respondent,clarity"
    found = read_ratings(f"{known},{name}\nr1,a1,p,x,3,52000\nr1,a2,p,y,4,52000\n".encode(), ColumnMap())
    assert set(found.frame["dimension"]) == {"clarity"}
    assert f"column {name}: its name says that its numbers are no scores" in str(found.doubts[0])


def test_a_score_that_is_given_is_no_sum_among_the_dimensions() -> None:
    rows = "".join(f"r1,a{n},p,{n},{n % 3},{n + n % 3}\n" for n in range(1, 6))
    found = read_ratings(f"rater,answer,prompt,clarity,depth,score\n{rows}".encode(), ColumnMap())
    assert found.doubts == ()


@pytest.mark.parametrize("words", [("True", "FALSE"), ("yes", "no"), ("PASS", "fail"), ("Y", "n")])
def test_a_column_of_words_that_may_be_marks_is_never_lost_silently(words: tuple[str, str]) -> None:
    rows = "".join(f"r1,a{n},{n},{words[n % 2]},{'xy'[n % 2]}\n" for n in range(4))
    found = read_ratings(f"rater,answer,clarity,correct,site\n{rows}".encode(), ColumnMap())
    [doubt] = [each for each in found.doubts if each.column]
    assert str(doubt).startswith(f"row 1, column correct: its words may be ratings: {words[0]} and {words[1]}; the")


def test_columns_of_identifiers_and_times_are_no_dimensions_and_that_is_said() -> None:
    text = "Story ID,Work time in seconds,rater,clarity\n1,60,a,3\n2,90,a,4\n"
    asked = ColumnMap(columns={"unit": ("Story ID",)})
    found = read_ratings(text.encode(), asked)
    assert set(found.frame["dimension"]) == {"clarity"}
    assert [doubt.column for doubt in found.doubts if "no scores" in doubt.text] == ["Work time in seconds"]
