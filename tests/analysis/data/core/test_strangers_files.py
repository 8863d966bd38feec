"""Files as survey tools and annotation tools export them: nothing in them is lost without a word."""

import pytest

from analysis.data.core.cell_numbers import names_a_measure
from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.judgment_warnings import judgment_warnings
from analysis.data.core.known_columns import called_so
from analysis.data.core.pair_file import read_pairs
from analysis.data.core.rating_file import ColumnMap, read_ratings
from analysis.data.core.rating_frame import Ratings, judgments_of
from analysis.data.core.table_file import read_table
from analysis.rating_files.core.reading import RatingOptions, read_tables

ROWS = tuple(
    (f"r{rater}", f"a{answer}", str(1 + (rater + answer) % 5)) for rater in range(3) for answer in range(4)
)


def table(header: str, *, cells: str = "", above: str = "") -> bytes:
    """Rater, answer and a score, with more cells behind them."""
    return (above + header + "\n" + "".join(",".join(row) + cells + "\n" for row in ROWS)).encode()


def said(ratings: Ratings) -> list[str]:
    return [str(doubt) for doubt in ratings.doubts]


class TestRowsThatAreNoRatings:
    def test_blank_rows_above_the_names_of_columns_do_not_count_and_rows_keep_their_numbers(self) -> None:
        found = read_ratings(table("rater,answer,depth", above="\n,,\n\n"), ColumnMap())
        assert len(found.frame) == 12
        assert found.places is not None
        assert found.places["row"].iloc[0] == 5
        wrong = table("rater,answer,depth", above="\n\n").replace(b"r0,a1,2", b"r0,a1,two")
        with pytest.raises(JudgmentFileError, match="row 5, column depth: 'two' is not a number"):
            read_ratings(wrong, ColumnMap(dimensions=("depth",)))

    def test_a_name_that_is_wrong_stands_in_the_row_it_stands_in(self) -> None:
        with pytest.raises(JudgmentFileError, match="row 3, column 'answer': so are columns 2 and 3"):
            read_table(b"\n\nrater,answer,answer\na,b,3\n")

    @pytest.mark.parametrize("questions", ["Your id,Which text,How deep?\n", ""])
    def test_rows_of_questions_and_ids_that_a_survey_tool_puts_under_the_names_are_left_out_and_said(
        self, questions: str
    ) -> None:
        ids = ",".join(f'"{{""ImportId"":""QID{number}"",""timeZone"":""Z""}}"' for number in range(3))
        content = table(f"rater,answer,depth\n{questions}{ids}")
        found = read_ratings(content, ColumnMap())
        assert len(found.frame) == 12
        which = "rows 2 and 3 are" if questions else "row 2 is"
        assert f"{which} the survey tool’s own, with questions and ids, and no ratings" in said(found)
        assert found.places is not None
        assert found.places["row"].iloc[0] == (4 if questions else 3)


class TestColumnsWithoutNames:
    @pytest.mark.parametrize("first", [0, 1])
    def test_one_that_counts_the_rows_as_programs_write_it_is_left_out_and_said(self, first: int) -> None:
        lines = [f"{number + first},{','.join(row)}" for number, row in enumerate(ROWS)]
        found = read_ratings("\n".join([",rater,answer,depth", *lines, ""]).encode(), ColumnMap())
        assert set(found.frame["dimension"]) == {"depth"}
        assert "the first column, which has no name, counts the rows, and is left out" in said(found)

    def test_one_that_holds_anything_else_stops_everything(self) -> None:
        lines = [f"{number * 2},{','.join(row)}" for number, row in enumerate(ROWS)]
        with pytest.raises(JudgmentFileError, match="row 1, column 1 from the left: it has no name"):
            read_table("\n".join([",rater,answer,depth", *lines, ""]).encode())

    def test_blank_ones_before_the_table_do_not_count(self) -> None:
        lines = [",," + ",".join(row) for row in (("rater", "answer", "depth"), *ROWS)]
        assert list(read_table("\n".join(lines).encode()).columns) == ["rater", "answer", "depth"]


class TestColumnsThatAreNotRead:
    def test_all_that_nothing_is_read_from_are_named(self) -> None:
        found = read_ratings(table("rater,answer,depth,remark,topic", cells=",well said,law"), ColumnMap())
        assert "nothing is read from the columns remark and topic; say what they are, if they matter" in said(found)

    def test_one_whose_name_says_that_it_holds_ratings_is_named_by_itself(self) -> None:
        content = table("rater,answer,depth,rating", cells=',"[{""rating"": 4}]"')
        assert (
            "row 1, column rating: its name says that it holds ratings, but no cell is a number: nothing is read "
            "from it; name it among the dimensions, with codes, if it is one"
        ) in said(read_ratings(content, ColumnMap()))

    def test_one_such_is_named_where_no_other_column_can_be_a_dimension(self) -> None:
        content = b'rater,answer,lead_time,rating\nr,a,3.5,"[{""rating"": 4}]"\nr,b,2,"[{""rating"": 2}]"\n'
        with pytest.raises(
            JudgmentFileError, match=r"hold no scores: lead_time; .* row 1, column rating: its name says"
        ):
            read_ratings(content, ColumnMap())

    def test_words_of_which_everybody_chose_one_of_few_may_be_ratings_beside_numbers_too(self) -> None:
        lines = [f"{','.join(row)},{'Agree' if int(row[2]) > 2 else 'Strongly disagree'}" for row in ROWS]
        found = read_ratings("\n".join(["rater,answer,depth,clear", *lines, ""]).encode(), ColumnMap())
        assert (
            "row 1, column clear: its words may be ratings: Strongly disagree and Agree; the column is not taken "
            "for a dimension; name it among the dimensions, with codes, if it is one"
        ) in said(found)

    def test_where_somebody_named_the_dimensions_nothing_more_is_said(self) -> None:
        content = table("rater,answer,depth,remark", cells=",well said")
        assert said(read_ratings(content, ColumnMap(dimensions=("depth",)))) == said(
            read_ratings(table("rater,answer,depth"), ColumnMap(dimensions=("depth",)))
        )


def test_a_score_that_takes_the_place_of_the_sum_of_dimensions_is_said() -> None:
    found = read_ratings(table("rater,answer,score,depth", cells=",4"), ColumnMap())
    assert (
        "row 1, column score: it is taken for the score that was given, in place of the sum of depth, and answers "
        "are ranked by it; name it otherwise if it is a dimension like these"
    ) in said(found)
    alone = read_ratings(table("rater,answer,score"), ColumnMap())
    assert not any("in place of" in each for each in said(alone))


@pytest.mark.parametrize(
    "name", ["lead_time", "time_taken", "WorkTimeInSeconds", "AssignmentId", "Duration (in seconds)", "Progress"]
)
def test_names_of_measures_are_known_as_tools_write_them(name: str) -> None:
    assert names_a_measure(name)


@pytest.mark.parametrize(
    ("column", "ours"), [("WorkerId", "worker_id"), ("promptID", "prompt_id"), ("Model", "model"), ("GPT", "gpt")]
)
def test_names_are_known_with_their_words_run_together(column: str, ours: str) -> None:
    assert called_so([column], (ours,)) == (column if column == "GPT" else ours if column == ours else column)


@pytest.mark.parametrize("name", ["PROLIFIC_PID", "Prolific ID", "user_id", "AnnotatorID"])
def test_raters_are_known_as_tools_name_them(name: str) -> None:
    found = read_ratings(table(f"{name},answer,depth"), ColumnMap())
    assert found.frame["evaluator"].nunique() == 3


class TestWhichEndIsBest:
    def judged(self, grade: str) -> list[str]:
        rows = "".join(
            f"j{judge},p{prompt},m{place},{place + 1},{score}\n"
            for judge in range(2)
            for prompt in range(3)
            for place, score in enumerate(grade)
        )
        frame = judgments_of(read_ratings(f"judge,question,model,rank,grade\n{rows}".encode(), ColumnMap()))
        return [each for each in judgment_warnings(frame) if "better" in each]

    def test_scores_that_fall_where_ranks_get_better_are_doubted(self) -> None:
        [warning] = self.judged("123")
        assert warning == (
            "In 6 of 6 judgments answers are ranked the better the lower their scores are. Scores are taken for "
            "the better the higher they are: where 1 is the best, turn them round by codes: 1=3,2=2,3=1."
        )

    def test_scores_that_mostly_rise_are_not(self) -> None:
        assert self.judged("323") == []
        assert self.judged("321") == []
        assert self.judged("555") == []

    def test_the_codes_that_are_advised_turn_every_score_round_as_it_is_written(self) -> None:
        text = "judge,answer,grade\nj,a,1.0\nj,b,2\nk,a,3\nk,b,1\n"
        found = read_ratings(text.encode(), ColumnMap(codes={"1": 3, "2": 2, "3": 1}))
        assert found.frame["value"].tolist() == [3, 2, 1, 3]

    def test_scores_that_are_no_few_whole_numbers_are_told_to_be_turned_in_the_file(self) -> None:
        rows = "".join(
            f"j,p{prompt},m{place},{place + 1},{50 + place / 2}\n" for prompt in range(3) for place in range(3)
        )
        frame = judgments_of(read_ratings(f"judge,question,model,rank,grade\n{rows}".encode(), ColumnMap()))
        assert any(
            each.endswith("where 50 is the best, turn them round in the file.") for each in judgment_warnings(frame)
        )


def test_an_answer_by_two_sources_under_a_name_of_what_was_answered_says_how_that_is_told() -> None:
    text = "rater,item,system,depth\nr,i1,gpt,3\nr,i1,human,4\n"
    with pytest.raises(JudgmentFileError, match=r"or say that item is what was answered \(item=prompt\)"):
        read_ratings(text.encode(), ColumnMap())
    assert len(read_ratings(text.encode(), ColumnMap(columns={"prompt": ("item",)})).frame) == 2


def test_columns_that_no_comparison_is_read_from_are_named_too() -> None:
    found = read_pairs(b"prompt,model_a,model_b,winner,turn\np,x,y,a,1\n", ColumnMap())
    assert said(found) == ["nothing is read from the column turn; say what it is, if it matters"]


def test_where_no_dimension_is_found_it_is_said_what_the_other_columns_were_taken_for() -> None:
    """A rating may be called as answers are elsewhere."""
    text = "user;text_id;question;response\nu1;t1;clear?;4\nu2;t1;clear?;3\n"
    with pytest.raises(JudgmentFileError, match="taken so: response=unit, question=prompt, user=evaluator"):
        read_ratings(text.encode(), ColumnMap())
    asked = ColumnMap(columns={"unit": ("text_id",), "dimension": ("question",), "value": ("response",)})
    assert read_ratings(text.encode(), asked).frame["value"].tolist() == [4, 3]


def test_a_number_off_the_scale_may_say_that_there_is_no_rating_and_how_to_say_so_is_told() -> None:
    rows = "".join(f"r{rater},a{answer},{1 + answer % 5}\n" for rater in range(2) for answer in range(10))
    text = f"rater,answer,depth\n{rows}r3,a1,-99\n".encode()
    with pytest.raises(JudgmentFileError, match=r"row 22, column depth: -99 .* no rating, name it so \(failures\)"):
        read_tables(text, RatingOptions())
    assert str(read_tables(text, RatingOptions(failures=("-99",))).doubts[0]).endswith(
        "1 rating read as none (failed)"
    )
