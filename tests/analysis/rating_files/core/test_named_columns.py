"""Columns of a file are named by our words, or by what these are also known as, and by nothing else."""

import pytest

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.rating_files.core.reading import RATING_COLUMNS, RatingOptions, composed, read_tables

FILE = b"Participant ID,Question,Source,Clear\nP1,Q1,gpt,3\nP1,Q1,human,5\nP2,Q1,gpt,2\nP2,Q1,human,5\n"


def test_what_columns_are_also_known_as_names_them_too() -> None:
    ours = {"Participant ID": "evaluator", "Question": "prompt", "Source": "respondent"}
    theirs = {"Participant ID": "rater", "Question": "question", "Source": "model"}
    one, other = (read_tables(FILE, RatingOptions(columns=columns)) for columns in (ours, theirs))
    assert one.tables.judgments.equals(other.tables.judgments)
    assert composed({"a+b": "worker"}, RATING_COLUMNS) == {"evaluator": ("a", "b")}


@pytest.mark.parametrize("kind", ["ratings", "pairs"])
def test_a_word_for_no_column_is_refused_with_those_there_are(kind: str) -> None:
    with pytest.raises(JudgmentFileError, match=r"Source=sauce: columns stand for .*prompt.*"):
        read_tables(FILE, RatingOptions(columns={"Source": "sauce"}), kind)  # type: ignore[arg-type]
