import pytest

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.pair_file import read_pairs
from analysis.data.core.rating_file import ColumnMap
from analysis.data.core.rating_frame import judgments_of

PAIRS = """prompt,judge,model_a,model_b,winner
p1,j1,gpt,llama,a
p1,j2,llama,gpt,a
p2,j1,gpt,llama,tie
"""


def test_the_preferred_answer_has_1_the_other_0_and_of_a_tie_both_a_half() -> None:
    frame = read_pairs(PAIRS.encode(), ColumnMap()).frame
    found = frame.set_index(["prompt", "evaluator", "respondent"])["value"].to_dict()
    assert found == {
        ("p1/gpt – llama", "j1", "gpt"): 1,
        ("p1/gpt – llama", "j1", "llama"): 0,
        ("p1/gpt – llama", "j2", "llama"): 1,
        ("p1/gpt – llama", "j2", "gpt"): 0,
        ("p2/gpt – llama", "j1", "gpt"): 0.5,
        ("p2/gpt – llama", "j1", "llama"): 0.5,
    }


def test_pairs_become_judgments_of_two_ranked_answers() -> None:
    frame = judgments_of(read_pairs(PAIRS.encode(), ColumnMap())).sort_values(["prompt_id", "judge_id", "model"])
    assert frame["rank"].tolist() == [1, 2, 2, 1, 1, 1]
    assert frame["score"].isna().all()


def test_columns_of_verdicts_are_evaluators_and_0_1_2_are_tie_first_and_second() -> None:
    text = "idx,model_a,model_b,one,two\n1,x,y,0,1\n2,x,y,2,-1\n"
    frame = read_pairs(text.encode(), ColumnMap(columns={"verdict": ("one", "two")})).frame
    of_x = frame[frame["respondent"] == "x"].set_index(["evaluator", "prompt"])["value"].to_dict()
    assert of_x == {("one", "1/x – y"): 0.5, ("one", "2/x – y"): 0, ("two", "1/x – y"): 1, ("two", "2/x – y"): 0}


def test_a_code_of_verdicts_is_met_whichever_minus_sign_it_has() -> None:
    asked = ColumnMap(codes={"−1": 0, "+1": 1})
    frame = read_pairs(b"prompt,judge,model_a,model_b,winner\np1,j1,x,y,-1\np2,j1,x,y,+1\n", asked).frame
    assert frame[frame["respondent"] == "x"]["value"].tolist() == [0, 1]


def test_a_verdict_that_is_none_leaves_no_rank_and_is_said() -> None:
    found = read_pairs(PAIRS.replace(",tie", ",error").encode(), ColumnMap())
    assert [str(doubt) for doubt in found.doubts] == ["1 comparison without a verdict"]
    assert len(judgments_of(found)) == 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            ",tie",
            ",maybe",
            "row 4, column winner: 'maybe' is no verdict, nor a code for one: give verdicts codes, 1 for",
        ),
        ("gpt,llama,tie", "gpt,gpt,tie", "row 4, column model_b: 'gpt' is compared with itself"),
        ("p1,j2", "p1,j1", "row 3: 'j1' has compared these two already, in row 2"),
        ("gpt,llama,tie", ",llama,tie", "row 4, column model_a: is blank, but names the first answer"),
        ("winner", "outcome", "row 1: no column is known to name the verdict (verdict)"),
    ],
)
def test_pairs_that_cannot_be_meant_are_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(JudgmentFileError) as raised:
        read_pairs(PAIRS.replace(old, new, 1).encode(), ColumnMap())
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("first", "second", "tie"),
    [
        ("[[A]]", "[[B]]", "[[C]]"),
        ("A>B", "B>>A", "A=B"),
        ("A >> B", "B > A", "A = B"),
        ("Model A", "Model B", "Tie (both bad)"),
        ("Assistant A", "assistant_b", "neither"),
        ("response_1", "response_2", "bothbad"),
        ("1.0", "2.0", "0.0"),
        ("1", "-1.0", "0"),
    ],
)
def test_verdicts_are_known_as_people_and_judge_models_write_them(first: str, second: str, tie: str) -> None:
    text = f"prompt,judge,model_a,model_b,winner\np1,j,x,y,{first}\np2,j,x,y,{second}\np3,j,x,y,{tie}\n"
    frame = read_pairs(text.encode(), ColumnMap()).frame
    assert frame[frame["respondent"] == "x"]["value"].tolist() == [1, 0, 0.5]


def test_verdicts_of_1_and_0_alone_are_refused_until_somebody_says_what_0_is() -> None:
    text = b"prompt,judge,model_a,model_b,winner\np1,j,x,y,1\np2,j,x,y,0\np3,j,x,y,\n"
    with pytest.raises(JudgmentFileError, match="row 3, column winner: where verdicts are 1 and 0 alone, 0 may be"):
        read_pairs(text, ColumnMap())
    for code in (0.0, 0.5):
        frame = read_pairs(text, ColumnMap(codes={"0": code})).frame
        assert frame[frame["respondent"] == "x"]["value"].tolist()[:2] == [1, code]


def test_columns_are_known_in_capitals_and_with_spaces_too() -> None:
    text = PAIRS.replace("model_a", "Model A").replace("model_b", "Model B").replace("winner", "Winner")
    assert read_pairs(text.encode(), ColumnMap()).frame.equals(read_pairs(PAIRS.encode(), ColumnMap()).frame)


def test_letters_of_another_encoding_are_a_doubt_of_comparisons_too() -> None:
    found = read_pairs(PAIRS.replace("gpt", "modèle").encode("cp1252"), ColumnMap())
    assert any("Windows-1252" in str(doubt) for doubt in found.doubts)


def test_a_verdict_may_name_what_was_preferred() -> None:
    text = (
        "prompt,model_a,model_b,winner,judge\np1,gpt,claude,claude,j1\np1,claude,gpt,gpt,j2\np2,gpt,claude,tie,j1\n"
    )
    frame = read_pairs(text.encode(), ColumnMap()).frame
    of_gpt = frame[frame["respondent"] == "gpt"].set_index(["evaluator", "prompt"])["value"]
    assert of_gpt.groupby("evaluator", sort=True).apply(sorted).to_dict() == {"j1": [0.0, 0.5], "j2": [1.0]}


def test_a_verdict_that_is_the_name_of_the_one_and_stands_for_the_other_is_refused() -> None:
    with pytest.raises(JudgmentFileError, match="row 3, column winner: 'A' may be the answer of this name"):
        read_pairs(b"prompt,first,second,winner\np1,A,B,A\np2,B,A,A\n", ColumnMap())


def test_of_chosen_and_rejected_the_first_was_preferred() -> None:
    frame = read_pairs(b"prompt,chosen,rejected,annotator\np1,gpt,claude,w\n", ColumnMap()).frame
    assert frame.set_index("respondent")["value"].to_dict() == {"gpt": 1.0, "claude": 0.0}
