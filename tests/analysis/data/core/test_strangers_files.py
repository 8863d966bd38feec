"""Files as survey tools and annotation tools export them: nothing in them is lost without a word."""

import re
import time

import numpy as np
import pytest

from analysis.data.core.cell_numbers import MEASURES, OF_SURVEYS, names_a_measure
from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.judgment_warnings import judgment_warnings, turning_codes
from analysis.data.core.known_columns import called_so
from analysis.data.core.pair_file import read_pairs
from analysis.data.core.rating_file import ColumnMap, read_ratings
from analysis.data.core.rating_frame import Ratings, judgments_of
from analysis.data.core.table_file import read_table
from analysis.rating_files.core.looking import read_file
from analysis.rating_files.core.reading import RatingOptions, codes_in, read_tables
from tests.folders import PROJECT

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
    "name",
    [
        *("lead_time", "time_taken", "WorkTimeInSeconds", "AssignmentId", "Duration (in seconds)", "Location"),
        *("LocationLatitude", "Location (latitude)", "Clicks", "Click Count", "date", "prompt_version"),
    ],
)
def test_names_of_measures_are_known_as_tools_write_them(name: str) -> None:
    assert names_a_measure(name)


@pytest.mark.parametrize("name", ["progress", "Progress", "version"])
@pytest.mark.parametrize("tools", ["Finished", "RecordedDate", "Duration (in seconds)", "submitdate", "HITId"])
def test_a_word_that_survey_tools_write_is_a_dimension_where_none_of_them_wrote_the_file(
    name: str, tools: str
) -> None:
    alone = read_ratings(table(f"rater,answer,depth,{name}", cells=",3"), ColumnMap())
    assert set(alone.frame["dimension"]) == {"depth", name}
    beside = read_ratings(table(f"rater,answer,depth,{name},{tools}", cells=",100,done"), ColumnMap())
    assert set(beside.frame["dimension"]) == {"depth"}
    assert any(f"column {name}: its name says that its numbers are no scores" in each for each in said(beside))


def test_the_how_to_names_every_word_of_measures() -> None:
    text = (PROJECT / "docs" / "how-to" / "analyse-judgments.md").read_text(encoding="utf-8")
    [named] = re.findall(r"say that they measure something else \(([^)]*)\)", text)
    assert set(re.findall(r"\w+", named)) == MEASURES
    assert all(f"`{word}`" in text for word in OF_SURVEYS)


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
    def rows(self, grades: tuple[float, ...], *, header: str = "judge,question,model,rank,grade") -> bytes:
        """Two judges rank answers to three prompts in the order of the grades, which begin with the best's."""
        lines = [
            f"j{judge},p{prompt},m{place},{place + 1},{grade:g}"
            for judge in range(2)
            for prompt in range(3)
            for place, grade in enumerate(grades)
        ]
        return "\n".join([header, *lines, ""]).encode()

    def doubted(self, content: bytes, **said: object) -> list[str]:
        read = read_file(content, RatingOptions(**said), "ratings")  # type: ignore[arg-type]
        return [str(each) for each in read.doubts if "the better the lower" in str(each)]

    def test_scores_that_fall_where_ranks_get_better_are_doubted(self) -> None:
        assert self.doubted(self.rows((1, 2, 3))) == [
            "In 6 of 6 judgments answers are ranked the better the lower their scores are. Scores are taken for "
            "the better the higher they are: where 1 is the best, turn them round by codes: 1=3,2=2,3=1"
        ]

    @pytest.mark.parametrize("grades", [(3, 2, 3), (3, 2, 1), (5, 5, 5)])
    def test_scores_that_mostly_rise_are_not(self, grades: tuple[float, ...]) -> None:
        assert self.doubted(self.rows(grades)) == []

    @pytest.mark.parametrize(
        ("grades", "said"),
        [
            ((1, 2, 3), {}),
            ((1, 2, 3), {"scale": (1.0, 7.0)}),
            ((2, 3, 6), {}),
            ((0, 4, 10), {}),
            ((-3, 0, 3), {}),
            ((3, 2, 1), {"codes": {"1": 3.0, "2": 2.0, "3": 1.0}}),
            ((1, 3, 5), {"codes": {"5.0": 5.0, "4": 4.0, "2": 2.0, "1": 1.0}}),
        ],
        ids=["untold", "told", "inferred", "ten", "about 0", "coded already", "coded in part"],
    )
    def test_with_the_codes_that_are_advised_the_doubt_goes_and_ranks_stay(
        self, grades: tuple[float, ...], said: dict[str, object]
    ) -> None:
        content = self.rows(grades)
        [doubt] = self.doubted(content, **said)
        codes = codes_in(doubt.partition("codes: ")[2])
        assert self.doubted(content, **{**said, "codes": codes}) == []
        read = read_file(content, RatingOptions(**{**said, "codes": codes}), "ratings")  # type: ignore[arg-type]
        assert read.tables.judgments["rank"].tolist() == [1, 2, 3] * 6
        before = read_file(content, RatingOptions(**said), "ratings")  # type: ignore[arg-type]
        low, high = before.scale or before.tables.taken or (0, 0)
        assert (read.tables.judgments["grade"] + before.tables.judgments["grade"]).unique().tolist() == [low + high]

    def test_scores_are_turned_about_the_ends_of_the_scale(self) -> None:
        [told] = self.doubted(self.rows((1, 2, 3)), scale=(1.0, 7.0))
        assert told.endswith("where 1 is the best, turn them round by codes: 1=7,2=6,3=5,4=4,5=3,6=2,7=1")
        [inferred] = self.doubted(self.rows((2, 3, 6)))
        assert "where 1 is the best, turn them round by codes: 1=10,2=9," in inferred

    def test_words_that_were_given_codes_are_turned_by_codes_of_their_own(self) -> None:
        words = {"1": "good", "2": "fair", "3": "poor"}
        text = self.rows((1, 2, 3)).decode()
        content = "\n".join(
            line if place == 0 or not line else f"{line[:-1]}{words[line[-1]]}"
            for place, line in enumerate(text.split("\n"))
        ).encode()
        codes = {"good": 1.0, "fair": 2.0, "poor": 3.0}
        [doubt] = self.doubted(content, codes=codes, dimensions=("grade",))
        advised = codes_in(doubt.partition("codes: ")[2])
        assert {word: advised[word] for word in codes} == {"good": 3, "fair": 2, "poor": 1}
        assert self.doubted(content, codes=advised, dimensions=("grade",)) == []

    def test_ranks_stay_where_the_dimension_stands_in_a_column_and_where_raters_have_columns(self) -> None:
        codes = {"1": 3.0, "2": 2.0, "3": 1.0}
        rows = "".join(f"j,p,m{n},{name},{n}\n" for n in (1, 2, 3) for name in ("rank", "grade"))
        text = f"judge,question,model,criterion,rating\n{rows}"
        found = read_ratings(text.encode(), ColumnMap(codes=codes, scale=(1, 2))).frame
        assert found[found["dimension"] == "rank"]["value"].tolist() == [1, 2, 3]
        text = "answer,R1_rank,R1_grade,R2_rank,R2_grade\na,1,1,2,2\nb,2,2,1,1\nc,3,3,3,3\n"
        found = read_ratings(text.encode(), ColumnMap(codes=codes, scale=(1, 2))).frame
        assert found[found["dimension"] == "rank"]["value"].tolist() == [1, 2, 3, 2, 1, 3]
        assert found[found["dimension"] == "grade"]["value"].max() == 2

    def test_words_of_ranks_have_codes_all_the_same(self) -> None:
        text = b"judge,question,model,rank,grade\nj,p,a,first,3\nj,p,b,second,1\n"
        found = read_ratings(text, ColumnMap(codes={"first": 1, "second": 2, "1": 3}, dimensions=("grade",))).frame
        assert found.set_index(["dimension", "unit"])["value"].tolist() == [1, 2, 3, 3]

    def test_the_codes_that_are_advised_turn_every_score_round_as_it_is_written(self) -> None:
        text = "judge,answer,grade\nj,a,1.0\nj,b,2\nk,a,3\nk,b,1\n"
        found = read_ratings(text.encode(), ColumnMap(codes={"1": 3, "2": 2, "3": 1}))
        assert found.frame["value"].tolist() == [3, 2, 1, 3]

    @pytest.mark.parametrize("grades", [(50, 50.5, 51), (1, 1.5, 2), (1, 2, 3e7), (0, 50, 100), (1e9, 2e9, 3e9)])
    def test_scores_on_no_scale_of_few_whole_numbers_are_told_to_be_turned_in_the_file(
        self, grades: tuple[float, ...]
    ) -> None:
        [doubt] = self.doubted(self.rows(grades), scale=(min(grades), max(grades)))
        assert doubt.endswith("is the best, turn them round in the file")

    def test_a_score_beside_dimensions_that_codes_would_not_turn_is_turned_in_the_file(self) -> None:
        lines = [f"j,p{p},m{n},{n},{n},{n},{2 * n}" for p in range(3) for n in (1, 2, 3)]
        content = "\n".join(["judge,question,model,rank,grade,depth,score", *lines]).encode()
        assert self.doubted(content)[0].endswith("turn them round in the file")

    def test_a_file_of_judgments_has_no_codes_and_is_turned_itself(self) -> None:
        frame = judgments_of(read_ratings(self.rows((1, 2, 3)), ColumnMap()))
        [warning] = [each for each in judgment_warnings(frame, (0, 7)) if "better" in each]
        assert warning.endswith("where 0 is the best, turn them round in the file.")

    def test_what_codes_turn_is_told_at_once_however_far_scores_reach(self) -> None:
        start = time.process_time()
        assert turning_codes(np.array([1.0, 3e12]), (1, 3e12), {}) == ""
        assert time.process_time() - start < 1


class TestRanksAndScoresOfOtherNames:
    TEXT = b"judge,question,model,place,total,grade\nj,p,a,2,9,3\nj,p,b,1,8,1\n"

    @pytest.mark.parametrize("dimensions", [(), ("grade",)], ids=["all", "named"])
    def test_they_are_read_as_what_they_are_said_to_be(self, dimensions: tuple[str, ...]) -> None:
        said = RatingOptions(columns={"place": "rank", "total": "score"}, dimensions=dimensions)
        judgments = read_tables(self.TEXT, said).tables.judgments
        assert judgments[["rank", "score", "grade"]].to_numpy().tolist() == [[2, 9, 3], [1, 8, 1]]

    def test_ranks_alone_are_enough(self) -> None:
        text = b"judge,question,model,place\nj,p,a,2\nj,p,b,1\n"
        judgments = read_tables(text, RatingOptions(columns={"place": "rank"})).tables.judgments
        assert judgments["rank"].tolist() == [2, 1]

    @pytest.mark.parametrize("columns", [{"place": "rank"}, {"place": "rank", "total": "rank"}])
    def test_two_columns_of_ranks_stop_everything_until_one_is_left_out(self, columns: dict[str, str]) -> None:
        text = self.TEXT if len(columns) > 1 else self.TEXT.replace(b"total", b"rank")
        with pytest.raises(JudgmentFileError, match="row 1, column rank: several columns are said or called"):
            read_tables(text, RatingOptions(columns=columns))
        found = read_tables(text, RatingOptions(columns={"place": "rank"}, ignored=("rank", "total")))
        assert found.tables.judgments["rank"].tolist() == [2, 1]

    def test_one_that_is_not_there_stops_everything(self) -> None:
        with pytest.raises(JudgmentFileError, match="no column is called “order”"):
            read_tables(self.TEXT, RatingOptions(columns={"order": "rank"}))


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


@pytest.mark.parametrize(
    ("scores", "is_one"),
    [((-99, -99, 4, 5), True), ((-99, -98, 4, 5), False), ((1, 2, 500, 900), False), ((1, 2, 500, 500), True)],
)
def test_numbers_off_the_scale_may_say_that_there_is_no_rating_where_all_are_the_same(
    scores: tuple[int, ...], is_one: bool
) -> None:
    rows = "".join(f"r{place},a,{score}\n" for place, score in enumerate(scores))
    with pytest.raises(JudgmentFileError) as raised:
        read_tables(f"rater,answer,depth\n{rows}".encode(), RatingOptions())
    assert ("no rating, name it so (failures)" in str(raised.value)) == is_one
