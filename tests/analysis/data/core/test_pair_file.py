import time

import pandas as pd
import pytest

from analysis.data.core.identifiers import look_alikes
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
        ("p1,j2,llama,gpt", "p1,j1,gpt,llama", "row 3: 'j1' has compared these two already, in row 2"),
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
    with pytest.raises(
        JudgmentFileError,
        match="row 3, column winner: 0 may be the second answer or a tie, and no other verdict tells; say which",
    ):
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


def of_x(verdicts: str, **asked: object) -> tuple[list[float], list[str]]:
    """What verdicts, one a row of its own prompt, make of the first answer, and all doubts."""
    rows = "".join(f'p{row},j,x,y,"{verdict}"\n' for row, verdict in enumerate(verdicts.split()))
    found = read_pairs(f"prompt,judge,model_a,model_b,winner\n{rows}".encode(), ColumnMap(**asked))  # type: ignore[arg-type]
    values = found.frame[found.frame["respondent"] == "x"]["value"].tolist()
    return values, [str(doubt) for doubt in found.doubts]


class TestNumbersAsVerdicts:
    @pytest.mark.parametrize(
        ("verdicts", "values", "said"),
        [
            ("1 0 0.5", [1, 0, 0.5], "1 is the first answer, 0 the second, 0.5 a tie"),
            ("1.0 0.0 .5", [1, 0, 0.5], "1 is the first answer, 0 the second, 0.5 a tie"),
            ("0 ½", [0, 0.5], "0 is the second answer, 0.5 a tie"),
            ("1 0 -1", [1, 0.5, 0], "1 is the first answer, -1 the second, 0 a tie"),
            ("1 0 2", [1, 0.5, 0], "1 is the first answer, 2 the second, 0 a tie"),
            ("1 2", [1, 0], "1 is the first answer, 2 the second"),
        ],
    )
    def test_numbers_that_can_be_meant_in_one_way_are_read_and_said(
        self, verdicts: str, values: list[float], said: str
    ) -> None:
        found, doubts = of_x(verdicts)
        assert found == values
        assert [each for each in doubts if "numbers" in each] == [
            f"row 2, column winner: verdicts are numbers, of which {said}; give codes if they say otherwise"
        ]

    def test_words_and_codes_are_no_doubt(self) -> None:
        assert of_x("first tie second") == ([1, 0.5, 0], [])
        assert of_x("1 0 0.5", codes={"1": 1.0, "0": 0.0, "0.5": 0.5}) == ([1, 0, 0.5], [])
        assert of_x("1 0 3", codes={"0": 0.0, "3": 0.5, "1": 1.0}) == ([1, 0, 0.5], [])

    @pytest.mark.parametrize("tie", ["tie", "draw", "[[C]]", "a=b", "both_bad", "½", ".50", "even"])
    def test_0_is_the_second_answer_beside_any_word_for_a_tie(self, tie: str) -> None:
        values, doubts = of_x(f"1 0 {tie}", codes={"even": 0.5})
        assert values == [1, 0, 0.5]
        assert "1 is the first answer, 0 the second" in doubts[0]

    @pytest.mark.parametrize("second", ["second", "lost", "[[B]]", "2", "-1.0", "worse"])
    def test_0_is_a_tie_beside_any_word_for_the_second_answer(self, second: str) -> None:
        assert of_x(f"1 0 {second}", codes={"worse": 0.0})[0] == [1, 0.5, 0]

    def test_words_for_a_tie_and_for_the_second_answer_are_read_beside_numbers_but_0(self) -> None:
        assert of_x("1 2 tie")[0] == [1, 0, 0.5]
        with pytest.raises(
            JudgmentFileError, match=r"row 3, column winner: 0 may be .* both have other words; say"
        ):
            of_x("1 0 second tie")

    @pytest.mark.parametrize("code", ["0", "0.0", "+0", "0,0", "-0"])
    @pytest.mark.parametrize("cell", ["0", "0.0", "0,00", "+0"])
    def test_a_code_of_a_number_is_of_every_way_to_write_it(self, code: str, cell: str) -> None:
        assert of_x(f"1 {cell}", codes={code: 0.0})[0] == [1, 0]

    def test_a_code_is_of_every_way_to_write_a_word_and_the_nearest_one_counts(self) -> None:
        assert of_x("[[C]] model_b A>B", codes={"c": 0.0, "Model B": 1.0, "a > b": 0.5})[0] == [0.5, 1, 0.5]
        assert of_x("1 1.0", codes={"1": 0.0, "1.0": 1.0})[0] == [0, 1]

    @pytest.mark.parametrize("verdicts", ["1 0", "0 0", "0 first"])
    def test_a_0_beside_nothing_that_tells_it_from_a_tie_is_refused_with_the_codes(self, verdicts: str) -> None:
        with pytest.raises(JudgmentFileError, match=r"0=0 for the second, 0=0\.5 for a tie"):
            of_x(verdicts)

    @pytest.mark.parametrize("verdicts", ["0.5 2 1", "1 -1 0.5"])
    def test_halves_beside_another_way_of_counting_are_refused(self, verdicts: str) -> None:
        with pytest.raises(
            JudgmentFileError, match=r"row \d, column winner: 0.5 stands beside .* give verdicts codes"
        ):
            of_x(verdicts)

    def test_what_numbers_mean_is_told_by_all_columns_of_verdicts_together(self) -> None:
        text = b"prompt,model_a,model_b,one,two\n1,x,y,0,1\n2,x,y,2,0\n"
        frame = read_pairs(text, ColumnMap(columns={"verdict": ("one", "two")})).frame
        of_two = frame[(frame["respondent"] == "x") & (frame["evaluator"] == "two")]
        assert of_two["value"].tolist() == [1, 0.5]


@pytest.mark.parametrize(
    ("verdict", "value"),
    [("A is better", 1), ("Model B is better", 0), ("About the same", 0.5), ("No preference", 0.5), ("B wins", 0)],
)
def test_verdicts_in_plain_words_are_known(verdict: str, value: float) -> None:
    text = f"prompt,judge,model_a,model_b,winner\np1,j,x,y,{verdict}\n"
    assert read_pairs(text.encode(), ColumnMap()).frame["value"].iloc[0] == value


class TestBothOrders:
    """The same judge compares the same two twice, once with each of them first."""

    ORDERS = """prompt,judge,model_a,model_b,winner
p1,j1,gpt,llama,a
p1,j1,llama,gpt,b
p2,j1,gpt,llama,a
p2,j1,llama,gpt,a
p3,j1,gpt,llama,a
p3,j1,llama,gpt,tie
p1,j2,gpt,llama,b
"""

    def test_they_are_one_judgment_by_the_mean_of_both(self) -> None:
        found = read_pairs(self.ORDERS.encode(), ColumnMap())
        assert len(found.frame) == 14
        judged = judgments_of(found)
        ranks = judged.set_index(["judge_id", "prompt_id", "model"])["rank"].to_dict()
        of_j1 = [
            (ranks["j1", f"p{n}/gpt – llama", "gpt"], ranks["j1", f"p{n}/gpt – llama", "llama"]) for n in (1, 2, 3)
        ]
        assert of_j1 == [(1, 2), (1, 1), (1, 2)]
        assert len(judged) == 8

    def test_they_are_said_with_how_often_they_contradict_each_other_and_where(self) -> None:
        [said] = [str(doubt) for doubt in read_pairs(self.ORDERS.encode(), ColumnMap()).doubts]
        assert said == (
            "row 3: the same judge compared the same two in both orders 3 times: each counts as one judgment, by "
            "the mean of the two; 1 time the two contradict each other, and so make a tie, first in rows 4 and 5; "
            "the answer shown first was preferred in both of them 1 time, the one shown second 0 times"
        )

    @pytest.mark.parametrize("blank", ["", "n/a", "failed"])
    @pytest.mark.parametrize("place", [0, 1], ids=["first", "then"])
    def test_an_order_without_a_verdict_makes_no_judgment_of_two(self, place: int, blank: str) -> None:
        orders = [f"p1,j1,gpt,llama,{'a' if place else blank}", f"p1,j1,llama,gpt,{blank if place else 'b'}"]
        alone = "\n".join(["prompt,judge,model_a,model_b,winner", *orders, ""])
        found = read_pairs(alone.encode(), ColumnMap())
        assert [str(each) for each in found.doubts] == ["1 comparison without a verdict"]
        assert judgments_of(found).set_index("model")["rank"].to_dict() == {"gpt": 1, "llama": 2}
        more = read_pairs((alone + "p2,j1,gpt,llama,a\np2,j1,llama,gpt,a\n").encode(), ColumnMap())
        [said] = [str(each) for each in more.doubts if "both orders" in str(each)]
        assert said.startswith("row 5: the same judge compared the same two in both orders 1 time: each counts")

    def test_the_same_order_twice_is_refused_as_before(self) -> None:
        with pytest.raises(JudgmentFileError, match="row 9: 'j1' has compared these two already, in row 2"):
            read_pairs((self.ORDERS + "p1,j1,gpt,llama,a\n").encode(), ColumnMap())

    def test_without_prompts_every_row_is_a_comparison_of_its_own(self) -> None:
        text = b"judge,model_a,model_b,winner\nj1,gpt,llama,a\nj1,llama,gpt,a\n"
        found = read_pairs(text, ColumnMap())
        assert len(judgments_of(found)) == 4
        assert [str(doubt) for doubt in found.doubts] == [
            "row 3: the same judge compared the same two before, and no column names prompts: every row is taken "
            "for a comparison by itself"
        ]


class TestNamesThatNeverMeet:
    def doubts(self, *pairs: tuple[str, str]) -> list[str]:
        rows = "".join(f"p{row},{one},{other},a\n" for row, (one, other) in enumerate(pairs))
        return [
            str(each) for each in read_pairs(f"prompt,model_a,model_b,winner\n{rows}".encode(), ColumnMap()).doubts
        ]

    def test_columns_without_an_answer_in_common_are_doubted(self) -> None:
        [said] = self.doubts(("gpt", "a1"), ("claude", "a2"))
        assert said == (
            "row 2, column model_b: no answer stands in both columns: 'gpt' and others are in model_a alone, 'a1' "
            "and others are in model_b alone; write alike what is the same answer"
        )

    def test_columns_of_different_kinds_are_doubted(self) -> None:
        [said] = self.doubts(("gpt", "12"), ("gpt", "12"))
        assert "no answer stands in both columns: 'gpt' is in model_a alone, '12' is in model_b alone" in said

    def test_names_that_differ_as_slips_do_are_doubted_across_the_columns(self) -> None:
        [said] = self.doubts(("gpt", "llama"), ("llama", "GPT"))
        assert (
            said == "row 3, column model_b: 'gpt' and 'GPT' are read as two names; write them alike if they are one"
        )

    def test_they_are_sought_in_a_time_that_grows_with_the_names_alone(self) -> None:
        first, second = (
            pd.Series([f"{letter}{n}" for n in range(30_000)], name=letter, dtype="str") for letter in "mn"
        )
        start = time.process_time()
        assert list(look_alikes(second, beside=first)) == []
        assert time.process_time() - start < 3

    @pytest.mark.parametrize(
        "pairs",
        [
            [("gpt", "llama"), ("gpt", "llama")],
            [("gpt", "base"), ("llama", "base")],
            [("gpt", "llama"), ("llama", "opt")],
            [("1", "2"), ("2", "3")],
        ],
        ids=["one pair", "one baseline", "a chain", "numbers"],
    )
    def test_what_is_usual_is_no_doubt(self, pairs: list[tuple[str, str]]) -> None:
        assert self.doubts(*pairs) == []
