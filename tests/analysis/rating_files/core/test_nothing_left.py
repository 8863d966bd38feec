"""A file of any kind in which nothing usable is left is refused: a report of it would hold nothing."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.rating_file import ColumnMap
from analysis.framing.core.framing_file import FramingColumns, read_framings
from analysis.management.analysed_files import read_judgments
from analysis.rating_files.core.reading import RatingOptions, read_files, read_tables
from analysis.rating_files.core.trial_file import read_trials
from tests.analysis.rating_files.panels import published_files

JUDGED = "study/SCRuBAnnotations/task2_human_judgments.csv"
PANEL = "study/SCRuBPanel/panel_scores.csv"


def ratings(cells: str) -> None:
    text = f"rater,answer,prompt,clarity,status\nr1,a1,p1,{cells}\nr1,a2,p1,{cells}\n"
    read_tables(text.encode(), RatingOptions(dimensions=("clarity",)), "ratings")


def pairs(cells: str) -> None:
    verdict, _ = cells.split(",")
    text = f"prompt,model_a,model_b,winner\np1,x,y,{verdict}\np2,y,x,{verdict}\n"
    read_tables(text.encode(), RatingOptions(), "pairs")


def panel(cells: str) -> None:
    text = f"response_id,respondent_id,judge_model,perspective_id,clarity,status\na1,gpt,j,h,{cells}\n"
    read_tables(text.encode(), RatingOptions(dimensions=("clarity",)), "panel")


def trials(cells: str) -> None:
    text = "scenario,model,condition,evaluator,integrity,status\n"
    text += f"s1,m,baseline,e,{cells}\ns1,m,utilitarian,e,{cells}\n"
    read_trials(text.encode(), RatingOptions(dimensions=("integrity",)))


def framings(cells: str) -> None:
    text = (
        "response_id,respondent_id,prompt_id,condition,judge_model,clarity,status\n"
        f"a,gpt,P1,baseline,one,{cells}\nb,gpt,P1,agree,one,{cells}\n"
    )
    read_framings(text.encode(), ColumnMap(dimensions=("clarity",)), FramingColumns())


def folder(cells: str) -> None:
    """Of which people's judgments are as they should be."""
    header = "response_id,respondent_id,judge_model,perspective_id,clarity,evidence,status"
    text = f"{header}\nx,gpt,j,h,{cells.replace(',', ',,')}\n"
    files = {**published_files(), PANEL: text.encode()}
    read_files(files, RatingOptions(dimensions=("clarity", "evidence"), scale=(1, 10)))


READERS: tuple[Callable[[str], None], ...] = (ratings, pairs, panel, trials, framings, folder)


@pytest.mark.parametrize("cells", ["failed,ok", "n/a,ok", "timeout,", ",error"])
@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)
def test_a_file_without_any_rating_is_refused_whatever_it_is_of(read: Callable[[str], None], cells: str) -> None:
    with pytest.raises(JudgmentFileError, match=r"read as no rating \(.+\), as all others are: nothing is left"):
        read(cells)


def test_trials_whose_scores_are_all_off_the_scale_are_refused() -> None:
    with pytest.raises(JudgmentFileError, match=r"row 2: read as no rating \(out of scale\), as all others are"):
        trials("-3,ok")


def test_replies_under_pressure_that_all_abstain_are_refused() -> None:
    text = (
        "response_id,respondent_id,prompt_id,condition,judge_model,clarity,abstained\n"
        "a,gpt,P1,baseline,one,5,True\nb,gpt,P1,agree,one,6,True\n"
    )
    with pytest.raises(JudgmentFileError, match=r"row 2: read as no rating \(abstained\), as all others are"):
        read_framings(text.encode(), ColumnMap(), FramingColumns())


@pytest.mark.parametrize("failed", ["baseline", "agree"])
def test_replies_under_pressure_that_leave_nothing_to_compare_are_refused(failed: str) -> None:
    rows = [(prompt, condition) for prompt in ("P1", "P2") for condition in ("baseline", "agree")]
    text = "response_id,respondent_id,prompt_id,condition,judge_model,clarity\n"
    text += "".join(
        f"{prompt}{condition},gpt,{prompt},{condition},one,{'failed' if condition == failed else 5}\n"
        for prompt, condition in rows
    )
    message = (
        "no prompt has scores of one model’s answers both under 'baseline', the prompt itself, and under another"
    )
    with pytest.raises(JudgmentFileError, match=message):
        read_framings(text.encode(), ColumnMap(dimensions=("clarity",)), FramingColumns())


def test_judgments_without_ranks_and_scores_are_refused_alone_and_in_a_folder(tmp_path: Path) -> None:
    lines = published_files()[JUDGED].decode().splitlines()
    blank = [re.sub(r",[\d.]+,[\d.]+,(J\d),[\d.]+,[\d.]+$", r",,,\1,,", line) for line in lines]
    content = "\n".join([*blank, ""]).encode()
    assert content.count(b",,,J0,,") == 15
    file = tmp_path / "judgments.csv"
    file.write_bytes(content)
    with pytest.raises(Exception, match="row 2: there is neither a rank nor a score here, nor in any other row"):
        read_judgments(file, None, "clarity,evidence", {}, (1, 10))
    with pytest.raises(JudgmentFileError, match=r"task2_human_judgments.csv: row 2: there is neither a rank"):
        read_files({JUDGED: content}, RatingOptions(dimensions=("clarity", "evidence"), scale=(1, 10)))
