import csv
import io
import math
import re
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.data.core.judgment_frame import (
    EXTRA_COLUMNS,
    PUBLISHED_COLUMNS,
    SCRUB_DIMENSIONS,
    JudgmentFileError,
    columns,
    dimensions_of,
    domain_of_prompt,
    frame_sha256,
    read_csv,
    split_by_domain,
    standard_only,
    write_csv,
)
from analysis.data.core.scales import Outside, check_scale, inferred_scale, outside

PUBLISHED = """\
prompt_id,true_id,blinded_label,item_type,true_source,model,rank,score,judge_id,conceptual_clarity,\
evidential_grounding,contextual_relevance,pluralistic_engagement,argumentative_soundness
BBQ_01,007,Response A,standard,human,,2,27,J01,6,5,5,6,5
BBQ_01,NA,Response B,standard,model,claude,1,38,J01,8,7,8,7,8
HLE_02,c9,Response A,cal_quality_floor,model,gpt,1,12.5,J01,2,3,2,,3
"""


def read(text: str) -> pd.DataFrame:
    return read_csv(io.BytesIO(text.encode()))


def written(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    write_csv(frame, buffer)
    return buffer.getvalue()


def edited(**cells: str) -> str:
    """The published file with these cells of its first row replaced."""
    header, first, *rest = (line.split(",") for line in PUBLISHED.splitlines())
    for name, cell in cells.items():
        first[header.index(name)] = cell
    return "\n".join(",".join(line) for line in [header, first, *rest])


class TestColumns:
    def test_published_columns_are_in_the_released_order(self) -> None:
        assert ",".join(PUBLISHED_COLUMNS) == PUBLISHED.splitlines()[0]
        assert columns(SCRUB_DIMENSIONS) == list(PUBLISHED_COLUMNS)

    def test_extra_columns_come_behind_the_rubrics_dimensions(self) -> None:
        assert columns(["transparency"], EXTRA_COLUMNS)[8:] == ["judge_id", "transparency", *EXTRA_COLUMNS]

    @pytest.mark.parametrize(
        ("dimensions", "extra", "complaint"),
        [
            ((), ("mood",), "unknown extra columns: mood"),
            (("rank",), (), "twice"),
            (("mid_rank",), ("mid_rank",), "twice"),
        ],
    )
    def test_columns_are_never_unknown_or_repeated(
        self, dimensions: tuple[str, ...], extra: tuple[str, ...], complaint: str
    ) -> None:
        with pytest.raises(ValueError, match=complaint):
            columns(dimensions, extra)


class TestReading:
    def test_reading_keeps_ids_as_text_and_a_persons_model_blank(self) -> None:
        frame = read(PUBLISHED)
        assert list(frame.columns) == list(PUBLISHED_COLUMNS)
        assert list(frame["true_id"]) == ["007", "NA", "c9"]
        assert list(frame["model"]) == ["", "claude", "gpt"]

    def test_reading_makes_numbers_of_ranks_scores_and_dimensions(self) -> None:
        frame = read(PUBLISHED)
        assert list(frame["rank"]) == [2, 1, 1]
        assert list(frame["score"]) == [27, 38, 12.5]
        assert math.isnan(frame["pluralistic_engagement"][2])

    def test_reading_takes_any_rubric_and_any_column_order(self) -> None:
        frame = read(PUBLISHED)[["judge_id", *PUBLISHED_COLUMNS[:8]]].assign(seconds=3.5, transparency=60.0)
        again = read(frame.to_csv(index=False))
        assert list(again.columns) == columns(["transparency"], ["seconds"])
        assert dimensions_of(again) == ["transparency"]

    def test_reading_takes_a_path_and_a_byte_order_mark(self, tmp_path: Path) -> None:
        path = tmp_path / "judgments.csv"
        path.write_text(PUBLISHED, encoding="utf-8-sig")
        pd.testing.assert_frame_equal(read_csv(path), read(PUBLISHED))

    def test_reading_takes_mid_ranks_and_answers_that_were_not_ranked(self) -> None:
        assert read(edited(rank="1.5"))["rank"][0] == 1.5
        assert math.isnan(read(edited(rank=""))["rank"][0])

    def test_reading_takes_columns_that_are_called_otherwise(self) -> None:
        theirs = PUBLISHED.replace("judge_id", "rater").replace("conceptual_clarity", "clear")
        frame = read_csv(io.BytesIO(theirs.encode()), renamed={"rater": "judge_id", "clear": "conceptual_clarity"})
        pd.testing.assert_frame_equal(frame, read(PUBLISHED))

    @pytest.mark.parametrize(
        ("renamed", "message"),
        [
            ({"rater": "judge_id"}, "row 1: no column is called rater"),
            ({"model": "judge_id"}, "row 1: missing columns model"),
            ({"conceptual_clarity": "rank"}, "row 1, column 'rank': column names are filled in and occur once"),
        ],
    )
    def test_reading_refuses_names_that_lead_nowhere(self, renamed: dict[str, str], message: str) -> None:
        with pytest.raises(JudgmentFileError) as refusal:
            read_csv(io.BytesIO(PUBLISHED.encode()), renamed=renamed)
        assert str(refusal.value).startswith(message)

    @pytest.mark.parametrize(
        ("cells", "message"),
        [
            ({"prompt_id": ""}, "row 2, column prompt_id: is blank"),
            ({"judge_id": ""}, "row 2, column judge_id: is blank"),
            ({"item_type": "repeat"}, "row 2, column item_type: 'repeat' is neither"),
            ({"true_source": "machine"}, "row 2, column true_source: 'machine' is neither"),
            ({"rank": "first"}, "row 2, column rank: 'first' is not a number"),
            ({"rank": "1.3"}, "row 2, column rank: '1.3' is not a rank: a whole number or a half, from 1"),
            ({"rank": "0"}, "row 2, column rank: '0' is not a rank: a whole number or a half, from 1"),
            ({"score": "nan"}, "row 2, column score: 'nan' is not a number"),
            ({"conceptual_clarity": "high"}, "row 2, column conceptual_clarity: 'high' is not a number"),
            ({"model": "gpt"}, "row 2, column model: 'gpt': a human answer has no model"),
            ({"true_source": "model"}, "row 2, column model: '': is blank for a model's answer"),
            ({"true_id": "NA"}, "row 3, column true_id: 'NA': this judge has it already in this prompt"),
            ({"blinded_label": "Response B"}, "row 3, column blinded_label: 'Response B': this judge has it"),
        ],
    )
    def test_reading_names_the_row_and_column_that_is_wrong(self, cells: dict[str, str], message: str) -> None:
        with pytest.raises(JudgmentFileError) as refusal:
            read(edited(**cells))
        assert str(refusal.value).startswith(message)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("", "the file is empty"),
            (PUBLISHED.replace(",", "\t"), "row 1: columns are separated by '\\t'"),
            (PUBLISHED.splitlines()[0], "row 2: there is none, only the names of the columns"),
            (PUBLISHED.replace("judge_id", "judge"), "row 1: missing columns judge_id"),
            (PUBLISHED.replace("evidential_grounding", "rank"), "row 1, column 'rank': "),
            (PUBLISHED.replace("evidential_grounding", ""), "row 1, column '': "),
            (PUBLISHED + "BBQ_01,x\n", "row 5: 2 cells under 14 columns"),
            (PUBLISHED + '"', "the file is not CSV in UTF-8"),
            ("PK\x03\x04", "the file is a workbook or another archive, not CSV: save the sheet as CSV in UTF-8"),
        ],
    )
    def test_reading_refuses_a_malformed_file(self, content: str, message: str) -> None:
        with pytest.raises(JudgmentFileError) as refusal:
            read(content)
        assert str(refusal.value).startswith(message)

    def test_names_of_columns_may_begin_as_archives_do(self) -> None:
        lines = [f"{cell},{line}" for cell, line in zip(("PK", "1", "2", "3"), PUBLISHED.splitlines(), strict=True)]
        assert "PK" in read("\n".join(lines)).columns

    def test_reading_refuses_another_encoding(self) -> None:
        with pytest.raises(JudgmentFileError, match=r"not CSV in UTF-8: Line 2 .* it says “.*Réponse A"):
            read_csv(io.BytesIO(PUBLISHED.replace("Response A", "Réponse A").encode("latin-1")))


class TestWriting:
    def test_writing_gives_back_the_cells_of_a_published_file_with_its_texts_quoted(self) -> None:
        lines = written(read(PUBLISHED)).decode().splitlines()
        assert lines[1] == '"BBQ_01","007","Response A","standard","human","",2,27,"J01",6,5,5,6,5'
        assert list(csv.reader(lines)) == list(csv.reader(PUBLISHED.splitlines()))

    def test_a_hash_that_an_earlier_version_kept_of_the_same_judgments_is_known_again(self) -> None:
        frame = read(PUBLISHED)
        earlier = sha256(PUBLISHED.encode()).hexdigest()
        assert frame_sha256(frame) == sha256(written(frame)).hexdigest() != earlier
        assert frame_sha256(frame, kept=earlier) == earlier
        assert frame_sha256(frame.assign(judge_id="J02"), kept=earlier) != earlier

    def test_writing_does_not_depend_on_the_order_of_columns(self) -> None:
        frame = read(PUBLISHED)
        leading = frame.columns[:9]
        assert written(frame[[*leading[::-1], *frame.columns[9:]]]) == written(frame)

    @pytest.mark.parametrize("beginning", list("=+-@\t\r\n"))
    def test_writing_leaves_no_text_that_a_spreadsheet_would_run(self, beginning: str) -> None:
        frame = read(PUBLISHED).assign(justification=f"{beginning}1+2", judge_id=f"{beginning}J01")
        lines = csv.DictReader(io.StringIO(written(frame).decode(), newline=""))
        for line in lines:
            assert line["justification"] == f"'{beginning}1+2"
            assert line["judge_id"] == f"'{beginning}J01"

    def test_writing_leaves_negative_numbers_alone(self) -> None:
        frame = read(PUBLISHED).assign(score=[-1.5, -2.0, math.nan])
        scores = [line["score"] for line in csv.DictReader(io.StringIO(written(frame).decode()))]
        assert scores == ["-1.5", "-2", ""]

    def test_writing_refuses_a_missing_value_in_a_text_column(self) -> None:
        with pytest.raises(TypeError):
            written(read(PUBLISHED).assign(judge_id=pd.Series([None, "J01", "J01"])))

    @pytest.mark.parametrize("text", ["=1", "'=1", "''=1", "'quoted'", "'", "a=1", "'-'"])
    def test_written_texts_that_begin_with_apostrophes_are_read_back(self, text: str) -> None:
        frame = read(PUBLISHED).assign(justification=text)
        assert list(read_csv(io.BytesIO(written(frame)))["justification"]) == [text] * 3

    @given(
        texts=st.lists(
            st.text(st.one_of(st.sampled_from("'=+-@\t\r\n\",a"), st.characters(exclude_categories=["Cs"]))),
            min_size=3,
            max_size=3,
        ),
        numbers=st.lists(
            st.one_of(st.just(math.nan), st.floats(allow_nan=False, allow_infinity=False)), min_size=3, max_size=3
        ),
    )
    def test_judgments_that_were_written_are_read_back_exactly(
        self, texts: list[str], numbers: list[float]
    ) -> None:
        frame = read(PUBLISHED).assign(seconds=numbers, justification=pd.Series(texts, dtype="str"))
        content = written(frame)
        again = read_csv(io.BytesIO(content))
        pd.testing.assert_frame_equal(again, frame[list(again.columns)], check_exact=True)
        assert written(again) == content


class TestScale:
    @pytest.mark.parametrize(
        ("scale", "found"),
        [
            ((2, 8), None),
            ((2, 7.5), (3, 14, 3, "conceptual_clarity", 8)),
            ((3, 7), (5, 14, 3, "conceptual_clarity", 8)),
            ((3, 10), (2, 14, 4, "conceptual_clarity", 2)),
            ((1, 5), (7, 14, 2, "conceptual_clarity", 6)),
        ],
    )
    def test_scores_outside_the_scale_are_counted_and_the_first_is_named(
        self, scale: tuple[float, float], found: tuple[int, int, int, str, float] | None
    ) -> None:
        assert outside(read(PUBLISHED), scale) == (found and Outside(*found))

    @pytest.mark.parametrize(("factor", "scale"), [(1, (1, 10)), (0.1, (0, 1)), (10, (0, 100))])
    def test_the_scale_is_inferred_from_most_of_the_scores(self, factor: float, scale: tuple[float, float]) -> None:
        frame = read(PUBLISHED)
        frame[list(SCRUB_DIMENSIONS)] *= factor
        assert inferred_scale(frame) == scale

    @pytest.mark.parametrize(
        ("scores", "scale"),
        [
            ([0, 1, 1, 0, 1], (0, 1)),
            ([0, 4, 10, 0, 3], (0, 10)),
            ([0, 40, 100, 7, 65], (0, 100)),
            ([1, 5, 3], (1, 5)),
            ([7, 1, 4], (1, 7)),
            ([1, 1.5, 7], (1, 7)),
            ([-3, 0, 3], (-3, 3)),
            ([-1, 1, 1], (-1, 1)),
            ([0, 2, 4], (0, 4)),
            ([1, 80, 100], (1, 100)),
            ([2, 7, 3], (1, 10)),
            ([1, 6.5, 3], (1, 10)),
            ([1, 8, 3], (1, 10)),
            ([3, 3], (1, 10)),
            ([0.5, 0.2], (0, 1)),
        ],
    )
    def test_the_scale_is_the_one_whose_ends_scores_reach_or_the_first_usual_one_that_holds_them(
        self, scores: list[float], scale: tuple[float, float]
    ) -> None:
        frame = pd.DataFrame({"quality": scores})
        check_scale(frame, inferred_scale(frame))
        assert inferred_scale(frame) == scale

    @pytest.mark.parametrize("scores", [[-1.3, 0.2, 0.9, -0.4], [-5, 3, 4, -2], [300, 480, 20, 15]])
    def test_scores_of_no_usual_scale_are_refused_by_what_they_run_from_and_to(self, scores: list[float]) -> None:
        frame = pd.DataFrame({"quality": scores})
        with pytest.raises(
            JudgmentFileError, match=f"run from {min(scores):g} to {max(scores):g}\\); .* give the scale"
        ):
            check_scale(frame, inferred_scale(frame))

    def test_one_mistyped_score_makes_the_scale_no_other(self) -> None:
        assert inferred_scale(read(edited(evidential_grounding="50"))) == (1, 10)

    def test_a_score_outside_the_scale_is_refused_by_its_row_and_column(self) -> None:
        check_scale(read(PUBLISHED), (2, 8))
        said = (
            "row 3, column conceptual_clarity: 8 lies outside the scale, 1 to 7 (3 of 14 scores, "
            "which run from 2 to 8); if that is meant, give the scale"
        )
        with pytest.raises(JudgmentFileError, match=re.escape(said)):
            check_scale(read(PUBLISHED), (1, 7))


def test_standard_rows_exclude_every_kind_of_calibration() -> None:
    assert list(standard_only(read(PUBLISHED))["true_id"]) == ["007", "NA"]


def test_domain_is_what_stands_before_the_number() -> None:
    assert domain_of_prompt("BBQ_01") == "BBQ"
    assert domain_of_prompt("Q1") == domain_of_prompt("_01") == ""
    assert list(split_by_domain(read(PUBLISHED))) == ["BBQ", "HLE"]


def test_prompts_without_a_domain_are_in_no_part() -> None:
    frame = read(PUBLISHED)
    without = frame.assign(prompt_id=frame["prompt_id"].str.replace("BBQ_", "Q"))
    assert list(split_by_domain(without)) == ["HLE"]


def test_domain_can_be_told_by_a_study() -> None:
    parts = split_by_domain(read(PUBLISHED), domain_of=lambda prompt_id: prompt_id[-1])
    assert {domain: len(part) for domain, part in parts.items()} == {"1": 2, "2": 1}
