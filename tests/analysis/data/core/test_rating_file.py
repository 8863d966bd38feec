"""Any file of ratings is read into one tidy frame, or refused with row and column."""

import math
import tracemalloc
from collections.abc import Mapping

import pandas as pd
import pytest

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.rating_file import ColumnMap, read_ratings
from analysis.data.core.rating_frame import COLUMNS, Ratings, averaged, judgments_of

PLAIN = """rater,answer,prompt,system,clarity,depth
r1,a1,p1,gpt,3,4
r1,a2,p1,human,2,2
r2,a1,p1,gpt,3,5
r2,a2,p1,human,1,4
"""


def read(text: str, **asked: object) -> Ratings:
    return read_ratings(text.encode(), ColumnMap(**asked))  # type: ignore[arg-type]


def changed(old: str, new: str) -> str:
    assert old in PLAIN
    return PLAIN.replace(old, new, 1)


def said(ratings: Ratings) -> list[str]:
    return [str(doubt) for doubt in ratings.doubts]


class TestTheFrame:
    def test_a_row_is_a_rating_whatever_columns_are_called(self) -> None:
        frame = read(PLAIN).frame
        assert tuple(frame.columns) == COLUMNS
        assert len(frame) == 8
        first = frame.iloc[0].to_dict()
        assert {
            name: first[name] for name in ("unit", "prompt", "respondent", "evaluator", "dimension", "value")
        } == {
            "unit": "a1",
            "prompt": "p1",
            "respondent": "gpt",
            "evaluator": "r1",
            "dimension": "clarity",
            "value": 3,
        }

    def test_identifiers_may_be_composed_of_columns_and_constants_hold_for_all_rows(self) -> None:
        text = "who,case,cell,score_a\nx,1,u,3\nx,1,v,4\n"
        found = read(
            text, columns={"evaluator": ("who",), "unit": ("case", "cell"), "prompt": ("case",)},
            constants={"condition": "baseline"},
        )  # fmt: skip
        assert found.frame["unit"].tolist() == ["1/u", "1/v"]
        assert set(found.frame["condition"]) == {"baseline"}

    def test_where_no_column_names_answers_one_is_what_somebody_answered_to_a_prompt(self) -> None:
        found = read(PLAIN.replace("answer", "remark").replace("a1,p1", ",p1").replace("a2,p1", ",p1"))
        assert found.frame["unit"].unique().tolist() == ["p1/gpt", "p1/human"]
        assert "no column names answers: one is taken to be what somebody answered to a prompt" in said(found)

    def test_an_ignored_column_is_as_if_it_were_not_there(self) -> None:
        found = read(PLAIN, ignored=frozenset(("depth", "of no such name")))
        assert found.frame["dimension"].unique().tolist() == ["clarity"]

    def test_a_long_file_names_its_dimensions_in_a_column(self) -> None:
        text = "rater,answer,prompt,criterion,mark\nr1,a1,p1,clarity,3\nr1,a1,p1,depth,4\n"
        found = read(text, columns={"dimension": ("criterion",), "value": ("mark",)})
        assert dict(zip(found.frame["dimension"], found.frame["value"], strict=True)) == {"clarity": 3, "depth": 4}

    def test_codes_stand_for_numbers_in_any_case(self) -> None:
        found = read("rater,answer,verdict\nr1,a1,PASS\nr2,a1,fail\n", codes={"Pass": 1, "Fail": 0})
        assert found.frame["value"].tolist() == [1, 0]

    @pytest.mark.parametrize(
        ("cell", "status"),
        [("-1", "failed"), ("−1", "failed"), ("-1.0", "failed"), ("timeout", "failed"),
         ("", "missing"), ("N/A", "missing"), (".", "missing"), ("#N/A", "missing"), ("<NA>", "missing"),
         ("oops", "failed"), ("12", "out of scale")],
    )  # fmt: skip
    def test_what_is_no_rating_has_its_status_and_no_value(self, cell: str, status: str) -> None:
        text = f"rater,answer,depth\nr1,a1,{cell}\nr2,a1,4\n"
        found = read(text, dimensions=("depth",), scale=(0, 10), failures=frozenset(("oops",))).frame
        assert math.isnan(found["value"].iloc[0])
        assert found["status"].tolist() == [status, ""]

    def test_minus_one_is_a_score_on_a_scale_that_has_it(self) -> None:
        text = "rater,answer,depth\nr1,a1,-1\nr2,a1,-3\nr3,a1,2.5\n"
        assert read(text).frame["value"].tolist() == [-1, -3, 2.5]
        assert read(text, scale=(-3, 3)).frame["value"].tolist() == [-1, -3, 2.5]

    def test_a_word_that_counts_as_minus_one_is_a_score(self) -> None:
        text = "rater,answer,pick\nr1,a1,WORST\nr2,a1,3\nr3,a1,-1.0\n"
        found = read(text, dimensions=("pick",), codes={"WORST": -1}).frame
        assert found["status"].tolist() == ["", "", "failed"]

    def test_a_blank_cell_may_have_a_code(self) -> None:
        text = "rater,answer,pick\nr1,a1,BEST\nr1,a2,\nr1,a3,WORST\n"
        found = read(text, dimensions=("pick",), codes={"BEST": 1, "": 0, "WORST": -1}).frame
        assert found["value"].tolist() == [1, 0, -1]

    @pytest.mark.parametrize("word", ["Approved", "submitted", "ok", ""])
    def test_words_of_platforms_for_work_that_was_done_are_no_failures(self, word: str) -> None:
        found = read(f"rater,answer,depth,status\nr1,a1,3,{word}\nr2,a1,2,rejected\n").frame
        assert found["status"].tolist() == ["", "rejected"]

    def test_abstentions_and_statuses_of_rows_leave_their_ratings_out(self) -> None:
        text = (
            "response_id,respondent_id,judge_model,perspective_id,clarity,depth,abstained,status\n"
            "a1,gpt,m1,historian,3,4,False,ok\na1,gpt,m2,historian,1,1,True,ok\na1,gpt,m3,historian,2,2,False,truncated\n"
        )
        found = read(text)
        assert found.frame.groupby("evaluator")["status"].first().to_dict() == {
            "m1": "",
            "m2": "abstained",
            "m3": "truncated",
        }
        assert "row 3: 2 ratings read as none (abstained)" in said(found)


class TestDoubts:
    def test_decimal_commas_are_read_and_said(self) -> None:
        text = "rater;answer;depth\nr1;a1;3\nr1;a2;3,5\n"
        found = read(text)
        assert found.frame["value"].tolist() == [3, 3.5]
        assert "row 3, column depth: 1 decimal comma read as a point" in said(found)

    def test_stray_spaces_do_not_make_another_rater(self) -> None:
        found = read(changed("r1,a2", " r1 ,a2"))
        assert found.frame["evaluator"].nunique() == 2
        assert "row 3, column rater: stray spaces in 1 cell are not counted" in said(found)

    @pytest.mark.parametrize(
        ("one", "other"),
        [("1", "1.0"), ("Ann", "ANN"), ("Zoë", "Zoe\u0308"), ("r1", "r1\u200b"), ("x-2", "x-2.00"), ("１", "1")],
        ids=["whole-number", "case", "form-of-a-letter", "invisible-sign", "part-of-a-name", "width"],
    )
    def test_names_that_differ_as_slips_do_are_two_and_said(self, one: str, other: str) -> None:
        found = read(f"rater,answer,depth\n{one},a1,3\n{one},a2,4\n{other},a3,4\nsomebody,a3,2\n")
        assert found.frame["evaluator"].nunique() == 3
        assert f"row 4, column rater: {one!r} and {other!r} are read as two names; write them alike" in "".join(
            said(found)
        )

    def test_names_that_differ_otherwise_are_no_doubt(self) -> None:
        found = read("rater,answer,depth\n" + "".join(f"{name},a1,3\n" for name in ("1", "10", "1.5", "01", "A-1")))
        assert not any("two names" in doubt for doubt in said(found))

    def test_a_column_that_is_half_numbers_is_never_lost_silently(self) -> None:
        text = changed("clarity,depth\nr1,a1,p1,gpt,3,4", "clarity,depth\nr1,a1,p1,gpt,3,good")
        found = read(text)
        assert set(found.frame["dimension"]) == {"clarity"}
        assert any(
            doubt.startswith("row 2, column depth: 'good' is no number, though 3 of 4") for doubt in said(found)
        )
        with pytest.raises(JudgmentFileError, match="row 2, column depth: 'good' is not a number"):
            read(text, dimensions=("clarity", "depth"))

    def test_without_prompts_every_answer_is_one_and_nothing_is_ranked(self) -> None:
        found = read("rater,answer,depth\nr1,a1,3\nr1,a2,4\n")
        assert said(found) == [
            "no column names prompts, so that every answer is one of its own and nothing is ranked"
        ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            changed("r2,a1,p1,gpt", "r2,a1,p1,claude"),
            "row 4, column system: 'claude', and 'gpt' before, in row 2: the answer",
        ),
        (changed("r2,a1", ",a1"), "row 4, column rater: is blank"),
        (changed("r2,a1,p1", "r2,a1,"), "row 4, column prompt: is blank, but names the prompt; fill it in"),
        (changed("r2,a1,p1,gpt,3,5", "r1,a1,p1,gpt,3,5"), "row 4, column clarity: 'r1' has rated 'a1' already"),
        (
            changed("rater", "person_x"),
            "row 1: no column is known to name the rater (evaluator); say which does: “person_x”, “answer”,",
        ),
        (
            "answer,Ann,Ben\na1,3,4\n",
            "row 1: no column is known to name the rater (evaluator); say which does: “answer”, “Ann”, “Ben”. If "
            "columns such as “Ann” and “Ben” have what the rater of that name gave, say so of each",
        ),
        (changed("2,2", "2"), "row 3: 5 cells under 6 columns"),
        ("rater,answer,word\nr1,a1,good\n", "row 1: no column holds numbers throughout"),
        (
            "rater,answer,duration\nr1,a1,30\nr1,a2,40\n",
            "row 1: numbers throughout are only in columns that by their names hold no scores: duration; name "
            "among the dimensions which of them holds scores",
        ),
        (
            "rater,answer,note,toxic\nr1,a1,x,yes\nr1,a2,y,no\nr2,a1,z,yes\n",
            "row 1: no column holds numbers throughout; name the dimensions, with codes for words. row 1, column "
            "toxic: its words may be ratings: yes and no",
        ),
        (
            "rater,answer,note,tone\nr1,a1,x,kind\nr1,a2,y,rude\nr2,a1,z,kind\n",
            "row 1: no column holds numbers throughout; name the dimensions, with codes for words, such as those "
            "of tone: kind, rude",
        ),
        (
            "rater,answer,prompt,item_type,depth\nr1,a1,p1,standard,3\nr1,a2,p1,cal_x,3\n",
            "row 3, column item_type: 'cal_x', and 'standard' before, in row 2: the prompt has two item types",
        ),
        (
            "rater,answer,prompt,item_type,depth\nr1,a1,p1,standard,3\nr1,a2,p2,opinion,3\n",
            "row 3, column item_type: 'opinion' is neither 'standard' nor a kind of calibration, 'cal_…'; write",
        ),
    ],
    ids=[
        *(
            "two sources",
            "blank",
            "blank prompt",
            "twice",
            "no rater",
            "own columns",
            "ragged",
            "no numbers",
            "measure",
            "words",
            "other words",
        ),
        *("two item types", "a type of their own"),
    ],
)
def test_impossible_ratings_are_refused_with_row_and_column(text: str, message: str) -> None:
    with pytest.raises(JudgmentFileError) as raised:
        read(text)
    assert str(raised.value).startswith(message)


def test_items_whose_type_is_blank_are_standard_and_a_column_of_other_words_may_be_passed_over() -> None:
    text = "rater,answer,prompt,item_type,depth\nr1,a1,p1,,3\nr1,a2,p2,cal_x,3\n"
    assert read(text).item_types == {"p1": "standard", "p2": "cal_x"}
    own = text.replace("cal_x", "opinion")
    assert set(read(own, constants={"item_type": "standard"}).item_types.values()) == {"standard"}


@pytest.mark.parametrize(
    ("header", "hint"),
    [
        (
            "task,system,rater,clarity,depth",
            "If an answer is what “system” gives to a prompt, say which column names",
        ),
        (
            "task,rater,clarity,depth",
            "If columns such as “clarity” and “depth” are each of one answer, write a row",
        ),
        ("task,R1 clarity,R1 depth,R2 clarity,R2 depth", "“R2 depth”"),
    ],
    ids=["by somebody", "side by side", "raters side by side"],
)
def test_where_nothing_names_answers_it_is_said_how_to_name_them(header: str, hint: str) -> None:
    cells = ",".join("3" if name[-1] in "yh" else "x" for name in header.split(","))
    with pytest.raises(JudgmentFileError) as raised:
        read(f"{header}\n{cells}\n")
    assert hint in str(raised.value)


def test_no_dimension_is_called_as_what_a_rating_consists_of() -> None:
    text = "rater,answer,prompt,criterion,mark\nr1,a1,p1,depth,3\nr1,a1,p1,judge_id,3\n"
    with pytest.raises(JudgmentFileError, match="row 3, column criterion: no dimension can be called 'judge_id'"):
        read(text, columns={"dimension": ("criterion",), "value": ("mark",)})


class TestAsJudgments:
    def test_rank_score_and_source_follow_from_the_ratings(self) -> None:
        frame = judgments_of(read(PLAIN)).set_index(["judge_id", "true_id"]).sort_index()
        assert frame["score"].tolist() == [7, 4, 8, 5]
        assert frame["rank"].tolist() == [1, 2, 1, 2]
        assert frame["true_source"].tolist() == ["model", "human", "model", "human"]
        assert frame["model"].tolist() == ["gpt", "", "gpt", ""]

    def test_ranks_of_the_file_stay_as_they_are(self) -> None:
        text = "rater,answer,prompt,rank,depth\nr1,a1,p1,2,5\nr1,a2,p1,1,4\n"
        assert judgments_of(read(text))["rank"].tolist() == [2, 1]

    def test_a_score_alone_is_a_rubric_of_one_dimension(self) -> None:
        frame = judgments_of(read("rater,answer,prompt,score\nr1,a1,p1,2\nr1,a2,p1,1\n"))
        assert frame[["score", "overall"]].to_numpy().tolist() == [[2, 2], [1, 1]]

    def test_answers_under_several_conditions_are_different_ones(self) -> None:
        text = "rater,answer,prompt,system,condition,depth\nr1,a1,p1,gpt,none,5\nr1,a1,p1,gpt,harm,4\n"
        frame = judgments_of(read(text))
        assert sorted(frame["model"]) == ["gpt · harm", "gpt · none"]
        assert frame["true_id"].is_unique

    def test_replicates_and_perspectives_are_averaged_and_that_is_said(self) -> None:
        text = "rater,answer,prompt,repeat,depth\nr1,a1,p1,1,5\nr1,a1,p1,2,4\n"
        found = read(text)
        assert judgments_of(found)["depth"].tolist() == [4.5]
        [doubt] = averaged(found)
        assert str(doubt) == "an evaluator’s ratings of an answer are averaged over 2 values of replicate"

    def test_memory_grows_with_the_rows_and_not_with_what_could_have_been_rated(self) -> None:
        # 400 prompts × 4 answers × 30 raters × 4 sources could have been; 3 of the raters judged each answer.
        lines = [
            f"r{(prompt + rater) % 30},a{prompt}-{system},p{prompt},{system},3,4"
            for prompt in range(400)
            for system in ("gpt", "llama", "opt", "human")
            for rater in range(3)
        ]
        ratings = read("\n".join(["rater,answer,prompt,system,clarity,depth", *lines]))
        tracemalloc.start()
        frame = judgments_of(ratings)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(frame) == 4_800
        assert peak < 50_000_000

    def test_item_types_are_kept(self) -> None:
        text = "rater,answer,prompt,item_type,depth\nr1,a1,p1,standard,3\nr1,a2,p2,cal_quality_floor,3\n"
        frame = judgments_of(read(text))
        found: Mapping[str, str] = dict(zip(frame["prompt_id"], frame["item_type"], strict=True))
        assert found == {"p1": "standard", "p2": "cal_quality_floor"}
        assert isinstance(frame, pd.DataFrame)
